"""When a daemon runs, and when it doesn't."""

import json
import statistics
import time

from checks import Part, expect
from machine import Machine
from owner import Owner
from units import daemons, drop_in, failed, is_active, kill, listen, stop_all

part = Part("activation")

IDLE_SECONDS = 4
ROUNDS, MOST_TIMES, MOST_MEBIBYTES = 20, 1.5, 14


@part.check("installed, its sockets listen, and no daemon runs yet")
def _(machine: Machine):
    expect(is_active(machine, "thumbturn.socket") and is_active(machine, "thumbturn-passcode.socket"))
    machine.must("systemctl stop 'thumbturn*.service'")
    expect(not daemons(machine), "it runs before anybody asked")


@part.check("the first program that connects starts it")
def _(machine: Machine):
    expect(Owner(machine).is_answered())
    expect(daemons(machine), "nothing runs")


@part.check("killed, it is there for the next program, and that is no failure of the machine")
def _(machine: Machine):
    before = daemons(machine)
    kill(machine)
    expect(Owner(machine).is_answered())
    expect(not set(before) & set(daemons(machine)), "the old one runs")
    expect(not failed(machine), failed(machine))


@part.check("killed again and again, it still comes back")
def _(machine: Machine):
    for round in range(6):
        kill(machine)
        time.sleep(1)
        expect(Owner(machine).is_answered(), f"after {round + 1} kills")


@part.check("when nobody has been there for its time, it ends by itself, and the next program starts it")
def _(machine: Machine):
    stop_all(machine)
    # The front's own time is the devices' too, and each broker has one.
    for unit in ("thumbturn.service", "thumbturn-reader.service", "thumbturn-tpm.service"):
        start = machine.must(f"sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/{unit}").strip()
        drop_in(machine, unit, "ExecStart=", f"ExecStart={start} --idle {IDLE_SECONDS}")
    machine.must("systemctl daemon-reload")
    listen(machine)
    expect(Owner(machine).is_answered() and daemons(machine))
    until = time.monotonic() + 90
    while (left := daemons(machine)) and time.monotonic() < until:
        time.sleep(1)
    expect(not left, "they still run")
    expect(Owner(machine).is_answered(), "afterwards")
    machine.must("rm -r /run/systemd/system/thumbturn*.d && systemctl daemon-reload")


@part.check(f"a device's first answer takes at most {MOST_TIMES} times what an empty unit takes in the same sandbox, the median of {ROUNDS}")
def _(machine: Machine):
    expect(Owner(machine).sets_passcode())
    times = json.loads(machine.must(f"first-answer alice {ROUNDS}", 600))
    device, empty = statistics.median(times["device"]), statistics.median(times["empty"])
    print(f"machine: activation: first answer {device:.0f} ms, an empty unit {empty:.0f} ms: {device / empty:.2f} times", flush=True)
    expect(device <= MOST_TIMES * empty, times)


def mebibytes(machine: Machine, pid: str) -> float:
    """What a process has resident."""
    return int(machine.must(f"awk '/^VmRSS/ {{print $2}}' /proc/{pid}/status")) / 1024


@part.check(f"a device in use keeps at most {MOST_MEBIBYTES} MiB of memory")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.gives_passcode() and alice.keeps("mail", "a secret") and alice.reads_with_passcode("mail"))
    unit = f"thumbturn-device@{alice.uid}.service"
    pid = machine.must(f"systemctl show -p MainPID --value {unit}").strip()
    at_once = resident = mebibytes(machine, pid)
    # A second after its last client has left it gives back what only those moments needed. On a busy host that second comes late.
    until = time.monotonic() + 30
    while resident > MOST_MEBIBYTES and time.monotonic() < until:
        time.sleep(1)
        resident = mebibytes(machine, pid)
    print(f"machine: activation: a device in use has {resident:.1f} MiB resident, {at_once:.1f} in the moment of an answer", flush=True)
    expect(resident <= MOST_MEBIBYTES, resident)


@part.check("stopped, programs are told so; started, they are served")
def _(machine: Machine):
    stop_all(machine)
    told = Owner(machine).run("passcode status")
    expect("not running" in told.output and not told, repr(told))
    listen(machine)
    expect(Owner(machine).is_answered())


@part.check("masked, it can't be started; unmasked, it can")
def _(machine: Machine):
    stop_all(machine)
    machine.must("systemctl mask --runtime thumbturn.service")
    expect(not machine.run("systemctl start thumbturn.service"))
    expect(not Owner(machine).is_answered())
    machine.must("systemctl unmask --runtime thumbturn.service && systemctl reset-failed 'thumbturn*'")
    machine.must("systemctl restart thumbturn.socket thumbturn-passcode.socket")
    expect(Owner(machine).is_answered())


@part.check("started and restarted by hand, it serves, and systemd says what state it is in")
def _(machine: Machine):
    stop_all(machine)
    expect(machine.run("systemctl status thumbturn.service").status == 3)
    machine.must("systemctl start thumbturn.service")
    machine.must("systemctl status thumbturn.service")
    expect(Owner(machine).is_answered())
    before = machine.must("systemctl show -p MainPID --value thumbturn.service")
    machine.must("systemctl restart thumbturn.service")
    expect(machine.must("systemctl show -p MainPID --value thumbturn.service") != before)
    expect(Owner(machine).is_answered())


@part.check("the service for hibernation ends every daemon, and the next program starts one")
def _(machine: Machine):
    expect(daemons(machine))
    machine.must("systemctl start thumbturn-hibernate.service")
    left = machine.must("systemctl list-units --no-legend --plain --state=active 'thumbturn*.service'")
    expect(not daemons(machine), left)
    expect(is_active(machine, "thumbturn.socket"))
    expect(Owner(machine).is_answered())


@part.check("the sign-in server, once it is switched on, serves as a user of its own, and ends when it is told to")
def _(machine: Machine):
    machine.must("systemctl enable --now thumbturn-server")
    asked = "import urllib.request as web; print(web.urlopen('http://127.0.0.1:8470/health').read())"
    expect("ok" in machine.must(f'python3 -c "{asked}"'))
    pid = machine.must("systemctl show -p MainPID --value thumbturn-server").strip()
    expect(machine.must(f"ps -o uid= -p {pid}").strip() != "0", "it is root")
    accounts = "thumbturn-server --database /var/lib/thumbturn-server/sign-in.db account"
    machine.must(f"echo 'a long password 9' | {accounts} add anna && systemctl restart thumbturn-server")
    expect("anna" in machine.must(f"{accounts} list"))
    expect("ok" in machine.must(f'python3 -c "{asked}"'), "after a restart")
    pid = machine.must("systemctl show -p MainPID --value thumbturn-server").strip()
    machine.must("systemctl reload thumbturn-server")
    expect("ok" in machine.must(f'python3 -c "{asked}"'), "after it was reloaded")
    expect(machine.must("systemctl show -p MainPID --value thumbturn-server").strip() == pid, "it is another process when it was reloaded")
    machine.must("systemctl disable --now thumbturn-server")
    expect(machine.must("systemctl show -p Result --value thumbturn-server").strip() == "success")


@part.check("after a reboot its sockets listen, no daemon runs, and it serves")
def _(machine: Machine):
    machine.reboot()
    expect(machine.eventually("systemctl is-active --quiet thumbturn.socket"))
    expect(not daemons(machine), "it runs before anybody asked")
    expect(Owner(machine).is_answered())


@part.check("switched off, it isn't there after a reboot")
def _(machine: Machine):
    machine.must("systemctl disable thumbturn.socket thumbturn-passcode.socket")
    machine.reboot()
    expect(not is_active(machine, "thumbturn.socket"))
    expect(not Owner(machine).is_answered())


@part.check("no unit of the machine failed")
def _(machine: Machine):
    expect(not failed(machine), failed(machine))
