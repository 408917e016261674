"""Aggregates that the array recommends to make of its spares, and makes by itself."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import Array

from sanstone.core.declaration.types import TIB
from sanstone.resources.storage.recommendation import Layout, layout

PATH = "storage/aggregates"
FIELDS = "name,space.block_storage.size,block_storage.primary,recommendation.spares_left"


def recommended(api: Array) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = api.get(f"{PATH}?recommend=true&fields={FIELDS}")["records"]
    return records


class TestLayout:
    @pytest.mark.parametrize(
        ("number", "expected"),
        [
            (1, None),
            (2, Layout("raid1", 2, 2)),
            (3, Layout("raid1", 2, 2)),
            (4, Layout("raid_dp", 24, 4)),
            (5, Layout("raid_dp", 24, 4)),
            (24, Layout("raid_dp", 24, 23)),
            (25, Layout("raid_dp", 24, 23)),
            (50, Layout("raid_dp", 24, 47)),
        ],
    )
    def test_protection_grows_with_the_disks_and_spares_stay(
        self, number: int, expected: Layout | None
    ) -> None:
        assert layout(number, "solid_state", TIB) == expected

    @pytest.mark.parametrize(
        ("disk_class", "size", "raid_size"),
        [
            ("solid_state", 30 * TIB, 24),
            ("performance", TIB, 16),
            ("capacity", 6 * TIB, 12),
            ("capacity", 4 * TIB, 16),
        ],
    )
    def test_groups_are_as_large_as_a_rebuild_allows(
        self, disk_class: str, size: int, raid_size: int
    ) -> None:
        proposal = layout(20, disk_class, size)
        assert proposal is not None
        assert proposal.raid_size == raid_size


class TestRecommendation:
    def test_a_recommendation_is_shown_as_an_aggregate_without_creating_it(
        self, api: Array
    ) -> None:
        api.disks(10)
        (record,) = recommended(api)
        primary = record["block_storage"]["primary"]
        assert record["name"] == "aggr1"
        assert (primary["raid_type"], primary["disk_count"]) == ("raid_dp", 9)
        assert record["recommendation"]["spares_left"] == 1
        assert record["space"]["block_storage"]["size"] > 0
        assert "uuid" not in record
        assert api.get(PATH)["num_records"] == 0

    def test_a_name_that_is_taken_is_not_recommended(self, api: Array) -> None:
        api.disks(10)
        api.aggregate(count=4)
        assert [each["name"] for each in recommended(api)] == ["aggr2"]

    def test_disks_with_other_sectors_are_an_aggregate_of_their_own(self, api: Array) -> None:
        api.disks(5)
        for number in range(5):
            api.disk(f"2.0.{number}", sector_size=4096)
        primaries = [each["block_storage"]["primary"] for each in recommended(api)]
        assert [each["bytes_per_sector"] for each in primaries] == [512, 4096]
        assert [each["disk_count"] for each in primaries] == [4, 4]
        created = api.make(PATH, {"name": "auto"})["block_storage"]["primary"]
        assert (created["disk_count"], created["bytes_per_sector"]) == (4, 512)

    def test_one_disk_is_no_aggregate(self, api: Array) -> None:
        api.disks(1)
        assert recommended(api) == []

    def test_a_name_alone_creates_the_recommended_aggregate(self, api: Array) -> None:
        api.disks(10)
        (record,) = recommended(api)
        created = api.make(PATH, {"name": "auto"})
        for field in ("raid_type", "raid_size", "disk_count", "disks"):
            expected = record["block_storage"]["primary"][field]
            assert created["block_storage"]["primary"][field] == expected

    def test_without_spares_it_is_refused(self, api: Array) -> None:
        api.disks(1)
        api.refuse("POST", PATH, "19726341", {"name": "auto"})

    def test_a_number_alone_is_raid_dp_as_before(self, api: Array) -> None:
        api.disks(10)
        assert api.aggregate(count=10)["block_storage"]["primary"]["raid_type"] == "raid_dp"

    def test_a_raid_type_alone_is_refused(self, api: Array) -> None:
        api.disks(10)
        body = {"name": "a", "block_storage.primary.raid_type": "raid1"}
        response = api.call("POST", PATH, body)
        assert response.status_code == 400
