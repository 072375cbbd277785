"""A machine that boots: QEMU with a disk, a swap device, a screen, a keyboard and a TPM, and an agent inside that runs commands."""

import contextlib
import pathlib
import shutil
import subprocess
import tempfile
import time

from image import Image
from talk import SECONDS_FOR_A_COMMAND, Agent, MachineError, Monitor, Result

# How long each thing may take before it counts as hanging; all of them take a fifth of it on a machine with nothing else to do.
SECONDS_TO_BOOT = 600
SECONDS_TO_END = 120
SECONDS_TO_SAVE = 120
# How long a command's answer may take beyond the command itself.
SECONDS_TO_ANSWER = 30
MEMORY_MIB = 1024
# Holds the memory when the machine hibernates.
SWAP_MIB = 1536
# Commands of the tests' own, for the machine's inside.
GUEST = pathlib.Path(__file__).resolve().parent / "guest"

# Nothing of QEMU's defaults but what is named, and no network. Whoever is killed leaves no machine behind.
REAP = ["setpriv", "--pdeathsig", "KILL"]
HARDWARE = [
    "qemu-system-x86_64", "-accel", "tcg", "-smp", "1", "-m", str(MEMORY_MIB), "-nodefaults", "-display", "none", "-vga", "std",
    "-device", "virtio-rng-pci", "-device", "virtio-serial", "-no-reboot",
]
# Without compression what a hibernation writes can be searched.
KERNEL_LINE = "root=/dev/vda rw console=ttyS0 quiet systemd.getty_auto=0 resume=/dev/vdb hibernate=nocompress"


class TPM:
    """A chip whose state outlives the machine's process, so that it is the same one after a reboot."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.process: subprocess.Popen | None = None

    @property
    def socket(self) -> pathlib.Path:
        return self.folder / "control"

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.socket.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [*REAP, "swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}", "--ctrl", f"type=unixio,path={self.socket}",
             "--log", f"file={self.folder}/log"])
        until = time.monotonic() + 10
        while not self.socket.exists():
            if self.process.poll() is not None or time.monotonic() > until:
                raise MachineError("swtpm doesn't start")
            time.sleep(0.05)

    def end(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(10)
            self.process = None

    def exchange(self) -> None:
        """Another chip from the next start on."""
        shutil.rmtree(self.folder)


class Machine:
    """One that runs, in a folder of its own. Leaving its `with` ends it, however that comes about."""

    def __init__(self, image: Image, *, snapshot: "pathlib.Path | None" = None):
        """On a new disk over the image's, or over the snapshot's, whose memory it then has when it starts."""
        self.image = image
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thumbturn-machine-"))
        self.disk, self.swap = self.folder / "disk.qcow2", self.folder / "swap.raw"
        self.tpm = TPM(self.folder / "tpm")
        self.process: subprocess.Popen | None = None
        self.monitor: Monitor
        self.agent: Agent
        below, form = (snapshot / "disk.qcow2", "qcow2") if snapshot else (image.disk, "raw")
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", form, "-b", below, self.disk], check=True)
        subprocess.run(["truncate", "-s", f"{SWAP_MIB}M", self.swap], check=True)
        # It warns of what a file lacks; the machine sees a device.
        subprocess.run(["mkswap", "-q", self.swap], check=True, stderr=subprocess.DEVNULL)
        self.memory = snapshot / "memory" if snapshot else None
        if snapshot:
            shutil.copytree(snapshot / "tpm", self.tpm.folder)

    def __enter__(self) -> "Machine":
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.cut_power()
        shutil.rmtree(self.folder, ignore_errors=True)

    # MARK: Power

    def start(self) -> None:
        """Boots it, or has a snapshot's memory go on."""
        until = time.monotonic() + SECONDS_TO_BOOT
        self.tpm.start()
        arguments = [
            *REAP, *HARDWARE, "-kernel", str(self.image.kernel), "-initrd", str(self.image.initrd), "-append", KERNEL_LINE,
            # Written through when the machine says so and not before: what it doesn't flush is lost with the power.
            "-drive", f"file={self.disk},format=qcow2,if=virtio,cache=writeback",
            "-drive", f"file={self.swap},format=raw,if=virtio,cache=writeback",
            "-serial", f"file:{self.folder}/console",
            "-qmp", f"unix:{self.folder}/monitor,server=on,wait=off",
            "-chardev", f"socket,id=agent,path={self.folder}/agent,server=on,wait=off",
            "-device", "virtserialport,chardev=agent,name=thumbturn.test",
            # What is written there is with the host at once, whatever becomes of the machine.
            "-chardev", f"file,id=notes,path={self.folder}/notes,append=on",
            "-device", "virtserialport,chardev=notes,name=thumbturn.notes",
            "-virtfs", f"local,path={self.share},mount_tag=share,security_model=none,readonly=on",
            "-chardev", f"socket,id=tpm,path={self.tpm.socket}", "-tpmdev", "emulator,id=tpm0,chardev=tpm",
            "-device", "tpm-tis,tpmdev=tpm0",
        ]
        woken, self.memory = self.memory, None
        if woken:
            arguments += ["-incoming", f"exec:cat {woken}"]
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL)
        self.monitor = Monitor(self.folder / "monitor", until)
        if woken:
            while self.monitor.tell("query-status")["status"] == "inmigrate":
                time.sleep(0.1)
            self.monitor.tell("cont")
        self.agent = Agent(self.folder / "agent", until)
        if not self.agent.result(self.agent.begin(f"date -s @{int(time.time())}", 60), until):
            raise MachineError("the clock can't be set")

    @property
    def share(self) -> pathlib.Path:
        """What the machine sees of the host, and can't change."""
        folder = self.folder / "share"
        folder.mkdir(exist_ok=True)
        return folder

    def cut_power(self) -> None:
        """Ends it at once: what was in its memory is gone."""
        with contextlib.ExitStack() as ending:
            ending.callback(self.tpm.end)
            if self.process:
                self.process.kill()
                self.process.wait()
                self.process = None

    def shut_down(self) -> None:
        """Ends it as its button does."""
        self.monitor.tell("system_powerdown")
        self.ended()

    def ended(self) -> None:
        """Waits until it has ended by itself."""
        try:
            self.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            raise MachineError("the machine doesn't end") from None
        self.cut_power()

    def reboot(self) -> None:
        self.shut_down()
        self.start()

    def save(self, folder: pathlib.Path) -> None:
        """Writes down all that it is, and ends it. Another machine may begin with that."""
        self.monitor.tell("stop")
        self.monitor.tell("migrate", uri=f"exec:cat >{folder}/memory")
        until = time.monotonic() + SECONDS_TO_SAVE
        while (state := self.monitor.tell("query-migrate"))["status"] != "completed":
            if state["status"] == "failed" or time.monotonic() > until:
                raise MachineError(f"its memory isn't written: {state}")
            time.sleep(0.2)
        self.monitor.tell("quit")
        self.ended()
        shutil.move(self.disk, folder / "disk.qcow2")
        shutil.copytree(self.tpm.folder, folder / "tpm", ignore=shutil.ignore_patterns("control"))

    # MARK: Commands

    def begin(self, command: str, seconds: float = SECONDS_FOR_A_COMMAND) -> int:
        """Has a command begin; its number is for `finish`."""
        return self.agent.begin(command, seconds)

    def finish(self, number: int, seconds: float = SECONDS_FOR_A_COMMAND) -> Result:
        return self.agent.result(number, time.monotonic() + seconds + SECONDS_TO_ANSWER)

    def run(self, command: str, seconds: float = SECONDS_FOR_A_COMMAND) -> Result:
        """Runs a command as root, and waits for it."""
        return self.finish(self.begin(command, seconds), seconds)

    def must(self, command: str, seconds: float = SECONDS_FOR_A_COMMAND) -> str:
        """The output of a command that has to go well."""
        result = self.run(command, seconds)
        if not result:
            raise MachineError(f"{command}: {result!r}")
        return result.output

    def eventually(self, command: str, seconds: float = 60) -> Result:
        """The first result of a command that goes well, or the last one if none does in time."""
        until = time.monotonic() + seconds
        while not (result := self.run(command)) and time.monotonic() < until:
            time.sleep(0.5)
        return result

    def bring(self, *files: pathlib.Path) -> None:
        """Copies files of the host's to /root/share, and our own commands to /usr/local/bin. A folder that stayed mounted would keep
        the machine from being saved."""
        for folder, brought in (("files", files), ("commands", GUEST.iterdir())):
            (self.share / folder).mkdir(exist_ok=True)
            for file in brought:
                shutil.copy(file, self.share / folder)
        self.must("modprobe 9pnet_virtio && mkdir -p /root/share && mount -t 9p -o trans=virtio,ro share /mnt && "
                  "cp -r /mnt/files/. /root/share && cp /mnt/commands/* /usr/local/bin; umount /mnt")

    # MARK: What is kept of it

    def console(self) -> str:
        path = self.folder / "console"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def notes(self) -> list[str]:
        """The whole lines that were written to the port for notes."""
        text = (self.folder / "notes").read_text("utf-8", "replace")
        return text.split("\n")[:-1]

    def keep(self, folder: pathlib.Path, name: str) -> None:
        """Brings the console and the journal to the host, for whoever wants to know why."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.console").write_text(self.console())
        if self.process and not self.agent.failure:
            (folder / f"{name}.journal").write_text(self.run("journalctl --no-pager -o short-monotonic -n 3000").output)
