"""An array of two nodes: two machines with the same disks, on one database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from peer_sink import PeerSink
from scenarios import GIB, HOST_IQN, MIB, svm
from simulator import Numbers, Simulator, simulated
from sqlalchemy import Engine, event

from fakes import FakeKernel
from sanstone.core import jobs
from sanstone.core.database import store
from sanstone.core.database.store import writing
from sanstone.model.nodes import Node, every_node
from sanstone.reconcile.database_sink import DatabaseSink
from sanstone.rules.cluster import takeover

OF_SVM = {"svm.name": "svm1"}
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

    def start(self) -> None:
        """Start the reconciler's process anew, which can only read where its reports are sent."""
        super().start()
        if self.sink:
            self.reconciler.database = store.distrusted(_read_only())

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

    def have_second_report(self, deliveries: Callable[[int], int] = lambda _number: 1) -> list[str]:
        """Have the second node's reconciler begin anew, write nothing, and report to the first.

        Return the reports that are sent from then on; `deliveries` are as in `PeerSink`.
        """
        self.second.sink = peer = PeerSink(DatabaseSink(self.first.database), deliveries)
        self.second.start()
        self.settle()
        return peer.sent

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


def _read_only() -> Engine:
    """Return an engine by which nothing can be written."""
    engine = store.engine(store.path())

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA query_only = ON").close()

    return engine


@contextmanager
def two_nodes(folder: Path) -> Iterator[Pair]:
    """Give an array of two nodes whose API wakes both reconcilers."""
    with simulated(folder) as first, pytest.MonkeyPatch.context() as patch:
        pair = Pair(first, Partner(folder, first.numbers, first))
        patch.setattr(jobs, "wake", pair.wake)
        pair.settle()
        yield pair
        pair.second.close()


@contextmanager
def two_serving_nodes(folder: Path) -> Iterator[Pair]:
    """Give such an array, each node with an aggregate, a LIF, a LUN and a namespace, served."""
    with two_nodes(folder) as pair:
        svm(pair.first)
        pair.first.do("POST", "protocols/san/iscsi/services", OF_SVM)
        pair.first.do("POST", "protocols/nvme/services", OF_SVM)
        group = {"name": "group1", "os_type": "linux", "initiators": [{"name": HOST_IQN}]}
        pair.first.do("POST", "protocols/san/igroups", OF_SVM | group)
        subsystem = {"name": "sub1", "os_type": "linux"}
        pair.first.do("POST", "protocols/nvme/subsystems", OF_SVM | subsystem)
        for number, node in enumerate((pair.first, pair.second), 1):
            _provide(node, number)
        yield pair


def _provide(node: Simulator, number: int) -> None:
    """Have a node own and serve something; its things have its number."""
    primary = {"disk_count": 4, "raid_type": "raid_dp"}
    aggregate = {"name": f"aggr{number}", "block_storage": {"primary": primary}}
    node.do("POST", "storage/aggregates", aggregate)
    place = {"aggregates": [{"name": f"aggr{number}"}], "size": GIB}
    node.do("POST", "storage/volumes", OF_SVM | place | {"name": f"vol{number}"})
    _add_interface(node, f"lif{number}", f"10.10.{number}.1")
    sized = OF_SVM | {"os_type": "linux", "space.size": 64 * MIB}
    lun, namespace = f"/vol/vol{number}/lun", f"/vol/vol{number}/ns"
    node.do("POST", "storage/luns", sized | {"name": lun})
    map_ = {"lun.name": lun, "igroup.name": "group1"}
    node.do("POST", "protocols/san/lun-maps", OF_SVM | map_)
    node.do("POST", "storage/namespaces", sized | {"name": namespace})
    map_ = {"namespace.name": namespace, "subsystem.name": "sub1"}
    node.do("POST", "protocols/nvme/subsystem-maps", OF_SVM | map_)


def _add_interface(node: Simulator, name: str, address: str) -> None:
    """Have a node have a LIF of the SVM."""
    interface = {
        "name": name,
        "ip": {"address": address, "netmask": "24"},
        "location.home_port.name": "e0a",
        "service_policy": "default-data-blocks",
    }
    node.do("POST", "network/ip/interfaces", OF_SVM | interface)
