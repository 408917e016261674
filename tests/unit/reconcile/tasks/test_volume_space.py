"""Volumes grow and shrink while hosts write, and tell where they cannot."""

from __future__ import annotations

from typing import Any

import pytest
from machine_state import pools
from scenarios import aggregate, chain, svm
from simulator import Simulator

from fakes.thin_pool import ThinPool
from sanstone.core.database.store import reading, writing
from sanstone.core.declaration.resource import Reader
from sanstone.model.volumes import Volume
from sanstone.reconcile.tasks import volume_space
from sanstone.reconcile.tasks.volume_space import VolumeSpaceMemory
from sanstone.rules.storage import autosize
from sanstone.rules.storage.autosize import Resize
from sanstone.rules.storage.volume_promises import largest_size
from sanstone.system import slot_report

MIB = 1024**2
SIZE = 64 * MIB
LUNS, VOLUMES = "storage/luns", "storage/volumes"
LUN, OTHER = "/vol/vol1/lun", "/vol/other/lun"
DONE, FAIL = "wafl.vol.autoSize.done", "wafl.vol.autoSize.fail"
GROWING = {"mode": "grow_shrink", "maximum": 8 * SIZE, "minimum": SIZE, "grow_threshold": 80}


def add(array: Simulator, name: str, **more: Any) -> None:
    """Add a volume with an overcommitted LUN in it."""
    body = {"svm.name": "svm1", "name": name, "size": SIZE, "aggregates": [{"name": "aggr1"}]}
    array.do("POST", VOLUMES, body | more)
    body = {"svm.name": "svm1", "name": f"/vol/{name}/lun", "os_type": "linux"}
    array.do("POST", LUNS, body | {"space.size": 10**13})


@pytest.fixture(params=["none", "volume"])
def growing(array: Simulator, request: pytest.FixtureRequest) -> Simulator:
    """An array with a volume whose size follows its use, with a guarantee and without."""
    chain(aggregate, svm)(array)
    add(array, "vol1", autosize=GROWING, **{"guarantee.type": request.param})
    return array


@pytest.fixture
def promised(array: Simulator) -> Simulator:
    """An array with such a volume that has a guarantee, and one that takes what others leave."""
    chain(aggregate, svm)(array)
    add(array, "vol1", autosize=GROWING, **{"guarantee.type": "volume"})
    add(array, "other")
    return array


def pool(array: Simulator) -> ThinPool:
    [found] = pools(array.kernel).values()
    return found


def thin_id(array: Simulator, lun: str = LUN) -> int:
    [target] = array.kernel.mapper.table(f"sanstone-{array.uuid_of(LUNS, lun)}")
    return int(target.arguments.split()[1])


def write(array: Simulator, size: int, start: int = 0) -> None:
    """Have a host write, and let the array notice."""
    pool(array).write(thin_id(array), size, start)
    look(array)


def look(array: Simulator) -> None:
    """Let the turns pass in which the array notices and acts."""
    for _ in range(2):
        array.settle()


def size(array: Simulator, volume: str = "vol1") -> int:
    return int(array.get(f"{VOLUMES}/{array.uuid_of(VOLUMES, volume)}")["size"])


def messages(array: Simulator, name: str) -> list[str]:
    events = array.get(f"support/ems/events?message.name={name}&fields=log_message")
    return [event["log_message"] for event in events["records"]]


def test_a_volume_grows_while_a_host_writes_and_the_host_writes_on(growing: Simulator) -> None:
    sizes = []
    for start in range(0, 3 * SIZE, SIZE // 2):
        write(growing, SIZE // 2, start)
        sizes.append(size(growing))
        assert (start + SIZE // 2) / sizes[-1] <= 0.8
    assert sizes[0] == SIZE < sizes[-1] <= 8 * SIZE
    assert sizes == sorted(sizes)
    first = messages(growing, DONE)[0]
    assert f'"vol1" of SVM "svm1" has grown by itself from {SIZE} to' in first
    assert "more than 80 percent" in first
    assert messages(growing, FAIL) == []


def test_what_it_has_grown_to_is_set_aside(promised: Simulator) -> None:
    write(promised, SIZE * 9 // 10)
    assert size(promised) > SIZE
    with pytest.raises(OSError, match="gets no block"):
        pool(promised).write(thin_id(promised, OTHER), pool(promised).size)
    write(promised, size(promised) - SIZE * 9 // 10, SIZE * 9 // 10)


def test_it_shrinks_to_its_minimum_when_a_host_gives_space_back(growing: Simulator) -> None:
    write(growing, 2 * SIZE)
    assert size(growing) > 2 * SIZE
    pool(growing).discard(thin_id(growing), 0, 2 * SIZE)
    look(growing)
    assert size(growing) == SIZE
    assert "has shrunk by itself" in messages(growing, DONE)[-1]


def test_at_its_maximum_it_says_so_once_and_hosts_write_on(growing: Simulator) -> None:
    write(growing, 8 * SIZE)
    write(growing, SIZE // 2, 8 * SIZE)
    assert size(growing) == 8 * SIZE
    [text] = messages(growing, FAIL)
    assert f"it has its maximum of {8 * SIZE} bytes" in text
    volume = growing.uuid_of(VOLUMES, "vol1")
    growing.do("PATCH", f"{VOLUMES}/{volume}", {"autosize.maximum": 16 * SIZE})
    look(growing)
    assert size(growing) > 8 * SIZE
    growing.settle()
    assert len(messages(growing, f"{FAIL}.resolved")) == 1


def test_with_a_guarantee_it_grows_only_into_what_nobody_was_promised(promised: Simulator) -> None:
    promised.settle()
    uuid = promised.uuid_of(VOLUMES, "other")
    with reading(promised.database) as session:
        other = session.get_one(Volume, uuid)
        left = largest_size(Reader(session), other.aggregate, other) - 8 * MIB
    promised.do("PATCH", f"{VOLUMES}/{uuid}", {"size": left, "guarantee.type": "volume"})
    write(promised, SIZE * 9 // 10)
    grown = size(promised)
    assert SIZE < grown <= SIZE + 8 * MIB
    assert messages(promised, FAIL) == []
    write(promised, grown - SIZE * 9 // 10, SIZE * 9 // 10)
    assert size(promised) == grown
    [text] = messages(promised, FAIL)
    assert 'aggregate "aggr1" has no space left that is not promised' in text


def test_a_size_that_somebody_sets_at_the_same_moment_counts(
    growing: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool(growing).write(thin_id(growing), SIZE * 9 // 10)
    growing.settle()
    judge, uuid = autosize.judge, growing.uuid_of(VOLUMES, "vol1")

    def resized_meanwhile(row: Volume, taken: int, reader: Reader) -> Resize:
        found = judge(row, taken, reader)
        monkeypatch.setattr(autosize, "judge", judge)
        with writing(growing.database) as session:
            session.get_one(Volume, uuid).size = SIZE * 3 // 2
        return found

    monkeypatch.setattr(autosize, "judge", resized_meanwhile)
    look(growing)
    assert size(growing) == SIZE * 3 // 2
    assert messages(growing, DONE) == []


def test_a_power_cut_at_any_moment_leaves_a_size_that_is_set_aside(promised: Simulator) -> None:
    for step in range(4):
        pool(promised).write(thin_id(promised), SIZE, step * SIZE)
        with promised.killed(step, done=bool(step % 2)):
            look(promised)
        promised.recover()
        look(promised)
        reserve = pool(promised).reserves[thin_id(promised)]
        assert reserve.limit * pool(promised).chunk == size(promised)
        assert (step + 1) * SIZE / size(promised) <= 0.8


def test_nothing_is_resized_on_trial(growing: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot_report, "on_trial", lambda: True)
    write(growing, 2 * SIZE)
    assert size(growing) == SIZE


@pytest.mark.parametrize("mode", ["off", "grow"])
def test_what_is_not_to_shrink_or_grow_stays(array: Simulator, mode: str) -> None:
    chain(aggregate, svm)(array)
    add(array, "vol1", autosize={"mode": mode, "maximum": 4 * SIZE})
    look(array)
    assert size(array) == SIZE
    write(array, 2 * SIZE)
    assert (size(array) > SIZE) == (mode == "grow")


def test_a_volume_that_is_offline_stays_as_it_is(growing: Simulator) -> None:
    pool(growing).write(thin_id(growing), 2 * SIZE)
    path = f"{VOLUMES}/{growing.uuid_of(VOLUMES, 'vol1')}"
    growing.do("PATCH", path, {"state": "offline"})
    look(growing)
    assert size(growing) == SIZE
    memory = VolumeSpaceMemory()
    volume_space.run(growing.database, growing.node_uuid, memory)
    assert memory.conditions == {}
