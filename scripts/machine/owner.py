"""The people of the machine, as they use Thumbturn, and programs of theirs that stay."""

import shlex
import time

from machine import Machine
from talk import Result


class Owner:
    """One of them, on a machine: alice or bob. The account's password is the name."""

    passcode = "correct horse 7"

    def __init__(self, machine: Machine, name: str = "alice"):
        self.machine, self.name = machine, name

    @property
    def uid(self) -> int:
        return int(self.machine.must(f"id -u {self.name}"))

    def line(self, words: str) -> str:
        """The command line as this user runs it: on no terminal, in no session."""
        return (f"runuser -u {self.name} -- env -i HOME=/home/{self.name} PATH=/usr/bin:/bin THUMBTURN_PROMPT=terminal "
                f"thumbturn {words}")

    def own(self, command: str) -> str:
        """A command that speaks with this user's own manager."""
        runtime = f"/run/user/{self.uid}"
        return (f"runuser -u {self.name} -- env XDG_RUNTIME_DIR={runtime} DBUS_SESSION_BUS_ADDRESS=unix:path={runtime}/bus "
                f"{command}")

    def run(self, words: str, given: str | None = None) -> Result:
        """Runs it, with something on standard input where it is given."""
        return self.machine.run(self.line(words) + (f" <<<{shlex.quote(given)}" if given is not None else " </dev/null"))

    def types(self, words: str, *dialogue: tuple[str, str]) -> Result:
        """Runs it in a terminal, where what is shown is answered with what is typed."""
        flat = [word for pair in dialogue for word in pair]
        return self.machine.run(shlex.join(["answer", self.name, "thumbturn " + words, *flat]))

    def is_answered(self) -> bool:
        """Whether a daemon answers."""
        return '"isSet"' in self.run("passcode status --json").output

    def sets_passcode(self) -> Result:
        new = [("New passcode:", self.passcode), ("Again:", self.passcode)]
        return self.types("passcode set", ("Account password:", self.name), *new)

    def gives_passcode(self) -> Result:
        return self.types("verify", ("Passcode:", self.passcode))

    def keeps(self, name: str, value: str, *, protect: str = "presence", kind: str = "when-unlocked") -> Result:
        return self.run(f"secret add {name} --protect {protect} --class {kind}", value)

    def reads(self, name: str) -> str:
        """The value of what asks for nobody, or nothing."""
        result = self.run(f"secret get {name}")
        return result.output.strip() if result else ""

    def reads_with_passcode(self, name: str) -> bool:
        """Whether the passcode brings out something of that name."""
        return bool(self.types(f"secret get {name} >/dev/null", ("Passcode:", self.passcode)))


class App:
    """A program of somebody's that stays: the tests' own client, which does what each line says. The passcode is typed at its prompt."""

    def __init__(self, owner: Owner, *, answers: bool = True):
        self.machine, self.said = owner.machine, 0
        self.folder = owner.machine.must("mktemp -d /tmp/app-XXXXXX").strip()
        lines, answered = f"{self.folder}/lines", f"{self.folder}/answers"
        self.machine.must(f"mkfifo {lines} && touch {answered} && chown -R {owner.name} {self.folder}")
        dialogue = ["Passcode:", owner.passcode] if answers else []
        self.machine.begin(shlex.join(["answer", owner.name, f"exec client <>{lines} >{answered}", *dialogue]), 3600)

    def say(self, line: str) -> None:
        """Has it begin with something."""
        self.machine.must(f"echo {shlex.quote(line)} >{self.folder}/lines")
        self.said += 1

    def answer(self, seconds: float = 60) -> str:
        """What it says to the last line."""
        until = time.monotonic() + seconds
        while len(lines := self.machine.must(f"cat {self.folder}/answers").splitlines()) < self.said and time.monotonic() < until:
            time.sleep(0.3)
        return lines[self.said - 1] if len(lines) >= self.said else ""

    def does(self, line: str) -> str:
        self.say(line)
        return self.answer()
