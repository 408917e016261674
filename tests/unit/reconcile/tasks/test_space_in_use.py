"""The sampler records how much of aggregates and volumes is in use, and the API shows it."""

from __future__ import annotations

from typing import Any

import pytest
from machine_state import pools
from scenarios import san
from simulator import Begin, Simulator
from standing_clock import Clock

from sanstone.core.history import space_history
from sanstone.core.history.space_history import SAMPLED
from sanstone.reconcile.tasks.sampler import Sampler

MIB = 1024**2
VOLUMES, AGGREGATES = "storage/volumes", "storage/aggregates"


class Sampled:
    """An array with a LUN, and a sampler."""

    def __init__(self, array: Simulator, clock: Clock) -> None:
        self.array, self.clock = array, clock
        clock.now = clock.now // 300 * 300
        self.sampler = Sampler(array.kernel.host, array.database)
        self.sample()

    def sample(self, after: float = 0) -> None:
        """Observe the machine after so many seconds, and take a sample."""
        self.clock.now += after
        self.array.settle()
        self.sampler.sample(self.clock.now)

    def one(self, path: str, fields: str) -> dict[str, Any]:
        """Return the only object of a kind."""
        [record] = self.array.get(f"{path}?fields={fields}")["records"]
        return dict(record)

    def spaces(self, path: str, interval: str = "1d") -> list[Any]:
        """Return the space of the only object of a kind, interval by interval."""
        uuid = self.one(path, "uuid")["uuid"]
        place = f"{path}/{uuid}/metrics?fields=space&interval={interval}"
        return [record.get("space") for record in self.array.get(place)["records"]]

    def write(self, mebibytes: int) -> None:
        """Let a host write to the beginning of the LUN."""
        [lun] = self.array.get("storage/luns")["records"]
        [target] = self.array.kernel.mapper.table(f"sanstone-{lun['uuid']}")
        [pool] = pools(self.array.kernel).values()
        pool.write(int(target.arguments.split()[1]), mebibytes * MIB)


@pytest.fixture
def begin() -> Begin:
    return san


@pytest.fixture
def sampled(array: Simulator, clock: Clock) -> Sampled:
    """The array."""
    return Sampled(array, clock)


def test_samples_are_what_the_objects_show(sampled: Sampled) -> None:
    sampled.write(8)
    sampled.sample(300)
    sampled.clock.now += 300
    aggregate = sampled.one(AGGREGATES, "space")["space"]["block_storage"]
    volume = sampled.one(VOLUMES, "space.used,space.size,space.snapshot.used")["space"]
    lun = sampled.one("storage/luns", "space.size")["space"]
    assert sampled.spaces(AGGREGATES)[-1] == {
        "block_storage": {
            "size": aggregate["size"],
            "used": aggregate["used"],
            "metadata_used_percent": aggregate["metadata_used_percent"],
        },
        "provisioned": volume["size"],
    }
    assert sampled.spaces(VOLUMES)[-1] == volume | {"provisioned": lun["size"]}
    assert volume["used"] == 8 * MIB


def test_use_is_seen_to_grow(sampled: Sampled) -> None:
    for mebibytes in (4, 8, 12):
        sampled.write(mebibytes)
        sampled.sample(300)
    sampled.clock.now += 300
    assert [each["used"] // MIB for each in sampled.spaces(VOLUMES)] == [0, 4, 8, 12]
    used = [each["block_storage"]["used"] for each in sampled.spaces(AGGREGATES)]
    assert used == sorted(set(used))


def test_a_sample_is_taken_once_in_five_minutes(sampled: Sampled) -> None:
    sampled.write(4)
    sampled.sample(15)
    sampled.clock.now += 15
    assert {each["used"] for each in sampled.spaces(VOLUMES, "1h")} == {0}
    sampled.sample(300)
    sampled.clock.now += 15
    assert sampled.spaces(VOLUMES, "1h")[-1]["used"] == 4 * MIB


def test_while_the_array_is_off_there_is_a_gap(sampled: Sampled) -> None:
    sampled.sample(300)
    sampled.array.reboot()
    sampled.sampler = Sampler(sampled.array.kernel.host, sampled.array.database)
    sampled.sample(900)
    sampled.clock.now += 300
    assert [each is None for each in sampled.spaces(VOLUMES)] == [False, False, True, True, False]
    records = sampled.array.get("cluster/metrics?interval=1d&fields=iops.total")["records"]
    assert [each["iops"]["total"] for each in records] == [0] * 5


def test_of_an_aggregate_that_is_not_served_nothing_is_known(sampled: Sampled) -> None:
    for letter in "abcdefgh":
        sampled.array.kernel.remove_disk(f"sd{letter}")
    sampled.array.reboot()
    sampled.sample(300)
    sampled.clock.now += 300
    assert sampled.one(AGGREGATES, "state")["state"] == "offline"
    size = sampled.one(VOLUMES, "space.size")["space"]["size"]
    assert sampled.spaces(AGGREGATES)[-1] == {"provisioned": size}
    assert sampled.spaces(VOLUMES)[-1].keys() == {"size", "provisioned"}


def test_space_of_snapshots_is_sampled_where_it_is_measured(sampled: Sampled) -> None:
    uuid = sampled.one(VOLUMES, "uuid")["uuid"]
    sampled.array.do("POST", f"{VOLUMES}/{uuid}/snapshots", {"name": "one"})
    sampled.sample(300)
    sampled.array.measure()
    sampled.sample(300)
    sampled.clock.now += 300
    snapshots = [each.get("snapshot") for each in sampled.spaces(VOLUMES)]
    assert snapshots == [{"used": 0}, None, {"used": 0}]


def test_a_volume_that_is_deleted_loses_its_samples(sampled: Sampled) -> None:
    array = sampled.array
    body = {"name": "other", "svm.name": "svm1", "size": 1024 * MIB}
    other = array.make(VOLUMES, body)["uuid"]
    sampled.sample(300)
    path = f"{VOLUMES}/{other}/metrics?interval=1d&fields=space"
    sampled.clock.now += 300
    assert [each["space"]["size"] for each in array.get(path)["records"]] == [1024 * MIB]
    array.do("DELETE", f"{VOLUMES}/{other}")
    sampled.sample()
    sampled.sample(300)
    begins = [int(sampled.clock.now) - 300, int(sampled.clock.now)]
    assert not space_history.history((VOLUMES, other), SAMPLED[0], begins)
