"""Our units on a machine, whatever they are called and however many there are."""

import shlex

from machine import Machine


def units(machine: Machine, kind: str = "service", *, manager: str = "system") -> list[str]:
    """The files of units of ours that are installed: services, sockets."""
    folder = f"/usr/lib/systemd/{manager}"
    return machine.must(f"cd {folder} && ls -1 thumbturn*.{kind}").split()


def daemons(machine: Machine) -> list[int]:
    """The processes of our services that run."""
    said = machine.must("systemctl show -p MainPID --value 'thumbturn*.service'")
    return [int(pid) for pid in said.split() if pid != "0"]


def kill(machine: Machine, signal: str = "KILL") -> None:
    """Sends it to all of them at once."""
    machine.must(f"kill -{signal} {' '.join(map(str, daemons(machine)))}")


def listen(machine: Machine) -> None:
    """Starts what listens, after `stop_all`."""
    machine.must("systemctl start thumbturn.socket thumbturn-passcode.socket")


def is_active(machine: Machine, unit: str) -> bool:
    return bool(machine.run(f"systemctl is-active --quiet {unit}"))


def failed(machine: Machine) -> str:
    """What systemd itself calls failed."""
    return machine.must("systemctl list-units --failed --no-legend --plain").strip()


def set_chip(machine: Machine, tries: int) -> None:
    """How many wrong words the TPM takes; it forgives one every ten minutes. swtpm comes with 3, machines with about 32."""
    machine.must(f"tpm2_dictionarylockout -s -n {tries} -t 600 -l 86400")


def stop_all(machine: Machine) -> None:
    """Stops what listens and what runs, instances too."""
    machine.must("systemctl stop 'thumbturn*.socket' 'thumbturn*.service'")


def drop_in(machine: Machine, unit: str, *lines: str, manager: str = "system") -> None:
    """Adds lines to a unit's [Service], until the next boot. The manager has to be told to read it."""
    folder = f"/run/systemd/{manager}/{unit}.d"
    text = "\n".join(["[Service]", *lines])
    machine.must(f"mkdir -p {folder} && echo {shlex.quote(text)} >{folder}/test.conf")
