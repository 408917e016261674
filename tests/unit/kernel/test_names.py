"""Names of arrays, groups and devices: derived from UUIDs, within the kernel's limits."""

from __future__ import annotations

import pytest

from sanstone.kernel import names

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
DEVICE = "55555555-1111-4111-8111-111111111111"


def test_lengths_stay_within_the_limits_of_kernel_and_tools() -> None:
    assert len(names.array_device(AGGREGATE, 999).removeprefix("/dev/")) <= 31
    assert len(f"{names.HOME_HOST}:{names.array_name(AGGREGATE, 999)}") <= 32
    assert len(f"{names.configuration_device(AGGREGATE)}_tmeta") <= 127
    places = (*names.UNDER_MD, *names.OVER_MD, *names.OVER_THIN)
    assert all(len(place) <= 15 for place in places)
    longest = "x" * 15
    assert len(names.layer_device(DEVICE, longest)) <= 127
    assert len(names.layer_uuid(DEVICE, longest)) <= 128
    assert len(names.group_device(AGGREGATE, 999, longest)) <= 127
    assert len(names.group_uuid(AGGREGATE, 999, longest)) <= 128
    assert len(names.disk_device(AGGREGATE, "wwn:" + "5" * 200, longest)) <= 127
    assert len(names.disk_uuid(AGGREGATE, "wwn:" + "5" * 200, longest)) <= 128


def test_each_raid_group_has_its_own_lasting_uuid() -> None:
    assert names.array_uuid(AGGREGATE, 0) == names.array_uuid(AGGREGATE, 0)
    assert names.array_uuid(AGGREGATE, 0) != names.array_uuid(AGGREGATE, 1)
    assert names.array_uuid(AGGREGATE, 0) != names.array_uuid(DEVICE, 0)


def test_a_groups_name_contains_its_aggregate() -> None:
    assert names.aggregate_of(names.volume_group(AGGREGATE)) == AGGREGATE


@pytest.mark.parametrize("name", ["vg0", "sanstone_short", "sanstone_" + "x" * 32, ""])
def test_a_foreign_groups_name_has_no_aggregate(name: str) -> None:
    assert names.aggregate_of(name) == ""


@pytest.mark.parametrize("name", ["home", "sanstone", "sanstone-aaaaaaaa-0/../sda", "sanstone-x-0"])
def test_a_foreign_arrays_name_has_no_device(name: str) -> None:
    assert names.device_of_array(name) == ""


def test_our_arrays_name_gives_its_device() -> None:
    name = names.array_name(AGGREGATE, 3)
    assert names.device_of_array(name) == names.array_device(AGGREGATE, 3)


def test_all_layers_of_a_device_contain_its_uuid() -> None:
    assert names.uuid_of_device(names.device_uuid(DEVICE)) == DEVICE
    assert names.uuid_of_device(names.layer_uuid(DEVICE, names.THIN)) == DEVICE
    assert names.uuid_of_device("LVM-abc") == ""


def test_a_place_below_the_volume_group_is_no_exported_device() -> None:
    assert names.uuid_of_device(names.group_uuid(AGGREGATE, 3, "plain")) == ""
    assert names.uuid_of_device(names.disk_uuid(AGGREGATE, "wwn:5000", "plain")) == ""
