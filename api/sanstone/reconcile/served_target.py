"""A target of the kernel between turns: its live tree, and the objects that each part represents.

Parts that represent an object, such as a LUN in each portal group, are rendered again when the
object is in a turn's scope; all other parts are left alone. The live tree is read once and updated
by the steps that are applied. It is verified part by part. Whatever a failed step may have changed
is read again.
"""

from __future__ import annotations

import logging
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence

from sanstone.kernel.host import FileError, Host
from sanstone.kernel.plan import Failure, Step
from sanstone.kernel.target import configfs
from sanstone.kernel.target.configfs import Part, ReadAttribute, Tree

Key = tuple[str, ...]
Apply = Callable[[Sequence[Step]], list[Failure]]
"""Runs a plan and returns the failures."""
Progress = Callable[[], None]
Read = Callable[[Host, Progress], Tree]
"""Reads the live tree, which takes long on a full array: it calls `Progress` between objects."""
log = logging.getLogger("sanstone.reconciler")


class ServedTarget:
    """One target's exports. `read` reads its live tree, `read_attribute` one attribute in it."""

    def __init__(self, read: Read, read_attribute: ReadAttribute) -> None:
        self._read, self._read_attribute = read, read_attribute
        self._live: Tree | None = None
        self._paths: dict[Key, tuple[str, ...]] = {}
        """By part: the paths of its nodes."""
        self._objects: dict[Key, tuple[str, ...]] = {}
        """By part: the objects that it represents."""
        self._parts_of_object: dict[str, set[Key]] = defaultdict(set)
        """By object: the parts that represent it."""
        self._unverified: deque[Key] = deque()
        self._is_served = False
        """Whether the target exports exactly the desired state, since it was read."""
        self._has_leftovers = False

    @property
    def is_known(self) -> bool:
        """Whether the live tree is known, so that single parts of it can be planned.

        It is not known while a removal has failed: no part represents its remains.
        """
        return self._live is not None and self._is_served and not self._has_leftovers

    def live(self, host: Host, progress: Progress) -> Tree:
        """Return the live tree; read it if it is not known. Raises FileError."""
        if self._live is None:
            self._live = self._read(host, progress)
        return self._live

    def has(self, key: Key) -> bool:
        """Return whether a part is among those that were served last."""
        return key in self._paths

    def serve_all(
        self, host: Host, apply: Apply, parts: Iterable[Part], progress: Progress
    ) -> None:
        """Make the target export exactly these parts. Raises FileError if it cannot be read."""
        by_key = {part.key: part for part in parts}
        live = self.live(host, progress)
        desired = Tree.of(by_key.values())
        former = set(live.nodes)
        steps = configfs.plan(live, desired)
        for key in self._paths.keys() - by_key.keys():
            self._forget(key)
        self._is_served = True
        self._apply(host, apply, steps, by_key, desired, former)

    def serve(
        self,
        host: Host,
        apply: Apply,
        parts: Iterable[Part],
        objects: Collection[str],
        progress: Progress,
    ) -> None:
        """Make `parts` the only ones that represent some objects; leave the parts of other objects.

        Raises FileError if the target cannot be read, and configfs.OutOfScope, without any change,
        if a part of another object would have to be removed for a while.
        """
        by_key = {part.key: part for part in parts}
        live = self.live(host, progress)
        former = self._parts_of(objects)
        former |= by_key.keys() & self._paths.keys()
        for key in self._settled(former, by_key, live):
            former.discard(key)
            del by_key[key]
        desired = Tree.of(by_key.values())
        paths = {path for key in former for path in self._paths[key]}
        steps = configfs.plan(live, desired, paths | desired.nodes.keys())
        for key in former - by_key.keys():
            self._forget(key)
        self._apply(host, apply, steps, by_key, desired, paths)

    def _settled(self, former: Collection[Key], by_key: Mapping[Key, Part], live: Tree) -> set[Key]:
        """Return the parts that need no plan: the objects that they represent are as desired.

        Most of the verified parts are, and to find it out costs much less than a plan.
        """
        current = {key for key in former if key in by_key and self._agrees(by_key[key], live)}
        differing = [*(self._objects[key] for key in former if key not in current)]
        differing += [part.objects for key, part in by_key.items() if key not in current]
        objects = {name for names in differing for name in names}
        return {key for key in current if objects.isdisjoint(self._objects[key])}

    def _agrees(self, part: Part, live: Tree) -> bool:
        """Return whether a part is as it was served last, and the machine has it so."""
        return (
            self._paths[part.key] == tuple(part.nodes)
            and self._objects[part.key] == part.objects
            and all(node.agrees(live.nodes.get(path)) for path, node in part.nodes.items())
        )

    def _apply(
        self,
        host: Host,
        apply: Apply,
        steps: Sequence[Step],
        by_key: Mapping[Key, Part],
        desired: Tree,
        former: Collection[str],
    ) -> None:
        """Run a plan, remember its parts, and read again what a failure may have changed."""
        assert self._live is not None
        for part in by_key.values():
            self._remember(part)
        self._has_leftovers = False
        nodes = {path: node for path in former if (node := self._live.nodes.get(path))}
        nodes |= desired.nodes
        if failures := apply(steps):
            failed = {failure.step.path for failure in failures}
            self._read_again(
                host, {path: node for path, node in nodes.items() if _is_within(path, failed)}
            )
            live = self._live.nodes if self._live else {}
            self._has_leftovers = any(p in live and p not in desired.nodes for p in former)

    def verify(self, host: Host, objects: Iterable[str]) -> None:
        """Read the parts that represent some objects again, before they are planned."""
        self._verify(host, self._parts_of(objects))

    def _parts_of(self, objects: Iterable[str]) -> set[Key]:
        """Return the parts that represent some objects."""
        return {key for name in objects for key in self._parts_of_object.get(name, ())}

    def verify_some(self, host: Host, count_limit: int, verified: Container[str]) -> bool:
        """Read up to `count_limit` parts again, other ones in each call.

        Parts of objects in `verified` are left out: the caller verifies these one by one. Return
        whether somebody else changed any of the parts.
        """
        if not self._unverified:
            self._unverified.extend(self._paths)
        count = min(count_limit, len(self._unverified))
        keys = {self._unverified.popleft() for _ in range(count)} & self._paths.keys()
        return self._verify(
            host, {k for k in keys if not any(name in verified for name in self._objects[k])}
        )

    def _verify(self, host: Host, keys: Collection[Key]) -> bool:
        """Read parts again.

        Return whether somebody else changed any of them, or the tree must be read as a whole.
        """
        if self._live is None:
            return True
        live = self._live.nodes
        before = {path: live[path] for key in keys for path in self._paths[key] if path in live}
        self._read_again(host, before)
        if self._live is None:
            return True
        changed = [path for path, node in before.items() if live.get(path) != node]
        for path in changed:
            log.warning("changed by somebody else: %s", path)
        return bool(changed)

    def _read_again(self, host: Host, nodes: dict[str, configfs.Node]) -> None:
        """Read nodes again; discard the live tree if that fails, so that it is read as a whole."""
        assert self._live is not None
        try:
            self._live.read_again(host.files, nodes, self._read_attribute)
        except FileError as error:
            log.warning("a target must be read as a whole: %s", error)
            self._live, self._is_served = None, False

    def _remember(self, part: Part) -> None:
        """Index a part by its key and by the objects that it represents."""
        self._forget(part.key)
        self._paths[part.key] = tuple(part.nodes)
        self._objects[part.key] = part.objects
        for object_name in part.objects:
            self._parts_of_object[object_name].add(part.key)

    def _forget(self, key: Key) -> None:
        """Remove a part from the indexes."""
        self._paths.pop(key, None)
        for object_name in self._objects.pop(key, ()):
            self._parts_of_object[object_name].discard(key)
            if not self._parts_of_object[object_name]:
                del self._parts_of_object[object_name]


def _is_within(path: str, directories: Collection[str]) -> bool:
    """Return whether a path is one of some directories, or is inside one."""
    while path:
        if path in directories:
            return True
        path = path.rpartition("/")[0]
    return False
