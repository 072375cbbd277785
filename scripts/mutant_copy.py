"""A copy of the checkout in which wrongs are planted, built and tried. The checkout itself is only read."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time

# A test that takes longer is taken for one that hangs. The slowest named one takes half a minute on a busy machine.
SECONDS_FOR_TEST = 180
SECONDS_FOR_BUILD = 3600

# Files of Tests that no test reads.
NOT_DATA = {"Tests/repeat.txt"}

RAN = re.compile(r"Test run with (\d+) tests?\b")
STARTED = re.compile(r"Test run started")
SKIPPED = re.compile(r'(?:Suite|Test) (?:"[^"]*"|\w+(?:\([^)]*\))?) skipped(?:: ".*"|\.)$', re.MULTILINE)


class CannotRun(Exception):
    """The run itself failed; nothing is known about the wrongs."""


class Hangs(Exception):
    """A program didn't end in time, and was ended."""


class Copy:
    def __init__(self, root, place):
        self.root, self.tree, self.build_folder = root, place / "tree", place / "build"

    def sync(self):
        """Makes the copy what the checkout is now, committed or not. A file that is the same stays as it is, and is not built again."""
        listed = subprocess.run(
            ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if listed.returncode != 0:
            raise CannotRun(f"git doesn't say which files there are: {listed.stderr.strip()}")
        names = {name for name in listed.stdout.split("\0") if name and os.path.lexists(self.root / name)}
        changed = [name for name in names if copy_file(self.root / name, self.tree / name)]
        for folder, _, files in os.walk(self.tree):
            for file in files:
                path = os.path.join(folder, file)
                # What the package manager notes beside the manifest is the copy's own.
                if os.path.relpath(path, self.tree) not in names and file != "Package.resolved":
                    os.remove(path)
        for name in changed:
            self.build_importers(self.tree / name)

    def digest(self, room, programs):
        """Equal while what a room's tests depend on is the same: every target that is built for them, and the tests' own data. Tests that run
        scripts of the house depend on all of Sources."""
        manifest = self.manifest(room, programs)
        folders = {target["path"] for target in manifest["targets"]}
        if any(b"scripts/" in path.read_bytes() for folder in folders if folder.startswith("Tests/") for path in self.files(folder)):
            folders.add("Sources")
        data = {path for path in self.files("Tests") if path.suffix != ".swift" and self.name_of(path) not in NOT_DATA}
        data -= set(self.files("Tests/Mutants"))
        sums = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode())
        for path in sorted(data.union(*map(self.files, folders))):
            sums.update(f"{self.name_of(path)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
        return sums.hexdigest()

    def manifest(self, room, programs):
        """Package.swift as it is for one room's tests."""
        words = ["swift", "package", "--package-path", str(self.tree), "--scratch-path", str(self.build_folder), "dump-package"]
        dumped = subprocess.run(words, env=environment(room, programs), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if dumped.returncode != 0:
            raise CannotRun(f"Package.swift can't be read: {dumped.stderr.strip()}")
        return json.loads(dumped.stdout)

    def files(self, folder):
        return [path for path in (self.tree / folder).rglob("*") if path.is_file()]

    def name_of(self, path):
        return path.relative_to(self.tree).as_posix()

    def write(self, name, text):
        """Changes a file."""
        file = self.tree / name
        file.write_text(text)
        self.build_importers(file)

    def build_importers(self, header):
        """Has what imports a changed header of C's built again: the package manager doesn't see that a header changed."""
        module_map = header.parent / "module.modulemap"
        if header.suffix != ".h" or not module_map.exists():
            return
        modules = "|".join(re.findall(r"^module (\w+)", module_map.read_text(), re.MULTILINE))
        imports = re.compile(rf"^(?:\w+ )?import (?:{modules})$", re.MULTILINE)
        for path in self.files("Sources") + self.files("Tests"):
            if path.suffix == ".swift" and imports.search(path.read_text()):
                os.utime(path)

    def build(self, room, programs, log):
        """Builds one room's tests, and the programs that they start. Returns whether all of it compiles."""
        try:
            return self.run(["swift", "build", "--build-tests"], room, programs, log, SECONDS_FOR_BUILD) == 0
        except Hangs:
            raise CannotRun(f"a build takes more than an hour; see {log}") from None

    def test(self, room, programs, name, log):
        """Runs one test: "passed", "failed", "skipped", "none" where there is no such test, or "broken" where it couldn't be run."""
        target, _, rest = name.partition(".")
        pattern = rf"^{target}\.{rest}\("
        begun = log.stat().st_size if log.exists() else 0
        status = self.run(["swift", "test", "--skip-build", "--filter", pattern], room, programs, log, SECONDS_FOR_TEST)
        with log.open(errors="replace") as file:
            file.seek(begun)
            output = file.read()
        if SKIPPED.search(output):
            return "skipped"
        counts = [int(count) for count in RAN.findall(output)]
        if status == 0:
            return "passed" if any(counts) else "none"
        # A test that took the whole process down has no line at its end.
        return "failed" if any(counts) or not counts and STARTED.search(output) else "broken"

    def run(self, words, room, programs, log, seconds):
        place = ["--package-path", str(self.tree), "--scratch-path", str(self.build_folder)]
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a") as output:
            output.write(f"$ {' '.join(words)}\n")
            output.flush()
            process = subprocess.Popen(
                words[:2] + place + words[2:], cwd=self.tree, env=environment(room, programs), stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True)
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                end_session(process)
                raise Hangs from None
            except BaseException:
                end_session(process)
                raise


def environment(room, programs):
    """What has the package be one room's tests and the programs that they start."""
    return os.environ | {"THUMBTURN_ROOM": room, "THUMBTURN_PROGRAMS": " ".join(programs)}


def end_session(leader):
    """Ends a program and all that it started in its session, whatever process groups that is in. Nobody has waited for the program yet,
    so the session's number is still its own."""
    while members := [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if session_of(pid) == leader.pid]:
        for pid in members:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if members == [leader.pid]:
            break
        time.sleep(0.05)
    leader.wait()


def session_of(pid):
    """A process's session; None where it is gone, or has ended and only waits to be waited for."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            state, _, _, session = file.read().rpartition(")")[2].split()[:4]
    except OSError:
        return None
    return None if state in "ZX" else int(session)


def copy_file(source, copy):
    """Copies a file. Returns whether the copy had other bytes, or wasn't there."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink():
        if not copy.is_symlink() or os.readlink(copy) != os.readlink(source):
            copy.unlink(missing_ok=True)
            copy.symlink_to(os.readlink(source))
        return False
    wanted = source.read_bytes()
    is_changed = copy.is_symlink() or not copy.exists() or copy.read_bytes() != wanted
    if is_changed:
        copy.unlink(missing_ok=True)
        # New bytes in a new file: no name of the checkout leads here.
        copy.write_bytes(wanted)
    shutil.copymode(source, copy)
    return is_changed
