"""A part of configfs as a tree, and the steps from one tree to another.

A `Tree` holds only what somebody made or wrote: directories from mkdir, attributes that we set,
links. Default groups, which the kernel makes together with a directory, are no nodes of their own.
The order of a desired tree is the order in which it is built; `nvmet.parts` and `lio.parts` put
everything where the kernel accepts it (attributes before the link that freezes them, `enable`
last).

`plan(live, desired)` yields, in this order:

1. `enable 0` for items that must be idle before they go;
2. unlink, deepest first: an initiator's LUN link goes before the LUN's own;
3. rmdir, deepest first;
4. everything new or different, in the order of the desired tree.

`plan(live, desired, scope)` does the same for some paths only, at a cost that follows their number
and not the size of the live tree.

Rules, each with its reason:

* A `fixed` attribute is one that the kernel takes once only. If it differs, its item is removed
  and made anew. That is also how a crash half-way through an item is mended.
* What is removed takes along everything inside it and every link to it; a link that goes takes
  along the links to its own directory, because LIO drops the mappings behind those silently
  (core_clear_lun_from_tpg() in drivers/target/target_core_device.c). Whatever of that is still
  desired is put back in phase 4.
* A failed attribute counts as a failure of its whole item (`Step.path`), so that nothing is
  exported half configured. A failed sub-item or link does not: one missing disk holds up its own
  export only.

`live` is what the kernel holds now. Each step that succeeds brings it up to date, so that the
next plan needs no reading. After a failure the caller must `look_again`: what the kernel did is
uncertain.
"""

from __future__ import annotations

import errno
import posixpath
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from sanstone.kernel.host import FileError, Files, Host
from sanstone.kernel.plan import Step

EMPTY = "\0"
"""configfs hands a single NUL byte to the kernel's store function as an empty string, while an
empty write(2) is refused (EFAULT, fill_write_buffer() in fs/configfs/file.c)."""
ReadAttribute = Callable[[Files, str], str]
"""Reads an attribute in the form in which it is written; the kernel shows some in another."""


class OutOfScope(Exception):
    """What must be removed takes along something that the scope says nothing of."""


class Node:
    """Something at a path. Subclasses say how it is told apart, built, removed and read."""

    __slots__ = ()
    owner: str

    def index(self, path: str, tree: Tree) -> None:
        """Note in a tree's indexes what depends on the node."""

    def forget(self, path: str, tree: Tree) -> None:
        """Take it out of a tree's indexes."""

    def going(self, path: str, desired: Node | None, live: Tree) -> str:
        """Return the path that must be removed for `desired` to stand here, '' for none."""
        return "" if type(self) is type(desired) else path

    def missing(self, path: str, item: str) -> tuple[str, str]:
        """Return what must go because the live tree lacks this: an item, and what is linked to one.

        `item` is the directory that it belongs to.
        """
        return "", ""

    def build(self, path: str, building: Building) -> Step | None:
        """Return the step that makes it, None where it is there already."""
        raise NotImplementedError

    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        """Return what a machine holds at the path, None for nothing."""
        raise NotImplementedError


@dataclass(slots=True)
class Directory(Node):
    """Something made by mkdir."""

    owner: str = ""
    disable: bool = False
    """Whether its `enable` is set to 0 before it, or anything in it, is removed."""

    def index(self, path: str, tree: Tree) -> None:
        tree.inside[tree.item(path)].add(path)

    def forget(self, path: str, tree: Tree) -> None:
        tree.inside[tree.item(path)].discard(path)

    def build(self, path: str, building: Building) -> Step | None:
        if path in building.live.nodes and path not in building.gone:
            return None
        return Step(f"mkdir {path}", self.owner, partial(building.live.make, path, self), path)

    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        return Directory(self.owner, self.disable) if files.is_dir(path) else None


@dataclass(slots=True)
class Attribute(Node):
    """A file's value, in the form in which it is written; '' is written as `EMPTY`."""

    value: str
    owner: str = ""
    fixed: bool = False
    """Whether the item must be made anew to change it."""
    default: str | None = None
    """The value that a new item has by itself: it is not written, and the live tree may lack it."""
    secret: bool = False

    def index(self, path: str, tree: Tree) -> None:
        tree.attributes[tree.item(path)].add(path)

    def forget(self, path: str, tree: Tree) -> None:
        tree.attributes[tree.item(path)].discard(path)

    def going(self, path: str, desired: Node | None, live: Tree) -> str:
        changed = isinstance(desired, Attribute) and desired.fixed and desired.value != self.value
        return live.item(path) if changed else ""

    def missing(self, path: str, item: str) -> tuple[str, str]:
        return item if self.fixed and self.value != self.default else "", ""

    def build(self, path: str, building: Building) -> Step | None:
        item = building.item(path)
        live = building.live.nodes.get(path)
        if live is None or item in building.gone:
            same = self.value == self.default
        else:
            same = isinstance(live, Attribute) and self.value == live.value
        return None if same else self.written(path, building.live, item)

    def written(self, path: str, live: Tree, failing: str) -> Step:
        """Return the step that writes it."""
        shown = "(secret)" if self.secret else self.value
        run = partial(live.write, path, self)
        return Step(f"write {path} {shown}", self.owner, run, failing)

    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        try:
            value = read_attribute(files, path)
        except FileError as error:
            if error.errno != errno.ENOENT:
                raise
            return None
        return Attribute(value, self.owner, self.fixed, self.default, self.secret)


@dataclass(slots=True)
class Link(Node):
    """A symbolic link to an item, by absolute path."""

    target: str
    owner: str = ""

    def index(self, path: str, tree: Tree) -> None:
        tree.inside[tree.item(path)].add(path)
        tree.incoming[self.target].add(path)

    def forget(self, path: str, tree: Tree) -> None:
        tree.inside[tree.item(path)].discard(path)
        tree.incoming[self.target].discard(path)

    def going(self, path: str, desired: Node | None, live: Tree) -> str:
        same = isinstance(desired, Link) and desired.target == self.target
        return "" if same else path

    def missing(self, path: str, item: str) -> tuple[str, str]:
        return "", path.rpartition("/")[0]

    def build(self, path: str, building: Building) -> Step | None:
        if path in building.live.nodes and path not in building.gone:
            return None
        above = path.rpartition("/")[0]
        failing = above if isinstance(building.desired.nodes.get(above), Directory) else path
        text = f"link {path} -> {self.target}"
        run = partial(building.live.link, path, self)
        return Step(text, self.owner, run, failing, (self.target,))

    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        return Link(link_target(files, path), self.owner) if files.is_link(path) else None


@dataclass(slots=True)
class Once(Node):
    """Something done whenever its item is made anew, and never otherwise."""

    run: Callable[[Host], None]
    owner: str = ""

    def build(self, path: str, building: Building) -> Step | None:
        item = building.item(path)
        if item in building.live.nodes and item not in building.gone:
            return None
        return Step(f"run {path}", self.owner, self.run, item)

    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        return None


class Part(NamedTuple):
    """The nodes of one thing that is rendered as a whole, such as a LUN in a portal group.

    Parts of a lower `rank` are built first. `about` names the objects that it shows: when one of
    them changes, the part is rendered anew.
    """

    rank: int
    key: tuple[str, ...]
    about: tuple[str, ...]
    nodes: dict[str, Node]


class Tree:
    """Nodes by absolute path; the order is the order of building."""

    def __init__(self, nodes: Mapping[str, Node] | None = None) -> None:
        self.nodes: dict[str, Node] = {}
        self.inside: dict[str, set[str]] = defaultdict(set)
        """By directory: the directories and links of which it is the nearest one above."""
        self.attributes: dict[str, set[str]] = defaultdict(set)
        """By directory: its attributes."""
        self.incoming: dict[str, set[str]] = defaultdict(set)
        """By path: the links to it."""
        self.add(nodes or {})

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Tree:
        """Return the tree of some parts, each after those that it stands on."""
        tree = cls()
        for part in sorted(parts, key=lambda part: part.rank):
            tree.add(part.nodes)
        return tree

    def __len__(self) -> int:
        return len(self.nodes)

    def add(self, nodes: Mapping[str, Node]) -> None:
        """Note nodes, directories before what is in them."""
        for path, node in nodes.items():
            self.put(path, node)

    def put(self, path: str, node: Node) -> None:
        """Note a node in the place of what was there."""
        if path in self.nodes:
            self.nodes[path].forget(path, self)
        self.nodes[path] = node
        node.index(path, self)

    def drop(self, path: str) -> None:
        """Forget a node, and with a directory all that is in it."""
        for inner in (*self.inside.pop(path, ()), *self.attributes.pop(path, ())):
            self.drop(inner)
        if path in self.nodes:
            self.nodes[path].forget(path, self)
            del self.nodes[path]

    def item(self, path: str) -> str:
        """Return the nearest directory above a path, '' where none is known."""
        above = path.rpartition("/")[0]
        while above and not isinstance(self.nodes.get(above), Directory):
            above = above.rpartition("/")[0]
        return above

    def make(self, path: str, node: Directory, host: Host) -> None:
        """Make a directory and note it."""
        host.files.mkdir(path)
        self.put(path, node)

    def write(self, path: str, node: Attribute, host: Host) -> None:
        """Write an attribute and note it."""
        host.files.write(path, node.value)
        self.put(path, node)

    def link(self, path: str, node: Link, host: Host) -> None:
        """Make a link and note it."""
        host.files.symlink(node.target, path)
        self.put(path, node)

    def unlink(self, path: str, host: Host) -> None:
        """Remove a link and forget it."""
        host.files.unlink(path)
        self.drop(path)

    def remove(self, path: str, host: Host) -> None:
        """Remove a directory; forget it and its attributes."""
        host.files.rmdir(path)
        self.drop(path)

    def look_again(
        self, files: Files, nodes: Mapping[str, Node], read_attribute: ReadAttribute
    ) -> None:
        """Read what the machine holds at the paths of `nodes`, which are or shall be there.

        Raises FileError for what cannot be read though it is there.
        """
        for path in sorted(nodes, key=lambda path: path.count("/")):
            live = nodes[path].read(files, path, read_attribute)
            if live is None:
                self.drop(path)
            else:
                self.put(path, live)


def link_target(files: Files, path: str) -> str:
    """Return a link's target as an absolute path: configfs itself shows a relative one."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), files.readlink(path)))


class Building(NamedTuple):
    """What the steps of phase 4 are made of."""

    live: Tree
    desired: Tree
    gone: set[str]

    def item(self, path: str) -> str:
        """Return the directory that a path belongs to; a partial tree may lack it."""
        return self.desired.item(path) or self.live.item(path)


def plan(live: Tree, desired: Tree, scope: Collection[str] | None = None) -> list[Step]:
    """Return the steps from `live` to `desired`; each updates `live` once it has run.

    With a scope, `desired` says all that shall be at those paths and nothing of the others. Raises
    OutOfScope when that is not possible without removing something else for a while.
    """
    gone = _gone(live, desired, live.nodes.keys() if scope is None else scope)
    if scope is not None and any(path not in scope for path in gone):
        raise OutOfScope
    steps = list(_removal(live, gone)) if gone else []
    building = Building(live, desired, gone)
    built = (node.build(path, building) for path, node in desired.nodes.items())
    return [*steps, *(step for step in built if step)]


def _gone(live: Tree, desired: Tree, scope: Iterable[str]) -> set[str]:
    """Return the directories and links that must be removed, desired again or not."""
    gone: set[str] = set()
    for path in scope:
        if node := live.nodes.get(path):
            gone.add(node.going(path, desired.nodes.get(path), live))
    refilled: set[str] = set()
    building = Building(live, desired, gone)
    for path, node in desired.nodes.items():
        if path not in live.nodes:
            item, linked_to = node.missing(path, building.item(path))
            gone.add(item)
            refilled.add(linked_to)
    return _spread(live, gone & live.nodes.keys(), refilled & live.nodes.keys())


def _spread(live: Tree, gone: set[str], refilled: set[str]) -> set[str]:
    """Return `gone` with what cannot stay: what is inside, and the links to it.

    `refilled` are directories that stay but get a link anew, so that links to them must go.
    """
    going = {link for directory in refilled for link in live.incoming.get(directory, ())} | gone
    pending = list(going)
    while pending:
        path = pending.pop()
        affected = [*live.inside.get(path, ()), *live.incoming.get(path, ())]
        if isinstance(live.nodes[path], Link):
            affected += live.incoming.get(path.rpartition("/")[0], ())
        pending += [other for other in affected if other not in going]
        going.update(affected)
    return going


def _removal(live: Tree, gone: set[str]) -> Iterator[Step]:
    """Yield phases 1 to 3."""
    first: dict[str, list[str]] = defaultdict(list)
    incoming: dict[str, list[str]] = defaultdict(list)
    deepest_first = sorted(gone, key=lambda path: (-path.count("/"), path))
    links = [path for path in deepest_first if isinstance(live.nodes[path], Link)]
    for path in deepest_first:
        node = live.nodes[path]
        first[live.item(path)].append(path)
        if isinstance(node, Link):
            first[node.target].append(path)
            incoming[node.target].append(path)
        enable = live.nodes.get(f"{path}/enable")
        if isinstance(node, Directory) and node.disable and isinstance(enable, Attribute):
            first[path].append(f"{path}/enable")
            if enable.value != "0":
                idle = Attribute("0", enable.owner, enable.fixed, enable.default)
                yield idle.written(f"{path}/enable", live, f"{path}/enable")
    for path in links:
        # What is linked to a directory goes before what the directory links to: a mapped LUN
        # whose LUN loses its backstore is dead although its own link is still there.
        needs = tuple(incoming[path.rpartition("/")[0]])
        yield Step(
            f"unlink {path}", live.nodes[path].owner, partial(live.unlink, path), path, needs
        )
    for path in deepest_first:
        node = live.nodes[path]
        if isinstance(node, Directory):
            remove = partial(live.remove, path)
            yield Step(f"rmdir {path}", node.owner, remove, path, tuple(first[path]))
