"""Our units on a machine, whatever they are called and however many there are."""

from machine import Machine


def units(machine: Machine, kind: str = "service", *, manager: str = "system") -> list[str]:
    """The files of units of ours that are installed: services, sockets."""
    folder = f"/usr/lib/systemd/{manager}"
    return machine.must(f"cd {folder} && ls -1 thumbturn*.{kind}").split()


def daemons(machine: Machine) -> list[int]:
    """The processes that hold keys."""
    return [int(pid) for pid in machine.run("pgrep -x thumbturnd").output.split()]


def is_active(machine: Machine, unit: str) -> bool:
    return bool(machine.run(f"systemctl is-active --quiet {unit}"))


def failed(machine: Machine) -> str:
    """What systemd itself calls failed."""
    return machine.must("systemctl list-units --failed --no-legend --plain").strip()


def stop_all(machine: Machine) -> None:
    """Stops what listens and what runs, instances too."""
    machine.must("systemctl stop 'thumbturn*.socket' 'thumbturn*.service'")


def drop_in(machine: Machine, unit: str, *lines: str) -> None:
    """Adds lines to a unit's [Service], until the next boot."""
    folder = f"/run/systemd/system/{unit}.d"
    text = "\\n".join(["[Service]", *lines]).replace("'", "'\\''")
    machine.must(f"mkdir -p {folder} && printf '%b\\n' '{text}' >{folder}/test.conf && systemctl daemon-reload")
