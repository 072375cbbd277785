"""Machines that have booted already, and were saved: every part begins with one instead of waiting for the boot."""

import pathlib
import subprocess

from image import HERE, Image, cache, digest, made_once
from machine import Machine
from packages import Packages

# A snapshot is of this hardware, as this QEMU plays it, and has the commands of the tests in it.
MADE_OF = [HERE / "machine.py", *sorted((HERE / "guest").iterdir())]


def hardware() -> bytes:
    version = subprocess.run(["qemu-system-x86_64", "--version"], check=True, capture_output=True).stdout
    return version + b"".join(file.read_bytes() for file in MADE_OF)


def booted(image: Image) -> pathlib.Path:
    """A machine that has booted and has nothing of ours installed."""

    def make(folder: pathlib.Path) -> None:
        with Machine(image) as machine:
            machine.run("systemctl is-system-running --wait", 180)
            machine.bring()
            machine.save(folder)

    name = f"booted-{digest(image.folder.name.encode(), hardware())}"
    return made_once(cache() / name, "a machine that has booted", make)


def installed(image: Image, packages: Packages, client: pathlib.Path) -> pathlib.Path:
    """The same with our packages installed, system mode on, and the tests' client there as `client`."""
    before = booted(image)

    def make(folder: pathlib.Path) -> None:
        with Machine(image, snapshot=before) as machine:
            packages.install(machine)
            machine.bring(client)
            machine.must(f"install -m 0755 /root/share/{client.name} /usr/local/bin/client")
            machine.save(folder)

    contents = digest(*(file.read_bytes() for file in [*packages.files, client]))
    name = f"installed-{digest(before.name.encode(), contents.encode(), (HERE / 'packages.py').read_bytes())}"
    return made_once(cache() / name, "a machine with our packages", make)
