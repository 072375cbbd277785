"""The package's own tests, on a simulated device (`thumbturn simulate`) whose owner says yes."""

import array
import asyncio
import gc
import hashlib
import os
import pickle
import random
import signal
import subprocess
import sys
import threading

import pytest

import thumbturn

assert os.environ.get("THUMBTURN_SOCKET"), "these tests write secrets: run them with 'thumbturn simulate --'"


@pytest.fixture
def device():
    with thumbturn.Device("org.example.python") as device:
        yield device
        for item in device.list():
            device.remove(item.service, account=item.account)


def test_the_device_and_its_owner(device):
    status = device.status()
    assert status.mode == "simulated" and status.sensor is thumbturn.Sensor.FINGER and status.is_enrolled
    assert device.obstacle() is None and device.obstacle(thumbturn.Policy.SENSOR) is None
    assert device.enrolment() == device.enrolment() != b""
    assert device.verify("open the vault") is thumbturn.Factor.SENSOR


@pytest.mark.parametrize(("answers", "code"), [(["cancel"], 202), (["no-match", "fallback"], 203), (["system-cancel"], 204)])
def test_a_question_that_was_taken_back_is_canceled(device, control, answers, code):
    for answer in answers:
        control("answer", answer)
    with pytest.raises(thumbturn.Canceled) as raised:
        device.verify("open the vault", thumbturn.Policy.SENSOR)
    assert raised.value.code == code


def test_an_unlock_answers_no_question(device, control):
    control("lock")
    control("unlock")
    control("answer", "cancel")
    with pytest.raises(thumbturn.Canceled):
        device.verify("open the vault", thumbturn.Policy.SENSOR)


def test_secrets(device):
    device.store("mail", b"\0\xff\n", account="anna", label="Mail", rule=thumbturn.Rule.NONE)
    with pytest.raises(thumbturn.Duplicate) as raised:
        device.store("mail", b"x", account="anna")
    assert raised.value.code == 101 and raised.value.advice and str(raised.value).startswith(raised.value.text)
    device.store("mail", b"new", account="anna", label="Mail", rule=thumbturn.Rule.PRESENCE, replace=True)
    with device.read("mail", account="anna", reason="read the mail") as secret:
        assert secret == b"new" and len(secret) == 3 and secret[0] == ord("n") and secret.text() == "new"
        view = secret.view
    assert bytes(view) == b"\0\0\0" and bytes(secret) == b"\0\0\0"
    del secret
    assert bytes(view) == b"\0\0\0"
    with pytest.raises(thumbturn.NotAvailable):
        device.read("mail", account="anna", may_ask=False)
    (item,) = device.list("mail")
    assert (item.service, item.account, item.label, item.rule) == ("mail", "anna", "Mail", thumbturn.Rule.PRESENCE)
    assert item.made and item.changed and item.made.year > 2000 and item.made <= item.changed
    device.remove("mail", account="anna")
    with pytest.raises(thumbturn.NotFound):
        device.read("mail", account="anna")


def test_one_yes_under_a_context(device):
    for name in ("one", "two"):
        device.store(name, name.encode(), rule=thumbturn.Rule.PRESENCE)
    with device.context() as context:
        device.verify("read both", context=context)
        assert device.read("one", context=context, may_ask=False) == b"one"
        assert device.read("two", context=context, may_ask=False) == b"two"
    with pytest.raises(thumbturn.Error):
        device.read("one", context=context, may_ask=False)


def test_a_secret_is_like_a_bytearray():
    secret = thumbturn.Secret(4)
    assert bytes(secret) == b"\0" * 4
    secret[1:3] = b"ab"
    assert list(secret) == [0, 97, 98, 0] and secret[1:3] == b"ab"
    assert secret != b"other" and secret == thumbturn.Secret(b"\0ab\0")
    assert "ab" not in repr(secret)
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        hash(secret)
    with pytest.raises(ValueError):
        secret[1:3] = b"too long"
    secret.clear()
    assert bytes(secret) == b"\0" * 4
    assert bytes(thumbturn.Secret(b"")) == b""
    assert len(thumbturn.Secret(memoryview(array.array("H", [1, 2])))) == 4


def locked_memory():
    with open("/proc/self/status") as status:
        (size,) = (int(line.split()[1]) for line in status if line.startswith("VmLck:"))
    return size


def test_a_secret_goes_with_its_last_view():
    gc.collect()
    before = locked_memory()
    secret = thumbturn.Secret(b"tulips")
    view = secret.view
    del secret
    assert bytes(view) == b"tulips" and locked_memory() > before
    del view
    assert locked_memory() == before


def test_what_nobody_has_taken_goes_back(device, monkeypatch):
    """As when Ctrl-C comes in the moment in which the library has handed it over."""
    device.store("left", b"x", rule=thumbturn.Rule.NONE)
    gc.collect()
    before = locked_memory()

    def interrupted(_):
        assert locked_memory() > before
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(thumbturn.Secret, "_of", interrupted)
        with pytest.raises(KeyboardInterrupt):
            device.read("left")
    gc.collect()
    assert locked_memory() == before


def test_ctrl_c_takes_a_question_back(device, control):
    # Whoever started these tests may have blocked or ignored it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    control("answer", "nothing")
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        device.verify("be interrupted")
    assert device.status().mode == "simulated"
    control("approve")
    assert device.verify("be asked again") is thumbturn.Factor.SENSOR


def test_ctrl_c_at_any_moment_frees_a_question_once(device):
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    for _ in range(500):
        try:
            try:
                signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 2e-3))
                device.verify("be interrupted")
            finally:
                # From here on none comes.
                signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            # One that came while the question was taken back has left it.
            if device._question:
                device._question.cancel()
    assert device.verify("be asked again") is thumbturn.Factor.SENSOR


def test_a_question_that_cannot_be_asked_leaves_the_other_one(device):
    question = device.ask("be asked first")
    with pytest.raises(thumbturn.Error) as raised:
        device.ask("be asked, too")
    assert raised.value.code == 405 and not question.is_over
    question.cancel()
    assert device.status().mode == "simulated"


def test_keys(device):
    key = device.make_key("release", rule=thumbturn.Rule.PRESENCE)
    assert key.kind is thumbturn.Kind.P256 and len(key.public) == 65 and key.public[0] == 4 and not key.is_in_tpm
    digest = hashlib.sha256(b"a file").digest()
    signature = device.key("release").sign(digest, reason="sign a file")
    ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric.utils import Prehashed

    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key.public)
    public.verify(signature, digest, ec.ECDSA(Prehashed(hashes.SHA256())))
    other = ec.generate_private_key(ec.SECP256R1())
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = other.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    assert key.agree(point) == other.exchange(ec.ECDH(), public)
    assert [item.name for item in device.keys()] == ["release"]
    device.remove_key("release")
    with pytest.raises(thumbturn.NotFound):
        device.key("release")


def test_asyncio_goes_on_meanwhile(device):
    async def both():
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        factor = await device.verify_async("wait for nobody")
        ticking.cancel()
        return factor, ticks

    factor, ticks = asyncio.run(both())
    assert factor is thumbturn.Factor.SENSOR and ticks > 0
    assert device.status().mode == "simulated"


def test_a_question_is_taken_back_with_its_task(device):
    async def given_up():
        task = asyncio.create_task(device.verify_async("be given up"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(given_up())
    assert device.status().mode == "simulated"
    question = device.ask("be taken back")
    with pytest.raises(thumbturn.Error) as raised:
        device.status()
    assert raised.value.code == 405
    question.cancel()
    assert question.is_over and question.fileno() == -1
    with pytest.raises(ValueError):
        question.finish()


def test_a_question_ends_with_its_device():
    device = thumbturn.Device()

    async def closed():
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(device.verify_async("be left"))
        await asyncio.sleep(0)
        descriptor = device._question.fileno()
        device.close()
        with pytest.raises(thumbturn.Canceled):
            await asyncio.wait_for(task, 60)
        assert not loop.remove_reader(descriptor)

    asyncio.run(closed())


def test_threads_share_a_device(device):
    device.store("shared", b"s", rule=thumbturn.Rule.NONE)
    found, threads = [], []
    for _ in range(8):
        threads.append(threading.Thread(target=lambda: found.extend(bytes(device.read("shared")) for _ in range(20))))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [b"s"] * 160


def test_wrong_values(device):
    with pytest.raises(ValueError):
        device.store("zero\0byte", b"x")
    with pytest.raises(thumbturn.Error) as raised:
        device.store("", b"x")
    assert raised.value.code == 401
    with pytest.raises(thumbturn.Error) as raised:
        device.store("rule", b"x", rule=thumbturn.Rule.OTHER)
    assert raised.value.code == 401
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (copy.code, copy.advice) == (401, raised.value.advice)
    closed = thumbturn.Device()
    closed.close()
    closed.close()
    with pytest.raises(ValueError):
        closed.status()


def test_a_device_that_is_not_there(monkeypatch):
    monkeypatch.setenv("THUMBTURN_SOCKET", "/nowhere/socket")
    with thumbturn.Device() as device, pytest.raises(thumbturn.Unreachable) as raised:
        device.status()
    assert raised.value.code == 301 and "THUMBTURN_SOCKET" in raised.value.advice


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_needs_a_device_of_its_own(device):
    device.status()
    child = os.fork()
    if child == 0:
        try:
            device.status()
            os._exit(1)
        except thumbturn.Error as error:
            os._exit(7 if error.code == 404 else 2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert device.status().mode == "simulated"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_of_a_process_with_threads_does_not_wait_for_them(device):
    device.status()
    held, go_on = threading.Event(), threading.Event()

    def hold():
        with device._call():
            held.set()
            go_on.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            device.status()
            os._exit(1)
        except thumbturn.Error as error:
            device.close()
            os._exit(7 if error.code == 404 else 2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    go_on.set()
    thread.join()


def test_a_context_hides_no_error(device):
    with pytest.raises(KeyError):
        with thumbturn.Device() as other, other.context():
            other.close()
            raise KeyError


EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples")


def test_the_examples():
    kept = subprocess.run([sys.executable, f"{EXAMPLES}/vault.py", "keep"], input="dear owner", text=True, capture_output=True)
    assert (kept.returncode, kept.stdout) == (0, "kept\n"), kept.stderr
    shown = subprocess.run([sys.executable, f"{EXAMPLES}/vault.py", "show"], text=True, capture_output=True)
    assert (shown.returncode, shown.stdout) == (0, "dear owner\n"), shown.stderr
    asked = subprocess.run([sys.executable, f"{EXAMPLES}/ask.py"], text=True, capture_output=True)
    assert (asked.returncode, asked.stdout) == (0, "the owner, by sensor\n"), asked.stderr
