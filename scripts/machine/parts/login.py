"""The password of a login, which our module gives to the daemon: a real one, by getty, login and Debian's own PAM stack."""

from checks import Part, expect
from console import Console
from machine import Machine
from owner import Owner
from units import kill, listen, stop_all

part = Part("login")

NEW_PASSWORD = "a second word 8"


def was_given(machine: Machine) -> bool:
    return '"wasGiven": true' in Owner(machine).run("passcode status --json").output


def comes_to_be_given(machine: Machine) -> bool:
    """A login doesn't wait for long until the daemon has opened everything."""
    return machine.eventually(f"{Owner(machine).line('passcode status --json')} | grep -q '\"wasGiven\": true'", 60)


def logs_out(machine: Machine) -> None:
    machine.must("loginctl terminate-user alice || true")
    expect(machine.eventually("! pgrep -u alice", 40))


def forgets(machine: Machine) -> None:
    """Ends the daemons, and the passcode with them."""
    machine.must("systemctl stop 'thumbturn*.service'")
    expect(not was_given(machine))


@part.check("without our lines a login is nothing to the daemon")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.types("passcode use-account-password", ("Account password:", "alice")))
    expect(alice.keeps("note", "after a login", protect="none", kind="after-first-unlock"))
    forgets(machine)
    console = Console(machine, 1)
    console.logs_in("alice")
    console.shows("alice@machine")
    expect(not was_given(machine))
    expect(not alice.reads("note"))
    logs_out(machine)


@part.check("with them the password of a login counts as the passcode")
def _(machine: Machine):
    machine.must("thumbturn login on --force 2>&1")
    console = Console(machine, 1)
    console.logs_in("alice")
    console.shows("alice@machine")
    expect(comes_to_be_given(machine))
    expect(Owner(machine).reads("note") == "after a login")
    logs_out(machine)


@part.check("a wrong password lets nobody in, and isn't the passcode")
def _(machine: Machine):
    forgets(machine)
    console = Console(machine, 1)
    console.logs_in("alice", "wrong")
    console.shows("Login incorrect")
    expect(not was_given(machine))
    console.shows("login:")


@part.check("another user's login is nothing to this user's store")
def _(machine: Machine):
    console = Console(machine, 2)
    console.logs_in("bob")
    console.shows("bob@machine")
    expect(not was_given(machine))


@part.check("a password changed by its owner, with passwd, is followed, though the passcode wasn't given")
def _(machine: Machine):
    console = Console(machine, 3)
    console.logs_in("alice")
    console.shows("alice@machine")
    forgets(machine)
    console.types("passwd")
    console.shows("Current password:")
    console.types("alice")
    console.shows("New password:")
    expect(comes_to_be_given(machine))
    console.types(NEW_PASSWORD)
    console.shows("Retype new password:")
    console.types(NEW_PASSWORD)
    console.shows("updated successfully")
    logs_out(machine)
    console.logs_in("alice", NEW_PASSWORD)
    console.shows("alice@machine")
    forgets(machine)
    given = Owner(machine).types("verify", ("Account password:", NEW_PASSWORD))
    expect(given and "previous" not in given.output, repr(given))
    logs_out(machine)


@part.check("with the daemon switched off, logins go on as ever")
def _(machine: Machine):
    stop_all(machine)
    console = Console(machine, 4)
    console.logs_in("alice", NEW_PASSWORD)
    console.shows("alice@machine")
    listen(machine)


@part.check("a daemon that doesn't answer keeps nobody out")
def _(machine: Machine):
    logs_out(machine)
    expect(Owner(machine).is_answered())
    kill(machine, "STOP")
    try:
        console = Console(machine, 5)
        console.logs_in("alice", NEW_PASSWORD)
        console.shows("alice@machine", 90)
    finally:
        kill(machine, "CONT")
