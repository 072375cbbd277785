"""The suites and tests that there are, found in the source of Tests: for the checks that hold lists and pages to them."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
from swift_code import code_only  # noqa: E402

# How a page names a suite or a test: `Suite`, `Target.Suite`, `Target.Suite/function`.
NAME = re.compile(r"[A-Z]\w*(?:\.\w+)*(?:/\w+)?")
TYPE = re.compile(r"\b(?:struct|class|enum|extension|actor)\s+((?:\w+\.)*)(\w+)")
FUNCTION = re.compile(r"\bfunc\s+(\w+)")
NOTE = re.compile(r"\bTally\s*\.\s*(?:attack|check)\s*\(")


class CannotLook(Exception):
    """The check itself couldn't be made."""


class Source:
    """A file of tests: its types and functions, each with where its body begins and ends."""

    def __init__(self, path):
        self.code = code_only(path.read_text())
        types = [(match, self.body(match.end())) for match in TYPE.finditer(self.code)]
        self.types = [(match[2], *body) for match, body in types]
        # As a test run names them: what `extension Outer.Inner` holds is in both.
        self.suites = [((match[1] + match[2]).replace(".", "/"), *body) for match, body in types]
        self.functions = [(match[1], *self.body(match.end())) for match in FUNCTION.finditer(self.code)]
        # A test is the function that follows its attribute.
        self.tests = [
            (match[1], match.start(1)) for place in re.finditer(r"@Test\b", self.code)
            if (match := FUNCTION.search(self.code, place.end()))]
        self.notes = [match.start() for match in NOTE.finditer(self.code)]

    def body(self, at):
        """From the next brace to the one that closes it."""
        start = self.code.find("{", at)
        depth = 0
        for index in range(start, len(self.code)) if start >= 0 else ():
            depth += {"{": 1, "}": -1}.get(self.code[index], 0)
            if depth == 0:
                return start, index
        return at, at

    def holds(self, suite, function=None):
        """Whether there is a test in that suite, or that very one."""
        return any(
            name == suite and any(
                begin < place < end and function in (None, called) for called, place in self.tests)
            for name, begin, end in self.types)

    def around(self, place):
        """The names of what a place is in, the outermost first: types, then functions."""
        return self.enclosing(self.types, place), self.enclosing(self.functions, place)

    @staticmethod
    def enclosing(things, place):
        return [name for name, begin, end in sorted(things, key=lambda thing: thing[1]) if begin < place < end]

    def suite(self, place):
        """The suites around a place, as a filter of `swift test` has them: `Outer/Suite`."""
        return "/".join(self.enclosing(self.suites, place))

    def names(self):
        """Each test by its suites and its function: `Outer/Suite/function`."""
        return {f"{self.suite(place)}/{called}" for called, place in self.tests}

    def line(self, place):
        return self.code.count("\n", 0, place) + 1


def tests_of(root):
    """The sources of each target of tests."""
    folder = root / "Tests"
    found = {
        target.name: {path: Source(path) for path in sorted(target.rglob("*.swift"))}
        for target in sorted(folder.glob("*Tests")) if target.is_dir()
    }
    if not found:
        raise CannotLook(f"there are no tests in {folder}")
    return found


def is_test(name, tests):
    """Whether a suite or test of that name exists."""
    path, _, function = name.partition("/")
    parts = path.split(".")
    if len(parts) > 1 and parts[0] in tests:
        targets, parts = [parts[0]], parts[1:]
    else:
        targets = list(tests)
    return any(source.holds(parts[-1], function or None) for target in targets for source in tests[target].values())


def suites_of(tests):
    """Each suite that has tests, by the name that its runner gives it: `Target.Outer/Suite`."""
    return {
        f"{target}.{source.suite(place)}" for target, sources in tests.items() for source in sources.values()
        for _, place in source.tests}
