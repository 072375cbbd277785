"""The prompt as a window in a desktop: Wayland and X11, on the machine's own screen, with its own keyboard."""

import pathlib
import shlex
import struct
import time
import zlib

from checks import Part, expect
from console import press, type_text
from machine import Machine
from owner import Owner

part = Part("desktop")

SECONDS_TO_SHOW = 90
# A screen is still when so little of it has changed in so long: a clock's hand.
SECONDS_STILL, SAME = 2, 0.0005
# So much of the screen is a window.
WINDOW = 0.03
# Of 255, on average: less is no desktop, but a screen before one.
DARK = 20
# What openbox starts with, where the login is xdm's.
X_SESSION = """#!/bin/sh
systemctl --user set-environment GSK_RENDERER=cairo
systemctl --user import-environment DISPLAY XAUTHORITY
systemctl --user start thumbturn-window.socket
exec openbox
"""
# A login that ends in a compositor, as a display manager makes it: logind's session, a seat, a console of its own.
WESTON = """[Unit]
Description=A desktop of alice's
After=systemd-user-sessions.service
Conflicts=getty@tty7.service

[Service]
User=alice
PAMName=login
TTYPath=/dev/tty7
StandardInput=tty
UtmpIdentifier=tty7
UtmpMode=user
Environment=XDG_SESSION_TYPE=wayland XDG_SEAT=seat0 XDG_VTNR=7 XDG_SESSION_CLASS=user
ExecStart=/usr/bin/weston --backend=drm-backend.so --use-pixman --socket=wayland-1 --idle-time=0 --continue-without-input
"""


def manager(machine: Machine, command: str) -> str:
    """Says something to alice's own manager."""
    return machine.must(Owner(machine).own(command))


def bring_to_front(machine: Machine, console: int) -> None:
    seat = "org.freedesktop.login1 /org/freedesktop/login1/seat/seat0 org.freedesktop.login1.Seat"
    machine.must(f"busctl call {seat} SwitchTo u {console}")


def start(machine: Machine, command: str) -> None:
    """Has the user's manager start a program, as a desktop does."""
    for word in ("stop", "reset-failed"):
        machine.run(Owner(machine).own(f"systemctl --user {word} asking"))
    manager(machine, f"systemd-run --user --quiet --unit=asking --remain-after-exit -p StandardOutput=truncate:/tmp/asked "
                     f"-p StandardError=truncate:/tmp/complained {command}")


def ask(machine: Machine, words: str) -> None:
    start(machine, f"/usr/bin/thumbturn {words}")


def answer(machine: Machine) -> str:
    """What came of it."""
    machine.eventually(Owner(machine).own("systemctl --user show -p SubState --value asking | grep -q -v running"), 60)
    return machine.run("cat /tmp/asked /tmp/complained; rm -f /tmp/asked /tmp/complained").output


class Picture:
    """A picture of the machine's screen, as QEMU takes it."""

    def __init__(self, machine: Machine):
        path = machine.folder / "screen.ppm"
        machine.monitor.tell("screendump", filename=str(path))
        _, size, _, self.pixels = path.read_bytes().split(b"\n", 3)
        self.width, self.height = map(int, size.split())

    def keep(self, path: pathlib.Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = b"".join(b"\0" + self.pixels[row * self.width * 3:][:self.width * 3] for row in range(self.height))

        def piece(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + piece(b"IHDR", head) + piece(b"IDAT", zlib.compress(rows)) + piece(b"IEND", b""))

    @property
    def is_dark(self) -> bool:
        """As a screen is before anything is drawn on it."""
        return sum(self.pixels[::3]) / (self.width * self.height) < DARK

    def differs(self, other: "Picture") -> float:
        """How much of it is otherwise than another, 0 to 1."""
        if (self.width, self.height) != (other.width, other.height):
            return 1
        pairs = zip(self.pixels[::3], other.pixels[::3])
        return sum(one != two for one, two in pairs) / (self.width * self.height)


def still(machine: Machine, name: str, *, is_drawn: bool = True) -> Picture:
    """The screen as soon as something is drawn on it and nothing moves any more; kept under that name."""
    until = time.monotonic() + SECONDS_TO_SHOW
    last = Picture(machine)
    while time.monotonic() < until:
        time.sleep(SECONDS_STILL)
        last, earlier = Picture(machine), last
        if last.is_dark != is_drawn and last.differs(earlier) < SAME:
            break
    last.keep(part.stage.results / f"desktop-{name}.png")
    return last


def shown(machine: Machine, name: str) -> None:
    """Waits until there is something on the desktop, and it doesn't move."""
    until = time.monotonic() + SECONDS_TO_SHOW
    while Picture(machine).differs(empty) < WINDOW:
        expect(time.monotonic() < until, "no window: " + machine.run("cat /tmp/complained").output)
        time.sleep(0.5)
    still(machine, name)


# The desktop with nothing on it.
empty: Picture


@part.check("Wayland: a session of logind's at the machine's seat, with a compositor on its screen")
def _(machine: Machine):
    global empty
    alice = Owner(machine)
    expect(alice.sets_passcode() and alice.keeps("vault", "from a window"))
    machine.must(f"printf '%s' {shlex.quote(WESTON)} >/run/systemd/system/desktop.service && systemctl daemon-reload")
    bring_to_front(machine, 7)
    machine.must("systemctl start desktop")
    stands = machine.eventually(f"test -S /run/user/{alice.uid}/wayland-1", SECONDS_TO_SHOW)
    expect(stands, machine.run("journalctl -u desktop -n 30 --no-pager").output)
    kind = machine.must("loginctl show-session -p Type -p Seat -p Active $(loginctl show-user -p Display --value alice)")
    expect("Type=wayland" in kind and "Seat=seat0" in kind and "Active=yes" in kind, kind)
    manager(machine, "systemctl --user set-environment WAYLAND_DISPLAY=wayland-1 XDG_SESSION_TYPE=wayland GSK_RENDERER=cairo")
    manager(machine, "systemctl --user start thumbturn-window.socket")
    empty = still(machine, "wayland-empty")


@part.check("Wayland: the question is a window on the screen; the passcode typed there brings the secret out")
def _(machine: Machine):
    ask(machine, "secret get vault")
    shown(machine, "wayland-passcode")
    type_text(machine, Owner.passcode + "\n")
    said = answer(machine)
    expect("from a window" in said, said)


@part.check("Wayland: Escape refuses, and the window goes")
def _(machine: Machine):
    ask(machine, "secret get vault")
    shown(machine, "wayland-escape")
    press(machine, "esc")
    said = answer(machine)
    expect("from a window" not in said and "ancel" in said, said)
    expect(still(machine, "wayland-after").differs(empty) < WINDOW, "something stays on the screen")


@part.check("Wayland: a touch counts while the window is seen, and only then")
def _(machine: Machine):
    alice = Owner(machine)
    showing = machine.begin("finger right-index 5", 120)
    expect(alice.types("enroll right-index", ("Passcode:", alice.passcode)))
    expect(machine.finish(showing))
    ask(machine, "secret get vault")
    shown(machine, "wayland-touch")
    expect(machine.run("finger right-index"))
    said = answer(machine)
    expect("from a window" in said, said)
    ask(machine, "secret get vault")
    shown(machine, "wayland-behind")
    bring_to_front(machine, 1)
    machine.run("timeout 5 finger right-index")
    bring_to_front(machine, 7)
    press(machine, "esc")
    said = answer(machine)
    expect("from a window" not in said, "a finger counted for a window that nobody saw")


@part.check("Secret Service: another program's item is asked for in the window: a touch gives it once, the passcode for good, Escape never")
def _(machine: Machine):
    manager(machine, "thumbturn secrets-service on --force")
    # A tool of another name is another program.
    machine.must("cp /usr/bin/secret-tool /usr/local/bin/other")
    manager(machine, "sh -c 'printf of-one | secret-tool store --label=one account one'")
    for answering in ("escape", "touch", "passcode"):
        start(machine, "/usr/local/bin/other lookup account one")
        shown(machine, f"secrets-{answering}")
        if answering == "passcode":
            type_text(machine, Owner.passcode + "\n")
        elif answering == "touch":
            expect(machine.run("finger right-index"))
        else:
            press(machine, "esc")
        said = answer(machine)
        expect(("of-one" in said) == (answering != "escape"), f"{answering}: {said}")
    start(machine, "/usr/local/bin/other lookup account one")
    said = answer(machine)
    expect("of-one" in said, f"asked once more, though it was the passcode: {said}")


@part.check("Secret Service: a store that nobody has opened opens in the window, by the passcode and not by Escape")
def _(machine: Machine):
    for answering in ("escape", "passcode"):
        machine.must("systemctl kill -s KILL 'thumbturn-device@*.service'")
        start(machine, "/usr/bin/secret-tool lookup account one")
        shown(machine, f"secrets-locked-{answering}")
        if answering == "passcode":
            type_text(machine, Owner.passcode + "\n")
        else:
            press(machine, "esc")
        said = answer(machine)
        expect(("of-one" in said) == (answering == "passcode"), f"{answering}: {said}")
    manager(machine, "thumbturn secrets-service off")


@part.check("polkit: switched on by the user, the window asks, and says all that polkit says")
def _(machine: Machine):
    # Whose word polkit takes for what root may.
    machine.must("usermod -aG sudo alice && thumbturn sudo on --force")
    said = manager(machine, "thumbturn polkit on")
    expect("asks for polkit" in said, said + machine.run("journalctl -b -n 40 --no-pager _COMM=thumbturn-polki").output)
    expect(machine.run(Owner(machine).own("thumbturn polkit status")))


@part.check("polkit: pkexec runs by the owner's finger, or by the password; not by another finger, a wrong password or Escape")
def _(machine: Machine):
    for answering, is_root in (("finger", True), ("password", True), ("other", False), ("wrong", False), ("escape", False)):
        start(machine, "/usr/bin/pkexec /usr/bin/id -u")
        shown(machine, f"polkit-{answering}")
        if answering == "finger":
            expect(machine.run("finger right-index"))
        elif answering == "other":
            expect(machine.run("finger left-thumb"))
        elif answering == "password":
            type_text(machine, "alice\n")
        elif answering == "wrong":
            type_text(machine, "wrong\n")
            time.sleep(5)
        if not is_root:
            press(machine, "esc")
        said = answer(machine)
        expect((said.strip() == "0") == is_root, f"{answering}: {said}")
    alice = Owner(machine)
    log = alice.types("log", ("Passcode:", alice.passcode)).output
    expect("polkit" in log, log)


@part.check("polkit: systemd-run gets root's rights by the owner's finger, or by the password, and not by Escape")
def _(machine: Machine):
    for answering in ("finger", "password", "escape"):
        start(machine, "/usr/bin/systemd-run --quiet --uid=0 --pipe /usr/bin/id -u")
        shown(machine, f"polkit-run-{answering}")
        if answering == "finger":
            expect(machine.run("finger right-index"))
        elif answering == "password":
            type_text(machine, "alice\n")
        else:
            press(machine, "esc")
        said = answer(machine)
        expect((said.strip() == "0") == (answering != "escape"), f"{answering}: {said}")


@part.check("polkit: systemctl starts a unit of the system's, and a package is installed, each by the owner's finger and not by Escape")
def _(machine: Machine):
    machine.must("printf '[Service]\\nType=oneshot\\nExecStart=/usr/bin/touch /run/was-started\\n' >/run/systemd/system/unit.service && "
                 "systemctl daemon-reload")
    package = machine.must("ls /root/share/libthumbturn0_*.deb").strip()
    for name, command, done in (
        ("unit", "/usr/bin/systemctl start unit.service", "test -e /run/was-started"),
        ("package", f"/usr/bin/pkexec /usr/bin/dpkg --no-debsig -i {package}", "grep -q 'Setting up libthumbturn0' /tmp/asked"),
    ):
        for answering in ("escape", "finger"):
            start(machine, command)
            shown(machine, f"polkit-{name}-{answering}")
            if answering == "finger":
                expect(machine.run("finger right-index"))
                expect(machine.eventually(done), machine.run("cat /tmp/asked /tmp/complained").output)
            else:
                press(machine, "esc")
                machine.eventually(Owner(machine).own("systemctl --user show -p SubState --value asking | grep -q -v running"), 60)
                expect(not machine.run(done), name)
            answer(machine)


@part.check("sudo in a terminal of the desktop: the window shows the question beside the password; a touch counts there, and only there")
def _(machine: Machine):
    machine.must("printf 'alice ALL=(ALL) ALL\\nDefaults timestamp_timeout=0\\n' >/etc/sudoers.d/alice")
    # A terminal that no window shows: a program's own. What the owner sees is our window.
    machine.must("echo 'import pty; pty.spawn([\"/usr/bin/sudo\", \"/usr/bin/id\", \"-u\"])' >/tmp/hidden.py")
    hidden = "/usr/bin/python3 /tmp/hidden.py"
    for answering in ("finger", "escape"):
        start(machine, hidden)
        shown(machine, f"sudo-{answering}")
        terminal = machine.must("cat /tmp/asked")
        expect("password for alice" in terminal, terminal)
        if answering == "finger":
            expect(machine.run("finger right-index"))
        else:
            press(machine, "esc")
            expect(still(machine, "sudo-refused").differs(empty) < WINDOW, "the window stays")
            expect(not machine.run("timeout 5 finger right-index"), "the reader takes a finger that nobody is asked for")
            machine.must("pkill -x -u root sudo || true")
        said = answer(machine)
        expect(("\n0" in said) == (answering == "finger"), f"{answering}: {said}")
    # Without a window that could show it, nobody is asked for a touch.
    bring_to_front(machine, 1)
    start(machine, hidden)
    expect(machine.eventually("grep -q 'password for alice' /tmp/asked", 60))
    expect(not machine.run("timeout 5 finger right-index"), "the reader took a finger for a terminal that nobody sees")
    machine.must("pkill -x -u root sudo || true")
    bring_to_front(machine, 7)


@part.check("polkit: a program that starts polkit's helper by itself gets no touch, and without the daemon nobody becomes root")
def _(machine: Machine):
    alice = Owner(machine)
    helper = "/usr/lib/policykit-1/polkit-agent-helper-1 alice"
    said = machine.run(f"echo 1-cookie | runuser -u alice -- timeout 20 {helper}").output
    expect("PAM_PROMPT_ECHO_OFF" in said and "SUCCESS" not in said, said)
    start(machine, "/usr/bin/pkexec /usr/bin/id -u")
    shown(machine, "polkit-killed")
    machine.must("systemctl kill -s KILL 'thumbturn-device@*.service'")
    said = answer(machine)
    expect(said.strip() != "0", said)
    expect(machine.eventually(alice.own("systemctl --user is-active --quiet thumbturn-polkit")), "the agent went with the daemon")


@part.check("polkit: switched off, the window doesn't ask")
def _(machine: Machine):
    expect(machine.run(Owner(machine).own("thumbturn polkit off")))
    status = machine.run(Owner(machine).own("thumbturn polkit status"))
    expect(not status and "doesn't ask" in status.output, status.output)
    expect(Owner(machine).gives_passcode())


@part.check("Wayland: the desktop ends in the middle of a question, and nothing comes out")
def _(machine: Machine):
    ask(machine, "secret get vault")
    shown(machine, "wayland-ending")
    machine.must("systemctl stop desktop")
    said = answer(machine)
    expect("from a window" not in said, said)
    expect(machine.eventually("! pgrep -x thumbturn-windo", 60), "the window's process stays")


@part.check("X11: a login on the screen is a session of logind's with that display")
def _(machine: Machine):
    global empty
    manager(machine, "systemctl --user unset-environment WAYLAND_DISPLAY XDG_SESSION_TYPE")
    manager(machine, "systemctl --user stop thumbturn-window.socket thumbturn-window.service")
    machine.must(f"printf '%s' {shlex.quote(X_SESSION)} >/home/alice/.xsession && chmod 755 /home/alice/.xsession && "
                 "chown alice /home/alice/.xsession && systemctl unmask xdm && systemctl start xdm")
    expect(machine.eventually("pgrep -x Xorg && ls /tmp/.X11-unix/X0", SECONDS_TO_SHOW))
    time.sleep(10)
    type_text(machine, "alice\n")
    time.sleep(1)
    type_text(machine, "alice\n")
    stands = machine.eventually("pgrep -u alice -x openbox", SECONDS_TO_SHOW)
    expect(stands, machine.run("tail -n 30 /var/log/xdm.log").output)
    kind = machine.must("loginctl show-session -p Type -p Display -p Seat -p Active $(loginctl show-user -p Display --value alice)")
    expect("Type=x11" in kind and "Display=:0" in kind and "Active=yes" in kind, kind)
    expect(machine.eventually(Owner(machine).own("systemctl --user is-active --quiet thumbturn-window.socket")))
    empty = still(machine, "x11-empty", is_drawn=False)


@part.check("X11: the question is a window; the passcode typed there, or a touch, brings the secret out, and Escape doesn't")
def _(machine: Machine):
    for answering in ("passcode", "touch", "escape"):
        ask(machine, "secret get vault")
        shown(machine, f"x11-{answering}")
        if answering == "passcode":
            type_text(machine, Owner.passcode + "\n")
        elif answering == "touch":
            expect(machine.run("finger right-index"))
        else:
            press(machine, "esc")
        said = answer(machine)
        expect(("from a window" in said) == (answering != "escape"), f"{answering}: {said}")
