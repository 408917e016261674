"""Parts of configfs as trees, and plans that lead from one tree to another.

A `Tree` holds only what somebody created or wrote: directories of mkdir, attributes that the array
sets, links. Default groups, which the kernel creates together with a directory, are no nodes of
their own. The order of a desired tree is the order in which it is built; `nvmet.parts` and
`lio.parts` put each node where the kernel accepts it (attributes before the link that freezes them,
`enable` last).

`plan(live, desired)` returns steps in this order:

1. write `enable 0` for items that must be idle before they are removed;
2. unlink, deepest first: an initiator's mapped LUN is unlinked before the LUN itself;
3. rmdir, deepest first;
4. create and write new and different nodes, in the order of the desired tree.

`plan(live, desired, scope)` does the same for some paths only. Its cost depends on the number of
those paths, not on the size of the live tree.

Rules, each with its reason:

* The kernel accepts a `fixed` attribute only once. If it differs, its item is removed and created
  anew. An item that a crash left incomplete is repaired in the same way.
* Removing an item also removes everything inside it and every link to it. Removing a link also
  removes the links to the link's own directory, because LIO silently drops the mappings behind
  those (core_clear_lun_from_tpg() in drivers/target/target_core_device.c). Whatever of that is
  still desired is created again in phase 4.
* A directory that `needs` another one is removed, with all that is in it, before anything is done
  to that.
* A failed attribute counts as a failure of its whole item (`Step.path`), so that nothing is
  exported half configured. A failed sub-item or link does not: one missing disk affects its own
  export only.

`live` is the tree in the kernel. Each step that succeeds updates it, so that the next plan needs no
reading. After a failure the caller must call `read_again`, because the state that a failed step
leaves in the kernel is uncertain.
"""

from __future__ import annotations

import errno
import posixpath
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from sanstone.kernel.host import FileError, Files, Host
from sanstone.kernel.plan import Step

EMPTY = "\0"
"""configfs passes a single NUL byte to the kernel's store function as an empty string, while it
refuses an empty write(2) (EFAULT, fill_write_buffer() in fs/configfs/file.c)."""
ReadAttribute = Callable[[Files, str], str]
"""Reads an attribute in the form in which it is written; the kernel shows some in another form."""


class OutOfScope(Exception):
    """A plan would have to remove something outside its scope."""


class Node:
    """A directory, attribute or link at a path; subclasses compare, build, remove and read it."""

    __slots__ = ()
    owner: str

    def index(self, path: str, tree: Tree) -> None:
        """Add the node to a tree's indexes."""

    def forget(self, path: str, tree: Tree) -> None:
        """Remove the node from a tree's indexes."""

    def removal_for_change(self, path: str, desired: Node | None, live: Tree) -> str:
        """Return the path that must be removed before `desired` can replace the node, or ''."""
        return "" if type(self) is type(desired) else path

    def removal_for_creation(self, path: str, item: str) -> tuple[str, str]:
        """Return the paths to remove so that the node, which the live tree lacks, can be created.

        That is an item to be removed, and a directory the links to which must be removed; '' for
        none. `item` is the directory that the node belongs to.
        """
        return "", ""

    def agrees(self, live: Node | None) -> bool:
        """Return whether a live node is what the node is to be, in an item that is there."""
        return type(self) is type(live)

    @abstractmethod
    def build(self, path: str, context: BuildContext) -> Step | None:
        """Return the step that creates the node, None if it exists already."""

    @abstractmethod
    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        """Return the node that the machine has at the path, None for none. Raises FileError."""


@dataclass(slots=True)
class Directory(Node):
    """A directory that was created by mkdir."""

    owner: str = ""
    disable: bool = False
    """Whether its `enable` is set to 0 before it, or anything in it, is removed."""
    needs: str = ""
    """A directory elsewhere that must be there as long as it is."""

    def index(self, path: str, tree: Tree) -> None:
        tree.children[tree.item(path)].add(path)
        if self.needs:
            tree.dependents[self.needs].add(path)

    def forget(self, path: str, tree: Tree) -> None:
        tree.children[tree.item(path)].discard(path)
        if self.needs:
            tree.dependents[self.needs].discard(path)

    def build(self, path: str, context: BuildContext) -> Step | None:
        if path in context.live.nodes and path not in context.removed:
            return None
        return Step(f"mkdir {path}", self.owner, partial(context.live.make, path, self), path)

    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        directory = Directory(self.owner, self.disable, self.needs)
        return directory if files.is_dir(path) else None


@dataclass(slots=True)
class Attribute(Node):
    """The value of an attribute, in the form in which it is written; '' is written as `EMPTY`."""

    value: str
    owner: str = ""
    fixed: bool = False
    """Whether its item must be created anew to change it."""
    default: str | None = None
    """The kernel's value in a new item: it is not written, and the live tree may lack it."""
    secret: bool = False

    def index(self, path: str, tree: Tree) -> None:
        tree.attributes[tree.item(path)].add(path)

    def forget(self, path: str, tree: Tree) -> None:
        tree.attributes[tree.item(path)].discard(path)

    def removal_for_change(self, path: str, desired: Node | None, live: Tree) -> str:
        changed = isinstance(desired, Attribute) and desired.fixed and desired.value != self.value
        return live.item(path) if changed else ""

    def removal_for_creation(self, path: str, item: str) -> tuple[str, str]:
        return item if self.fixed and self.value != self.default else "", ""

    def agrees(self, live: Node | None) -> bool:
        if live is None:
            return self.value == self.default
        return isinstance(live, Attribute) and self.value == live.value

    def build(self, path: str, context: BuildContext) -> Step | None:
        item = context.item(path)
        live = None if item in context.removed else context.live.nodes.get(path)
        return None if self.agrees(live) else self.write_step(path, context.live, item)

    def write_step(
        self, path: str, live: Tree, failing_path: str, needs: tuple[str, ...] = ()
    ) -> Step:
        """Return the step that writes the attribute."""
        displayed = "(secret)" if self.secret else self.value
        run = partial(live.write, path, self)
        return Step(f"write {path} {displayed}", self.owner, run, failing_path, needs)

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
    """A symbolic link to an item, by absolute path. It is left out if one of `needs` failed."""

    target: str
    owner: str = ""
    needs: tuple[str, ...] = ()

    def index(self, path: str, tree: Tree) -> None:
        tree.children[tree.item(path)].add(path)
        tree.incoming_links[self.target].add(path)

    def forget(self, path: str, tree: Tree) -> None:
        tree.children[tree.item(path)].discard(path)
        tree.incoming_links[self.target].discard(path)

    def removal_for_change(self, path: str, desired: Node | None, live: Tree) -> str:
        is_current = isinstance(desired, Link) and desired.target == self.target
        return "" if is_current else path

    def removal_for_creation(self, path: str, item: str) -> tuple[str, str]:
        return "", path.rpartition("/")[0]

    def agrees(self, live: Node | None) -> bool:
        return isinstance(live, Link) and self.target == live.target

    def build(self, path: str, context: BuildContext) -> Step | None:
        if path in context.live.nodes and path not in context.removed:
            return None
        above = path.rpartition("/")[0]
        failing_path = above if isinstance(context.desired.nodes.get(above), Directory) else path
        text = f"link {path} -> {self.target}"
        run = partial(context.live.link, path, self)
        return Step(text, self.owner, run, failing_path, (self.target, *self.needs))

    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        try:
            return Link(link_target(files, path), self.owner, self.needs)
        except FileError as error:
            # EINVAL: something that is no link (readlink(2)).
            if error.errno not in (errno.ENOENT, errno.EINVAL):
                raise
            return None


@dataclass(slots=True)
class OnCreation(Node):
    """An action that runs whenever its item is created, and never otherwise."""

    run: Callable[[Host], None]
    owner: str = ""

    def agrees(self, live: Node | None) -> bool:
        return True

    def build(self, path: str, context: BuildContext) -> Step | None:
        item = context.item(path)
        if item in context.live.nodes and item not in context.removed:
            return None
        return Step(f"run {path}", self.owner, self.run, item)

    def read(self, files: Files, path: str, read_attribute: ReadAttribute) -> Node | None:
        return None


class Part(NamedTuple):
    """The nodes that are rendered as a unit, such as those of a LUN in a portal group.

    Parts of a lower `rank` are built first. `objects` names the objects that the part represents:
    when one of them changes, the part is rendered again.
    """

    rank: int
    key: tuple[str, ...]
    objects: tuple[str, ...]
    nodes: dict[str, Node]


class Tree:
    """Nodes by absolute path, in the order in which they are built."""

    def __init__(self, nodes: Mapping[str, Node] | None = None) -> None:
        self.nodes: dict[str, Node] = {}
        self.children: dict[str, set[str]] = defaultdict(set)
        """By directory: the directories and links right below it."""
        self.attributes: dict[str, set[str]] = defaultdict(set)
        """By directory: its attributes."""
        self.incoming_links: dict[str, set[str]] = defaultdict(set)
        """By path: the links to it."""
        self.dependents: dict[str, set[str]] = defaultdict(set)
        """By directory: the directories that need it."""
        self.add(nodes or {})

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Tree:
        """Return the tree of some parts, in the order of their ranks."""
        tree = cls()
        for part in sorted(parts, key=lambda part: part.rank):
            tree.add(part.nodes)
        return tree

    def __len__(self) -> int:
        return len(self.nodes)

    def add(self, nodes: Mapping[str, Node]) -> None:
        """Add nodes, directories before their contents."""
        for path, node in nodes.items():
            self.put(path, node)

    def put(self, path: str, node: Node) -> None:
        """Add a node, or replace the node at its path."""
        if path in self.nodes:
            self.nodes[path].forget(path, self)
        self.nodes[path] = node
        node.index(path, self)

    def drop(self, path: str) -> None:
        """Remove a node from the tree, and with a directory all that is in it."""
        for inner in (*self.children.pop(path, ()), *self.attributes.pop(path, ())):
            self.drop(inner)
        if path in self.nodes:
            self.nodes[path].forget(path, self)
            del self.nodes[path]

    def item(self, path: str) -> str:
        """Return the nearest directory above a path, '' if the tree has none."""
        above = path.rpartition("/")[0]
        while above and not isinstance(self.nodes.get(above), Directory):
            above = above.rpartition("/")[0]
        return above

    def make(self, path: str, node: Directory, host: Host) -> None:
        """Create a directory and add it to the tree. Raises FileError."""
        host.files.mkdir(path)
        self.put(path, node)

    def write(self, path: str, node: Attribute, host: Host) -> None:
        """Write an attribute and add it to the tree. Raises FileError."""
        host.files.write(path, node.value)
        self.put(path, node)

    def link(self, path: str, node: Link, host: Host) -> None:
        """Create a link and add it to the tree. Raises FileError."""
        host.files.symlink(node.target, path)
        self.put(path, node)

    def unlink(self, path: str, host: Host) -> None:
        """Remove a link, from the machine and from the tree. Raises FileError."""
        host.files.unlink(path)
        self.drop(path)

    def remove(self, path: str, host: Host) -> None:
        """Remove a directory from the machine, and from the tree with its contents. Raises
        FileError.
        """
        host.files.rmdir(path)
        self.drop(path)

    def read_again(
        self, files: Files, nodes: Mapping[str, Node], read_attribute: ReadAttribute
    ) -> None:
        """Update the tree from the machine at the paths of `nodes`.

        `nodes` may contain nodes that the tree lacks. Raises FileError if one exists but cannot be
        read.
        """
        for path in sorted(nodes, key=lambda path: path.count("/")):
            live = nodes[path].read(files, path, read_attribute)
            if live is None:
                self.drop(path)
            elif live != self.nodes.get(path):
                self.put(path, live)


def link_target(files: Files, path: str) -> str:
    """Return the absolute path that a link leads to: configfs itself shows a relative one."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), files.readlink(path)))


class BuildContext(NamedTuple):
    """The trees that phase 4 compares, and the paths that the phases before it remove."""

    live: Tree
    desired: Tree
    removed: set[str]

    def item(self, path: str) -> str:
        """Return the directory that a path belongs to; a partial desired tree may lack it."""
        return self.desired.item(path) or self.live.item(path)


def plan(live: Tree, desired: Tree, scope: Collection[str] | None = None) -> list[Step]:
    """Return the steps from `live` to `desired`; each updates `live` once it has run.

    With a scope, `desired` describes those paths completely and no others. Raises OutOfScope if the
    plan would have to remove something outside the scope, even for a while.
    """
    removed = _paths_to_remove(live, desired, live.nodes.keys() if scope is None else scope)
    if scope is not None and any(path not in scope for path in removed):
        raise OutOfScope
    steps = list(_removal(live, removed)) if removed else []
    context = BuildContext(live, desired, removed)
    built = (node.build(path, context) for path, node in desired.nodes.items())
    return [*steps, *(step for step in built if step)]


def _paths_to_remove(live: Tree, desired: Tree, scope: Iterable[str]) -> set[str]:
    """Return the directories and links that must be removed; some of them are created again."""
    removed: set[str] = set()
    for path in scope:
        if node := live.nodes.get(path):
            removed.add(node.removal_for_change(path, desired.nodes.get(path), live))
    relinked: set[str] = set()
    context = BuildContext(live, desired, removed)
    for path, node in desired.nodes.items():
        if path not in live.nodes:
            item, directory = node.removal_for_creation(path, context.item(path))
            removed.add(item)
            relinked.add(directory)
    return _with_dependents(live, removed & live.nodes.keys(), relinked & live.nodes.keys())


def _with_dependents(live: Tree, removed: set[str], relinked: set[str]) -> set[str]:
    """Return `removed` with the nodes inside and the links to it, which must go too.

    `relinked` are directories that stay while their links are created anew; links to them must be
    removed, too.
    """
    removed = removed | {
        link for directory in relinked for link in live.incoming_links.get(directory, ())
    }
    pending = list(removed)
    while pending:
        path = pending.pop()
        affected = [*live.children.get(path, ()), *live.incoming_links.get(path, ())]
        affected += live.dependents.get(path, ())
        if isinstance(live.nodes[path], Link):
            affected += live.incoming_links.get(path.rpartition("/")[0], ())
        pending += [other for other in affected if other not in removed]
        removed.update(affected)
    return removed


def _removal(live: Tree, removed: set[str]) -> Iterator[Step]:
    """Yield the steps of phases 1 to 3, first for what needs something elsewhere."""
    prerequisites: dict[str, list[str]] = defaultdict(list)
    incoming_links: dict[str, list[str]] = defaultdict(list)
    deepest_first = sorted(removed, key=lambda path: (-path.count("/"), path))
    for path in deepest_first:
        node = live.nodes[path]
        prerequisites[live.item(path)].append(path)
        if isinstance(node, Link):
            prerequisites[node.target].append(path)
            incoming_links[node.target].append(path)
        elif isinstance(node, Directory) and node.needs:
            prerequisites[node.needs].append(path)
    has_dependents = any(live.dependents.values())
    dependent = {path for path in removed if has_dependents and _is_dependent(live, path)}
    for part in (dependent, removed - dependent):
        paths = [path for path in deepest_first if path in part]
        yield from _disabling(live, paths, prerequisites)
        for path in paths:
            if isinstance(live.nodes[path], Link):
                # Links to a directory are removed before the links in it: when a LUN loses its
                # backstore, its mapped LUN is dead although that one's link still exists.
                needs = tuple(incoming_links[path.rpartition("/")[0]])
                run = partial(live.unlink, path)
                yield Step(f"unlink {path}", live.nodes[path].owner, run, path, needs)
        for path in paths:
            node = live.nodes[path]
            if isinstance(node, Directory):
                run = partial(live.remove, path)
                yield Step(f"rmdir {path}", node.owner, run, path, tuple(prerequisites[path]))


def _disabling(
    live: Tree, paths: Iterable[str], prerequisites: dict[str, list[str]]
) -> Iterator[Step]:
    """Yield the steps of phase 1 for some paths, and make the removal of these depend on them."""
    for path in paths:
        node, enable = live.nodes[path], live.nodes.get(f"{path}/enable")
        if isinstance(node, Directory) and node.disable and isinstance(enable, Attribute):
            needs = tuple(live.dependents.get(path, set()) & set(prerequisites[path]))
            prerequisites[path].append(f"{path}/enable")
            if enable.value != "0":
                idle = Attribute("0", enable.owner, enable.fixed, enable.default)
                yield idle.write_step(f"{path}/enable", live, f"{path}/enable", needs)


def _is_dependent(live: Tree, path: str) -> bool:
    """Return whether a path is, or is in, a directory that needs something elsewhere."""
    while path:
        node = live.nodes.get(path)
        if isinstance(node, Directory) and node.needs:
            return True
        path = live.item(path)
    return False
