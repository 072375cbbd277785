"""keyring's own tests of a backend, with ours. They run on a simulated device (`thumbturn simulate`)."""

import os

import keyring
import keyring.errors
import pytest
from keyring.testing.backend import BackendBasicTests

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
