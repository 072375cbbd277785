"""What installing, upgrading, removing and purging leave on a machine."""

import pathlib
import tempfile

from checks import Part, expect
from machine import Machine
from owner import Owner
from units import daemons, failed, is_active, listen, stop_all, units

part = Part("install", has_packages=False)

# Everything on the disk, but for what the system writes by itself: dpkg's own files, logs, caches, and systemd's own state.
TREE = r"find / -xdev \( " + " -o ".join(
    f"-path {path}" for path in (
        "/proc", "/sys", "/run", "/tmp", "/var/tmp", "/var/log", "/var/cache", "/var/lib/dpkg", "/var/lib/systemd", "/root",
        "/usr/local", "/home")) + r" \) -prune -o -printf '%y %m %U %G %p %l\n' | sort"
ACCOUNTS = "cat /etc/passwd /etc/group /etc/shadow /etc/gshadow"


@part.check("a version before this one installs, and nobody has to choose anything")
def _(machine: Machine):
    # fprintd gives its folder another mode when it first runs.
    machine.must("systemctl start fprintd && systemctl stop fprintd")
    machine.must(f"{TREE} >/root/before; {ACCOUNTS} >/root/accounts")
    with tempfile.TemporaryDirectory() as folder:
        part.stage.packages.older(pathlib.Path(folder)).install(machine)
    expect(Owner(machine).is_answered())


@part.check("each unit that it brings is one that systemd understands, and none fails")
def _(machine: Machine):
    for manager in ("system", "user"):
        names = units(machine, "service", manager=manager) + units(machine, "socket", manager=manager)
        paths = [f"/usr/lib/systemd/{manager}/{name}" for name in names]
        said = machine.must(f"XDG_RUNTIME_DIR=/run systemd-analyze --{manager} --man=no verify {' '.join(paths)}")
        expect("thumbturn" not in said, said)
    expect(not failed(machine), failed(machine))


@part.check("upgraded to this one while it runs, what was stored is there, and the new daemon serves")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.sets_passcode())
    expect(alice.keeps("mail", "once", protect="none", kind="always"))
    expect(alice.keeps("vault", "twice"))
    before = daemons(machine)
    expect(before)
    part.stage.packages.install(machine)
    version = machine.must("dpkg-query -W -f '${Version}' thumbturn")
    expect(version == part.stage.packages.version, version)
    expect(alice.reads("mail") == "once", "mail")
    expect(alice.reads_with_passcode("vault"), "vault")
    expect(not set(before) & set(daemons(machine)), "the old daemon still runs")


@part.check("a store that root's one process kept, as versions before devices had it, is there for its user's device")
def _(machine: Machine):
    alice = Owner(machine)
    stop_all(machine)
    machine.must(f"cd /var/lib && rm thumbturn/{alice.uid} && mv private/thumbturn/{alice.uid} thumbturn/ && "
                 f"chown -R root:root thumbturn/{alice.uid}")
    listen(machine)
    expect(alice.reads("mail") == "once", "mail")
    expect(alice.reads_with_passcode("vault"), "vault")
    expect(not machine.run(f"find /var/lib/private/thumbturn/{alice.uid} -user root | grep ."), "root's files")


@part.check("installed over itself, what the administrator switched off stays off")
def _(machine: Machine):
    machine.must("systemctl disable thumbturn.socket")
    part.stage.packages.install_again(machine)
    expect(not machine.run("systemctl is-enabled thumbturn.socket"))
    machine.must("systemctl enable --now thumbturn.socket")
    expect(Owner(machine).is_answered())


@part.check("removed, nothing of it runs or listens, and what users keep stays")
def _(machine: Machine):
    part.stage.packages.remove(machine)
    expect(not daemons(machine) and not is_active(machine, "thumbturn.socket"))
    # Debian masks what is removed until it is purged.
    left = machine.run("systemctl list-units --all --no-legend --plain 'thumbturn*' | grep -v -e not-found -e masked").output
    expect(not left.strip(), left)
    expect(machine.run("test -d /var/lib/thumbturn && ! test -e /etc/thumbturn/system-mode"))


@part.check("installed again, what was kept is there")
def _(machine: Machine):
    part.stage.packages.install_again(machine)
    alice = Owner(machine)
    expect(alice.reads("mail") == "once", "mail")
    expect(alice.reads_with_passcode("vault"), "vault")


@part.check("purged, nothing is left: no file, no account, no unit")
def _(machine: Machine):
    part.stage.packages.remove(machine, purge=True)
    left = machine.run(f"{TREE} | diff /root/before - ; {ACCOUNTS} | diff /root/accounts -").output
    expect(not left.strip(), left)
    expect(not failed(machine), failed(machine))


@part.check("the machine shuts down by its button")
def _(machine: Machine):
    machine.shut_down()
