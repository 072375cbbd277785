"""The Secret Service in a user's session: installed, switched on, used by another user's program, there after a reboot, and given back."""

import shlex

from checks import Part, expect
from machine import Machine
from owner import Owner
from units import failed

part = Part("secrets")

OURS = "thumbturn-secrets.service"
UNITS = ("gnome-keyring-daemon.socket", "gnome-keyring-daemon.service")
NAME = "org.freedesktop.secrets"


def session(machine: Machine, command: str, name: str = "alice") -> str:
    """What a command prints in that user's session."""
    return machine.must(Owner(machine, name).own(f"sh -c {shlex.quote(command)}"))


def who(machine: Machine, name: str = "alice") -> str:
    """What `secrets-service status` says in that user's session."""
    return machine.run(Owner(machine, name).own("thumbturn secrets-service status")).output


def main_process(machine: Machine) -> str:
    return session(machine, f"systemctl --user show -p MainPID --value {OURS}").strip()


def store(machine: Machine, label: str, value: str, name: str = "alice") -> None:
    session(machine, f"printf %s {value} | secret-tool store --label={label} account {label}", name)


def lookup(machine: Machine, label: str, name: str = "alice") -> str:
    return machine.run(Owner(machine, name).own(f"secret-tool lookup account {label}")).output.strip()


def keyring(machine: Machine, name: str) -> None:
    """A keyring without a password, as an automatic login has it."""
    folder = f"/home/{name}/.local/share/keyrings"
    text = "[keyring]\ndisplay-name=plain\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
    machine.must(f"install -d -o {name} -g {name} -m 700 /home/{name}/.local /home/{name}/.local/share {folder} && "
                 f"printf %s {shlex.quote(text)} >{folder}/plain.keyring && printf plain >{folder}/default && "
                 f"chown {name}: {folder}/*")


@part.check("before anybody switches it on, gnome-keyring answers each user, and nothing of ours runs")
def _(machine: Machine):
    for name in ("alice", "bob"):
        machine.must(f"loginctl enable-linger {name}")
        expect(machine.eventually(Owner(machine, name).own("systemctl --user is-system-running --wait >/dev/null; true")))
        keyring(machine, name)
        store(machine, "old", f"old-{name}", name)
        expect(lookup(machine, "old", name) == f"old-{name}", name)
        expect("gnome-keyring answers" in who(machine, name), who(machine, name))
    expect(not machine.run("pgrep -x thumbturn-secre"), "the provider runs")


@part.check("the provider is protected in system mode, and its unit lets it have its group")
def _(machine: Machine):
    expect("secrets" in machine.must("thumbturn protect --list"), machine.run("thumbturn protect --list").output)
    expect("s" in machine.must("stat -c %A /usr/libexec/thumbturn/thumbturn-secrets")[6], "no set-group-ID bit")


@part.check("switched on by alice, her items are there, Thumbturn answers her, and bob has what he had")
def _(machine: Machine):
    expect(Owner(machine).sets_passcode())
    said = session(machine, "thumbturn secrets-service on --force")
    expect("Brought over 1 item." in said, said)
    expect("Thumbturn answers" in who(machine), who(machine))
    expect("gnome-keyring answers" in who(machine, "bob"), who(machine, "bob"))
    expect(lookup(machine, "old", "bob") == "old-bob")
    group = machine.must("getent group thumbturn-secrets | cut -d: -f3").strip()
    gids = machine.must(f"grep ^Gid: /proc/{main_process(machine)}/status").split()[1:]
    expect(gids == [gids[0], group, group, group], f"{gids}, not {group}")
    expect("NoNewPrivs:\t0" in machine.must(f"cat /proc/{main_process(machine)}/status"))


@part.check("what a program of alice's stores it reads again, bob doesn't, and gnome-keyring's files stay as they were")
def _(machine: Machine):
    before = machine.must("cksum /home/alice/.local/share/keyrings/*")
    store(machine, "new", "fresh")
    expect(lookup(machine, "new") == "fresh", lookup(machine, "new"))
    expect(lookup(machine, "new", "bob") == "")
    expect(machine.must("cksum /home/alice/.local/share/keyrings/*") == before)


@part.check("killed, it is started by the next program; after a reboot it is there, with what was stored")
def _(machine: Machine):
    machine.must(f"kill -KILL {main_process(machine)}")
    expect(lookup(machine, "new") == "fresh", "after a kill")
    machine.reboot()
    expect(machine.eventually(Owner(machine).own("systemctl --user is-system-running --wait >/dev/null; true")))
    expect("starts when a program asks" in who(machine) or "Thumbturn answers" in who(machine), who(machine))
    expect(Owner(machine).gives_passcode())
    expect(lookup(machine, "new") == "fresh", "after a reboot")
    for unit in UNITS:
        state = machine.run(Owner(machine).own(f"systemctl --user is-enabled {unit}")).output.strip()
        expect(state == "masked", f"{unit}: {state}")


@part.check("switched off, gnome-keyring is back with its items, and nothing is left in the home but what was stored")
def _(machine: Machine):
    session(machine, "thumbturn secrets-service off")
    expect("gnome-keyring answers" in who(machine), who(machine))
    expect(lookup(machine, "old") == "old-alice", lookup(machine, "old"))
    for unit in UNITS:
        state = machine.run(Owner(machine).own(f"systemctl --user is-enabled {unit}")).output.strip()
        expect(state != "masked", unit)
    left = machine.must("find /home/alice/.local/share/dbus-1 /home/alice/.config -type l -o -name '*thumbturn*' -type f 2>/dev/null; true")
    expect(not left.strip(), left)


@part.check("switched on again, what was stored in Thumbturn is there")
def _(machine: Machine):
    session(machine, "thumbturn secrets-service on --force")
    expect(lookup(machine, "new") == "fresh", lookup(machine, "new"))
    session(machine, "thumbturn secrets-service off")


@part.check("no unit failed")
def _(machine: Machine):
    expect(not failed(machine), failed(machine))
    for name in ("alice", "bob"):
        said = session(machine, "systemctl --user --failed --plain --no-legend", name)
        expect("thumbturn" not in said, said)
