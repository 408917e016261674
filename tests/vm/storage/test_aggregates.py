"""Aggregates: their parts in the kernel, and their life from spares to spares."""

from __future__ import annotations

import json
from typing import Any

import pytest
from provisioned import AGGREGATE_DISKS

from lab.administrator import Administrator
from lab.api import Refused
from lab.patience import eventually
from lab.station import Array

AGGREGATES, DISKS = "storage/aggregates", "storage/disks"


def logical_volumes(array: Array, uuid: str) -> dict[str, str]:
    """Return the logical volumes of an aggregate with their types."""
    group = f"sanstone_{uuid.replace('-', '')}"
    report = array.run(f"lvs --reportformat json --options lv_name,segtype {group}")
    volumes: list[dict[str, Any]] = json.loads(report)["report"][0]["lv"]
    return {volume["lv_name"]: volume["segtype"] for volume in volumes}


def raid_groups(array: Array, uuid: str) -> list[str]:
    """Return the names of the md arrays of an aggregate."""
    return array.run(f"cd /sys/block; shopt -s nullglob; echo md_sanstone-{uuid[:8]}-*").split()


def test_raid_dp_is_raid_6_under_a_thin_pool(admin: Administrator, array: Array) -> None:
    [aggregate] = admin.api.get(AGGREGATES, name=admin.aggregate, fields="**")["records"]
    [group] = raid_groups(array, aggregate["uuid"])
    detail = array.run(f"mdadm --detail --export /dev/{group}").splitlines()
    assert {"MD_LEVEL=raid6", f"MD_DEVICES={AGGREGATE_DISKS}"} <= set(detail)
    assert logical_volumes(array, aggregate["uuid"]) == {
        "pool": "thin-pool",
        "configuration": "linear",
    }
    assert aggregate["state"] == "online"


def test_aggregate_comes_from_spares_and_goes_back_to_them(
    admin: Administrator, array: Array
) -> None:
    def spares() -> set[str]:
        records = admin.api.get(DISKS, container_type="spare", state="present")["records"]
        return {record["name"] for record in records}

    before = spares()
    mirror = Administrator(admin.api, aggregate="aggr_mirror")
    aggregate = mirror.add_aggregate(2, "raid1")
    assert len(spares()) == len(before) - 2
    [group] = raid_groups(array, aggregate["uuid"])
    assert "MD_LEVEL=raid1" in array.run(f"mdadm --detail --export /dev/{group}")
    mirror.remove(AGGREGATES, aggregate)
    eventually(lambda: spares() == before)
    assert raid_groups(array, aggregate["uuid"]) == []


def test_aggregate_with_volumes_stays(admin: Administrator) -> None:
    volume = admin.add_volume("vol_keeps")
    [aggregate] = admin.api.get(AGGREGATES, name=admin.aggregate)["records"]
    with pytest.raises(Refused) as refused:
        admin.remove(AGGREGATES, aggregate)
    admin.remove("storage/volumes", volume)
    assert refused.value.status == 409


def test_more_disks_than_there_are_is_refused_at_once(admin: Administrator) -> None:
    with pytest.raises(Refused) as refused:
        Administrator(admin.api, aggregate="aggr_greedy").add_aggregate(9)
    assert refused.value.status == 409
    assert not admin.api.get(AGGREGATES, name="aggr_greedy")["records"]
