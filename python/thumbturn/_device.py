"""The connection to the device."""

import asyncio
import contextlib
import ctypes
import dataclasses
import os
import select
import threading
import weakref
from typing import Any, Callable, Iterator, List, Optional, Tuple, Union

from ._errors import Error, check, error_of
from ._items import Item, room, taken
from ._keys import Key
from ._native import Asking, Handed, NativeStatus, encoded, library
from ._secret import Secret
from ._words import Factor, Kind, Policy, Rule, Sensor, When

_ONLY_HERE, _REPLACE, _IN_STORE = 16, 32, 64
_PENDING, _TOO_SMALL, _TAKEN_BACK = 1, 406, 209


@dataclasses.dataclass(frozen=True)
class Status:
    """What the device has."""

    mode: str
    sensor: Sensor
    is_enrolled: bool
    is_sensor_locked: bool
    is_passcode_set: bool
    was_passcode_given: bool
    is_session_locked: bool
    holds_keys: Optional[str]
    items: int
    process: int


# A child of this process has the locks as they were, and nobody there lets go of them.
_devices: "weakref.WeakSet[Device]" = weakref.WeakSet()


def _after_fork() -> None:
    for device in list(_devices):
        device._lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


def _asking(reason: Optional[str], context: int, may_ask: bool = True) -> Asking:
    return Asking(ctypes.sizeof(Asking), encoded(reason), None, None, context, 0 if may_ask else 1, 0.0)


class Device:
    """A connection to the device of this program's user. It connects with the first call, and starts the user's daemon if necessary.

    Threads may share it; their calls wait for each other. A child of the process that made it needs one of its own.
    """

    def __init__(self, label: Optional[str] = None, *, face_usage: Optional[str] = None, patience: float = 0) -> None:
        """`label` is what the program calls itself, `face_usage` why it wants face recognition, and `patience` after how many seconds
        without an answer it looks whether the daemon is there (0: it waits)."""
        self._lock = threading.RLock()
        self._pointer: Optional[int] = None
        self._question: Optional[Question] = None
        pointer = ctypes.c_void_p()
        check(library.thumbturn_open(encoded(label), ctypes.byref(pointer)))
        self._pointer = pointer.value
        _devices.add(self)
        check(library.thumbturn_set_face_usage(self._pointer, encoded(face_usage)), self._pointer)
        check(library.thumbturn_set_patience(self._pointer, patience), self._pointer)

    # Life

    def close(self) -> None:
        """Ends the connection. A question under way is taken back."""
        with self._lock:
            if self._question:
                self._question.cancel()
            pointer, self._pointer = self._pointer, None
            if pointer:
                library.thumbturn_close(pointer)

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Whatever failed in the beginning has nothing to close.
        if getattr(self, "_pointer", None):
            self.close()

    @contextlib.contextmanager
    def _call(self, reason: Optional[str] = None, context: int = 0, may_ask: bool = True) -> Iterator[Tuple[int, Any]]:
        """The connection, for this thread alone, and how the owner is asked."""
        with self._lock:
            if not self._pointer:
                raise ValueError("the device was closed")
            yield self._pointer, ctypes.byref(_asking(reason, context, may_ask))

    # The device and its owner

    def status(self) -> Status:
        """What the device has."""
        native = NativeStatus(ctypes.sizeof(NativeStatus))
        with self._call() as (connection, _):
            check(library.thumbturn_get_status(connection, ctypes.byref(native)), connection)
        return Status(
            {1: "user", 2: "system", 3: "simulated"}[native.mode], Sensor(native.sensor), bool(native.is_enrolled),
            bool(native.is_sensor_locked), bool(native.is_passcode_set), bool(native.was_passcode_given),
            bool(native.is_session_locked), {0: None, 1: "software", 2: "TPM"}[native.holds_keys], native.items, native.process)

    def obstacle(self, policy: Policy = Policy.OWNER) -> Optional[Error]:
        """Why the owner can't be asked now; None if that is possible. Asks nobody."""
        with self._call() as (connection, _):
            try:
                check(library.thumbturn_capability(connection, int(policy), None, None, 0, None), connection)
            except Error as error:
                return error
        return None

    def enrolment(self) -> Optional[bytes]:
        """Bytes that are others once a finger or face was added or removed; None if that isn't known."""
        size = ctypes.c_size_t()
        with self._call() as (connection, _):
            check(library.thumbturn_capability(connection, int(Policy.SENSOR), None, None, 0, ctypes.byref(size)), connection)
            if not size.value:
                return None
            buffer = ctypes.create_string_buffer(size.value)
            check(
                library.thumbturn_capability(connection, int(Policy.SENSOR), None, buffer, len(buffer), ctypes.byref(size)),
                connection)
        return buffer.raw[: size.value]

    def verify(self, reason: str, policy: Policy = Policy.OWNER, *, context: int = 0) -> Factor:
        """Asks the owner, and waits. Raises `Canceled`, `NotTheOwner` or `NotAvailable` if it isn't a yes. Ctrl-C takes it back."""
        with self._lock:
            question, answered = Question(self), select.poll()
            try:
                self._begin(question, reason, policy, context)
                answered.register(question.fileno(), select.POLLIN)
                while True:
                    factor = question.finish()
                    if factor is not None:
                        return factor
                    # Not for ever: what a signal's handler closes is another descriptor afterwards.
                    answered.poll(1000)
            finally:
                question.cancel()

    def ask(self, reason: str, policy: Policy = Policy.OWNER, *, context: int = 0) -> "Question":
        """Begins to ask, for a loop of yours. Until it is over, every other call raises."""
        question = Question(self)
        try:
            self._begin(question, reason, policy, context)
        except BaseException:
            question.cancel()
            raise
        return question

    def _begin(self, question: "Question", reason: str, policy: Policy, context: int) -> None:
        with self._call(reason, context) as (connection, asking):
            if not self._question or self._question.is_over:
                # Before it is one, so that whoever closes the device takes it back in any case.
                self._question = question
            check(library.thumbturn_verify_begin(connection, int(policy), asking, ctypes.byref(question._pointer)), connection)

    async def verify_async(self, reason: str, policy: Policy = Policy.OWNER, *, context: int = 0) -> Factor:
        """Asks the owner while asyncio's loop goes on. If the task is canceled, the question is taken back."""
        question, loop = self.ask(reason, policy, context=context), asyncio.get_running_loop()
        answered = loop.create_future()

        def unwatch() -> None:
            # Once: after that, the number may be another descriptor's.
            if question._on_end:
                question._on_end = None
                loop.remove_reader(descriptor)

        def look() -> None:
            try:
                factor = question.finish()
            except Error as error:
                if not answered.done():
                    answered.set_exception(error)
            else:
                if factor is not None and not answered.done():
                    answered.set_result(factor)
            if question.is_over:
                unwatch()

        def end() -> None:
            unwatch()
            if not answered.done():
                answered.set_exception(error_of(_TAKEN_BACK))

        descriptor = question.fileno()
        # Before the descriptor is closed, whoever closes the device meanwhile.
        question._on_end = end
        loop.add_reader(descriptor, look)
        try:
            return Factor(await answered)
        finally:
            unwatch()
            question.cancel()

    @contextlib.contextmanager
    def context(self) -> Iterator[int]:
        """A context: one yes under it is enough for all that is read under it."""
        with self._call() as (connection, _):
            number = int(library.thumbturn_new_context(connection))
        try:
            yield number
        finally:
            # A connection that was closed meanwhile has taken its contexts with it.
            with self._lock:
                if self._pointer:
                    check(library.thumbturn_end_context(self._pointer, number), self._pointer)

    # Secrets

    def store(
        self, service: str, secret: Union[bytes, bytearray, memoryview, Secret], *, account: str = "",
        label: Optional[str] = None, rule: Rule = Rule.PRESENCE, when: When = When.UNLOCKED, only_here: bool = False, replace: bool = False,
        reason: Optional[str] = None, context: int = 0,
    ) -> None:
        """Keeps a secret. Raises `Duplicate` if there is one of that name, unless it may be replaced."""
        given = secret if isinstance(secret, Secret) else Secret(secret)
        options = int(when) | (_ONLY_HERE if only_here else 0) | (_REPLACE if replace else 0)
        with self._call(reason, context) as (connection, asking):
            check(
                library.thumbturn_store(
                    connection, encoded(service), encoded(account), ctypes.addressof(given._array), len(given), encoded(label),
                    int(rule), options, asking), connection)

    def read(
        self, service: str, *, account: str = "", reason: Optional[str] = None, context: int = 0, may_ask: bool = True
    ) -> Secret:
        """Reads a secret; asks the owner if its rule says so. Raises `NotFound` if there is none."""
        pointer = Secret._room()
        with self._call(reason, context, may_ask) as (connection, asking):
            check(
                library.thumbturn_read(connection, encoded(service), encoded(account), asking, ctypes.byref(pointer)), connection)
        return Secret._of(pointer)

    def remove(self, service: str, *, account: str = "") -> None:
        """Removes a secret for good. Raises `NotFound` if there is none."""
        with self._call() as (connection, _):
            check(library.thumbturn_remove(connection, encoded(service), encoded(account)), connection)

    def list(self, service: Optional[str] = None) -> List[Item]:
        """This program's secrets, of one service or all. Opens nothing and asks nobody."""
        pointer = room()
        with self._call() as (connection, _):
            check(library.thumbturn_list(connection, encoded(service), ctypes.byref(pointer)), connection)
        return taken(pointer)

    # Keys

    def make_key(
        self, name: str, kind: Kind = Kind.P256, *, rule: Rule = Rule.PRESENCE, when: When = When.UNLOCKED,
        in_store: bool = False, reason: Optional[str] = None, context: int = 0,
    ) -> Key:
        """Makes a private key: in the TPM (P-256), or in the store, of any kind."""
        pointer = Key._room()
        options = int(when) | (_IN_STORE if in_store else 0)
        with self._call(reason, context) as (connection, asking):
            check(
                library.thumbturn_key_make(
                    connection, encoded(name), int(kind), int(rule), options, asking, ctypes.byref(pointer)), connection)
        return Key(self, name, pointer)

    def key(self, name: str) -> Key:
        """The key of that name. Raises `NotFound` if there is none."""
        pointer = Key._room()
        with self._call() as (connection, _):
            check(library.thumbturn_key_find(connection, encoded(name), ctypes.byref(pointer)), connection)
        return Key(self, name, pointer)

    def keys(self) -> List[Item]:
        """This program's keys."""
        pointer = room()
        with self._call() as (connection, _):
            check(library.thumbturn_key_list(connection, ctypes.byref(pointer)), connection)
        return taken(pointer)

    def remove_key(self, name: str) -> None:
        """Removes a key for good."""
        with self._call() as (connection, _):
            check(library.thumbturn_key_remove(connection, encoded(name)), connection)


def _taken_back(question: Handed) -> None:
    library.thumbturn_question_cancel(ctypes.byref(question))


class Question:
    """A question to the owner that is under way."""

    def __init__(self, device: Device) -> None:
        # The library clears it in the moment in which the question is over.
        self._device, self._pointer = device, Handed(_taken_back)
        # Called when the question is taken back, as long as there is its descriptor.
        self._on_end: Optional[Callable[[], None]] = None

    @property
    def is_over(self) -> bool:
        """Whether it was answered or taken back."""
        return not self._pointer

    def fileno(self) -> int:
        """What to poll for reading, then `finish`."""
        return int(library.thumbturn_question_fd(self._pointer)) if self._pointer else -1

    def finish(self) -> Optional[Factor]:
        """What the owner showed; None if the answer hasn't come. Raises as `verify` does. Doesn't wait for the owner."""
        if not self._pointer:
            raise ValueError("the question is over")
        factor = ctypes.c_int()
        with self._device._call() as (connection, _):
            code = library.thumbturn_question_finish(ctypes.byref(self._pointer), ctypes.byref(factor))
            if code == _PENDING:
                return None
            check(code, connection)
        return Factor(factor.value)

    def cancel(self) -> None:
        """Takes it back."""
        if self._pointer and self._on_end:
            self._on_end()
        with self._device._lock:
            _taken_back(self._pointer)
