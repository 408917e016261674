"""A part of configfs as a tree, and the steps from one tree to another.

A `Tree` holds only what somebody made or wrote: directories from mkdir, attributes that we set,
links. Default groups, which the kernel makes together with a directory, are no nodes of their own.
The order of a wanted tree is the order in which it is built; `nvmet.render` and `lio.render` put
everything where the kernel accepts it (attributes before the link that freezes them, `enable` last).

`plan(known, wanted)` yields, in this order:

1. `enable 0` for items that must be idle before they change or go;
2. unlink, deepest first: an initiator's LUN link goes before the LUN's own;
3. rmdir, deepest first;
4. everything new or different, in the order of the wanted tree.

What an attribute demands of a change is its `Change`. What goes takes along everything inside it
and every link to it; what of that is still wanted is put back in phase 4.

`known` is what the kernel holds now. Each step that succeeds brings it up to date, so that the next
pass needs no reading. After a failure the caller must read again.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import NamedTuple

from sanstone.kernel.host import Host
from sanstone.kernel.plan import Step


class Change(enum.Enum):
    """What must be done to a live item before an attribute of it can be written."""

    LIVE = "nothing"
    DISABLED = "write 0 to the item's `enable`"
    UNLINKED = "remove the links inside the item"
    RECREATE = "remove the item: the kernel takes this attribute once only"


class Directory(NamedTuple):
    """Something made by mkdir."""

    owner: str = ""
    disable: bool = False
    """Whether its `enable` is set to 0 before it, or anything in it, is removed."""


class Attribute(NamedTuple):
    """A file's value, in the form in which it is written."""

    value: str
    owner: str = ""
    change: Change = Change.LIVE
    default: str | None = None
    """The value that a new item has by itself, so that it need not be written."""
    secret: bool = False


class Link(NamedTuple):
    """A symbolic link to an item."""

    target: str
    owner: str = ""


class Once(NamedTuple):
    """Something done whenever its item is made anew, and never otherwise."""

    run: Callable[[Host], None]
    owner: str = ""


Node = Directory | Attribute | Link | Once


class Tree:
    """Nodes by absolute path; the order is the order of building."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}


def plan(known: Tree, wanted: Tree) -> list[Step]:
    """Return the steps from `known` to `wanted`; each updates `known` once it has run."""
    raise NotImplementedError
