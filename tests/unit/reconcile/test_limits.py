"""Limits of QoS policies reach the devices of those that they hold for, in one turn."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import LUNS, MIB, VOLUMES, chain, fabric, lun, patch, san
from simulator import Simulator

from sanstone.core.database.store import writing
from sanstone.core.observed import Observed
from sanstone.kernel import names
from sanstone.kernel.storage.stack import over_thin

POLICIES = "storage/qos/policies"
TIB = 2**40


def policy(array: Simulator, name: str, **members: Any) -> None:
    """Create a policy of svm1, by default of 100 operations per second."""
    fixed = {"fixed": {"max_throughput_iops": 100}}
    array.make(POLICIES, {"name": name, "svm.name": "svm1", **(members or fixed)})


def limits(array: Simulator, name: str = "") -> dict[str, str]:
    """Return the limits of a LUN or namespace, the first if none is named, by their group."""
    [uuid] = [
        record["uuid"]
        for path in (LUNS, "storage/namespaces")
        for record in array.get(path)["records"]
        if record["name"].endswith(name)
    ][:1]
    [target] = array.kernel.mapper.table(names.device(uuid))
    if target.kind == "thin":
        return {}
    assert target.kind == "sanstone-qos"
    words = [word.split(":", 1) for word in target.arguments.split()[2:]]
    return {group.replace(uuid, "own"): limit for group, limit in words}


def messages(array: Simulator, since: int) -> list[str]:
    """Return the messages to device-mapper since a step."""
    return [step for step in array.kernel.interrupt.log[since:] if step.startswith("dm ")]


def test_a_limit_comes_changes_and_goes_under_a_mapped_lun(array: Simulator) -> None:
    san(array)
    policy(array, "gold")
    policy(array, "bytes", fixed={"max_throughput_mbps": 10})
    assert limits(array) == {}
    patch(LUNS, "/vol/vol1/lun1", {"qos_policy.name": "gold"})(array)
    assert limits(array) == {"own": "100:0"}
    at = len(array.kernel.interrupt.log)
    patch(POLICIES, "gold", {"fixed.max_throughput_iops": 300})(array)
    assert limits(array) == {"own": "300:0"}
    patch(LUNS, "/vol/vol1/lun1", {"qos_policy.name": "bytes"})(array)
    assert limits(array) == {"own": f"0:{10 * 10**6}"}
    # Nothing was suspended for it.
    assert [step.split()[1] for step in messages(array, at)] == ["message", "message"]
    patch(LUNS, "/vol/vol1/lun1", {"qos_policy": None})(array)
    assert limits(array) == {}
    [uuid] = [record["uuid"] for record in array.get(LUNS)["records"]]
    assert over_thin.live_names(array.kernel.host, uuid) == [names.device(uuid)]


def test_a_policy_that_begins_to_limit(array: Simulator) -> None:
    fabric(array)
    policy(array, "free", fixed={})
    patch("storage/namespaces", "/vol/vol1/ns1", {"qos_policy.name": "free"})(array)
    assert limits(array) == {}
    patch(POLICIES, "free", {"fixed.max_throughput_iops": 7})(array)
    assert limits(array) == {"own": "7:0"}
    patch(POLICIES, "free", {"fixed.max_throughput_iops": 0})(array)
    assert limits(array) == {}


def test_objects_in_a_volume_share_its_limit(array: Simulator) -> None:
    chain(fabric, lun)(array)
    policy(array, "gold")
    volume = array.uuid_of(VOLUMES, "vol1")
    patch(VOLUMES, "vol1", {"qos.policy.name": "gold"})(array)
    assert limits(array, "lun1") == limits(array, "ns1") == {volume: "100:0"}
    patch(POLICIES, "gold", {"fixed.max_throughput_iops": 300})(array)
    assert limits(array, "lun1") == limits(array, "ns1") == {volume: "300:0"}


def test_a_shared_policy_is_one_limit_for_all(array: Simulator) -> None:
    chain(fabric, lun)(array)
    policy(array, "pair", fixed={"max_throughput_iops": 100, "capacity_shared": True})
    uuid = array.uuid_of(POLICIES, "pair")
    for path, name in ((LUNS, "/vol/vol1/lun1"), ("storage/namespaces", "/vol/vol1/ns1")):
        patch(path, name, {"qos_policy.name": "pair"})(array)
        assert limits(array, name) == {uuid: "100:0"}
    patch(POLICIES, "pair", {"fixed.capacity_shared": False})(array)
    assert limits(array, "lun1") == limits(array, "ns1") == {"own": "100:0"}


def test_an_svm_limits_all_that_it_holds_beside_its_volumes(array: Simulator) -> None:
    chain(fabric, lun)(array)
    policy(array, "gold")
    policy(array, "all", fixed={"max_throughput_iops": 500})
    volume, owner = array.uuid_of(VOLUMES, "vol1"), array.uuid_of("svm/svms", "svm1")
    patch("svm/svms", "svm1", {"qos_policy.name": "all"})(array)
    assert limits(array, "lun1") == limits(array, "ns1") == {owner: "500:0"}
    patch(VOLUMES, "vol1", {"qos.policy.name": "gold"})(array)
    assert limits(array, "ns1") == {volume: "100:0", owner: "500:0"}
    patch(POLICIES, "all", {"fixed.max_throughput_iops": 600})(array)
    assert limits(array, "lun1") == {volume: "100:0", owner: "600:0"}
    patch("svm/svms", "svm1", {"qos_policy": None})(array)
    assert limits(array, "lun1") == {volume: "100:0"}


def test_an_adaptive_limit_follows_the_size(array: Simulator) -> None:
    san(array)
    scale = {"expected_iops": 100, "peak_iops": 2**24, "peak_iops_allocation": "allocated_space"}
    policy(array, "scale", adaptive=scale | {"block_size": "4k"})
    patch(LUNS, "/vol/vol1/lun1", {"qos_policy.name": "scale"})(array)
    patch(LUNS, "/vol/vol1/lun1", {"space.size": 96 * MIB})(array)
    operations = 2**24 * 96 * MIB // TIB
    assert limits(array) == {"own": f"{operations}:{operations * 4096}"}


def test_an_adaptive_limit_follows_the_space_in_use(array: Simulator) -> None:
    san(array)
    scale = {"expected_iops": 1, "peak_iops": 2**20, "absolute_min_iops": 50}
    policy(array, "scale", adaptive=scale)
    patch(LUNS, "/vol/vol1/lun1", {"qos_policy.name": "scale"})(array)
    assert limits(array) == {"own": "50:0"}
    use(array, 512 * MIB)
    array.settle()
    assert limits(array) == {"own": "512:0"}
    patch(POLICIES, "scale", {"adaptive.absolute_min_iops": 0})(array)
    use(array, 0)
    array.settle()
    assert limits(array) == {"own": "75:0"}


def use(array: Simulator, size: int) -> None:
    """Have it observed that the only LUN uses so many bytes."""
    [record] = array.get(LUNS)["records"]
    with writing(array.database) as session:
        for row in session.query(Observed).filter_by(key=record["uuid"]):
            row.data = row.data | {"used": size}


def test_a_limit_is_there_at_once_after_a_boot(array: Simulator) -> None:
    san(array)
    policy(array, "gold")
    patch(LUNS, "/vol/vol1/lun1", {"qos_policy.name": "gold"})(array)
    at = len(array.kernel.interrupt.log)
    array.reboot()
    array.settle()
    assert limits(array) == {"own": "100:0"}
    assert not [step for step in messages(array, at) if "limit" in step.split()]


def test_a_kernel_without_the_target_serves_without_limits(array: Simulator) -> None:
    san(array)
    policy(array, "gold")
    patch(LUNS, "/vol/vol1/lun1", {"qos_policy.name": "gold"})(array)
    array.kernel.boot_linux()
    array.recover()
    assert limits(array) == {}
    [record] = array.get(f"{LUNS}?fields=status.state")["records"]
    assert record["status"]["state"] == "online"


@pytest.fixture(autouse=True)
def _complete(array: Simulator) -> Any:
    """After any turn a whole one finds nothing to do."""
    yield
    before = array.dump()
    array.settle()
    assert array.dump() == before
