"""GDM itself, its daemon and its workers: who gets in by finger and by password, at its greeter and at a locked session. In place of what
GNOME draws there is a stand-in, guest/shell."""

import shlex
import time

from checks import Part, expect
from machine import Machine
from owner import Owner
from parts.secrets import keyring, lookup, session as in_session, store
from units import listen, stop_all

part = Part("gdm")

FINGER = "right-index"
SECONDS_TO_SAY = 90
# What GDM calls its two services, and the account that its greeter runs as.
BY_FINGER, BY_PASSWORD, GREETER = "gdm-fingerprint", "gdm-password", "Debian-gdm"
TOUCH = f"info {BY_FINGER} Touch the sensor to let alice in"
TYPE = f"secret-info-query {BY_PASSWORD} Password:"
# A session that GDM offers: the stand-in, as in its greeter.
SESSION = "[Desktop Entry]\nName=Shell\nExec=/usr/local/bin/gnome-session\nType=Application\n"
# GDM's processes that ask for a finger; one that has let somebody in stays as long as the session. Its name isn't in the command itself.
WORKERS = "pgrep -f '[g]dm-session-worker .*gdm-fingerprint' || true"


class Shell:
    """The stand-in in one of GDM's sessions. What it has said before doesn't count."""

    def __init__(self, machine: Machine, name: str):
        self.machine, self.path = machine, f"/srv/shell/{name}"
        self.lives = f"kill -0 $(sed -n 's/^here //p' {self.path}.said)"
        stands = machine.eventually(self.lives, SECONDS_TO_SAY)
        expect(stands, f"GDM starts no session for {name}: " + machine.run("journalctl -b -u gdm -n 40 --no-pager; loginctl").output)
        self.before = 0

    @property
    def said(self) -> list[str]:
        return self.machine.must(f"cat {self.path}.said").splitlines()[self.before:]

    def does(self, line: str) -> None:
        self.before += len(self.said)
        self.machine.must(f"timeout 10 bash -c {shlex.quote(f'echo {shlex.quote(line)} >{self.path}')}")

    def hears(self, *lines: str) -> None:
        """Waits until GDM has said each of them."""
        until = time.monotonic() + SECONDS_TO_SAY
        while missing := [line for line in lines if line not in self.said]:
            expect(time.monotonic() < until, f"GDM hasn't said {missing}, but {self.said}")
            time.sleep(0.3)

    def asks(self) -> None:
        self.does(f"ask alice {BY_PASSWORD} {BY_FINGER}")


def in_front(machine: Machine, name: str, is_so: str) -> Shell:
    """The stand-in of that user's, in the session that the machine's screen shows. A property of logind's tells which that is."""
    shell = Shell(machine, name)
    active = "$(loginctl show-seat -p ActiveSession --value seat0)"
    expect(machine.eventually(f"loginctl show-session {active} | grep -qx {is_so}", 60), machine.run("loginctl seat-status seat0").output)
    return shell


def greeter(machine: Machine) -> Shell:
    return in_front(machine, GREETER, "Class=greeter")


def session(machine: Machine) -> Shell:
    """The session that GDM let alice into."""
    return in_front(machine, "alice", "Name=alice")


def logs_out(machine: Machine) -> None:
    """Ends alice's session; the greeter comes back."""
    shell = Shell(machine, "alice")
    shell.does("end")
    expect(machine.eventually(f"! {shell.lives}", 60), machine.run("loginctl").output)


def workers(machine: Machine) -> set[str]:
    return set(machine.must(WORKERS).split())


def reader_is_free(machine: Machine, before: set[str], why: str) -> None:
    """Nobody waits for a finger any more of those who began since."""
    until = time.monotonic() + 20
    while left := workers(machine) - before:
        expect(time.monotonic() < until, f"{why}: GDM's process still waits for a finger: {left}")
        time.sleep(0.5)
    expect(not machine.run(f"timeout 5 finger {FINGER}"), f"{why}: the reader still takes a finger")


def reuses(machine: Machine) -> str:
    """What an app of alice's session is told that takes the last unlock by finger for its own question."""
    app = Owner(machine).own("systemd-run --user --quiet --pipe --wait /usr/local/bin/client")
    return machine.run(f"{app} <<<'reuse 300 reason'").output.strip()


def lets_in_by_finger(machine: Machine) -> None:
    shell = greeter(machine)
    shell.asks()
    shell.hears(TOUCH, TYPE)
    expect(machine.run(f"finger {FINGER}"))
    shell.hears(f"session-opened {BY_FINGER}")
    session(machine)


@part.check("GDM's greeter is on the machine's screen; its file has our module where it had fprintd's, as the page says")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.sets_passcode())
    showing = machine.begin(f"finger {FINGER} 5", 120)
    expect(alice.types(f"enroll {FINGER}", ("Passcode:", alice.passcode)))
    expect(machine.finish(showing))
    expect(alice.keeps("first", "of the first unlock", protect="none", kind="after-first-unlock"))
    expect(alice.keeps("last", "of the passcode", protect="none", kind="when-passcode-set"))
    # What other programs keep over the Secret Service is of that class too.
    machine.must("loginctl enable-linger alice")
    expect(machine.eventually(alice.own("systemctl --user is-system-running --wait >/dev/null; true")))
    keyring(machine, "alice")
    in_session(machine, "thumbturn secrets-service on --force")
    store(machine, "mail", "over-the-bus")
    machine.must("thumbturn login on --force 2>&1")
    expect(alice.types("login on --open-by-finger", ("Passcode:", alice.passcode)))
    machine.must("sed -i '/^auth/s/pam_fprintd.so/pam_thumbturn.so/' /etc/pam.d/gdm-fingerprint")
    expect("pam_thumbturn.so" in machine.must("grep ^auth /etc/pam.d/gdm-fingerprint"))
    machine.must("install -d -m 0777 /srv/shell && ln -s shell /usr/local/bin/gnome-session && "
                 f"printf '%s' {shlex.quote(SESSION)} >/usr/share/wayland-sessions/shell.desktop && "
                 "systemctl unmask gdm && systemctl add-wants multi-user.target gdm")
    machine.reboot()
    greeter(machine)


@part.check("after a start the finger alone lets the owner in, and opens the first-unlock class by the owner's choice")
def _(machine: Machine):
    alice = Owner(machine)
    expect(not alice.reads("first"))
    lets_in_by_finger(machine)
    expect(alice.reads("first") == "of the first unlock")
    expect(lookup(machine, "mail") == "over-the-bus", "over the Secret Service")
    expect(not alice.reads("last"))
    # GDM has said that the login goes on: it counts for an app that allows reuse.
    expect(reuses(machine) == "> success biometry", reuses(machine))


@part.check("her locked session is unlocked by the finger, which then counts for an app that allows reuse; an unlocking opens nothing")
def _(machine: Machine):
    shell, alice = Shell(machine, "alice"), Owner(machine)
    shell.does("lock")
    shell.asks()
    shell.hears(TOUCH, TYPE)
    expect(machine.run(f"finger {FINGER}"))
    shell.hears(f"verification-complete {BY_FINGER}")
    expect(reuses(machine) == "> success biometry", reuses(machine))
    expect(not alice.reads("last"))


@part.check("it is unlocked by the password too; GDM then ends the question for the finger, and the reader is free")
def _(machine: Machine):
    shell, before = Shell(machine, "alice"), workers(machine)
    shell.does("lock")
    shell.asks()
    shell.hears(TOUCH, TYPE)
    shell.does(f"type {BY_PASSWORD} alice")
    shell.hears(f"verification-complete {BY_PASSWORD}")
    reader_is_free(machine, before, "after the password")


@part.check("a wrong password unlocks nothing; another finger neither; and nobody is asked at a session that isn't locked")
def _(machine: Machine):
    shell, before = Shell(machine, "alice"), workers(machine)
    shell.asks()
    shell.hears(TYPE)
    expect(not machine.run(f"timeout 5 finger {FINGER}") and TOUCH not in shell.said, shell.said)
    shell.does("cancel")
    shell.does("lock")
    shell.asks()
    shell.hears(TOUCH, TYPE)
    expect(machine.run("finger left-thumb"))
    shell.hears(f"problem {BY_FINGER} Not recognized; 2 tries left")
    shell.does(f"type {BY_PASSWORD} wrong")
    shell.hears(f"conversation-stopped {BY_PASSWORD}")
    expect(not any(line.startswith("verification-complete") for line in shell.said), shell.said)
    shell.does("cancel")
    reader_is_free(machine, before, "after a refusal")


@part.check("logged out, the greeter lets the owner in by the password, and the question for the finger ends")
def _(machine: Machine):
    logs_out(machine)
    shell = greeter(machine)
    shell.asks()
    shell.hears(TOUCH, TYPE)
    shell.does(f"type {BY_PASSWORD} alice")
    shell.hears(f"session-opened {BY_PASSWORD}")
    session(machine)
    reader_is_free(machine, set(), "after the login")


@part.check("what somebody gives up at the greeter ends: the reader is free")
def _(machine: Machine):
    logs_out(machine)
    shell = greeter(machine)
    shell.asks()
    shell.hears(TOUCH, TYPE)
    shell.does("cancel")
    reader_is_free(machine, set(), "given up")


@part.check("an account that may not log in isn't let in by its finger, which opens nothing then")
def _(machine: Machine):
    alice = Owner(machine)
    machine.must("chage -E 1 alice")
    machine.reboot()
    shell = greeter(machine)
    shell.asks()
    shell.hears(TOUCH)
    expect(machine.run(f"finger {FINGER}"))
    shell.hears(f"conversation-stopped {BY_FINGER}")
    expect(f"session-opened {BY_FINGER}" not in shell.said, shell.said)
    machine.must("chage -E -1 alice")
    expect(not alice.reads("first"), "a login that was refused has opened her secrets")
    shell.does("cancel")
    lets_in_by_finger(machine)
    expect(alice.reads("first") == "of the first unlock")
    logs_out(machine)


@part.check("with the daemons stopped the greeter doesn't wait for a finger, and the password lets the owner in as ever")
def _(machine: Machine):
    stop_all(machine)
    shell = greeter(machine)
    shell.asks()
    shell.hears(TYPE, f"conversation-stopped {BY_FINGER}")
    expect(TOUCH not in shell.said, shell.said)
    shell.does(f"type {BY_PASSWORD} alice")
    shell.hears(f"session-opened {BY_PASSWORD}")
    session(machine)
    listen(machine)
