"""The parts of the tests on a machine that boots, by name."""

from . import activation, install

PARTS = {part.part.name: part.part for part in (install, activation)}
