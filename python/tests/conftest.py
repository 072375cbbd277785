"""What the tests share."""

import subprocess

import pytest


@pytest.fixture
def control():
    """Changes the simulated device. Afterwards its owner says yes again."""
    def change(*words):
        subprocess.run(["thumbturn", "simulate", "control", *words], check=True, stdout=subprocess.DEVNULL)

    yield change
    change("approve")
