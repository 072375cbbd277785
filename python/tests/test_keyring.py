"""keyring's own tests of a backend, with ours. They run on a simulated device (`thumbturn simulate`)."""

import os

import keyring
import keyring.errors
import pytest
from keyring.testing.backend import BackendBasicTests

import thumbturn
from thumbturn.keyring import Keyring

assert os.environ.get("THUMBTURN_SOCKET"), "these tests write passwords: run them with 'thumbturn simulate --'"


class TestOfKeyrings(BackendBasicTests):
    """keyring's own."""

    def init_keyring(self):
        return Keyring()


def test_it_is_found_and_preferred():
    assert type(keyring.get_keyring()) is Keyring, keyring.get_keyring()


def test_a_password_of_bytes_that_text_can_hold_comes_back():
    backend = Keyring()
    for password in ["", "new\nline", "\U0001f511", "x" * 100_000, "nul\0nul"]:
        backend.set_password("bytes", "anna", password)
        assert backend.get_password("bytes", "anna") == password
    backend.delete_password("bytes", "anna")
    assert backend.get_password("bytes", "anna") is None


def test_a_rule_is_one_of_ours():
    backend = Keyring()
    backend.rule = "sometimes"
    with pytest.raises(keyring.errors.PasswordSetError):
        backend.set_password("rule", "anna", "x")
    backend.rule = "presence"
    backend.set_password("rule", "anna", "x")
    assert backend.get_password("rule", "anna") == "x"
    backend.delete_password("rule", "anna")


def test_a_password_keeps_the_rule_that_it_has():
    backend = Keyring()
    backend.rule = "presence"
    backend.set_password("kept", "anna", "1")
    Keyring().set_password("kept", "anna", "2")
    with thumbturn.Device() as device:
        assert [item.rule for item in device.list("kept")] == [thumbturn.Rule.PRESENCE]
    assert backend.get_password("kept", "anna") == "2"
    backend.delete_password("kept", "anna")


def test_a_wrong_name_is_an_error_of_keyrings_own():
    backend = Keyring()
    for name in ["x\0y", "\udcff"]:
        with pytest.raises(keyring.errors.KeyringError):
            backend.get_password("wrong", name)
        with pytest.raises(keyring.errors.PasswordSetError):
            backend.set_password("wrong", name, "x")
        with pytest.raises(keyring.errors.PasswordDeleteError):
            backend.delete_password("wrong", name)
        with pytest.raises(keyring.errors.KeyringError):
            backend.get_credential(name, None)


def test_a_secret_that_is_not_text_is_on_no_error():
    with thumbturn.Device() as device:
        device.store("bytes", b"\xff\xfesecret", account="anna", rule=thumbturn.Rule.NONE)
        with pytest.raises(keyring.errors.KeyringError) as raised:
            Keyring().get_password("bytes", "anna")
        device.remove("bytes", account="anna")
    errors = [raised.value]
    with pytest.raises(keyring.errors.PasswordSetError) as raised:
        Keyring().set_password("bytes", "anna", "secret\udcff")
    errors.append(raised.value)
    for error in errors:
        while error:
            assert not hasattr(error, "object") and "secret\udcff" not in str(error)
            error = error.__context__


def test_a_device_that_is_not_there_is_no_password_that_is_not_there(monkeypatch):
    monkeypatch.setenv("THUMBTURN_SOCKET", "/nowhere/socket")
    with pytest.raises(keyring.errors.KeyringError):
        Keyring().get_password("away", "anna")
    with pytest.raises(keyring.errors.KeyringError):
        Keyring().get_credential("away", None)
    # keyring looks for another backend then.
    with pytest.raises(RuntimeError):
        Keyring.priority


def test_a_password_that_the_owner_does_not_open_is_locked(control):
    backend = Keyring()
    backend.rule = "presence"
    backend.set_password("locked", "anna", "x")
    control("answer", "cancel")
    with pytest.raises(keyring.errors.KeyringLocked):
        backend.get_password("locked", "anna")
    control("approve")
    assert backend.get_password("locked", "anna") == "x"
    backend.delete_password("locked", "anna")
