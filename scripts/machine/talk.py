"""How the host speaks with a machine: its monitor, which is QEMU's, and its agent, which runs commands inside."""

import json
import pathlib
import socket
import threading
import time

# A word of the monitor's is answered at once; this is for a machine that hangs.
SECONDS_FOR_A_WORD = 60
# What a command takes at most unless it is said: the processor is emulated, and everything takes ten times its time.
SECONDS_FOR_A_COMMAND = 120


class MachineError(Exception):
    """Something about the machine itself, rather than what is tested on it."""


class Result:
    """What came of a command: its status and what it wrote. True if it went well."""

    def __init__(self, status: int, output: str):
        self.status, self.output = status, output

    def __bool__(self) -> bool:
        return self.status == 0

    def __repr__(self) -> str:
        return f"status {self.status}: {self.output[-3000:]}"


class Line:
    """A socket of QEMU's that speaks in lines of JSON."""

    def __init__(self, path: pathlib.Path, until: float):
        self.rest = b""
        self.socket = socket.socket(socket.AF_UNIX)
        while self.socket.connect_ex(str(path)):
            if time.monotonic() > until:
                raise MachineError(f"QEMU doesn't open its {path.name}")
            time.sleep(0.05)
        # A time limit of its own: one thread speaks while another one listens for as long as it takes.
        self.mouth = self.socket.dup()
        self.mouth.settimeout(SECONDS_FOR_A_WORD)

    def say(self, message: dict) -> None:
        self.mouth.sendall(json.dumps(message).encode() + b"\n")

    def hear(self, until: float) -> dict:
        while b"\n" not in self.rest:
            self.socket.settimeout(max(0.01, until - time.monotonic()))
            try:
                data = self.socket.recv(1 << 16)
            except TimeoutError:
                raise MachineError("no answer in time") from None
            if not data:
                raise MachineError("the machine is gone")
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)


class Monitor:
    """QEMU's own ear: power, keys, pictures of the screen, and what happens to the machine."""

    def __init__(self, path: pathlib.Path, until: float):
        self.line = Line(path, until)
        self.events: list[str] = []
        self.line.hear(until)
        self.tell("qmp_capabilities")

    def hear(self, until: float) -> dict:
        message = self.line.hear(until)
        if "event" in message:
            self.events.append(message["event"])
        return message

    def tell(self, command: str, **arguments) -> object:
        self.line.say({"execute": command, "arguments": arguments})
        while True:
            answer = self.hear(time.monotonic() + SECONDS_FOR_A_WORD)
            if "error" in answer:
                raise MachineError(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def await_event(self, name: str, seconds: float) -> None:
        """Waits until this has happened since it was last waited for."""
        until = time.monotonic() + seconds
        while name not in self.events:
            self.hear(until)
        self.events = self.events[self.events.index(name) + 1:]


class Agent:
    """Runs commands inside the machine as root, many at once."""

    def __init__(self, path: pathlib.Path, until: float):
        self.line = Line(path, until)
        self.asked = 0
        self.answers: dict[int, dict] = {}
        self.heard = threading.Condition()
        self.failure: str | None = None
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        try:
            while True:
                answer = self.line.hear(time.monotonic() + 86_400)
                with self.heard:
                    self.answers[answer["id"]] = answer
                    self.heard.notify_all()
        except (MachineError, OSError, ValueError) as error:
            with self.heard:
                self.failure = str(error)
                self.heard.notify_all()

    def begin(self, command: str, seconds: float) -> int:
        """Has a command begin; its number is for `result`."""
        self.asked += 1
        self.line.say({"id": self.asked, "run": command, "seconds": seconds})
        return self.asked

    def result(self, number: int, until: float) -> Result:
        with self.heard:
            while number not in self.answers:
                if self.failure:
                    raise MachineError(self.failure)
                if time.monotonic() > until:
                    raise MachineError("no answer in time")
                self.heard.wait(max(0.01, until - time.monotonic()))
            answer = self.answers.pop(number)
        return Result(answer["status"], answer["output"])
