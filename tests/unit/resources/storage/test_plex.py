"""The plex of an aggregate, and its RAID groups."""

from __future__ import annotations

from in_process import Array


def test_an_aggregate_has_one_with_its_raid_groups(api: Array) -> None:
    api.disks(4)
    aggregate = api.aggregate()
    groups = [{"group": 0, "state": "clean", "degraded": 1, "resync_percent": 12.5}]
    api.observe("storage/aggregates", aggregate["uuid"], state="online", raid=groups)
    [plex] = api.records(f"storage/aggregates/{aggregate['uuid']}/plexes?fields=*")
    assert (plex["name"], plex["pool"]) == ("plex0", "pool0")
    assert (plex["online"], plex["state"]) == (True, "normal")
    [group] = plex["raid_groups"]
    assert group["name"] == f"/{aggregate['name']}/plex0/rg0"
    assert (group["degraded"], group["reconstruct"]["active"]) == (True, True)


def test_there_is_none_without_an_aggregate(api: Array) -> None:
    assert api.get("storage/aggregates/none/plexes", 404)["error"]["code"] == "4"
    assert api.get("storage/aggregates/none/cloud-stores", 404)["error"]["code"] == "4"


def test_nothing_of_an_aggregate_is_in_a_cloud(api: Array) -> None:
    api.disks(4)
    path = f"storage/aggregates/{api.aggregate()['uuid']}/cloud-stores"
    assert api.records(f"{path}?fields=*") == []
    assert api.get(f"{path}/some", 404)["error"]["code"] == "4"


def test_groups_of_an_aggregate_of_the_longest_name_are_found(api: Array) -> None:
    api.disks(4)
    uuid = api.aggregate(count=4)["uuid"]
    name = "a" * 255
    api.patch(f"storage/aggregates/{uuid}", {"name": name})
    place = f"storage/aggregates/{uuid}/plexes?raid_groups.name=/{name}/plex0/rg0"
    assert len(api.records(place)) == 1
