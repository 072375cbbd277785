"""Lists of secrets and keys, without what they protect."""

import ctypes
import dataclasses
import datetime
from typing import List, Optional

from ._native import Handed, library
from ._words import Rule


@dataclasses.dataclass(frozen=True)
class Item:
    """One secret, or one key. A text that another program wrote as bytes that are no text has replacement characters."""

    service: str
    account: str
    label: Optional[str]
    name: Optional[str]
    rule: Rule
    made: Optional[datetime.datetime]
    changed: Optional[datetime.datetime]


def _text(items: Handed, index: int, which: int) -> Optional[str]:
    size = ctypes.c_size_t()
    place = library.thumbturn_items_text(items, index, which, ctypes.byref(size))
    return ctypes.string_at(place, size.value).decode(errors="replace") if place else None


def _date(seconds: float) -> Optional[datetime.datetime]:
    try:
        return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc) if seconds else None
    except (OverflowError, ValueError):
        # Another program's nonsense is no date.
        return None


def _item(items: Handed, index: int) -> Item:
    made, changed = ctypes.c_double(), ctypes.c_double()
    library.thumbturn_items_times(items, index, ctypes.byref(made), ctypes.byref(changed))
    service, account, label, name = (_text(items, index, which) for which in (1, 2, 3, 4))
    return Item(
        service or "", account or "", label, name, Rule(library.thumbturn_items_rule(items, index)), _date(made.value),
        _date(changed.value))


def room() -> Handed:
    """Where the library puts a list."""
    return Handed(library.thumbturn_items_free)


def taken(items: Handed) -> List[Item]:
    """All of a list of the library's."""
    return [_item(items, index) for index in range(library.thumbturn_items_count(items))]
