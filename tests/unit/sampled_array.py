"""An array whose LUN and namespace hosts use, with a sampler that counts what they do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scenarios import aggregate, svm
from simulator import Simulator, simulated
from standing_clock import Clock

from sanstone.kernel import names
from sanstone.reconcile.tasks.sampler import Sampler

MIB = 1024**2
NOW = 1_800_014_400.0
ADDRESS = "10.10.1.1"
"""That of the LIF."""


def furnish(array: Simulator) -> None:
    """Make a LUN and a namespace, and a LIF at which hosts use them."""
    aggregate(array)
    svm(array)
    body = {"name": "vol1", "svm.name": "svm1", "size": 1024 * MIB}
    array.make("storage/volumes", body)
    device = {"svm.name": "svm1", "os_type": "linux", "space.size": 64 * MIB}
    array.make("storage/luns", {"name": "/vol/vol1/lun1", **device})
    array.make("storage/namespaces", {"name": "/vol/vol1/ns1", **device})
    for family in ("san/iscsi", "nvme"):
        array.make(f"protocols/{family}/services", {"svm.name": "svm1"})
    lif = {"svm.name": "svm1", "name": "lif1", "location.home_port.name": "e0a"}
    place = {"ip.address": ADDRESS, "ip.netmask": 24}
    array.make("network/ip/interfaces", lif | place)


class Counted:
    """An array with a LUN and a namespace that hosts use, and its sampler."""

    def __init__(self, array: Simulator, clock: Clock) -> None:
        self.array, self._clock = array, clock
        self.lun = array.uuid_of("storage/luns", "/vol/vol1/lun1")
        self.namespace = array.uuid_of("storage/namespaces", "/vol/vol1/ns1")
        self.svm = array.uuid_of("svm/svms", "svm1")
        self.lif = array.uuid_of("network/ip/interfaces", "lif1")
        self.start()
        clock.now = NOW
        self.sample()

    @property
    def now(self) -> float:
        """The time of the sampler and of the API."""
        return self._clock.now

    @now.setter
    def now(self, seconds: float) -> None:
        self._clock.now = seconds

    def start(self) -> None:
        """Start the sampler anew."""
        self.sampler = Sampler(self.array.kernel.host, self.array.database)

    def sample(self, after: float = 0) -> None:
        """Take a sample after so many seconds."""
        self.now += after
        self.sampler.sample(self.now)

    def use(self, uuid: str, **io: int) -> None:
        """Let a host read and write."""
        self.array.kernel.mapper.do_io(names.device(uuid), **io)

    def statistics(self, path: str) -> dict[str, Any]:
        """Return the field `statistics` of an object."""
        statistics: dict[str, Any] = self.array.get(f"{path}?fields=statistics")["statistics"]
        return statistics


@pytest.fixture
def counted(tmp_path: Path, clock: Clock) -> Iterator[Counted]:
    """The array."""
    with simulated(tmp_path, furnish) as array:
        yield Counted(array, clock)
