"""The parts of the tests on a machine that boots, by name."""

from . import activation, desktop, install, login, power, sandbox, secrets, sessions, sleep, touch, tpm

PARTS = {part.part.name: part.part for part in (install, activation, sandbox, sessions, sleep, power, tpm, login, touch, secrets, desktop)}
