"""The machine loses its power, and with it its page cache, at any moment: what was answered is there afterwards."""

import random
import re
import time

from checks import Part, expect
from machine import Machine
from owner import Owner
from units import set_chip

CUTS = 50
# From the first answer to the cut: the load writes the whole time, and a moment may be any of it.
SECONDS_OF_LOAD = (0.2, 6.0)
SECONDS_TO_ANSWER, SECONDS_TO_READ = 120, 600
PEOPLE = ("alice", "bob")
# Fifty boots.
part = Part("power", seconds=7200)

# One opener, because a port takes no second one; each answer goes through it to the host at once.
NOTES = "/dev/virtio-ports/thumbturn.notes"


def load(machine: Machine, round: int) -> None:
    """Has everybody add items, one after the other as soon as it is answered for, and has the host know of each answer."""
    each = [
        f"{as_user(name)} stdbuf -oL client <<<'stream {round}- 1000000' | sed -u 's/^> added /{name} /' &" for name in PEOPLE]
    machine.begin(f"{{ {' '.join(each)} wait; }} >{NOTES}", 3600)


def as_user(name: str) -> str:
    return f"runuser -u {name} -- env -i HOME=/home/{name} PATH=/usr/local/bin:/usr/bin:/bin"


def answered(notes: list[str]) -> dict[str, list[str]]:
    """What was answered for, by whose it is."""
    found: dict[str, list[str]] = {name: [] for name in PEOPLE}
    for line in notes:
        if match := re.fullmatch(r"(\w+) (\d+-\d+)", line):
            found[match[1]].append(match[2])
    return found


def lost(machine: Machine, items: dict[str, list[str]]) -> list[str]:
    """Items that aren't there, or aren't what they were."""
    missing = []
    for name in PEOPLE:
        # Through a file: a command's line has a limit.
        wanted = machine.folder / "wanted"
        wanted.write_text("".join(f"read {item}\n" for item in items[name]))
        machine.bring(wanted)
        said = machine.must(f"{as_user(name)} client </root/share/wanted", SECONDS_TO_READ).splitlines()
        for item, answer in zip(items[name], said, strict=True):
            if answer != f"> secret secret {item.split('-')[1]}":
                missing.append(f"{name} {item}: {answer}")
    return missing


def verified(machine: Machine) -> str:
    """What is wrong with somebody's audit; nothing if it is whole."""
    for name in PEOPLE:
        owner = Owner(machine, name)
        result = owner.types("log --verify", ("Passcode:", owner.passcode))
        if not result or "none is missing" not in result.output:
            return f"{name}: {result!r}"
    return ""


@part.check(f"{CUTS} cuts under load: nothing that was answered is lost, and after each the audit is whole")
def _(machine: Machine):
    # A chip counts a power cut as a wrong word, since it can't know of the last one: not what is tried here.
    set_chip(machine, 10 * CUTS)
    for name in PEOPLE:
        expect(Owner(machine, name).sets_passcode())
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    total, lost_items, broken = 0, [], []
    for round in range(CUTS):
        known = len(machine.notes())
        load(machine, round)
        until = time.monotonic() + SECONDS_TO_ANSWER
        while len(machine.notes()) == known:
            expect(time.monotonic() < until, "nothing is answered")
            time.sleep(0.05)
        moment = chance.uniform(*SECONDS_OF_LOAD)
        time.sleep(moment)
        machine.cut_power()
        items = answered(machine.notes()[known:])
        count = sum(map(len, items.values()))
        total += count
        machine.start()
        lost_items += lost(machine, items)
        if (wrong := verified(machine)):
            broken.append(f"cut {round}: {wrong}")
        print(f"machine: power: cut {round + 1} after {moment:.2f} s: {count} answered, {len(lost_items)} lost so far", flush=True)
    print(f"machine: power: {CUTS} cuts (seed {seed}), {total} items answered for, {len(lost_items)} lost, {len(broken)} audits "
          "broken", flush=True)
    expect(total >= CUTS, "too few were answered for this to mean anything")
    expect(not lost_items, "\n".join(lost_items[:20]))
    expect(not broken, "\n".join(broken[:5]))


@part.check("after the last of them everything from all of them is there, and the file system is clean")
def _(machine: Machine):
    missing = lost(machine, answered(machine.notes()))
    expect(not missing, missing[:20])
    errors = machine.run("journalctl -k -b -g 'EXT4-fs error' --no-pager").output
    expect("EXT4-fs error" not in errors, errors)
