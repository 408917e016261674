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
def served(array: Simulator) -> Simulator:
    """An array with a LUN that was promised its space, and one that takes what others leave."""
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
    [found] = pools(array.kernel).values()
    return found


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
    found = array.get(f"{LUNS}/{array.uuid_of(LUNS, lun)}?fields=status.state")
    return str(found["status"]["state"])


def told(array: Simulator, name: str) -> list[str]:
    events = array.get(f"support/ems/events?message.name={name}&fields=log_message")
    return [event["log_message"] for event in events["records"]]


def test_who_was_promised_space_writes_on_and_the_other_is_full(served: Simulator) -> None:
    fill(served)
    assert state(served, OTHER) == "space_error"
    assert state(served, PROMISED) == "online"
    [text] = told(served, "pool.overcommitted")
    assert OTHER in text
    pool(served).write(thin_id(served, PROMISED), SIZE)
    found = served.get(f"{AGGREGATES}?fields=state")
    assert [each["state"] for each in found["records"]] == ["online"]


def test_who_takes_most_is_named_as_it_was_at_first(served: Simulator) -> None:
    body = {"svm.name": "svm1", "name": "/vol/thin/more", "space.size": 2**32, "os_type": "linux"}
    served.do("POST", LUNS, body)
    fill(served)
    pool(served).discard(thin_id(served, OTHER), 0, 64 * MIB)
    with pytest.raises(OSError, match="gets no block"):
        pool(served).write(thin_id(served, "/vol/thin/more"), 128 * MIB)
    served.reconciler.verify_all()
    served.settle()
    [text] = told(served, "pool.overcommitted")
    assert "/vol/thin/more" not in text


def test_it_ends_when_space_is_freed(served: Simulator) -> None:
    fill(served)
    pool(served).discard(thin_id(served, OTHER), 0, 1024 * MIB)
    served.reconciler.rescan()
    served.settle()
    assert state(served, OTHER) == "online"
    pool(served).write(thin_id(served, OTHER), 512 * MIB)


def test_space_is_set_aside_before_hosts_are_served_again(served: Simulator) -> None:
    igroup(served)
    body = {"svm.name": "svm1", "lun.name": OTHER, "igroup.name": "group1"}
    served.do("POST", "protocols/san/lun-maps", body)
    before = len(served.kernel.interrupt.log)
    served.reboot()
    served.settle()
    log = served.kernel.interrupt.log[before:]
    [reserved] = [n for n, step in enumerate(log) if " reserve " in step]
    exported = [n for n, step in enumerate(log) if "/core/iblock_" in step]
    assert reserved < exported[0]
    fill(served)
    pool(served).write(thin_id(served, PROMISED), SIZE)


def test_a_volume_without_its_guarantee_promises_nothing(served: Simulator) -> None:
    volume = served.uuid_of(VOLUMES, "thick")
    served.do("PATCH", f"{VOLUMES}/{volume}", {"guarantee.type": "none"})
    assert pool(served).reserved == 0
    served.do("PATCH", f"{VOLUMES}/{volume}", {"guarantee.type": "volume"})
    assert pool(served).reserved > 0


def test_a_snapshot_has_copies_set_aside_too(served: Simulator) -> None:
    volume = served.uuid_of(VOLUMES, "thick")
    pool(served).write(thin_id(served, PROMISED), SIZE)
    served.do("POST", f"{VOLUMES}/{volume}/snapshots", {"name": "snap1"})
    fill(served)
    pool(served).write(thin_id(served, PROMISED), SIZE)


def test_content_that_a_snapshot_restores_is_promised_its_space(served: Simulator) -> None:
    volume = served.uuid_of(VOLUMES, "thick")
    served.do("POST", f"{VOLUMES}/{volume}/snapshots", {"name": "snap1"})
    served.do("PATCH", f"{VOLUMES}/{volume}?restore_to.snapshot.name=snap1", {})
    assert list(pool(served).reserves) == [thin_id(served, PROMISED)]


def test_a_restart_of_the_reconciler_ends_promises_that_are_none_any_more(
    served: Simulator,
) -> None:
    stale = thin_id(served, OTHER)
    pool(served).reserve(stale, 1000, 1)
    served.recover()
    assert list(pool(served).reserves) == [thin_id(served, PROMISED)]


def test_a_kernel_that_sets_nothing_aside_is_told_of(served: Simulator) -> None:
    before = len(served.kernel.interrupt.log)
    served.kernel.boot_linux()
    served.reboot()
    served.settle()
    assert not [step for step in served.kernel.interrupt.log[before:] if " reserve " in step]
    [text] = told(served, "pool.unguarded")
    assert "aggr1" in text
