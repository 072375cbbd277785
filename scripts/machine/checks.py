"""What a part checks, in its order, and how it is told."""

import pathlib
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import snapshot
from image import Image
from machine import Machine
from packages import Packages
from talk import MachineError

# A part that takes longer hangs. The power part has a limit of its own, because it boots fifty times.
SECONDS_FOR_A_PART = 1800


class Stage:
    """What every part is given: an image, our packages, the tests' own client, and a folder for what is worth reading afterwards."""

    def __init__(self, image: Image, packages: Packages, client: pathlib.Path, results: pathlib.Path):
        self.image, self.packages, self.client, self.results = image, packages, client, results

    def machine(self, *, has_packages: bool) -> Machine:
        """A machine of its own that has booted."""
        begin = snapshot.installed(self.image, self.packages, self.client) if has_packages else snapshot.booted(self.image)
        return Machine(self.image, snapshot=begin)


class TooLong(BaseException):
    """A part took longer than it may. Nothing that handles errors of its own takes this for one."""


class Failure(Exception):
    """What a check found instead of what it wanted."""


def expect(outcome: object, what: str = "") -> None:
    """Ends a check that fails, and says what was there instead."""
    if not outcome:
        raise Failure(f"{what}: {outcome!r}" if what else repr(outcome))


@contextmanager
def within(seconds: float, what: str) -> Iterator[None]:
    """Ends what takes longer."""

    def late(*_):
        raise TooLong(f"{what} took longer than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Part:
    """Checks that share one machine, the later ones after the earlier."""

    def __init__(self, name: str, *, has_packages: bool = True, seconds: float = SECONDS_FOR_A_PART):
        self.name, self.has_packages, self.seconds = name, has_packages, seconds
        self.stage: Stage
        self.checks: list[tuple[str, Callable[[Machine], None]]] = []

    def check(self, what: str):
        """Takes a function as a check. It fails where it raises, and passes where it doesn't."""

        def take(function):
            self.checks.append((what, function))
            return function

        return take

    def run(self, stage: Stage) -> bool:
        """Runs every check and says how it went. One that wasn't come to counts as skipped, and the part isn't good then."""
        self.stage = stage
        passed = failed = 0
        try:
            with within(self.seconds, f"the part {self.name}"), stage.machine(has_packages=self.has_packages) as machine:
                try:
                    for what, function in self.checks:
                        good = self.try_one(machine, what, function)
                        passed, failed = passed + good, failed + (not good)
                finally:
                    # Where the machine is gone there is nothing to keep, and why it went is said already.
                    with suppress(MachineError, OSError):
                        machine.keep(stage.results, self.name)
        except (Exception, TooLong):  # Whatever the machine stumbles over, its part has failed, and says why.
            print(f"machine: {self.name}: the machine failed\n{traceback.format_exc()}", flush=True)
        skipped = len(self.checks) - passed - failed
        print(f"machine: {self.name} {passed} passed, {failed} failed, {skipped} skipped", flush=True)
        return passed > 0 and failed == 0 and skipped == 0

    def try_one(self, machine: Machine, what: str, function: Callable[[Machine], None]) -> bool:
        start, why = time.monotonic(), ""
        try:
            function(machine)
        except Exception:  # Whatever a check stumbles over is its failure, and is told.
            why = traceback.format_exc(limit=-2)
        print(f"machine: {self.name}: {'FAILED' if why else 'passed'}: {what} ({time.monotonic() - start:.0f} s)", flush=True)
        if why:
            print(why, flush=True)
        return not why
