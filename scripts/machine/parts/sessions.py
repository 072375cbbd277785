"""People at the machine: logins, two of them at once, locks, and sessions that end in the middle of a question."""

from checks import Part, expect
from console import Console, press
from machine import Machine
from owner import Owner
from units import daemons

part = Part("sessions")

FINGER = "right-index"


def session(machine: Machine, console: Console, word: str) -> str:
    return machine.must(f"loginctl show-session -p {word} --value {console.session}").strip()


@part.check("a login at a text console is a session of logind's at the machine's own seat, with a manager of its user's own")
def _(machine: Machine):
    console = Console(machine, 1)
    console.logs_in("alice")
    console.shows("alice@machine")
    expect(machine.eventually("systemctl is-active --quiet user@$(id -u alice).service"))
    expect(session(machine, console, "Seat") == "seat0" and session(machine, console, "Active") == "yes")


@part.check("there a first passcode is chosen, and a finger enrolled by the real reader's daemon")
def _(machine: Machine):
    console, alice = Console(machine, 1), Owner(machine)
    console.types("thumbturn passcode set")
    for shown, typed in (("Account password:", "alice"), ("New passcode:", alice.passcode), ("Again:", alice.passcode)):
        console.shows(shown)
        console.types(typed)
    console.shows("The passcode is set.")
    console.clears()
    showing = machine.begin(f"finger {FINGER} 5", 120)
    console.types(f"thumbturn enroll {FINGER}")
    console.shows("Passcode:")
    console.types(alice.passcode)
    expect(machine.finish(showing), "the finger was shown")
    console.shows("$")
    fingers = machine.must(alice.line("fingers"))
    expect(FINGER in fingers, fingers)


@part.check("a touch answers the question on the console in front")
def _(machine: Machine):
    console, alice = Console(machine, 1), Owner(machine)
    expect(alice.keeps("vault", "behind a touch"))
    console.clears()
    console.types("thumbturn secret get vault")
    console.shows("Touch the fingerprint reader")
    expect(machine.run(f"finger {FINGER}"))
    console.shows("behind a touch")


@part.check("two people at once: each has items of their own, and neither sees the other's")
def _(machine: Machine):
    alice, bob = Owner(machine), Owner(machine, "bob")
    console = Console(machine, 2)
    console.logs_in("bob")
    console.shows("bob@machine")
    expect(bob.sets_passcode())
    expect(bob.keeps("boat", "of bob's", protect="none") and alice.keeps("apple", "of alice's", protect="none"))
    expect("vault" not in bob.run("secret list").output and "boat" not in alice.run("secret list").output)
    expect(bob.reads("boat") == "of bob's" and alice.reads("apple") == "of alice's")
    expect(not bob.reads("apple") and not alice.reads("boat"))


@part.check("on a console that isn't in front no touch counts: the passcode is asked for, and the reader stays off")
def _(machine: Machine):
    Console(machine, 1).switch()
    Console(machine, 1).clears()
    Console(machine, 1).types("sleep 8; thumbturn secret get vault")
    Console(machine, 2).switch()
    Console(machine, 1).shows("Passcode:")
    expect("Touch" not in Console(machine, 1).screen, Console(machine, 1).screen)
    expect(not machine.run(f"timeout 5 finger {FINGER}"), "the reader took a finger")
    Console(machine, 1).switch()
    press(machine, "ctrl", "c")


@part.check("both may be asked at once: one's prompt doesn't keep the other's from being answered")
def _(machine: Machine):
    alice, bob = Owner(machine), Owner(machine, "bob")
    first = machine.begin(f"answer bob 'thumbturn verify' 'Passcode:' '{bob.passcode}'")
    second = machine.begin(f"answer alice 'thumbturn verify' 'Passcode:' '{alice.passcode}'")
    expect(machine.finish(first), "bob's")
    expect(machine.finish(second), "alice's")


@part.check("while logind says that a session is locked, what is for unlocked sessions is shut; unlocked, it comes out")
def _(machine: Machine):
    alice = Owner(machine)
    display = machine.must(
        f"busctl get-property org.freedesktop.login1 /org/freedesktop/login1/user/_{alice.uid} org.freedesktop.login1.User Display "
        "| cut -d'\"' -f4").strip()

    def hint(locked: str) -> None:
        machine.must(f"busctl call org.freedesktop.login1 {display} org.freedesktop.login1.Session SetLockedHint b {locked}")

    expect(alice.keeps("always", "even so", protect="none", kind="after-first-unlock"))
    expect(alice.reads("apple") == "of alice's")
    hint("true")
    expect(machine.eventually(f"! {alice.line('secret get apple')}", 20), "it comes out of a locked session")
    expect(alice.reads("always") == "even so")
    expect(Owner(machine, "bob").reads("boat") == "of bob's", "another user's session was locked too")
    hint("false")
    expect(machine.eventually(alice.line("secret get apple"), 20), "it doesn't come out of an unlocked one")


@part.check("a session that is terminated in the middle of a question takes the question along: nothing comes out, and the reader is free")
def _(machine: Machine):
    console, bob = Console(machine, 1), Owner(machine, "bob")
    console.switch()
    console.clears()
    console.types("thumbturn secret get vault >/tmp/alice-vault")
    console.shows("Touch the fingerprint reader")
    before = daemons(machine)
    machine.must(f"loginctl terminate-session {console.session}")
    expect(machine.eventually("! pgrep -u alice -x thumbturn", 20), "the program still runs")
    expect(not machine.run(f"timeout 5 finger {FINGER}"), "the reader still takes a finger")
    expect(not machine.must("cat /tmp/alice-vault"), "something came out")
    expect(set(before) == set(daemons(machine)), "a daemon ended")
    expect(bob.gives_passcode(), "another user's question")


@part.check("when its user has logged out everywhere, nothing of the user's runs; logging in again, all is there")
def _(machine: Machine):
    machine.run("loginctl terminate-user alice")
    expect(machine.eventually("! pgrep -u alice", 40), "something runs")
    console = Console(machine, 1)
    console.logs_in("alice")
    console.shows("alice@machine")
    expect(Owner(machine).reads_with_passcode("vault"))


@part.check("in user mode a user's own daemon is started by the user's own manager, in that unit's sandbox, and serves")
def _(machine: Machine):
    alice = Owner(machine)
    own = alice.own("systemctl --user")
    machine.must("systemctl stop 'thumbturn*.socket' 'thumbturn*.service'; mv /etc/thumbturn/system-mode /root/")
    try:
        machine.must(f"{own} start thumbturn.socket thumbturn-passcode.socket")
        expect(alice.is_answered())
        pid = machine.must(f"{own} show -p MainPID --value thumbturn.service").strip()
        expect(machine.must(f"ps -o user= -p {pid}").strip() == "alice")
        status = machine.must(f"cat /proc/{pid}/status")
        expect("Seccomp:\t2" in status and "NoNewPrivs:\t1" in status, status)
        expect(alice.types("passcode set", ("New passcode:", alice.passcode), ("Again:", alice.passcode)))
        expect(alice.keeps("own", "mine") and alice.reads_with_passcode("own"))
        machine.must(f"kill -KILL {pid}")
        expect(alice.is_answered(), "after a kill")
    finally:
        machine.run(f"{own} stop thumbturn.socket thumbturn-passcode.socket thumbturn.service")
        machine.must("mv /root/system-mode /etc/thumbturn/; systemctl start thumbturn.socket thumbturn-passcode.socket")
    expect(alice.reads_with_passcode("vault"), "in system mode again")
