"""A backend for `keyring`: `keyring get SERVICE USER` and every program that uses it keep their passwords here.

A password has the rule `none`: the program that stored it reads it without asking. `KEYRING_PROPERTY_RULE` names another one for new
passwords, for example `presence` or `current-fingers`.
"""

from typing import Optional

import keyring.backend
import keyring.credentials
import keyring.errors
from keyring.compat import properties

from . import Canceled, Device, Error, NotFound, Rule


class Keyring(keyring.backend.KeyringBackend):
    """Passwords at the device of this user."""

    rule = "none"

    @properties.classproperty
    def priority(cls) -> float:
        """Before a Secret Service, which gives every password to every program. Not there if the device isn't."""
        try:
            with Device(patience=20) as device:
                device.status()
        except Error as error:
            raise RuntimeError(str(error)) from error
        return 5.5

    def get_password(self, service: str, username: str) -> Optional[str]:
        """The password, or None."""
        try:
            with Device() as device, device.read(service, account=username, reason=f"read the password for {service}") as secret:
                return secret.text()
        except NotFound:
            return None
        except (Error, ValueError) as error:
            raise _translated(error) from error

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keeps a password, in place of an older one, whose rule it has unless `KEYRING_PROPERTY_RULE` names one."""
        try:
            with Device() as device:
                rules = [item.rule for item in device.list(service) if item.account == username and item.rule is not Rule.OTHER]
                # keyring sets what the variable names on the object itself.
                rule = rules[0] if rules and "rule" not in vars(self) else self._rule()
                device.store(
                    service, _bytes(password), account=username, label=f"Password for '{username}' on '{service}'",
                    rule=rule, replace=True, reason=f"keep the password for {service}")
        except (Error, ValueError) as error:
            raise keyring.errors.PasswordSetError(str(error)) from error

    def delete_password(self, service: str, username: str) -> None:
        """Removes a password."""
        try:
            with Device() as device:
                device.remove(service, account=username)
        except (Error, ValueError) as error:
            raise keyring.errors.PasswordDeleteError(str(error)) from error

    def get_credential(self, service: str, username: Optional[str]) -> Optional[keyring.credentials.Credential]:
        """The name and the password: of that user, or of any."""
        if username is None:
            try:
                with Device() as device:
                    names = [item.account for item in device.list(service)]
            except (Error, ValueError) as error:
                raise _translated(error) from error
            if not names:
                return None
            username = names[0]
        password = self.get_password(service, username)
        return None if password is None else keyring.credentials.SimpleCredential(username, password)

    def _rule(self) -> Rule:
        names = {rule.name.lower().replace("_", "-"): rule for rule in Rule if rule is not Rule.OTHER}
        if self.rule not in names:
            raise ValueError(f"there is no rule {self.rule!r}; it is one of {', '.join(names)}")
        return names[self.rule]


def _bytes(password: str) -> bytes:
    try:
        return password.encode()
    except UnicodeEncodeError:
        pass
    # Outside: Python's own error has the whole password, and would go along.
    raise ValueError("that password can't be written in UTF-8")


def _translated(error: "Error | ValueError") -> keyring.errors.KeyringError:
    return keyring.errors.KeyringLocked(str(error)) if isinstance(error, Canceled) else keyring.errors.KeyringError(str(error))
