"""Makes the machine's disk, once: a Debian 12 with a kernel, the packages of the list, two people, and an agent that runs commands."""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SUITE = "bookworm"
# Most that the disk holds. It takes as much of the host's as is written.
DISK_GIB = 6
# Images and snapshots of other recipes that are kept: somebody may go back and forth between two branches.
MOST_KEPT = 3
PEOPLE = ("alice", "bob")


class Image:
    """The disk, and the kernel and initial file system that go with it."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.disk = folder / "disk.raw"
        self.kernel = folder / "vmlinuz"
        self.initrd = folder / "initrd.img"


def cache() -> pathlib.Path:
    """Where images are kept: they take minutes to make, and a gigabyte each."""
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "thumbturn" / "machine"


def digest(*parts: bytes) -> str:
    """A name for what is made of these."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()[:16]


def made_once(folder: pathlib.Path, what: str, make) -> pathlib.Path:
    """A folder that has its name only when it is whole; `make` is given the draft. Two who want it at once make it once."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            print(f"machine: making {what}", file=sys.stderr, flush=True)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as draft:
                whole = pathlib.Path(draft) / "whole"
                whole.mkdir()
                make(whole)
                whole.rename(folder)
        os.utime(folder)
        kind = folder.name.rsplit("-", 1)[0]
        others = sorted(folder.parent.glob(kind + "-*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in others[MOST_KEPT:]:
            shutil.rmtree(old)
    return folder


def packages() -> list[str]:
    lines = (HERE / "packages").read_text().splitlines()
    return [name for line in lines if (name := line.split("#")[0].strip())]


def image() -> Image:
    """The image of what the list and these files say now."""
    files = [HERE / "packages", HERE / "image.py", *sorted((HERE / "guest").glob("machine-agent*"))]
    name = "image-" + digest(*(file.read_bytes() for file in files))
    return Image(made_once(cache() / name, "the machine's disk: some minutes, once", make_image))


# Said to mmdebstrap, each a command of the shell's with the root folder as $1.
BEFORE = [
    # Few modules: a smaller file to unpack, and the machine boots in half the time.
    'mkdir -p "$1"/etc/initramfs-tools/conf.d "$1"/usr/share/initramfs-tools/modules.d',
    'printf "MODULES=list\\nCOMPRESS=gzip\\n" >"$1"/etc/initramfs-tools/conf.d/machine',
    'printf "virtio_pci\\nvirtio_blk\\next4\\n" >"$1"/usr/share/initramfs-tools/modules.d/machine',
]
AFTER = [
    f'copy-in {HERE}/guest/machine-agent /usr/local/sbin',
    f'copy-in {HERE}/guest/machine-agent.service /etc/systemd/system',
    'chroot "$1" systemctl enable machine-agent.service',
    # Nothing that works by itself while something is tried.
    'chroot "$1" systemctl mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_reap.service xdm.service '
    'gdm.service',
    # Their passwords are their names.
    *(f'chroot "$1" useradd -m -s /bin/bash {name}; echo {name}:{name} | chroot "$1" chpasswd' for name in PEOPLE),
    'echo machine >"$1"/etc/hostname; printf "127.0.0.1 localhost\\n127.0.1.1 machine\\n" >"$1"/etc/hosts',
    'printf "[Journal]\\nStorage=persistent\\nSyncIntervalSec=1s\\n" >"$1"/etc/systemd/journald.conf',
    # The reader is libfprint's virtual one: whoever writes to its socket shows it a finger.
    'mkdir "$1"/etc/systemd/system/fprintd.service.d',
    'printf "[Service]\\nEnvironment=FP_VIRTUAL_DEVICE=/run/fprint/reader\\nRuntimeDirectory=fprint\\n" '
    '>"$1"/etc/systemd/system/fprintd.service.d/reader.conf',
    # Only where a test says so: its module lets nobody type before a finger was there, or 30 seconds are over.
    'chroot "$1" env DEBIAN_FRONTEND=noninteractive pam-auth-update --disable fprintd',
    'rm -rf "$1"/var/cache/apt/*.bin "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/*',
]


def make_image(folder: pathlib.Path) -> None:
    if os.geteuid() != 0:
        raise SystemExit("machine: the disk is made as root, because its files are root's: run this once with sudo -E")
    root = folder / "root"
    subprocess.run(
        ["mmdebstrap", "--mode=root", "--variant=minbase", "--quiet", f"--include={','.join(packages())}",
         *(f"--essential-hook={line}" for line in BEFORE), *(f"--customize-hook={line}" for line in AFTER), SUITE, str(root)],
        check=True, stdin=subprocess.DEVNULL)
    image = Image(folder)
    shutil.copy(next((root / "boot").glob("vmlinuz-*")), image.kernel)
    shutil.copy(next((root / "boot").glob("initrd.img-*")), image.initrd)
    with open(image.disk, "wb") as disk:
        disk.truncate(DISK_GIB << 30)
    subprocess.run(["mkfs.ext4", "-q", "-L", "machine", "-d", str(root), str(image.disk)], check=True)
    shutil.rmtree(root)
