"""Asks for the owner of this machine, and keeps secrets and keys for the owner alone.

    import thumbturn

    with thumbturn.Device("org.example.app") as device:
        device.verify("open the vault")
        device.store("mail", b"a password", account="anna", rule=thumbturn.Rule.PRESENCE)
        with device.read("mail", account="anna", reason="read the mail") as secret:
            log_in("anna", bytes(secret))

docs/developers/python.md explains all of it. The module is libthumbturn's: it needs no compiler and no other package.
"""

from ._device import Device, Question, Status
from ._errors import (
    Canceled,
    Duplicate,
    Error,
    NotAllowed,
    NotAvailable,
    NotFound,
    NotTheOwner,
    Unreachable,
)
from ._items import Item
from ._keys import Key
from ._native import version
from ._secret import Secret
from ._words import Factor, Hash, Kind, Policy, Rule, Sensor, When

__version__ = version()

__all__ = [
    "Canceled", "Device", "Duplicate", "Error", "Factor", "Hash", "Item", "Key", "Kind", "NotAllowed", "NotAvailable", "NotFound",
    "NotTheOwner", "Policy", "Question", "Rule", "Secret", "Sensor", "Status", "Unreachable", "When", "__version__",
]
