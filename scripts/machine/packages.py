"""Our Debian packages: those that belong together, an older version of them, and how a machine gets them."""

import pathlib
import re
import subprocess

from machine import Machine
from talk import MachineError

SECONDS_TO_INSTALL = 300
INSTALL = "DEBIAN_FRONTEND=noninteractive dpkg --no-debsig -i"


def field(package: pathlib.Path, name: str) -> str:
    return subprocess.run(["dpkg-deb", "-f", package, name], check=True, capture_output=True, text=True).stdout.strip()


class Packages:
    """All packages of one version that lie in a folder, without those that are for debuggers and for building apps."""

    def __init__(self, folder: pathlib.Path):
        newest = max(folder.glob("thumbturn_*.deb"), key=lambda file: file.stat().st_mtime, default=None)
        if newest is None:
            raise SystemExit(f"machine: there is no package in {folder}: make it with 'make deb'")
        self.version = field(newest, "Version")
        self.files = sorted(
            file for file in folder.glob("*.deb")
            if field(file, "Version") == self.version and not field(file, "Package").endswith(("-dbgsym", "-dev")))

    @property
    def names(self) -> list[str]:
        return [field(file, "Package") for file in self.files]

    def older(self, folder: pathlib.Path) -> "Packages":
        """The same files as a version before this one."""
        for file in self.files:
            root = folder / "root"
            subprocess.run(["dpkg-deb", "-R", file, root], check=True)
            control = root / "DEBIAN" / "control"
            before = re.escape(self.version) + r"(?=[\s)])"
            control.write_text(re.sub(before, f"0~before.{self.version}", control.read_text()))
            subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", root, folder / file.name], check=True,
                           stdout=subprocess.DEVNULL)
            subprocess.run(["rm", "-rf", root], check=True)
        return Packages(folder)

    def install(self, machine: Machine) -> None:
        """Installs them without a network, and switches system mode on if that isn't what installing does."""
        machine.bring(*self.files)
        self.install_again(machine)

    def install_again(self, machine: Machine) -> None:
        """The same where they were brought before."""
        machine.must(f"{INSTALL} {' '.join(f'/root/share/{file.name}' for file in self.files)}", SECONDS_TO_INSTALL)
        machine.must("test -e /etc/thumbturn/system-mode || thumbturn system-mode on")

    def remove(self, machine: Machine, *, purge: bool = False) -> None:
        machine.must(f"dpkg {'-P' if purge else '-r'} {' '.join(self.names)}", SECONDS_TO_INSTALL)
        if purge and (left := machine.run("dpkg-query -W 'thumbturn*' 2>/dev/null").output):
            raise MachineError(f"dpkg still knows {left}")
