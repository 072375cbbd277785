"""Secrets in memory that is locked, left out of core files, and erased."""

import ctypes
from typing import Any, Iterator

from ._errors import check
from ._native import Handed, library


class Secret:
    """Secret bytes, like a bytearray of a fixed size. They are erased by `clear`, at the end of a `with`, or when the object goes.

    `bytes(secret)` and `secret.text()` make ordinary copies, which Python doesn't erase. `secret.view` is no copy.
    """

    def __init__(self, value: "int | bytes | bytearray | memoryview") -> None:
        """That many zeros to fill, or a copy of these bytes."""
        pointer = Secret._room()
        given = None if isinstance(value, int) else memoryview(value).cast("B")
        size = value if isinstance(value, int) else memoryview(value).nbytes
        if size < 0:
            raise ValueError("a size can't be negative")
        check(library.thumbturn_secret_new(size, ctypes.byref(pointer)))
        self._take(pointer)
        if given is not None:
            self.view[:] = given

    @staticmethod
    def _room() -> Handed:
        """Where the library puts a secret."""
        return Handed(library.thumbturn_secret_free)

    @classmethod
    def _of(cls, pointer: Handed) -> "Secret":
        secret = cls.__new__(cls)
        secret._take(pointer)
        return secret

    def _take(self, pointer: Handed) -> None:
        size = library.thumbturn_secret_size(pointer)
        array: Any = (ctypes.c_ubyte * size).from_address(library.thumbturn_secret_bytes(pointer))
        # A view holds the array, and the array holds the memory: it is there as long as anybody can look.
        array.memory = pointer
        self._array = array

    @property
    def view(self) -> memoryview:
        """The bytes themselves, to read and to write."""
        return memoryview(self._array).cast("B")

    def clear(self) -> None:
        """Erases the bytes. The size stays, and they read as zeros."""
        ctypes.memset(self._array, 0, len(self._array))

    def text(self, encoding: str = "utf-8") -> str:
        """The bytes as text: an ordinary string. Raises ValueError if they aren't text."""
        try:
            return str(self.view, encoding)
        except UnicodeDecodeError:
            pass
        # Outside: Python's own error has the whole secret, and would go along.
        raise ValueError(f"that secret isn't text in {encoding}")

    def __len__(self) -> int:
        return len(self._array)

    def __bytes__(self) -> bytes:
        return bytes(self.view)

    def __getitem__(self, index: Any) -> Any:
        part = self.view[index]
        return bytes(part) if isinstance(part, memoryview) else part

    def __setitem__(self, index: Any, value: Any) -> None:
        self.view[index] = value

    def __iter__(self) -> Iterator[int]:
        return iter(self.view)

    def __eq__(self, other: object) -> bool:
        import hmac

        if isinstance(other, Secret):
            return hmac.compare_digest(self.view, other.view)
        if isinstance(other, (bytes, bytearray, memoryview)):
            return hmac.compare_digest(self.view, other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Secret of {len(self)} bytes>"

    def __reduce__(self) -> Any:
        raise TypeError("a secret isn't written anywhere")

    def __enter__(self) -> "Secret":
        return self

    def __exit__(self, *reason: object) -> None:
        self.clear()
