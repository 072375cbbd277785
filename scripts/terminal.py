"""A person at a terminal, played by a script: what is typed is shown in ‹›."""
import os, pty, select, signal, time


def run(program, words, keys=(), stdin=None, limit=30):
    """Runs a program on a terminal of its own; keys is a list of (text to wait for, what to type then), or a table of these that holds
    whenever the text comes. Returns how it ended and all that stood on its terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        if stdin is not None:
            read, write = os.pipe()
            os.write(write, stdin)
            os.close(write)
            os.dup2(read, 0)
        os.execvp(program, [os.path.basename(program), *words])
    seen, shown, end = b"", b"", time.time() + limit
    waiting = list(keys.items() if isinstance(keys, dict) else keys)
    while time.time() < end:
        ready, _, _ = select.select([terminal], [], [], 0.1)
        if ready:
            try:
                data = os.read(terminal, 4096)
            except OSError:
                break
            if not data:
                break
            seen += data
            shown += data
        found = [pair for pair in (waiting if isinstance(keys, dict) else waiting[:1]) if pair[0].encode() in seen]
        if found:
            typed = found[0][1]
            if not isinstance(keys, dict):
                waiting.pop(0)
            seen = b""
            os.write(terminal, typed.encode())
            shown += ("‹" + {"\x03": "Ctrl-C"}.get(typed, typed.rstrip("\r")) + "›").encode()
    else:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown.decode(errors="replace").replace("\r\n", "\n")
