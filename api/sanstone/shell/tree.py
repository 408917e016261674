"""Directories and commands, and how words resolve to them.

A word may be abbreviated as long as it is unique. It is looked up in the current directory, then at
the top, then among all directories by their own name, the highest first: so `igroup show` is `lun
igroup show`, `nvme subsystem` is `vserver nvme subsystem`, and `aggr` is `storage aggregate`. Among
several directories the next word decides: `fcp show` is in `vserver fcp`, `fcp adapter show` in
`network fcp`. Some have precedence, as on ONTAP: `snapshot create` is `volume snapshot create`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sanstone.shell import errors
from sanstone.shell.collection import Collection
from sanstone.shell.parameters import Parameter

MIRRORED = "statistics"
"""A directory with entries of the same names as others, which resolve only from within it."""
PRIVILEGES = ("admin", "advanced", "diagnostic")


@dataclass
class Command:
    """One command. `run` takes the session and the arguments; `build` makes its parameters.

    `queries` marks that it takes an extended query, `creates` that it names a new object,
    `absent` that the array has it not: it is refused, whatever follows, and offered nowhere.
    """

    path: tuple[str, ...]
    doc: str
    run: Callable[[Any, Any], None]
    build: Callable[[], Sequence[Parameter]] = tuple
    collection: Collection | None = None
    queries: bool = False
    creates: bool = False
    absent: bool = False

    @property
    def word(self) -> str:
        """Return the last word of the command."""
        return self.path[-1]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters, which are built on first use, for a quick start."""
        return tuple(self.build())

    def visible(self, privilege: str) -> list[Parameter]:
        """Return the parameters that a privilege level shows."""
        return [p for p in self.parameters if not p.advanced or privilege != PRIVILEGES[0]]


@dataclass
class Directory:
    """A directory of commands. Where several have its name, one with `precedence` is meant."""

    path: tuple[str, ...] = ()
    doc: str = ""
    children: dict[str, Directory | Command] = field(default_factory=dict)
    precedence: bool = False

    @property
    def word(self) -> str:
        """Return the directory's own name."""
        return self.path[-1]

    @property
    def absent(self) -> bool:
        """Return whether the array has none of its commands."""
        return bool(self.children) and all(child.absent for child in self.children.values())

    def offered(self, prefix: str = "") -> dict[str, Directory | Command]:
        """Return the children that the array has, by words that begin with a prefix."""
        return {
            word: child
            for word, child in self.children.items()
            if word.startswith(prefix) and not child.absent
        }

    def add(self, path: Sequence[str], command: Command) -> None:
        """Put a command under a path below this directory, with the directories on the way."""
        first, *rest = path
        if not rest:
            self.children[first] = command
            return
        child = self.children.get(first)
        if not isinstance(child, Directory):
            child = self.children[first] = Directory((*self.path, first))
        child.add(rest, command)

    def at(self, path: Sequence[str]) -> Directory:
        """Return the directory under a path of whole words."""
        place = self
        for word in path:
            child = place.children[word]
            if not isinstance(child, Directory):
                raise KeyError(word)
            place = child
        return place

    def directories(self) -> Iterator[Directory]:
        """Yield all directories below this one, higher ones first."""
        below = [child for child in self.children.values() if isinstance(child, Directory)]
        yield from below
        for child in below:
            yield from child.directories()

    def commands(self) -> Iterator[Command]:
        """Yield all commands below this directory."""
        for child in self.children.values():
            if isinstance(child, Directory):
                yield from child.commands()
            else:
                yield child


Node = Directory | Command


def matching(words: Sequence[str], abbreviation: str) -> list[str]:
    """Return the words that an abbreviation matches; a complete word matches itself alone."""
    prefix = abbreviation.lower()
    return [prefix] if prefix in words else [word for word in words if word.startswith(prefix)]


def children(place: Directory, word: str) -> list[str]:
    """Return the children that an abbreviation means: several where it is ambiguous.

    Commands that the array has go before others, and `show` before `show-space`.
    """
    matches = matching(list(place.children), word)
    own = [match for match in matches if not place.children[match].absent] or matches
    shortest = min(own, key=len, default="")
    goes_on = all(match.startswith(f"{shortest}-") for match in own if match != shortest)
    return [shortest] if own and goes_on else own


def shortcuts(root: Directory, word: str) -> list[Directory]:
    """Return the directories below the first level that a word matches best."""
    lower = [d for d in root.directories() if len(d.path) > 1 and d.path[0] != MIRRORED]
    exact = [d for d in lower if d.word == word.lower()]
    lower = [d for d in lower if not d.absent]
    matches = exact or [d for d in lower if d.word.startswith(word.lower())]
    highest = min((len(d.path) for d in matches), default=0)
    closest = [d for d in matches if len(d.path) == highest]
    return [d for d in closest if d.precedence] or closest


def first(root: Directory, here: Directory, word: str, following: str = "") -> Node:
    """Return the node of a line's first word; `following` is the second. Raises ShellError.

    A directory of precedence goes before another one at the top that the word abbreviates.
    """
    directories = shortcuts(root, word)
    is_meant = any(directory.precedence for directory in directories)
    places = [here] if here is root else [here, root]
    for place in places:
        matches = children(place, word)
        if place is root and len(matches) == 1 and is_meant and word.lower() != matches[0]:
            continue
        if len(matches) == 1:
            return place.children[matches[0]]
        if matches:
            raise errors.ambiguous("command", word, matches)
    if len(directories) > 1 and following:
        meant = [d for d in directories if matching(list(d.children), following)]
        directories = meant or directories
    if len(directories) > 1:
        names = (" ".join(directory.path) for directory in directories)
        raise errors.ambiguous("command", word, names)
    if not directories:
        words = {*here.children, *root.children, *(d.word for d in root.directories())}
        raise errors.unknown_command(word, words)
    return directories[0]


def find(root: Directory, here: Directory, words: Sequence[str]) -> tuple[Node, int]:
    """Return the node that words lead to, and how many of them name it. Raises ShellError."""
    node: Node = here
    for index, word in enumerate(words):
        if isinstance(node, Command):
            return node, index
        if index == 0:
            node = first(root, here, word, words[1] if len(words) > 1 else "")
            continue
        matches = children(node, word)
        if not matches:
            raise errors.unknown_command(word, node.children)
        if len(matches) > 1:
            raise errors.ambiguous("command", word, matches)
        node = node.children[matches[0]]
    return node, len(words)
