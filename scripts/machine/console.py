"""What a person has before the machine: its keyboard, and a text console on its screen."""

import time

from checks import expect
from machine import Machine

# A key is held so long, and so long it is until the next: an emulated keyboard drops what comes faster than it is read.
KEY_MILLISECONDS, SECONDS_BETWEEN_KEYS = 20, 0.06
SECONDS_TO_SHOW = 60

PLAIN = dict(zip(" -=[];'`\\,./\n\t", (
    "spc", "minus", "equal", "bracket_left", "bracket_right", "semicolon", "apostrophe", "grave_accent", "backslash", "comma", "dot",
    "slash", "ret", "tab"), strict=True))
SHIFTED = dict(zip('!@#$%^&*()_+{}:"~|<>?', (
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "minus", "equal", "bracket_left", "bracket_right", "semicolon", "apostrophe",
    "grave_accent", "backslash", "comma", "dot", "slash"), strict=True))


def keys(character: str) -> list[str]:
    """What is pressed for a character on an American keyboard."""
    if character in PLAIN:
        return [PLAIN[character]]
    if character in SHIFTED:
        return ["shift", SHIFTED[character]]
    return ["shift", character.lower()] if character.isupper() else [character]


def press(machine: Machine, *names: str) -> None:
    """Presses keys together, by QEMU's names for them."""
    machine.monitor.tell("send-key", keys=[{"type": "qcode", "data": name} for name in names], **{"hold-time": KEY_MILLISECONDS})
    time.sleep(SECONDS_BETWEEN_KEYS)


def type_text(machine: Machine, text: str) -> None:
    for character in text:
        press(machine, *keys(character))


class Console:
    """One of the machine's text consoles."""

    def __init__(self, machine: Machine, number: int):
        self.machine, self.number = machine, number

    def switch(self) -> None:
        """Brings it to the front, as a person does."""
        press(self.machine, "ctrl", "alt", f"f{self.number}")
        number = self.machine.eventually(f"test $(cat /sys/class/tty/tty0/active) = tty{self.number}")
        expect(number, f"tty{self.number} isn't in front")

    @property
    def screen(self) -> str:
        """What it shows, without blanks: a line may end within a word."""
        return "".join(self.machine.must(f"tr '\\0' ' ' </dev/vcs{self.number}").split())

    def shows(self, text: str, seconds: float = SECONDS_TO_SHOW, *, times: int = 1) -> None:
        """Waits until it shows a text so often; a failure if it doesn't."""
        until = time.monotonic() + seconds
        wanted = "".join(text.split())
        while (screen := self.screen).count(wanted) < times:
            expect(time.monotonic() < until, f"'{text}' isn't on tty{self.number} but {screen[-600:]}")
            time.sleep(0.3)

    def types(self, text: str) -> None:
        type_text(self.machine, text + "\n")

    def clears(self) -> None:
        """Empties the screen, so that what it shows from now on is new."""
        self.types("clear")
        time.sleep(1)

    def logs_in(self, name: str, password: str | None = None) -> None:
        self.switch()
        self.shows("login:")
        self.types(name)
        self.shows("Password:")
        self.types(password or name)

    @property
    def session(self) -> str:
        """logind's name for the session on it."""
        return self.machine.must(f"loginctl list-sessions --no-legend | awk '$NF == \"tty{self.number}\" {{ print $1 }}'").strip()
