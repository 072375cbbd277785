"""The parts of the tests on a machine that boots, by name."""

from . import activation, install, login, sandbox, sessions, sleep, tpm

PARTS = {part.part.name: part.part for part in (install, activation, sandbox, sessions, sleep, tpm, login)}
