"""Aggregates as they would be, by ONTAP's `simulate`, `recommend` and `show_spares`."""

from __future__ import annotations

from typing import Any

from in_process import Array

PATH = "storage/aggregates"
PRIMARY = "block_storage.primary"


def simulate(api: Array, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a simulated request, which must change nothing."""
    before = api.contents()
    response = api.call(method, f"{path}?simulate=true", body)
    assert response.status_code == 200 and "Location" not in response.headers
    assert api.contents() == before
    answer: dict[str, Any] = response.get_json()
    return answer


def test_a_new_aggregate_is_shown_as_it_would_be(api: Array) -> None:
    api.disks(10)
    body = {"name": "aggr1", PRIMARY: {"disk_count": 6}}
    answer = simulate(api, "POST", PATH, body)
    assert answer["num_records"] == 1 and answer["warnings"] == []
    [record] = answer["records"]
    primary = record["block_storage"]["primary"]
    assert (record["name"], "uuid" in record) == ("aggr1", False)
    assert (primary["disk_count"], primary["raid_type"]) == (6, "raid_dp")
    assert record["space"]["block_storage"]["size"] > 0
    [group] = primary["simulated_raid_groups"]
    assert (group["name"], group["data_disk_count"]) == ("aggr1/plex0/rg0", 4)
    assert (group["added_data_disk_count"], group["added_parity_disk_count"]) == (4, 2)
    assert (group["existing_data_disk_count"], group["is_partition"]) == (0, False)
    assert record["recommendation"]["spares_left"] == 4


def test_without_numbers_it_is_the_recommended_one(api: Array) -> None:
    api.disks(10)
    [record] = api.get(f"{PATH}?recommend=true&fields=**")["records"]
    [recommended] = simulate(api, "POST", PATH, {"name": record["name"]})["records"]
    for part in (PRIMARY, "space", "recommendation"):
        first, _, rest = part.partition(".")
        one, other = record[first], recommended[first]
        assert (one[rest] if rest else one) == (other[rest] if rest else other)


def test_an_aggregate_that_grows_is_shown_with_its_new_size(api: Array) -> None:
    api.disks(12)
    created = api.aggregate(count=4)
    api.observe(PATH, created["uuid"], raid=[{"group": 0, "state": "active"}])
    size = api.get(f"{PATH}/{created['uuid']}")["space"]["block_storage"]["size"]
    answer = simulate(api, "PATCH", f"{PATH}/{created['uuid']}", {PRIMARY: {"disk_count": 12}})
    [record] = answer["records"]
    primary = record["block_storage"]["primary"]
    assert (record["uuid"], primary["disk_count"]) == (created["uuid"], 12)
    assert record["space"]["block_storage"]["size"] > 2 * size
    counts = [
        (group["existing_data_disk_count"], group["added_data_disk_count"])
        for group in primary["simulated_raid_groups"]
    ]
    assert counts == [(2, 0), (0, 6)]
    [warning] = answer["warnings"]
    assert warning["name"] == "aggr1" and "No spare disk would be left" in str(warning["warning"])
    assert warning["action"]["message"]


def test_an_aggregate_without_redundancy_is_warned_of(api: Array) -> None:
    api.disks(4)
    body = {
        "name": "aggr1",
        PRIMARY: {"disk_count": 1, "raid_type": "raid0", "raid_size": 1},
    }
    [warning] = simulate(api, "POST", PATH, body)["warnings"]
    assert "loss of one disk" in warning["warning"]["message"]


def test_a_proposal_is_refused_like_its_creation(api: Array) -> None:
    api.disks(4)
    api.aggregate()
    path = f"{PATH}?simulate=true"
    api.refuse("POST", path, "786439", {"name": "aggr1", PRIMARY: {"disk_count": 4}})
    api.refuse("POST", path, "19726341", {"name": "aggr2", PRIMARY: {"disk_count": 4}})
    api.refuse("DELETE", f"{path}&name=aggr1", "262179")
    api.refuse("POST", "svm/svms?simulate=true", "262179", {"name": "svm1"})


def test_a_recommendation_warns_where_no_spare_stays(api: Array) -> None:
    api.disks(4)
    answer = api.get(f"{PATH}?recommend=true")
    assert [w["name"] for w in answer["warnings"]] == [r["name"] for r in answer["records"]]
    assert "warnings" not in api.get(PATH)


def test_spares_are_listed_by_size_and_kind(api: Array) -> None:
    api.disks(5)
    api.disk("2.0.0", rotational=True)
    created = api.aggregate(count=4)
    answer = api.get(f"{PATH}?show_spares=true")
    assert (answer["records"], answer["num_records"]) == ([], 0)
    by_class = {spare["disk_class"]: spare for spare in answer["spares"]}
    assert {name: spare["usable"] for name, spare in by_class.items()} == dict.fromkeys(by_class, 1)
    assert len(by_class) == 2
    layouts = by_class["solid_state"]["layout_requirements"]
    [usual] = [each for each in layouts if each["default"]]
    assert usual == {
        "raid_type": "raid_dp",
        "default": True,
        "aggregate_min_disks": 4,
        "raid_group": {"min": 4, "max": 28, "default": 16},
    }
    api.disk("2.0.1", sector_size=4096)
    sizes = [spare["bytes_per_sector"] for spare in api.get(f"{PATH}?show_spares=true")["spares"]]
    assert sorted(sizes) == [512, 512, 4096]
    alike = api.get(f"{PATH}?show_spares=true&uuid={created['uuid']}")["spares"]
    assert [(s["disk_class"], s["bytes_per_sector"]) for s in alike] == [("solid_state", 512)]
