"""The parts of the tests on a machine that boots, by name."""

from . import activation, desktop, gdm, install, login, power, sandbox, secrets, sessions, sleep, touch, tpm

ALL = install, activation, sandbox, sessions, sleep, power, tpm, login, touch, gdm, secrets, desktop
PARTS = {part.part.name: part.part for part in ALL}
