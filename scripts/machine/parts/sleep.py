"""What is gone from a machine that sleeps, and what is there when it wakes."""

import mmap
import pathlib
import time

from checks import Part, expect
from console import Console
from machine import Machine
from owner import App, Owner
from units import daemons, is_active

part = Part("sleep")

SECONDS_TO_SLEEP = 90
FINGER = "right-index"
PAGE = 4096


def wake(machine: Machine) -> None:
    machine.monitor.tell("system_wakeup")
    machine.monitor.await_event("WAKEUP", SECONDS_TO_SLEEP)
    expect(machine.run("true"))


@part.check("whoever holds keys holds sleep back until it has tidied up: a delay inhibitor of its own")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.sets_passcode())
    expect(alice.keeps("vault", "for its owner"))
    locks = machine.must("systemd-inhibit --list --no-pager")
    expect(any("humbturn" in line and "sleep" in line and "delay" in line for line in locks.splitlines()), locks)


@part.check("suspended, a prompt is gone before the machine is, and so is what a program's context had earned")
def _(machine: Machine):
    alice, console = Owner(machine), Console(machine, 1)
    app = App(alice)
    expect(app.does("protect photo private") == "> added photo", "kept")
    expect(app.does("earn look") == "> success passcode", "earned")
    expect(app.does("spend photo") == "> secret private", "spent")
    console.logs_in("alice")
    console.shows("alice@machine")
    console.types("thumbturn verify; cut -d' ' -f1 /proc/uptime >/tmp/ended")
    console.shows("Passcode:")
    # The machine doesn't answer once it sleeps.
    machine.begin("systemctl suspend")
    machine.monitor.await_event("SUSPEND", SECONDS_TO_SLEEP)
    time.sleep(2)
    wake(machine)
    expect(machine.eventually("test -s /tmp/ended"), "the prompt is still there")
    ended = float(machine.must("cat /tmp/ended"))
    slept = float(machine.must(
        "journalctl -k -b -o json --output-fields=_SOURCE_MONOTONIC_TIMESTAMP,MESSAGE -g 'PM: suspend entry' | tail -n 1 "
        "| sed 's/.*_SOURCE_MONOTONIC_TIMESTAMP\":\"\\([0-9]*\\).*/\\1/'")) / 1e6
    expect(ended <= slept, f"the prompt ended {ended - slept:.2f} s after the machine went to sleep")
    said = app.does("spend photo")
    expect(said.startswith("> failed"), said)


@part.check("awake again, the owner is asked anew, and a passcode or a finger brings things out")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.reads_with_passcode("vault"))
    showing = machine.begin(f"finger {FINGER} 5", 120)
    expect(alice.types(f"enroll {FINGER}", ("Passcode:", alice.passcode)))
    expect(machine.finish(showing))
    console = Console(machine, 1)
    console.clears()
    console.types("thumbturn verify")
    console.shows("Touch the fingerprint reader")
    expect(machine.run(f"finger {FINGER}"))
    console.shows("recognized by")


def keys_in_memory(machine: Machine) -> list[bytes]:
    """What lies in the daemons' locked memory and looks like a key: 32 bytes, most of them different, that no file of a store has."""
    script = r'''
import pathlib, re, sys
stored = b"".join(file.read_bytes() for file in pathlib.Path("/var/lib/private/thumbturn").rglob("*") if file.is_file())
for pid in sys.argv[1:]:
    area = None
    with open(f"/proc/{pid}/smaps") as maps, open(f"/proc/{pid}/mem", "rb") as memory:
        for line in maps:
            if (found := re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)):
                area = [int(word, 16) for word in found.groups()]
            elif line.startswith("VmFlags:") and " lo " in line and area:
                memory.seek(area[0])
                data = memory.read(area[1] - area[0])
                for place in range(0, len(data), 16):
                    if len(set(data[place:place + 32])) >= 26 and data[place:place + 32] not in stored:
                        print(data[place:place + 32].hex())
            elif re.match(r"[0-9a-f]+-", line):
                area = None
'''
    machine.must(f"cat >/root/keys.py <<'END'\n{script}\nEND")
    said = machine.must(f"python3 /root/keys.py {' '.join(map(str, daemons(machine)))}")
    return sorted({bytes.fromhex(line) for line in said.split()})


def found_on(disk: pathlib.Path, needles: list[bytes]) -> list[str]:
    """Which of these are on a disk, where, and what lies before."""
    with open(disk, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
        places = {needle: data.find(needle, PAGE) for needle in needles}
        return [f"{needle.hex()} at {place} after {data[place - 64:place]!r}" for needle, place in places.items() if place >= 0]


def hibernate(machine: Machine) -> None:
    machine.begin("systemctl hibernate")
    machine.ended()


@part.check("hibernated, the daemon has ended before, and no key of its is on the disk")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.gives_passcode())
    keys = keys_in_memory(machine)
    expect(len(keys) >= 2, "no keys in memory")
    machine.must("swapon /dev/vdb")
    machine.must("echo before >/dev/shm/memory")
    hibernate(machine)
    found = found_on(machine.swap, keys)
    expect(not found, f"{len(found)} of {len(keys)} keys are on the disk: {found}")


@part.check("resumed, the machine goes on where it was, no daemon runs, and the passcode has to be given")
def _(machine: Machine):
    machine.start()
    expect(machine.must("cat /dev/shm/memory").strip() == "before", "it booted instead")
    expect(is_active(machine, "thumbturn.socket"))
    alice = Owner(machine)
    expect('"wasGiven": false' in alice.run("passcode status --json").output)
    expect(alice.reads_with_passcode("vault"))


@part.check("hibernated without our unit, keys are on the disk: so finding none means something")
def _(machine: Machine):
    machine.must("systemctl disable thumbturn-hibernate.service")
    keys = keys_in_memory(machine)
    hibernate(machine)
    expect(found_on(machine.swap, keys), "none is found, so this search finds nothing")
