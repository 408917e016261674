"""The parts of configfs: items with their children, links and attributes.

A kernel module describes its part by subclasses of `Item` that make, store, show and link; whatever
they do not allow is refused as fs/configfs refuses it.
"""

from __future__ import annotations

import errno
from typing import TypeVar

ROOT = "/sys/kernel/config"
SomeItem = TypeVar("SomeItem", bound="Item")


class Refused(Exception):
    """The kernel's answer to an operation, as an error number."""

    def __init__(self, number: int) -> None:
        super().__init__(errno.errorcode[number])
        self.errno = number


class Item:
    """A directory in configfs. Subclasses say what the kernel module behind it does."""

    def __init__(self) -> None:
        self.name = ""
        self.parent: Item | None = None
        self.default_group = False
        self.children: dict[str, Item] = {}
        self.links: dict[str, Item] = {}
        self.linked_from = 0
        self.values: dict[str, str] = {}
        """The attributes and their texts."""

    def adopt(self, name: str, item: Item, *, default_group: bool = False) -> None:
        """Put `item` into this one."""
        item.name, item.parent, item.default_group = name, self, default_group
        self.children[name] = item

    def add_group(self, name: str, item: SomeItem) -> SomeItem:
        """Add a default group."""
        self.adopt(name, item, default_group=True)
        return item

    def make(self, name: str) -> Item:
        """Return the item that mkdir makes."""
        raise Refused(errno.EPERM)

    def placed(self) -> None:
        """Note that mkdir has put this item in place."""

    def removed(self) -> None:
        """Note that rmdir has taken this item away."""

    def show(self, attribute: str) -> str:
        """Return the text of an attribute, without the final newline."""
        return self.values[attribute]

    def store(self, attribute: str, text: str) -> None:
        """Store a value written to an attribute."""
        self.values[attribute] = text.rstrip("\n")

    def allow_link(self, name: str, target: Item) -> None:
        """Accept a new link."""
        raise Refused(errno.EPERM)

    def drop_link(self, target: Item) -> None:
        """Note that a link was removed."""

    @property
    def path(self) -> str:
        """The path of the item."""
        return ROOT if self.parent is None else f"{self.parent.path}/{self.name}"

    def up(self, levels: int) -> Item:
        """Return the item `levels` above this one."""
        item = self
        for _ in range(levels):
            assert item.parent is not None
            item = item.parent
        return item


def number(text: str, low: int, high: int) -> int:
    """Return a number as kstrto*() reads it: decimal, 0x… or 0…; EINVAL, or ERANGE outside."""
    digits = text.strip()
    try:
        octal = digits.startswith("0") and digits.isdigit()
        value = int(digits, 8) if octal else int(digits, 0)
    except ValueError:
        raise Refused(errno.EINVAL) from None
    if not low <= value <= high:
        raise Refused(errno.ERANGE)
    return value


def boolean(text: str) -> bool:
    """Return a truth value as kstrtobool() reads it."""
    value = text.strip()[:2].lower()
    if value[:1] in ("y", "t", "1") or value == "on":
        return True
    if value[:1] in ("n", "f", "0") or value == "of":
        return False
    raise Refused(errno.EINVAL)
