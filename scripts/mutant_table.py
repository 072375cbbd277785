"""The table of mutants, Tests/Mutants: small wrongs, each with the test that finds it. CONTRIBUTING.md says how an entry is written."""

import hashlib
import re

from swift_tests import Source

FOLDER = "Tests/Mutants"
# What the table must have at least, so that a share of it says something.
LEAST, LEAST_ROOMS, LEAST_IN_ROOM = 120, 24, 5
# In these rooms a wrong that nobody notices opens what should stay shut.
MUST_BE_FOUND = ("Access", "Authentication", "Custody")

KEY = re.compile(r"(file|test|starts|covered):\s*(\S.*)")
TEST = re.compile(r"(\w+Tests)\.((?:\w+/)*\w+)/(\w+)")


class Mutant:
    """One wrong: the lines of a file that it changes, and the test that must fail with it."""

    def __init__(self, room, number, title, line):
        self.room, self.number, self.title, self.line = room, number, title, line
        self.file = self.test = self.covered = None
        self.starts = []
        # Pairs of a mark and a line: "-" goes, "+" comes, " " stays.
        self.change = []

    @property
    def name(self):
        return f"{self.room}.{self.number}"

    @property
    def old(self):
        return [line.strip() for mark, line in self.change if mark != "+"]

    @property
    def new(self):
        return [line.strip() for mark, line in self.change if mark != "-"]

    @property
    def target(self):
        """The target of its test."""
        return self.test.partition(".")[0]

    @property
    def key(self):
        """Equal for entries that plant the same wrong for the same test."""
        whole = "\n".join([self.file, self.test, *self.starts, *(mark + line for mark, line in self.change)])
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    def places(self, lines):
        """Where its old lines stand. Their indentation doesn't count."""
        old, bare = self.old, [line.strip() for line in lines]
        return [at for at in range(len(bare) - len(old) + 1) if bare[at:at + len(old)] == old] if old else []

    def planted(self, text):
        """The file's text with the wrong in it. New lines stand as deep as the first one that goes, or as the one before them."""
        lines = text.split("\n")
        at, = self.places(lines)
        deep, result, before = indentation(lines[at]), lines[:at], None
        for mark, line in self.change:
            if mark == "+":
                result.append((deep + line).rstrip())
            else:
                if not mark == before == "-":
                    deep = indentation(lines[at])
                if mark == " ":
                    result.append(lines[at])
                at += 1
            before = mark
        return "\n".join(result + lines[at:])


def indentation(line):
    return line[:len(line) - len(line.lstrip())]


def read_table(root):
    """The mutants of all rooms, and what is wrong with how they are written: pairs of a place and a sentence."""
    mutants, findings = [], []
    for path in sorted((root / FOLDER).glob("*.txt")):
        mutants += read_room(path, path.relative_to(root).as_posix(), findings)
    return mutants, findings


def read_room(path, place, findings):
    mutants = []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line.startswith("# "):
            mutants.append(Mutant(path.stem, len(mutants) + 1, line[2:].strip(), number))
        elif line.strip() and not mutants:
            findings.append((f"{place}:{number}", "a line before the first entry; an entry begins with '# ' and a sentence"))
        elif line.strip():
            take_line(mutants[-1], line, f"{place}:{number}", findings)
    return mutants


def take_line(mutant, line, place, findings):
    if match := KEY.fullmatch(line.rstrip()):
        key, value = match[1], match[2].strip()
        if getattr(mutant, key):
            findings.append((place, f"a second '{key}:' in one entry; an entry is one change for one test"))
        setattr(mutant, key, value.split() if key == "starts" else value)
    elif line[0] in "-+" and (line[1:2] in ("", " ")):
        mutant.change.append((line[0], line[2:]))
    elif line.startswith("  "):
        mutant.change.append((" ", line[2:]))
    else:
        findings.append((place, "this can't be read; write 'file:', 'test:', '- line', '+ line', or two blanks and a line that stays"))


def check_table(root):
    """The mutants, and everything that is wrong with the table, as lines `path:line: what, and what to do`."""
    mutants, findings = read_table(root)
    tests = Tests(root)
    programs = (root / "Package.swift").read_text()
    titles = {}
    for mutant in mutants:
        place = f"{FOLDER}/{mutant.room}.txt:{mutant.line}"
        findings += [(place, finding) for finding in faults(mutant, root, tests, programs)]
        first = titles.setdefault(mutant.title, mutant.name)
        if first != mutant.name:
            findings.append((place, f"{first} has the same sentence; say what is different here"))
    rooms = {mutant.room: 0 for mutant in mutants}
    for mutant in mutants:
        rooms[mutant.room] += 1
    for room, count in rooms.items():
        if count < LEAST_IN_ROOM:
            findings.append((f"{FOLDER}/{room}.txt", f"{count} entries; a room has {LEAST_IN_ROOM} at least"))
    if len(mutants) < LEAST or len(rooms) < LEAST_ROOMS:
        findings.append(
            (FOLDER, f"{len(mutants)} entries in {len(rooms)} rooms; there must be {LEAST} at least, in {LEAST_ROOMS} rooms"))
    return mutants, [f"{place}: {finding}" for place, finding in findings]


def faults(mutant, root, tests, programs):
    """What is wrong with one entry."""
    if not mutant.title.endswith("."):
        yield "the first line isn't a sentence; say what is wrong in the changed program, with a full stop"
    if not mutant.file or not mutant.test:
        yield "an entry without its file or its test; write 'file: Sources/…' and 'test: SomeTests.Suite/function'"
        return
    parts = mutant.file.split("/")
    if parts[0] != "Sources" or mutant.room not in parts[1:-1]:
        yield f"{mutant.file} isn't in the room {mutant.room}; move the entry to that room's table"
    elif not (root / mutant.file).is_file():
        yield f"there is no {mutant.file}; name a file that exists"
    else:
        yield from faults_of_change(mutant, (root / mutant.file).read_text())
    if not tests.have(mutant.test):
        yield f"there is no test {mutant.test}; name it as a filter of 'swift test' does, target, suites and function"
    for program in mutant.starts:
        if f'"{program}"' not in programs:
            yield f"Package.swift has no {program}; name programs that the test starts"


def faults_of_change(mutant, text):
    if not any(mark == "-" for mark, _ in mutant.change) or mutant.old == mutant.new:
        yield "a change that changes nothing; write the lines that go with '- '"
        return
    count = len(mutant.places(text.split("\n")))
    if count != 1:
        yield (f"its old lines stand {count} times in {mutant.file}, and must once; write them as they are there, "
               "with a neighbour behind two blanks where they aren't the only ones")


class Tests:
    """The tests of a checkout. A file is read when a name that could stand in it is asked for."""

    def __init__(self, root):
        self.folder = root / "Tests"
        self.names, self.texts = {}, {}

    def have(self, test):
        match = TEST.fullmatch(test)
        if not match:
            return False
        target, suites, function = match.groups()
        return any(f"{suites}/{function}" in self.names_in(path) for path in self.files(target, function))

    def files(self, target, function):
        if target not in self.texts:
            self.texts[target] = {path: path.read_text() for path in sorted((self.folder / target).rglob("*.swift"))}
        return [path for path, text in self.texts[target].items() if re.search(rf"\bfunc\s+{function}\b", text)]

    def names_in(self, path):
        if path not in self.names:
            self.names[path] = Source(path).names()
        return self.names[path]
