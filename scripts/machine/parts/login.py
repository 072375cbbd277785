"""The hook that hands the daemon what was typed at a login: a real one, by getty, login and Debian's own PAM stack."""

from checks import Part, expect
from console import Console
from machine import Machine
from owner import Owner
from units import kill, listen, stop_all

part = Part("login")

# As docs/administrators/account-password.md has them.
LOGIN = "auth optional pam_exec.so expose_authtok quiet /usr/libexec/thumbturn/thumbturn-login"
CHANGE = "password optional pam_exec.so expose_authtok seteuid quiet /usr/libexec/thumbturn/thumbturn-login"
NEW_PASSWORD = "a second word 8"


def was_given(machine: Machine) -> bool:
    return '"wasGiven": true' in Owner(machine).run("passcode status --json").output


def logs_out(machine: Machine) -> None:
    machine.must("loginctl terminate-user alice || true")
    expect(machine.eventually("! pgrep -u alice", 40))


def forgets(machine: Machine) -> None:
    """Ends the daemons, and the passcode with them."""
    machine.must("systemctl stop 'thumbturn*.service'")
    expect(not was_given(machine))


@part.check("without the hook a login is nothing to the daemon")
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


@part.check("with it the password of a login counts as the passcode")
def _(machine: Machine):
    machine.must(f"echo '{LOGIN}' >>/etc/pam.d/common-auth; echo '{CHANGE}' >>/etc/pam.d/common-password")
    console = Console(machine, 1)
    console.logs_in("alice")
    console.shows("alice@machine")
    expect(machine.eventually(f"{Owner(machine).line('passcode status --json')} | grep -q '\"wasGiven\": true'", 20))
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


@part.check("a password changed by its owner, with passwd, is followed at the next login")
def _(machine: Machine):
    console = Console(machine, 3)
    console.logs_in("alice")
    console.shows("alice@machine")
    expect(machine.eventually(f"{Owner(machine).line('passcode status --json')} | grep -q '\"wasGiven\": true'", 20))
    console.types("passwd")
    for shown, typed in (("Current password:", "alice"), ("New password:", NEW_PASSWORD), ("Retype new password:", NEW_PASSWORD)):
        console.shows(shown)
        console.types(typed)
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


@part.check("a daemon that doesn't answer delays a login, and keeps nobody out")
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
