"""What each unit's settings keep from its program: a probe in its place tries, and is refused."""

import json
import shlex

from checks import Part, expect
from machine import Machine
from owner import Owner
from units import daemons, drop_in, listen, stop_all, units

part = Part("sandbox")

# What a unit says of itself that keeps nothing from anybody.
NO_SANDBOX = set("""
    Type NotifyAccess ExecStart ExecReload ExecStop ExecStartPost ExecStopPost RemainAfterExit Restart RestartSec RestartPreventExitStatus
    TimeoutStartSec TimeoutStopSec RuntimeMaxSec WatchdogSec KillMode StandardInput StandardOutput StandardError SyslogIdentifier Sockets FileDescriptorStoreMax
    StateDirectory StateDirectoryMode RuntimeDirectory RuntimeDirectoryMode User Group SupplementaryGroups Environment EnvironmentFile
    LoadCredential BindReadOnlyPaths SystemCallErrorNumber Slice Delegate BusName
""".split())
# What is seen together with another setting, or on the daemon itself, below.
ELSEWHERE = {"DeviceAllow", "IPAddressDeny", "PrivateMounts", "MemorySwapMax", "OOMPolicy"}
# One moment and one word to the service manager: nothing of a peer's reaches it. And, of a user's own manager's, what starts programs
# that gain rights: each filter would take those from them.
WITHOUT = {
    "system": {"thumbturn-hibernate.service"},
    "user": {"thumbturn-window.service", "thumbturn-polkit.service", "thumbturn-passcode@.service"},
}

# The provider gains its group by being started, so nothing may take that from it. What else its unit says is tried.
GAINS_RIGHTS = {"thumbturn-secrets.service"}


def sandboxed(machine: Machine, manager: str) -> list[str]:
    return sorted(set(units(machine, manager=manager)) - WITHOUT[manager])


def settings(machine: Machine, unit: str, manager: str) -> dict[str, str]:
    """What stands in a unit's [Service]; of a setting that stands there more than once, all of it."""
    lines = machine.must(f"sed -n '/^\\[Service\\]/,/^\\[/p' /usr/lib/systemd/{manager}/{unit} | grep '^[A-Z]'").splitlines()
    found: dict[str, str] = {}
    for name, value in (line.split("=", 1) for line in lines):
        found[name] = (found.get(name, "") + " " + value).strip()
    return found


def probed(machine: Machine, unit: str, manager: str) -> dict[str, dict[str, str]]:
    """What the probe says in the place of the unit's program."""
    alice = Owner(machine)
    systemctl = "systemctl" if manager == "system" else alice.own("systemctl --user")
    running = unit.replace("@.", "@4242.")
    said_in = "/run/probe.json" if manager == "system" else f"/run/user/{alice.uid}/probe.json"
    drop_in(
        machine, unit, "Type=oneshot", "NotifyAccess=none", "Restart=no", "ExecStart=",
        "ExecStart=/usr/bin/python3 /usr/local/bin/probe", "StandardInput=null", f"StandardOutput=truncate:{said_in}",
        "StandardError=journal", "TimeoutStartSec=240", "OOMPolicy=continue", "Environment=LD_LIBRARY_PATH=/nowhere",
        manager=manager)
    try:
        started = machine.run(f"{systemctl} daemon-reload; rm -f {said_in}; {systemctl} start {running}", 300)
        said = machine.run(f"cat {said_in}").output
        expect(started and said.startswith("{"), said + machine.run(f"journalctl _SYSTEMD_UNIT={running} + "
               f"_SYSTEMD_USER_UNIT={running} -n 20 --no-pager").output)
        return json.loads(said)
    finally:
        machine.run(f"{systemctl} stop {running}; rm -rf /run/systemd/{manager}/{unit}.d; {systemctl} daemon-reload")


def mebibytes(value: str) -> int:
    return int(value[:-1]) * {"M": 1, "G": 1024}[value[-1]]


def is_allowed(setting: str, value: str, attempt: str) -> bool:
    """Whether the setting's own value lets this attempt through."""
    if setting == "RestrictAddressFamilies":
        return attempt in value.split()
    if setting == "InaccessiblePaths":
        return not any(attempt.startswith(path.lstrip("-")) for path in value.split())
    if setting == "LimitNOFILE":
        return int(value) >= int(attempt)
    if setting == "MemoryMax":
        return mebibytes(value) >= int(attempt)
    return setting == "ProtectHome" and value == "read-only" and attempt == "0"


@part.check("without a sandbox everything that the probe tries goes well: so a refusal means something")
def _(machine: Machine):
    stop_all(machine)
    machine.must("modprobe dummy numdummies=1; touch /tmp/outside /var/tmp/outside; mkdir -p /opt")
    said = machine.must(
        "systemd-run --quiet --wait --pipe -p KeyringMode=shared -p LimitNOFILE=30000 -p LimitMEMLOCK=infinity -p TasksMax=2000 "
        "-p LimitCORE=infinity -p UMask=0022 -E LD_LIBRARY_PATH=/nowhere /usr/local/bin/probe outside", 300)
    refused = [
        f"{setting} {name}: {what}" for setting, found in json.loads(said).items() for name, what in found.items() if what != "done"]
    expect(not refused, refused)


@part.check("every service has a sandbox, and the probe knows each setting of it")
def _(machine: Machine):
    known = set(json.loads(machine.must("systemd-run --quiet --wait --pipe /usr/local/bin/probe outside", 300)))
    for manager in WITHOUT:
        for unit in sandboxed(machine, manager):
            found = settings(machine, unit, manager)
            expect(("NoNewPrivileges" in found) != (unit in GAINS_RIGHTS), unit)
            unknown = set(found) - NO_SANDBOX - ELSEWHERE - known
            expect(not unknown, f"{unit} has settings that nothing tries: {unknown}")


def try_all(machine: Machine, manager: str) -> None:
    """Has the probe try everything in the place of each service's program."""
    tried, let_through, services = 0, [], sandboxed(machine, manager)
    for unit in services:
        stop_all(machine)
        wanted, found = settings(machine, unit, manager), probed(machine, unit, manager)
        for setting, value in wanted.items():
            for attempt, what in found.get(setting, {}).items():
                if is_allowed(setting, value, attempt):
                    continue
                tried += 1
                if not (what[:1] == "E" and what.isupper() or what.startswith("ended by signal")):
                    let_through.append(f"{unit}: {setting} {attempt}: {what}")
    print(f"machine: sandbox: {tried} attempts in {len(services)} services of the {manager}'s", flush=True)
    expect(not let_through, "\n".join(let_through))
    expect(tried > 20 * len(services) > 0, tried)


@part.check("in the place of each service's program the probe is refused what its settings say")
def _(machine: Machine):
    try_all(machine, "system")


@part.check("so it is in a user's own manager, for the services that a user has")
def _(machine: Machine):
    machine.must("loginctl enable-linger alice")
    expect(machine.eventually("systemctl is-active --quiet user@$(id -u alice)"))
    try_all(machine, "user")
    machine.must("loginctl disable-linger alice")


@part.check("the daemons that run have at most the right to look up their callers, are filtered, and gain no rights")
def _(machine: Machine):
    stop_all(machine)
    listen(machine)
    expect(Owner(machine).is_answered())
    for pid in daemons(machine):
        status = dict(line.split(":", 1) for line in machine.must(f"cat /proc/{pid}/status").splitlines())
        rights = int(status["CapBnd"], 16) | int(status["CapEff"], 16)
        expect(rights & ~(1 << 19) == 0, f"{pid} has the capabilities {rights:x}")
        expect(status["Seccomp"].strip() == "2" and status["NoNewPrivs"].strip() == "1", f"{pid} isn't filtered")


@part.check("they see no home, and write nothing but stores")
def _(machine: Machine):
    for pid in daemons(machine):
        inside = f"nsenter -t {pid} -m sh -c"
        expect(not machine.run(f"{inside} 'ls /home/alice'") and not machine.run(f"{inside} 'ls -A /root | grep .'"), "a home")
        for folder in ("/etc", "/usr", "/var", "/var/log", "/opt"):
            expect(not machine.run(f"{inside} 'touch {folder}/probe'"), folder)


@part.check("their memory and their tasks are bounded, for all of them together")
def _(machine: Machine):
    for pid in daemons(machine):
        group = machine.must(f"cut -d: -f3 /proc/{pid}/cgroup").strip()
        limits = machine.must(f"cd {shlex.quote(f'/sys/fs/cgroup{group}')} && cat memory.max pids.max").split()
        expect(all(limit.isdigit() for limit in limits) and int(limits[0]) <= 1 << 30 and int(limits[1]) <= 512, limits)


@part.check("root outside can't be traced or read from inside: a daemon's process is out of every user's reach")
def _(machine: Machine):
    for pid in daemons(machine):
        for what in ("mem", "environ", "maps", "root", "fd/0"):
            expect(not machine.run(f"runuser -u alice -- head -c 1 /proc/{pid}/{what}"), what)
        expect(not machine.run(f"runuser -u alice -- kill -TERM {pid}"), "a signal")
    expect(not machine.run("runuser -u alice -- ls /var/lib/thumbturn"), "the stores")


@part.check("each user's device is a process of a user of its own, which isn't root and isn't another's")
def _(machine: Machine):
    people = {name: Owner(machine, name) for name in ("alice", "bob")}
    expect(all(owner.is_answered() for owner in people.values()))
    whose = {name: device_user(machine, owner) for name, owner in people.items()}
    expect("root" not in whose.values() and len(set(whose.values())) == 2, whose)


def device(owner: Owner) -> str:
    return f"thumbturn-device@{owner.uid}.service"


def device_user(machine: Machine, owner: Owner) -> str:
    pid = machine.must(f"systemctl show -p MainPID --value {device(owner)}").strip()
    return machine.must(f"ps -o uid= -p {pid}").strip()


@part.check("a device that gets another uid loses nothing")
def _(machine: Machine):
    alice = Owner(machine)
    expect(alice.keeps("mail", "stays", protect="none", kind="always"))
    before = device_user(machine, alice)
    machine.must(f"systemctl stop 'thumbturn*.service'; useradd -M -u {before} somebody")
    expect(alice.reads("mail") == "stays")
    expect(device_user(machine, alice) != before, "the uid is the same")
    machine.must("systemctl stop 'thumbturn*.service'; userdel somebody")
    expect(alice.reads("mail") == "stays", "with the first uid again")


# What an attacker who has a device would do next. Each line that goes well is a way to another user, to root, or out.
FROM_INSIDE = r"""
try_() { if timeout 5 "$@" >/dev/null 2>&1; then echo "went well: $*"; else tried=$((tried + 1)); fi; }
tried=0
try_ ls /var/lib/private/thumbturn/$OTHER
try_ ls /var/lib/thumbturn/$OTHER/.
try_ ls /run/thumbturn/devices/.
try_ cat /var/lib/fprint/.
try_ ls /home/bob /root/.
try_ cat /etc/shadow
try_ head -c 1 /proc/$PID/mem
try_ head -c 1 /proc/$PID/environ
try_ readlink /proc/$PID/exe
try_ kill -0 $PID
try_ kill -0 1
try_ dd if=/dev/tpmrm0 count=0
try_ dd if=/dev/vda count=1
try_ busctl --system list
try_ bash -c 'exec 3<>/dev/tcp/127.0.0.1/8470'
try_ bash -c 'exec 3<>/dev/tcp/1.1.1.1/53'
try_ systemctl is-system-running --wait
for socket in /run/thumbturn/* /run/thumbturn/devices/* /run/user/*/bus /run/user/*/thumbturn/*; do
    try_ python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])' "$socket"
done
echo "tried $tried"
"""


@part.check("from inside one user's device nothing is had of another user's, of root's, or of the network")
def _(machine: Machine):
    alice, bob = Owner(machine), Owner(machine, "bob")
    expect(bob.is_answered())
    pid = machine.must(f"systemctl show -p MainPID --value {device(bob)}").strip()
    script = "/usr/local/bin/from-inside"
    machine.must(f"cat >{script} <<'END'\n#!/bin/bash\n{FROM_INSIDE}\nEND\nchmod 755 {script}")
    machine.must(f"systemctl stop {device(alice)}")
    drop_in(machine, "thumbturn-device@.service", "Type=oneshot", "ExecStart=", "ExecStart=/usr/local/bin/from-inside",
            "StandardOutput=truncate:/run/inside", f"Environment=OTHER={bob.uid} PID={pid}")
    try:
        machine.run(f"systemctl daemon-reload; systemctl start {device(alice)}", 200)
        said = machine.must("cat /run/inside")
    finally:
        machine.run("rm -rf /run/systemd/system/thumbturn-device@.service.d; systemctl daemon-reload")
    expect("went well" not in said and "tried" in said, said)
