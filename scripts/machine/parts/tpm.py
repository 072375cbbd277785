"""A store whose key lies in part in the machine's TPM: over reboots, without that chip, and on another machine."""

import re

from checks import Part, expect
from machine import Machine
from owner import Owner
from units import listen, set_chip, stop_all

part = Part("TPM")

code = ""


@part.check("the store is sealed by the machine's chip, and a key lives in it")
def _(machine: Machine):
    global code
    alice = Owner(machine)
    set_chip(machine, 32)
    expect(alice.sets_passcode())
    expect(alice.keeps("vault", "sealed"))
    report = alice.run("doctor").output
    expect("TPM" in report and "software" not in report.lower(), report)
    expect(alice.run("key create mine --no-presence"))
    made = alice.types("passcode recovery", ("Passcode:", alice.passcode))
    found = re.search(r"\b[A-Z0-9]{4}(?:-[A-Z0-9]{4}){6}\b", made.output)
    expect(found, repr(made))
    code = found[0]


@part.check("over two reboots of the machine the same chip opens it, and the key in it signs")
def _(machine: Machine):
    alice = Owner(machine)
    for _ in range(2):
        machine.reboot()
        expect('"wasGiven": false' in alice.run("passcode status --json").output, "a passcode outlived the reboot")
        expect(alice.reads_with_passcode("vault"))
        expect(alice.run("key sign mine", "words"), "the key")


@part.check("a machine that loses its power is the same machine to its chip")
def _(machine: Machine):
    machine.cut_power()
    machine.start()
    expect(Owner(machine).reads_with_passcode("vault"))


@part.check("wrong passcodes cost what they cost, over a reboot too")
def _(machine: Machine):
    alice = Owner(machine)
    for _ in range(4):
        alice.types("verify", ("Passcode:", "wrong"), ("not right", "\x03"))
    machine.reboot()
    waits = alice.types("verify", ("You can try the next passcode in", "\x03"))
    expect("You can try the next passcode in" in waits.output, repr(waits))
    expect(machine.eventually(f"sleep 15; answer alice 'thumbturn verify' 'Passcode:' '{alice.passcode}'", 120))


@part.check("on another machine the disk alone opens nothing, and says so; the recovery code opens it")
def _(machine: Machine):
    alice = Owner(machine)
    machine.shut_down()
    machine.tpm.exchange()
    machine.start()
    refused = alice.types("secret get vault", ("Passcode:", alice.passcode))
    expect(not refused and "sealed" not in refused.output.splitlines(), repr(refused))
    said = alice.run("secret list").output
    expect("TPM" in said, said)
    opens_with(machine, alice)


@part.check("with its chip cleared it is the same")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.reads_with_passcode("vault"))
    machine.reboot()
    machine.must("systemctl stop 'thumbturn*.service'; tpm2_clear -c l")
    expect("TPM" in alice.run("secret list").output)
    opens_with(machine, alice)


def opens_with(machine: Machine, alice: Owner) -> None:
    """Opens the store with the recovery code, as root, and has its owner choose another passcode."""
    stop_all(machine)
    state = f"/var/lib/thumbturn/{alice.uid}"
    machine.must(f"echo {code} | /usr/libexec/thumbturn/thumbturnd --recover --state {state}")
    listen(machine)
    chosen = alice.types(
        "passcode recover", ("code", code), ("New passcode:", alice.passcode), ("Again:", alice.passcode))
    expect(chosen, repr(chosen))
    expect(alice.reads_with_passcode("vault"))
