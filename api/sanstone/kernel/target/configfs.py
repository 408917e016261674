"""A part of configfs as a tree, and the steps from one tree to another.

A `Tree` holds only what somebody made or wrote: directories from mkdir, attributes that we set,
links. Default groups, which the kernel makes together with a directory, are no nodes of their own.
The order of a wanted tree is the order in which it is built; `nvmet.render` and `lio.render` put
everything where the kernel accepts it (attributes before the link that freezes them, `enable`
last).

`plan(known, wanted)` yields, in this order:

1. `enable 0` for items that must be idle before they go;
2. unlink, deepest first: an initiator's LUN link goes before the LUN's own;
3. rmdir, deepest first;
4. everything new or different, in the order of the wanted tree.

Rules, each with its reason:

* A `fixed` attribute is one that the kernel takes once only. If it differs, its item is removed
  and made anew. That is also how a crash half-way through an item is mended.
* What is removed takes along everything inside it and every link to it; a link that goes takes
  along the links to its own directory, because LIO drops the mappings behind those silently
  (core_clear_lun_from_tpg() in drivers/target/target_core_device.c). Whatever of that is still
  wanted is put back in phase 4.
* A failed attribute counts as a failure of its whole item (`Step.path`), so that nothing is
  exported half configured. A failed sub-item or link does not: one missing disk holds up its own
  export only.

`known` is what the kernel holds now. Each step that succeeds brings it up to date, so that the
next pass needs no reading. After a failure the caller must read again: what the kernel did is
uncertain.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from sanstone.kernel.host import Files, Host
from sanstone.kernel.plan import Step


class Directory(NamedTuple):
    """Something made by mkdir."""

    owner: str = ""
    disable: bool = False
    """Whether its `enable` is set to 0 before it, or anything in it, is removed."""


class Attribute(NamedTuple):
    """A file's value, in the form in which it is written.

    configfs hands a single NUL byte to the kernel's store function as an empty string, while an
    empty write(2) is refused (EFAULT, fill_write_buffer() in fs/configfs/file.c): `EMPTY`.
    """

    value: str
    owner: str = ""
    fixed: bool = False
    """Whether the item must be made anew to change it."""
    default: str | None = None
    """The value that a new item has by itself: it is not written, and `known` may lack it."""
    secret: bool = False


class Link(NamedTuple):
    """A symbolic link to an item, by absolute path."""

    target: str
    owner: str = ""


class Once(NamedTuple):
    """Something done whenever its item is made anew, and never otherwise."""

    run: Callable[[Host], None]
    owner: str = ""


Node = Directory | Attribute | Link | Once

EMPTY = "\0"


class Tree:
    """Nodes by absolute path; the order is the order of building."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    def make(self, path: str, node: Directory, host: Host) -> None:
        """Make a directory and note it."""
        host.files.mkdir(path)
        self.nodes[path] = node

    def write(self, path: str, node: Attribute, host: Host) -> None:
        """Write an attribute and note it."""
        host.files.write(path, node.value)
        self.nodes[path] = node

    def link(self, path: str, node: Link, host: Host) -> None:
        """Make a link and note it."""
        host.files.symlink(node.target, path)
        self.nodes[path] = node

    def unlink(self, path: str, host: Host) -> None:
        """Remove a link and forget it."""
        host.files.unlink(path)
        del self.nodes[path]

    def remove(self, path: str, attributes: Iterable[str], host: Host) -> None:
        """Remove a directory; forget it and its attributes."""
        host.files.rmdir(path)
        for attribute in attributes:
            self.nodes.pop(attribute, None)
        del self.nodes[path]


def link_target(files: Files, path: str) -> str:
    """Return a link's target as an absolute path: configfs itself shows a relative one."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), files.readlink(path)))


class _Items:
    """The nearest directory above each path, "" if none; remembered, because siblings share it."""

    def __init__(self, tree: Tree) -> None:
        self._nodes = tree.nodes
        self._memory = {"": ""}

    def above(self, path: str) -> str:
        parent = path.rpartition("/")[0]
        item = self._memory.get(parent)
        if item is None:
            is_item = isinstance(self._nodes.get(parent), Directory)
            item = self._memory[parent] = parent if is_item else self.above(parent)
        return item


def plan(known: Tree, wanted: Tree) -> list[Step]:
    """Return the steps from `known` to `wanted`; each updates `known` once it has run."""
    items = _Items(known)
    gone = _gone(known, wanted, items)
    steps = list(_removal(known, gone, items)) if gone else []
    steps.extend(_building(known, wanted, gone, items))
    return steps


def _gone(known: Tree, wanted: Tree, items: _Items) -> set[str]:
    """Return the directories and links that must be removed, wanted again or not."""
    gone: set[str] = set()
    for path, node in known.nodes.items():
        want = wanted.nodes.get(path)
        if isinstance(node, Attribute):
            if isinstance(want, Attribute) and want.fixed and want.value != node.value:
                gone.add(items.above(path))
        elif type(want) is not type(node) or _elsewhere(node, want):
            gone.add(path)
    refilled: set[str] = set()
    wanted_items = _Items(wanted)
    for path, want in wanted.nodes.items():
        if path in known.nodes:
            continue
        if isinstance(want, Link):
            refilled.add(path.rpartition("/")[0])
        elif isinstance(want, Attribute) and want.fixed and want.value != want.default:
            gone.add(wanted_items.above(path))
    gone &= known.nodes.keys()
    refilled &= known.nodes.keys()
    return _spread(known, gone, refilled, items) if gone or refilled else gone


def _elsewhere(node: Node, want: Node | None) -> bool:
    return isinstance(node, Link) and isinstance(want, Link) and node.target != want.target


def _spread(known: Tree, gone: set[str], refilled: set[str], items: _Items) -> set[str]:
    """Return `gone` with what cannot stay: what is inside, and the links to it.

    `refilled` are directories that stay but get a link anew, so that links to them must go.
    """
    inside: dict[str, list[str]] = defaultdict(list)
    incoming: dict[str, list[str]] = defaultdict(list)
    for path, node in known.nodes.items():
        if isinstance(node, Link):
            incoming[node.target].append(path)
        if not isinstance(node, Attribute):
            inside[items.above(path)].append(path)
    going = {link for directory in refilled for link in incoming[directory]} | gone
    pending = list(going)
    while pending:
        path = pending.pop()
        affected = [*inside[path], *incoming[path]]
        if isinstance(known.nodes[path], Link):
            affected += incoming[path.rpartition("/")[0]]
        pending += [other for other in affected if other not in going]
        going.update(affected)
    return going


def _removal(known: Tree, gone: set[str], items: _Items) -> Iterator[Step]:
    """Yield phases 1 to 3."""
    attributes: dict[str, list[str]] = defaultdict(list)
    for path, node in known.nodes.items():
        if isinstance(node, Attribute):
            attributes[items.above(path)].append(path)
    first: dict[str, list[str]] = defaultdict(list)
    incoming: dict[str, list[str]] = defaultdict(list)
    deepest_first = sorted(gone, key=lambda path: (-path.count("/"), path))
    for path in deepest_first:
        node = known.nodes[path]
        first[items.above(path)].append(path)
        if isinstance(node, Link):
            first[node.target].append(path)
            incoming[node.target].append(path)
        enable = known.nodes.get(f"{path}/enable")
        if isinstance(node, Directory) and node.disable and isinstance(enable, Attribute):
            first[path].append(f"{path}/enable")
            if enable.value != "0":
                yield _write(known, f"{path}/enable", enable._replace(value="0"), f"{path}/enable")
    for path in deepest_first:
        node = known.nodes[path]
        if isinstance(node, Link):
            # What is linked to a directory goes before what the directory links to: a mapped LUN
            # whose LUN loses its backstore is dead although its own link is still there.
            needs = tuple(incoming[path.rpartition("/")[0]])
            yield Step(f"unlink {path}", node.owner, partial(known.unlink, path), path, needs)
    for path in deepest_first:
        node = known.nodes[path]
        if isinstance(node, Directory):
            remove = partial(known.remove, path, attributes[path])
            yield Step(f"rmdir {path}", node.owner, remove, path, tuple(first[path]))


def _building(known: Tree, wanted: Tree, gone: set[str], items: _Items) -> Iterator[Step]:
    """Yield phase 4."""
    have = known.nodes
    wanted_items = _Items(wanted)
    for path, want in wanted.nodes.items():
        if isinstance(want, Attribute):
            now = have.get(path)
            if now is None or (gone and items.above(path) in gone):
                same = want.value == want.default
            else:
                same = isinstance(now, Attribute) and want.value == now.value
            if not same:
                yield _write(known, path, want, wanted_items.above(path))
        elif isinstance(want, Once):
            item = wanted_items.above(path)
            if item not in have or item in gone:
                yield Step(f"run {path}", want.owner, want.run, item)
        elif path in have and path not in gone:
            continue
        elif isinstance(want, Directory):
            make = partial(known.make, path, want)
            yield Step(f"mkdir {path}", want.owner, make, path)
        else:
            above = path.rpartition("/")[0]
            failing = above if isinstance(wanted.nodes.get(above), Directory) else path
            link = partial(known.link, path, want)
            text = f"link {path} -> {want.target}"
            yield Step(text, want.owner, link, failing, (want.target,))


def _write(known: Tree, path: str, node: Attribute, failing: str) -> Step:
    value = "(secret)" if node.secret else node.value
    return Step(f"write {path} {value}", node.owner, partial(known.write, path, node), failing)
