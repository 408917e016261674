"""An array of two nodes: two machines with the same disks, on one database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from simulator import Numbers, Simulator, simulated

from fakes import FakeKernel
from sanstone.core import jobs
from sanstone.core.database.store import writing
from sanstone.model.nodes import Node, every_node
from sanstone.rules.cluster import takeover

PARTNER = "99999999-2222-4333-8444-555555555555"


class Partner(Simulator):
    """The second node of an array."""

    node_uuid = PARTNER

    def __init__(self, folder: Path, numbers: Numbers, first: Simulator) -> None:
        self._first = first
        (folder / "second").mkdir()
        super().__init__(folder, numbers)

    @contextmanager
    def itself(self) -> Iterator[None]:
        """Have this process be on this node, which has a /run of its own."""
        with pytest.MonkeyPatch.context() as patch, super().itself():
            patch.setenv("SANSTONE_RUN", str(self.folder / "second"))
            yield

    def _deliver(self) -> None:
        self.kernel = FakeKernel(disks=0)
        self.kernel.share_disks(self._first.kernel)
        self.kernel.files.mkdir("/var/lib/sanstone")
        self._boot()
        with writing(self.database) as session:
            session.add(Node(uuid=PARTNER, number=2, name="array-02"))
        self.start()


class Pair:
    """Both nodes, with takeover and giveback between them."""

    def __init__(self, first: Simulator, second: Partner) -> None:
        self.first, self.second = first, second
        self.running: list[Simulator] = [first, second]
        """The nodes that run."""
        self._awake = False
        for each in self.running:
            each.kernel.interrupt.at_each_point = self._require_apart

    def wake(self) -> None:
        """Wake the reconcilers that run, until neither waits for the other."""
        if not self._awake:
            self._awake = True
            for each in (*self.running, *self.running):
                each.wake()
            self._awake = False

    def settle(self) -> None:
        """Have the reconcilers that run work until neither waits for the other."""
        self._awake = True
        for each in (*self.running, *self.running):
            each.settle()
        self._awake = False

    def fail_over(self) -> None:
        """Have the second node lose its power, and the first take over."""
        self.take_over()
        self.settle()

    def take_over(self) -> None:
        """Have the second node lose its power, and its things be the first one's; nothing runs."""
        self.running.remove(self.second)
        self.second.kernel.reboot()
        with writing(self.first.database) as session:
            takeover.take_over(session, *every_node(session))

    def come_back(self) -> None:
        """Have the second node start again, and get back its own objects."""
        self.second.reboot()
        self.second.kernel.interrupt.at_each_point = self._require_apart
        self.running.append(self.second)
        self.give_back()

    def give_back(self) -> None:
        """Give the second node back its own objects; nothing runs yet."""
        with writing(self.first.database) as session:
            takeover.give_back(session, *every_node(session))

    def _require_apart(self) -> None:
        """Assert that no RAID group runs on both machines."""
        one, other = (
            {array.uuid for array in each.kernel.storage.arrays.running.values()}
            for each in (self.first, self.second)
        )
        assert not one & other


@contextmanager
def two_nodes(folder: Path) -> Iterator[Pair]:
    """Give an array of two nodes whose API wakes both reconcilers."""
    with simulated(folder) as first, pytest.MonkeyPatch.context() as patch:
        pair = Pair(first, Partner(folder, first.numbers, first))
        patch.setattr(jobs, "wake", pair.wake)
        pair.settle()
        yield pair
        pair.second.close()
