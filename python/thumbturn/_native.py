"""libthumbturn through ctypes: each function with its types, and nothing else."""

import ctypes
import pathlib
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any


class Handed(c_void_p):
    """What the library hands over. It goes back with this object, also if Ctrl-C comes before anybody has taken it."""

    def __init__(self, give_back: Any) -> None:
        super().__init__()
        self._give_back = give_back

    def __del__(self) -> None:
        # Where the call failed, nothing was handed over.
        if self.value:
            self._give_back(self)


class Asking(ctypes.Structure):
    """thumbturn_asking"""

    _fields_ = [
        ("size", c_size_t), ("reason", c_char_p), ("fallback_title", c_char_p), ("cancel_title", c_char_p), ("context", c_uint64),
        ("permission", c_int), ("reuse_seconds", c_double),
    ]


class NativeStatus(ctypes.Structure):
    """thumbturn_status"""

    _fields_ = [
        ("size", c_size_t), ("mode", c_int), ("sensor", c_int), ("is_enrolled", c_int), ("is_sensor_locked", c_int),
        ("is_passcode_set", c_int), ("was_passcode_given", c_int), ("is_session_locked", c_int), ("holds_keys", c_int),
        ("items", c_uint64), ("process", c_int64),
    ]


_P = POINTER(c_void_p)
_A = POINTER(Asking)
_SIZE = POINTER(c_size_t)

# What each function gives back, and what it takes.
_FUNCTIONS = {
    "thumbturn_version": (c_char_p, []),
    "thumbturn_error_text": (c_char_p, [c_int]),
    "thumbturn_error_advice": (c_char_p, [c_int]),
    "thumbturn_advice": (c_char_p, [c_void_p]),
    "thumbturn_open": (c_int, [c_char_p, _P]),
    "thumbturn_set_face_usage": (c_int, [c_void_p, c_char_p]),
    "thumbturn_set_patience": (c_int, [c_void_p, c_double]),
    "thumbturn_close": (None, [c_void_p]),
    "thumbturn_get_status": (c_int, [c_void_p, POINTER(NativeStatus)]),
    "thumbturn_capability": (c_int, [c_void_p, c_int, POINTER(c_int), c_void_p, c_size_t, _SIZE]),
    "thumbturn_verify_begin": (c_int, [c_void_p, c_int, _A, _P]),
    "thumbturn_question_fd": (c_int, [c_void_p]),
    "thumbturn_question_finish": (c_int, [_P, POINTER(c_int)]),
    "thumbturn_question_cancel": (None, [_P]),
    "thumbturn_new_context": (c_uint64, [c_void_p]),
    "thumbturn_end_context": (c_int, [c_void_p, c_uint64]),
    "thumbturn_secret_new": (c_int, [c_size_t, _P]),
    "thumbturn_secret_bytes": (c_void_p, [c_void_p]),
    "thumbturn_secret_size": (c_size_t, [c_void_p]),
    "thumbturn_secret_free": (None, [c_void_p]),
    "thumbturn_store": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p, c_size_t, c_char_p, c_int, c_uint, _A]),
    "thumbturn_read": (c_int, [c_void_p, c_char_p, c_char_p, _A, _P]),
    "thumbturn_remove": (c_int, [c_void_p, c_char_p, c_char_p]),
    "thumbturn_list": (c_int, [c_void_p, c_char_p, _P]),
    "thumbturn_items_count": (c_size_t, [c_void_p]),
    "thumbturn_items_text": (c_void_p, [c_void_p, c_size_t, c_int, _SIZE]),
    "thumbturn_items_rule": (c_int, [c_void_p, c_size_t]),
    "thumbturn_items_times": (None, [c_void_p, c_size_t, POINTER(c_double), POINTER(c_double)]),
    "thumbturn_items_free": (None, [c_void_p]),
    "thumbturn_key_make": (c_int, [c_void_p, c_char_p, c_int, c_int, c_uint, _A, _P]),
    "thumbturn_key_find": (c_int, [c_void_p, c_char_p, _P]),
    "thumbturn_key_list": (c_int, [c_void_p, _P]),
    "thumbturn_key_remove": (c_int, [c_void_p, c_char_p]),
    "thumbturn_key_kind": (c_int, [c_void_p]),
    "thumbturn_key_holder": (c_int, [c_void_p]),
    "thumbturn_key_public": (c_int, [c_void_p, c_char_p, c_size_t, _SIZE]),
    "thumbturn_key_sign": (c_int, [c_void_p, c_void_p, c_int, c_char_p, c_size_t, _A, c_char_p, c_size_t, _SIZE]),
    "thumbturn_key_agree": (c_int, [c_void_p, c_void_p, c_char_p, c_size_t, _A, _P]),
    "thumbturn_key_decrypt": (c_int, [c_void_p, c_void_p, c_char_p, c_size_t, _A, _P]),
    "thumbturn_key_free": (None, [c_void_p]),
}


def _load() -> ctypes.CDLL:
    # The wheel has the library inside. Without one there, it is the system's.
    inside = pathlib.Path(__file__).with_name("libthumbturn.so.0")
    library = ctypes.CDLL(str(inside) if inside.exists() else "libthumbturn.so.0")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


def version() -> str:
    """The library's version."""
    return str(library.thumbturn_version().decode())


def encoded(text: "str | None") -> "bytes | None":
    """A text as the library takes it. A zero byte would end it early, so it isn't one."""
    if text is None:
        return None
    if "\0" in text:
        raise ValueError("a name or a reason can't have a zero byte")
    return text.encode()
