"""A target of the kernel between turns: its live tree, and what each part of it is about.

Parts that show an object, such as a LUN in each portal group, are rendered anew when the object is
in a turn's scope; the others are not looked at. The live tree is read once and kept up to date by
the steps that are applied. It is verified part by part; what a failed step left is read again.
"""

from __future__ import annotations

import logging
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from sanstone.kernel.host import FileError, Host
from sanstone.kernel.plan import Failure, Step
from sanstone.kernel.target import configfs
from sanstone.kernel.target.configfs import Part, ReadAttribute, Tree

Key = tuple[str, ...]
Apply = Callable[[Sequence[Step]], list[Failure]]
"""Runs a plan and returns what failed of it."""
Progress = Callable[[], None]
Read = Callable[[Host, Progress], Tree]
"""Reads the live tree, which takes long on a full array: it calls `Progress` between objects."""
log = logging.getLogger("sanstone.reconciler")


class ServedTarget:
    """What one target serves. `read` gives its live tree, `read_attribute` one attribute of it."""

    def __init__(self, read: Read, read_attribute: ReadAttribute) -> None:
        self._read, self._read_attribute = read, read_attribute
        self._live: Tree | None = None
        self._paths: dict[Key, tuple[str, ...]] = {}
        """By part: the paths of its nodes."""
        self._abouts: dict[Key, tuple[str, ...]] = {}
        self._parts: dict[str, set[Key]] = defaultdict(set)
        """By object: the parts that are about it."""
        self._unverified: deque[Key] = deque()
        self._has_leftovers = False

    @property
    def is_known(self) -> bool:
        """Whether the live tree is known, so that a part of it can be planned by itself.

        It is not while something could not be removed, which no part stands for any more.
        """
        return self._live is not None and bool(self._paths) and not self._has_leftovers

    def live(self, host: Host, progress: Progress) -> Tree:
        """Return the live tree, read if it is not known. Raises FileError."""
        if self._live is None:
            self._live = self._read(host, progress)
        return self._live

    def has(self, key: Key) -> bool:
        """Return whether a part was rendered the last time."""
        return key in self._paths

    def serve_all(
        self, host: Host, apply: Apply, parts: Iterable[Part], progress: Progress
    ) -> None:
        """Make the target exactly these parts. Raises FileError if it cannot be read."""
        by_key = {part.key: part for part in parts}
        live = self.live(host, progress)
        desired = Tree.of(by_key.values())
        former = set(live.nodes)
        steps = configfs.plan(live, desired)
        for key in self._paths.keys() - by_key.keys():
            self._forget(key)
        self._apply(host, apply, steps, by_key, desired, former)

    def serve(
        self,
        host: Host,
        apply: Apply,
        parts: Iterable[Part],
        about: Collection[str],
        progress: Progress,
    ) -> None:
        """Make the parts that are about some objects exactly these; leave all others.

        Raises configfs.OutOfScope, with nothing done, where that takes others along.
        """
        by_key = {part.key: part for part in parts}
        live = self.live(host, progress)
        former = {key for each in about for key in self._parts.get(each, ())}
        former |= by_key.keys() & self._paths.keys()
        desired = Tree.of(by_key.values())
        paths = {path for key in former for path in self._paths[key]}
        steps = configfs.plan(live, desired, paths | desired.nodes.keys())
        for key in former - by_key.keys():
            self._forget(key)
        self._apply(host, apply, steps, by_key, desired, paths)

    def _apply(
        self,
        host: Host,
        apply: Apply,
        steps: Sequence[Step],
        by_key: Mapping[Key, Part],
        desired: Tree,
        former: Collection[str],
    ) -> None:
        """Run a plan, note what the parts are, and read again what a failure may have changed."""
        assert self._live is not None
        for part in by_key.values():
            self._note(part)
        self._has_leftovers = False
        nodes = {path: node for path in former if (node := self._live.nodes.get(path))}
        nodes |= desired.nodes
        if failures := apply(steps):
            failed = {failure.step.path for failure in failures}
            self._look_again(
                host, {path: node for path, node in nodes.items() if _is_within(path, failed)}
            )
            live = self._live.nodes if self._live else {}
            self._has_leftovers = any(p in live and p not in desired.nodes for p in former)

    def verify(self, host: Host, about: Iterable[str]) -> None:
        """Read the parts that are about some objects again, before they are planned."""
        self._verify(host, {key for each in about for key in self._parts.get(each, ())})

    def verify_some(self, host: Host, most: int) -> bool:
        """Read some parts again, others each time. Return whether one was not as it was left."""
        if not self._unverified:
            self._unverified.extend(self._paths)
        count = min(most, len(self._unverified))
        keys = {self._unverified.popleft() for _ in range(count)} & self._paths.keys()
        return self._verify(host, keys)

    def _verify(self, host: Host, keys: Collection[Key]) -> bool:
        if self._live is None:
            return True
        live = self._live.nodes
        before = {path: live[path] for key in keys for path in self._paths[key] if path in live}
        self._look_again(host, before)
        if self._live is None:
            return True
        changed = [path for path, node in before.items() if live.get(path) != node]
        for path in changed:
            log.warning("changed by somebody else: %s", path)
        return bool(changed)

    def _look_again(self, host: Host, nodes: dict[str, configfs.Node]) -> None:
        assert self._live is not None
        try:
            self._live.look_again(host.files, nodes, self._read_attribute)
        except FileError as error:
            log.warning("a target must be read as a whole: %s", error)
            self._live = None

    def _note(self, part: Part) -> None:
        self._forget(part.key)
        self._paths[part.key] = tuple(part.nodes)
        self._abouts[part.key] = part.about
        for each in part.about:
            self._parts[each].add(part.key)

    def _forget(self, key: Key) -> None:
        self._paths.pop(key, None)
        for each in self._abouts.pop(key, ()):
            self._parts[each].discard(key)
            if not self._parts[each]:
                del self._parts[each]


def _is_within(path: str, places: Collection[str]) -> bool:
    """Return whether a path is one of some places, or in one."""
    while path:
        if path in places:
            return True
        path = path.rpartition("/")[0]
    return False
