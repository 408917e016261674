"""A full aggregate stops nobody who was promised the space."""

from __future__ import annotations

import pytest
from machine_state import pools
from scenarios import aggregate, chain, igroup, iscsi, lifs, svm
from simulator import Simulator

from fakes.thin_pool import ThinPool

MIB = 1024**2
SIZE = 64 * MIB
LUNS, VOLUMES, AGGREGATES = "storage/luns", "storage/volumes", "storage/aggregates"
PROMISED, OTHER = "/vol/thick/lun", "/vol/thin/lun"


@pytest.fixture
def two_luns(array: Simulator) -> Simulator:
    """An array with a LUN in a volume with a guarantee, and a large one in a volume without."""
    chain(aggregate, svm, lifs, iscsi)(array)
    for name, guarantee in (("thick", "volume"), ("thin", "none")):
        body = {"svm.name": "svm1", "name": name, "size": 4 * SIZE, "guarantee.type": guarantee}
        array.do("POST", VOLUMES, body | {"aggregates": [{"name": "aggr1"}]})
        size = SIZE if guarantee == "volume" else 10**13
        body = {"svm.name": "svm1", "name": f"/vol/{name}/lun", "os_type": "linux"}
        array.do("POST", LUNS, body | {"space.size": size})
    return array


def pool(array: Simulator) -> ThinPool:
    """Return the pool of the aggregate."""
    [thin_pool] = pools(array.kernel).values()
    return thin_pool


def thin_id(array: Simulator, lun: str) -> int:
    [target] = array.kernel.mapper.table(f"sanstone-{array.uuid_of(LUNS, lun)}")
    return int(target.arguments.split()[1])


def fill(array: Simulator) -> None:
    """Have a host write to the overcommitted LUN until it is refused."""
    pool(array).write(thin_id(array, OTHER), MIB)
    array.reconciler.verify_all()
    array.settle()
    with pytest.raises(OSError, match="gets no block"):
        pool(array).write(thin_id(array, OTHER), pool(array).size)
    array.reconciler.verify_all()
    array.settle()


def state(array: Simulator, lun: str) -> str:
    record = array.get(f"{LUNS}/{array.uuid_of(LUNS, lun)}?fields=status.state")
    return str(record["status"]["state"])


def messages(array: Simulator, name: str) -> list[str]:
    events = array.get(f"support/ems/events?message.name={name}&fields=log_message")
    return [event["log_message"] for event in events["records"]]


def test_a_guaranteed_lun_takes_writes_while_the_other_is_full(two_luns: Simulator) -> None:
    fill(two_luns)
    assert state(two_luns, OTHER) == "space_error"
    assert state(two_luns, PROMISED) == "online"
    [text] = messages(two_luns, "pool.overcommitted")
    assert OTHER in text
    pool(two_luns).write(thin_id(two_luns, PROMISED), SIZE)
    answer = two_luns.get(f"{AGGREGATES}?fields=state")
    assert [each["state"] for each in answer["records"]] == ["online"]


def test_the_largest_consumer_is_named_as_it_was_at_first(two_luns: Simulator) -> None:
    body = {"svm.name": "svm1", "name": "/vol/thin/more", "space.size": 2**32, "os_type": "linux"}
    two_luns.do("POST", LUNS, body)
    fill(two_luns)
    pool(two_luns).discard(thin_id(two_luns, OTHER), 0, 64 * MIB)
    with pytest.raises(OSError, match="gets no block"):
        pool(two_luns).write(thin_id(two_luns, "/vol/thin/more"), 128 * MIB)
    two_luns.reconciler.verify_all()
    two_luns.settle()
    [text] = messages(two_luns, "pool.overcommitted")
    assert "/vol/thin/more" not in text


def test_the_shortage_ends_when_space_is_freed(two_luns: Simulator) -> None:
    fill(two_luns)
    pool(two_luns).discard(thin_id(two_luns, OTHER), 0, 1024 * MIB)
    two_luns.reconciler.rescan()
    two_luns.settle()
    assert state(two_luns, OTHER) == "online"
    pool(two_luns).write(thin_id(two_luns, OTHER), 512 * MIB)


def test_space_is_set_aside_before_hosts_are_served_again(two_luns: Simulator) -> None:
    igroup(two_luns)
    body = {"svm.name": "svm1", "lun.name": OTHER, "igroup.name": "group1"}
    two_luns.do("POST", "protocols/san/lun-maps", body)
    before = len(two_luns.kernel.interrupt.log)
    two_luns.reboot()
    two_luns.settle()
    log = two_luns.kernel.interrupt.log[before:]
    [reserved] = [n for n, step in enumerate(log) if " reserve " in step]
    exported = [n for n, step in enumerate(log) if "/core/iblock_" in step]
    assert reserved < exported[0]
    fill(two_luns)
    pool(two_luns).write(thin_id(two_luns, PROMISED), SIZE)


def test_a_volume_without_its_guarantee_promises_nothing(two_luns: Simulator) -> None:
    volume = two_luns.uuid_of(VOLUMES, "thick")
    two_luns.do("PATCH", f"{VOLUMES}/{volume}", {"guarantee.type": "none"})
    assert pool(two_luns).reserved == 0
    two_luns.do("PATCH", f"{VOLUMES}/{volume}", {"guarantee.type": "volume"})
    assert pool(two_luns).reserved > 0


def test_a_snapshot_has_copies_set_aside_too(two_luns: Simulator) -> None:
    volume = two_luns.uuid_of(VOLUMES, "thick")
    pool(two_luns).write(thin_id(two_luns, PROMISED), SIZE)
    two_luns.do("POST", f"{VOLUMES}/{volume}/snapshots", {"name": "snap1"})
    fill(two_luns)
    pool(two_luns).write(thin_id(two_luns, PROMISED), SIZE)


def test_content_that_a_snapshot_restores_is_promised_its_space(two_luns: Simulator) -> None:
    volume = two_luns.uuid_of(VOLUMES, "thick")
    two_luns.do("POST", f"{VOLUMES}/{volume}/snapshots", {"name": "snap1"})
    two_luns.do("PATCH", f"{VOLUMES}/{volume}?restore_to.snapshot.name=snap1", {})
    assert list(pool(two_luns).reserves) == [thin_id(two_luns, PROMISED)]


def test_a_restart_of_the_reconciler_ends_promises_that_are_none_any_more(
    two_luns: Simulator,
) -> None:
    stale = thin_id(two_luns, OTHER)
    pool(two_luns).reserve(stale, 1000, 1)
    two_luns.recover()
    assert list(pool(two_luns).reserves) == [thin_id(two_luns, PROMISED)]


def test_a_kernel_without_reserves_is_an_event(two_luns: Simulator) -> None:
    before = len(two_luns.kernel.interrupt.log)
    two_luns.kernel.boot_linux()
    two_luns.reboot()
    two_luns.settle()
    assert not [step for step in two_luns.kernel.interrupt.log[before:] if " reserve " in step]
    [text] = messages(two_luns, "pool.unguarded")
    assert "aggr1" in text
