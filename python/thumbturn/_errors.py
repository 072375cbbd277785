"""What can go wrong, by the numbers of thumbturn.h."""

from ._native import library


class Error(Exception):
    """A call that failed: its number in thumbturn.h, what it means, and what to do about it."""

    def __init__(self, code: int, advice: str = "") -> None:
        self.code = code
        self.text: str = library.thumbturn_error_text(code).decode()
        self.advice: str = advice or library.thumbturn_error_advice(code).decode()
        super().__init__(f"{self.text} {self.advice}".strip())

    def __reduce__(self) -> "tuple[object, ...]":
        return type(self), (self.code, self.advice)


class NotFound(Error):
    """There is none of that name."""


class Duplicate(Error):
    """There is one of that name already."""


class Canceled(Error):
    """The owner, the system or the program took the question back."""


class NotTheOwner(Error):
    """Nobody proved to be the owner."""


class NotAllowed(Error):
    """This program may not do that."""


class NotAvailable(Error):
    """The owner can't be asked in that way: a sensor, a passcode or a terminal is missing."""


class Unreachable(Error):
    """There is no daemon, or it went away."""


_CLASSES = {
    101: Duplicate, 102: NotFound, 106: NotAvailable, 107: NotAvailable, 108: Canceled, 109: NotAllowed, 115: Unreachable,
    201: NotTheOwner, 202: Canceled, 203: Canceled, 204: Canceled, 205: NotAvailable, 206: NotAvailable, 207: NotAvailable,
    208: NotAvailable, 209: Canceled, 211: NotAvailable, 212: NotAvailable, 218: NotAvailable, 301: Unreachable, 302: Unreachable,
    303: Unreachable, 304: Unreachable, 305: Unreachable,
}


def error_of(code: int, advice: str = "") -> Error:
    """The error of that number."""
    return _CLASSES.get(code, Unreachable if 320 < code <= 335 else Error)(code, advice)


def check(code: int, connection: "int | None" = None) -> None:
    """Raises what a call failed with."""
    if code == 0:
        return
    advice = library.thumbturn_advice(connection).decode(errors="replace") if connection else ""
    raise error_of(code, advice)
