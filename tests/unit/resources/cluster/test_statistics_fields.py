"""`statistics` and `metric` of objects: their own figures, and those of the objects within."""

from __future__ import annotations

from typing import Any

import pytest
from sampled_array import MIB, Counted


def test_new_objects_have_all_figures_at_zero(counted: Counted) -> None:
    array = counted.array
    device = {"svm.name": "svm1", "os_type": "linux", "space.size": 64 * MIB}
    bodies = {
        "storage/volumes": {"name": "new", "svm.name": "svm1", "size": 1024 * MIB},
        "storage/luns": {"name": "/vol/vol1/lun2", **device},
        "storage/namespaces": {"name": "/vol/vol1/ns2", **device},
    }
    places = [f"{path}/{array.make(path, body)['uuid']}" for path, body in bodies.items()]

    def records() -> list[dict[str, Any]]:
        return [array.get(f"{place}?fields=statistics,metric,create_time") for place in places]

    before = records()
    for each in before:
        assert each["statistics"].pop("timestamp") == each.pop("create_time")
        for figure in ("iops", "throughput", "latency"):
            assert set(each["metric"][figure].values()) == {0}
            assert set(each["statistics"][f"{figure}_raw"].values()) == {0}
    counted.sample()
    after = records()
    for each in (*before, *after):
        each["statistics"].pop("timestamp", "")
        each.pop("create_time", "")
        assert each["metric"].pop("timestamp")
    assert before == after


def test_a_volume_an_aggregate_and_the_array_have_what_is_in_them(counted: Counted) -> None:
    counted.use(counted.lun, reads=10)
    counted.use(counted.namespace, writes=4)
    counted.sample(15)
    array = counted.array
    places = ["cluster"]
    for kind in ("storage/volumes", "storage/aggregates"):
        places.append(f"{kind}/{array.get(kind)['records'][0]['uuid']}")
    for place in places:
        iops = counted.statistics(place)["iops_raw"]
        assert iops == {"read": 10, "write": 4, "other": 0, "total": 14}, place


@pytest.mark.parametrize(("family", "read", "write"), [("san/iscsi", 10, 0), ("nvme", 0, 4)])
def test_a_service_has_what_is_done_with_what_its_svm_serves_by_it(
    counted: Counted, family: str, read: int, write: int
) -> None:
    counted.use(counted.lun, reads=10)
    counted.use(counted.namespace, writes=4)
    counted.sample(15)
    iops = counted.statistics(f"protocols/{family}/services/{counted.svm}")["iops_raw"]
    assert iops == {"read": read, "write": write, "other": 0, "total": read + write}


def test_collectors_find_what_has_statistics(counted: Counted) -> None:
    path = 'storage/luns?fields=statistics.iops_raw.*&statistics.timestamp=!"-"'
    (record,) = counted.array.get(path)["records"]
    assert record["statistics"]["iops_raw"]["total"] == 0
    assert "statistics" not in counted.array.get("storage/luns?fields=*")["records"][0]
