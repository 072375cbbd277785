"""Private keys that stay at the device."""

import ctypes
from typing import TYPE_CHECKING, Optional

from ._errors import check
from ._native import Handed, library
from ._secret import Secret
from ._words import Hash, Kind

if TYPE_CHECKING:
    from ._device import Device

_TOO_SMALL = 406


class Key:
    """A private key at the device, which its rule guards. The object has the public half alone."""

    def __init__(self, device: "Device", name: str, pointer: Handed) -> None:
        self._device, self._pointer = device, pointer
        self.name = name

    @staticmethod
    def _room() -> Handed:
        """Where the library puts a key."""
        return Handed(library.thumbturn_key_free)

    @property
    def kind(self) -> Kind:
        """What sort of key it is."""
        return Kind(library.thumbturn_key_kind(self._pointer))

    @property
    def is_in_tpm(self) -> bool:
        """Whether a TPM holds it, and not software."""
        return int(library.thumbturn_key_holder(self._pointer)) == 2

    @property
    def public(self) -> bytes:
        """The public half: a point 04 ‖ X ‖ Y, or PKCS#1's RSAPublicKey."""
        size = ctypes.c_size_t()
        code = library.thumbturn_key_public(self._pointer, None, 0, ctypes.byref(size))
        if code != _TOO_SMALL:
            check(code)
        buffer = ctypes.create_string_buffer(size.value)
        check(library.thumbturn_key_public(self._pointer, buffer, size.value, ctypes.byref(size)))
        return buffer.raw[: size.value]

    def sign(self, digest: bytes, hash: Hash = Hash.SHA256, *, reason: Optional[str] = None, context: int = 0) -> bytes:
        """Signs a digest: ECDSA in DER, or RSA PKCS#1 v1.5. Asks the owner as the key's rule says."""
        size = ctypes.c_size_t()
        with self._device._call(reason, context) as (connection, asking):
            arguments = (connection, self._pointer, int(hash), digest, len(digest), asking)
            code = library.thumbturn_key_sign(*arguments, None, 0, ctypes.byref(size))
            if code != _TOO_SMALL:
                check(code, connection)
            buffer = ctypes.create_string_buffer(size.value)
            check(library.thumbturn_key_sign(*arguments, buffer, size.value, ctypes.byref(size)), connection)
        return buffer.raw[: size.value]

    def agree(self, peer: bytes, *, reason: Optional[str] = None, context: int = 0) -> Secret:
        """The coordinate that it shares with another elliptic key's public half."""
        return self._secret(library.thumbturn_key_agree, peer, reason, context)

    def decrypt(self, ciphertext: bytes, *, reason: Optional[str] = None, context: int = 0) -> Secret:
        """Decrypts what was encrypted to the public half, as `thumbturn key encrypt` does."""
        return self._secret(library.thumbturn_key_decrypt, ciphertext, reason, context)

    def _secret(self, function: "ctypes._NamedFuncPointer", given: bytes, reason: Optional[str], context: int) -> Secret:
        pointer = Secret._room()
        with self._device._call(reason, context) as (connection, asking):
            check(function(connection, self._pointer, given, len(given), asking, ctypes.byref(pointer)), connection)
        return Secret._of(pointer)

    def __repr__(self) -> str:
        return f"<Key {self.name!r}, {self.kind.name}>"
