"""sudo, su, logins and screen locks, which take a finger or the password: with real fprintd, logind and PAM's own tool."""

import pathlib
import shutil
import tempfile
import time

from checks import Part, expect
from console import Console, press, type_text
from machine import Machine
from owner import Owner
from units import listen, stop_all

part = Part("touch")

FINGER = "right-index"
QUESTION = "Touch the sensor to let sudo run 'sudo id -u' as root, or type the password."
PASSWORD = "password for alice:"
PASSWORD_OF_LOCK = "Password:"
# What shows that somebody became root, and isn't in the command itself.
COMMAND, ROOT = "sudo id -u && echo became-$((40+2))", "became-42"


def stack(machine: Machine) -> str:
    """What every service asks."""
    return machine.must("grep -h '^auth' /etc/pam.d/common-auth")


def asks(console: Console, command: str = COMMAND) -> None:
    """Types a command that wants somebody, on an empty screen."""
    console.switch()
    console.clears()
    console.types(command)


@part.check("installed, sudo is as Debian has it; a user alone can't change that, and fprintd's profile is in use here")
def _(machine: Machine):
    machine.must("echo 'alice ALL=(ALL) ALL' >/etc/sudoers.d/alice; echo 'Defaults timestamp_timeout=0' >>/etc/sudoers.d/alice")
    machine.must("DEBIAN_FRONTEND=noninteractive pam-auth-update --enable fprintd")
    expect("pam_fprintd" in stack(machine) and "pam_thumbturn" not in stack(machine), stack(machine))
    status = machine.run("thumbturn sudo status")
    expect(not status and "fprintd waits" in status.output, status.output)
    refused = Owner(machine).run("sudo on --force")
    expect(not refused and "Only root" in refused.output, refused.output)


@part.check("in user mode it is refused, and nothing changes")
def _(machine: Machine):
    before = stack(machine)
    machine.must("thumbturn system-mode off")
    refused = machine.run("thumbturn sudo on --force")
    expect(not refused and "system mode only" in refused.output, refused.output)
    expect(stack(machine) == before)
    machine.must("thumbturn system-mode on")


@part.check("switched on, it says what changes; fprintd's profile gives way, and pam-auth-update knows of both")
def _(machine: Machine):
    said = machine.must("thumbturn sudo on --force 2>&1")
    expect("/etc/pam.d/common-auth:" in said and "+ auth" in said and "- auth" in said, said)
    expect("pam_thumbturn" in stack(machine) and "pam_fprintd" not in stack(machine), stack(machine))
    expect(machine.run("thumbturn sudo status"))
    machine.must("DEBIAN_FRONTEND=noninteractive pam-auth-update --package")
    expect("pam_thumbturn" in stack(machine) and "pam_fprintd" not in stack(machine), stack(machine))


@part.check("at her console the owner becomes root by her finger alone, or by her password alone")
def _(machine: Machine):
    alice, console = Owner(machine), Console(machine, 1)
    console.logs_in("alice")
    console.shows("alice@machine")
    expect(alice.sets_passcode())
    showing = machine.begin(f"finger {FINGER} 5", 120)
    expect(alice.types(f"enroll {FINGER}", ("Passcode:", alice.passcode)))
    expect(machine.finish(showing), "the finger was shown")
    asks(console)
    console.shows(QUESTION)
    console.shows(PASSWORD)
    expect(machine.run(f"finger {FINGER}"))
    console.shows(ROOT)
    asks(console)
    console.shows(QUESTION)
    console.shows(PASSWORD)
    console.types("alice")
    console.shows(ROOT)
    expect(not machine.run(f"timeout 5 finger {FINGER}"), "the reader still takes a finger")


@part.check("a wrong password gives nothing, and the finger counts at the next question")
def _(machine: Machine):
    console = Console(machine, 1)
    asks(console)
    console.shows(PASSWORD)
    console.types("wrong")
    # On a slow machine it comes behind the next question for the password.
    console.shows("try again.")
    console.shows(QUESTION, times=2)
    expect(machine.run(f"finger {FINGER}"))
    console.shows(ROOT)


@part.check("su takes the finger of the account that it asks for, or that account's password, and nothing else")
def _(machine: Machine):
    console = Console(machine, 1)
    for answering in ("finger", "alice", "wrong"):
        asks(console, "su alice -c 'echo became $LOGNAME'")
        console.shows("Touch the sensor")
        console.shows("Password:")
        if answering == "finger":
            expect(machine.run(f"finger {FINGER}"))
        else:
            console.types(answering)
        console.shows("Authentication failure" if answering == "wrong" else "became alice")
        expect(answering != "wrong" or "became alice" not in console.screen, console.screen)


@part.check("finger first, password first, or both at once: one answer, and the terminal is as it was")
def _(machine: Machine):
    console = Console(machine, 1)
    # How long the password comes after the finger.
    for seconds in (-1, -0.2, 0, 0, 0, 0.2, 1):
        asks(console)
        console.shows(QUESTION)
        console.shows(PASSWORD)
        # Typed at once, as a person's last key is: Enter alone decides.
        type_text(machine, "alice")
        if seconds < 0:
            press(machine, "ret")
        time.sleep(max(0, -seconds))
        showing = machine.begin(f"timeout 10 finger {FINGER}")
        time.sleep(max(0, seconds))
        if seconds >= 0:
            press(machine, "ret")
        console.shows(ROOT)
        machine.finish(showing)
        # What the finger came before was typed for nobody: it is no command, and isn't shown.
        console.types("")
        expect(console.screen.count(ROOT) == 1 and "notfound" not in console.screen, f"{seconds}: {console.screen}")
        console.clears()
        console.types("stty -a | grep -c ' echo '")
        console.shows("echo'1")
        expect(not machine.run("pgrep -x sudo"), "a process of sudo's stays")
        expect(not machine.run(f"timeout 5 finger {FINGER}"), "the reader still takes a finger")


@part.check("on a console that isn't in front, and in a terminal that nobody sees, no finger is asked for")
def _(machine: Machine):
    console = Console(machine, 1)
    asks(console, "sleep 8; sudo id -u")
    Console(machine, 2).switch()
    console.shows(PASSWORD)
    expect("Touch" not in console.screen, console.screen)
    expect(not machine.run(f"timeout 5 finger {FINGER}"), "the reader took a finger")
    console.switch()
    press(machine, "ctrl", "c")
    asks(console, "setsid script -qc 'sudo id -u' /tmp/hidden </dev/null >/dev/null 2>&1 &")
    expect(machine.eventually(f"grep -q '{PASSWORD}' /tmp/hidden", 30))
    expect("Touch" not in machine.must("cat /tmp/hidden"))
    expect(not machine.run(f"timeout 5 finger {FINGER}"), "the reader took a finger")
    machine.must("pkill -u root -x sudo; pkill -x script || true")


@part.check("with the daemons stopped, or without an answer from them, the password works as ever")
def _(machine: Machine):
    console = Console(machine, 1)
    stop_all(machine)
    asks(console)
    console.shows(PASSWORD)
    expect("Touch" not in console.screen, console.screen)
    console.types("alice")
    console.shows(ROOT)
    listen(machine)
    expect(Owner(machine).is_answered())
    machine.must("systemctl kill -s STOP 'thumbturn*.service'")
    try:
        asks(console)
        console.shows(PASSWORD)
        console.types("alice")
        console.shows(ROOT)
    finally:
        machine.must("systemctl kill -s CONT 'thumbturn*.service'")


def starts_anew(machine: Machine) -> Console:
    """A restart, after which nobody has given a passcode; with somebody before the login."""
    machine.reboot()
    expect(machine.eventually("test -S /run/thumbturn/socket", 60))
    console = Console(machine, 1)
    console.switch()
    console.shows("login:")
    return console


def logs_in_by_password_alone(console: Console) -> None:
    """A login at which no finger is asked for: the reader stays off, however slow the machine is."""
    console.types("alice")
    console.shows("Password:")
    expect(not console.machine.run(f"timeout 5 finger {FINGER}"), "the reader took a finger")
    expect("Touch" not in console.screen, console.screen)
    console.types("alice")
    console.shows("alice@machine")


@part.check("a login takes no finger before the passcode was given, and once it was, the finger alone is enough")
def _(machine: Machine):
    alice = Owner(machine)
    machine.must("thumbturn login on --force 2>&1")
    expect(alice.gives_passcode())
    expect(alice.keeps("first", "of the first unlock", protect="none", kind="after-first-unlock"))
    expect(alice.keeps("last", "of the passcode", protect="none", kind="when-passcode-set"))
    logs_in_by_password_alone(starts_anew(machine))
    expect(not alice.reads("first"))
    expect(alice.gives_passcode())
    other = Console(machine, 3)
    other.switch()
    other.shows("login:")
    other.types("alice")
    other.shows("Touch the sensor to let alice log in, or type the password.")
    expect(machine.run(f"finger {FINGER}"))
    other.shows("alice@machine")


@part.check("by the owner's choice a login by finger opens the first-unlock class after a start, and never the passcode's")
def _(machine: Machine):
    alice = Owner(machine)
    root = machine.run("thumbturn login on --open-by-finger")
    expect(not root and "each user's own choice" in root.output, root.output)
    expect(alice.types("login on --open-by-finger", ("Passcode:", alice.passcode)))
    console = starts_anew(machine)
    expect(not alice.reads("first"))
    console.types("alice")
    console.shows("Touch the sensor to let alice log in, or type the password.")
    expect(machine.run(f"finger {FINGER}"))
    console.shows("alice@machine")
    expect(alice.reads("first") == "of the first unlock")
    expect(not alice.reads("last"))
    expect("wasGiven\": false" in alice.run("passcode status --json").output)
    # A finger counts from now on.
    asks(console)
    console.shows(QUESTION)
    expect(machine.run(f"finger {FINGER}"))
    console.shows(ROOT)


@part.check("a locked console opens by the finger, by the password, and by neither of somebody else's")
def _(machine: Machine):
    console = Console(machine, 1)
    question = "Touch the sensor to unlock this screen, or type the password."
    asks(console, "vlock && echo unlocked-$((40+2))")
    console.shows("press [ENTER] to unlock")
    console.types("")
    console.shows(question)
    console.shows(PASSWORD_OF_LOCK)
    expect(machine.run(f"finger {FINGER}"))
    console.shows("unlocked-42")
    asks(console, "vlock && echo unlocked-$((40+2))")
    console.shows("press [ENTER] to unlock")
    console.types("")
    console.shows(question)
    console.shows(PASSWORD_OF_LOCK)
    console.types("wrong")
    # It asks for root's password next, and then begins anew on an empty screen.
    console.shows("root's Password:")
    expect("unlocked-42" not in console.screen, console.screen)
    console.types("wrong")
    expect(machine.eventually("! tr '\\0' ' ' </dev/vcs1 | grep -q root", 60))
    console.shows("press [ENTER] to unlock")
    console.types("")
    console.shows(question)
    console.shows(PASSWORD_OF_LOCK)
    console.types("alice")
    console.shows("unlocked-42")


def greeter(machine: Machine, name: str, user: str, number: int, kind: str) -> None:
    """A graphical session of logind's on a console of its own, as GDM has one: of this class, for this user."""
    machine.must(f"printf 'account required pam_permit.so\nsession required pam_systemd.so type=wayland class={kind}\n' "
                 f">/etc/pam.d/{name}")
    machine.must(
        f"systemd-run --quiet --unit={name} -p User={user} -p PAMName={name} -p TTYPath=/dev/tty{number} -p StandardInput=tty-force "
        f"-p 'UnsetEnvironment=XDG_SESSION_ID' -E XDG_SEAT=seat0 -E XDG_VTNR={number} sleep 3600")
    press(machine, "ctrl", "alt", f"f{number}")
    expect(machine.eventually(
        "session=$(loginctl show-seat -p ActiveSession --value seat0) && "
        f"test \"$(loginctl show-session -p Class -p Type --value $session | xargs)\" = 'wayland {kind}'", 20),
        machine.must("loginctl; loginctl seat-status seat0 || true"))


@part.check("at a greeter the finger alone is enough while that is on the screen, and over one's own locked session")
def _(machine: Machine):
    # As GDM's package has it, with our module where it has fprintd's.
    machine.must(r"printf 'auth requisite pam_nologin.so\nauth required pam_succeed_if.so user != root quiet_success\n"
                 r"auth required pam_thumbturn.so\n@include common-account\n' >/etc/pam.d/gdm-fingerprint")
    login = "timeout 100 stdbuf -o0 pamtester -E XDG_SEAT=seat0 gdm-fingerprint alice authenticate 2>&1"

    def refuses(why: str, asking: str = login) -> None:
        refused = machine.run(asking)
        expect(not refused and "Touch" not in refused.output, f"{why}: {refused.output}")

    def opens(why: str, asking: str = login) -> None:
        machine.must("rm -f /tmp/greeter")
        asked = machine.begin(f"({asking}) >/tmp/greeter", 120)
        shown = machine.eventually("grep -q 'Touch the sensor to let alice in' /tmp/greeter", 60)
        expect(shown, f"{why}: {machine.run('cat /tmp/greeter; loginctl seat-status seat0').output}")
        expect(machine.run(f"finger {FINGER}"), why)
        expect(machine.finish(asked), f"{why}: {machine.run('cat /tmp/greeter').output}")

    Console(machine, 1).switch()
    refuses("on a text console")
    greeter(machine, "greeting", "nobody", 7, "greeter")
    opens("at the greeter")
    refuses("for another seat", login.replace("seat0", "seat1"))
    machine.must("systemctl stop greeting")
    greeter(machine, "desk", "alice", 8, "user")
    session = machine.must("loginctl show-seat -p ActiveSession --value seat0").strip()
    # GDM's process that unlocks a session is root's, and in that session.
    scope = f"/sys/fs/cgroup/user.slice/user-{Owner(machine).uid}.slice/session-{session}.scope"
    unlock = f"echo $BASHPID >{scope}/cgroup.procs && GDM_SESSION_FOR_REAUTH=1 exec {login}"
    refuses("at a session that isn't locked", unlock)
    machine.must(f"path=$(busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager GetSession s "
                 f"{session} | cut -d'\"' -f2); "
                 "busctl call org.freedesktop.login1 $path org.freedesktop.login1.Session SetLockedHint b true")
    opens("at the locked session", unlock)
    refuses("for a login, at the locked session")
    machine.must("systemctl stop desk; rm /etc/pam.d/gdm-fingerprint")
    Console(machine, 1).switch()


@part.check("beside another TPM the same disk opens nothing at a login by finger, which isn't even asked for")
def _(machine: Machine):
    alice = Owner(machine)
    chip = pathlib.Path(tempfile.mkdtemp()) / "chip"
    machine.shut_down()
    shutil.move(machine.tpm.folder, chip)
    machine.start()
    expect(machine.eventually("test -S /run/thumbturn/socket", 60))
    console = Console(machine, 1)
    console.switch()
    console.shows("login:")
    logs_in_by_password_alone(console)
    expect(not alice.reads("first") and not alice.reads("last"))
    # The disk is well: beside its own chip it opens as before.
    machine.shut_down()
    machine.tpm.exchange()
    shutil.move(chip, machine.tpm.folder)
    machine.start()
    expect(machine.eventually("test -S /run/thumbturn/socket", 60))
    console.switch()
    console.shows("login:")
    console.types("alice")
    console.shows("Touch the sensor to let alice log in, or type the password.")
    expect(machine.run(f"finger {FINGER}"))
    console.shows("alice@machine")
    expect(alice.reads("first") == "of the first unlock")


@part.check("when the owner takes that back, a start leaves everything shut until the passcode")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.types("login off", ("Passcode:", alice.passcode)))
    logs_in_by_password_alone(starts_anew(machine))
    expect(not alice.reads("first"))
    machine.must("thumbturn login off --force 2>&1")


@part.check("switched off, fprintd's profile is in use again; and removed, our package leaves no line of PAM's behind")
def _(machine: Machine):
    machine.must("thumbturn sudo off --force")
    expect("pam_fprintd" in stack(machine) and "pam_thumbturn" not in stack(machine), stack(machine))
    machine.must("thumbturn sudo on --force")
    machine.must("DEBIAN_FRONTEND=noninteractive apt-get -qq remove thumbturn >/dev/null 2>&1 || dpkg --remove thumbturn-window thumbturn")
    expect("pam_fprintd" in stack(machine) and "pam_thumbturn" not in stack(machine), stack(machine))
    expect(not machine.run("ls /usr/lib/*/security/pam_thumbturn.so /usr/share/pam-configs/thumbturn-sudo"))
