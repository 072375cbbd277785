"""The parts of the tests on a machine that boots, by name."""

from . import activation, install, sandbox, sessions, sleep

PARTS = {part.part.name: part.part for part in (install, activation, sandbox, sessions, sleep)}
