"""Disks as the array shows them: identity, state and use."""

from __future__ import annotations

from typing import ClassVar

import pytest
from in_process import DISK_SIZE, Array
from standing_clock import now


def test_a_free_disk_is_a_spare(api: Array) -> None:
    api.disk("1.0.1")
    disk = api.get("storage/disks/1.0.1")
    assert (disk["container_type"], disk["state"], disk["content"]) == ("spare", "present", "")
    assert (disk["usable_size"], disk["bytes_per_sector"]) == (DISK_SIZE, 512)
    assert disk["node"]["name"] == "array1-01"
    assert "aggregates" not in disk


def test_a_disk_with_foreign_data_is_foreign_and_shows_its_content(api: Array) -> None:
    api.disk("1.0.1", content="ext4 file system")
    disk = api.get("storage/disks/1.0.1")
    assert (disk["container_type"], disk["content"]) == ("foreign", "ext4 file system")


def test_a_disk_that_is_gone_keeps_what_was_known_of_it(api: Array) -> None:
    api.disk("1.0.1", serial="S1")
    api.disk("1.0.1", serial="S1", present=False)
    disk = api.get("storage/disks/1.0.1")
    assert (disk["state"], disk["container_type"]) == ("removed", "unknown")
    assert disk["serial_number"] == "S1"


def test_two_disks_of_one_identity_are_not_for_use(api: Array) -> None:
    api.disk("1.0.1", identity_conflict=True)
    disk = api.get("storage/disks/1.0.1")
    assert disk["container_type"] == "unsupported"
    assert disk["content"] == "another disk claims the same identity"


@pytest.mark.parametrize(
    ("rotational", "transport", "type_", "class_"),
    [
        (True, "virtio", "vmdisk", "virtual"),
        (False, "nvme", "ssd_nvm", "solid_state"),
        (False, "sata", "ssd", "solid_state"),
        (True, "sata", "ata", "capacity"),
        (True, "sas", "sas", "performance"),
        (False, "iscsi", "lun", "array"),
        (True, "usb", "unknown", "unknown"),
    ],
)
def test_kinds_in_the_words_of_ontap(
    api: Array, rotational: bool, transport: str, type_: str, class_: str
) -> None:
    api.disk("1.0.1", rotational=rotational, transport=transport)
    disk = api.get("storage/disks/1.0.1")
    assert (disk["type"], disk["effective_type"], disk["class"]) == (type_, type_, class_)


def test_a_member_names_its_aggregate_and_is_found_by_it(api: Array) -> None:
    api.disks(5)
    aggregate = api.aggregate(count=4)
    records = api.records(
        "storage/disks?aggregates.name=aggr1&fields=effective_type,container_type"
    )
    assert [disk["name"] for disk in records] == ["1.0.0", "1.0.1", "1.0.2", "1.0.3"]
    assert {disk["container_type"] for disk in records} == {"aggregate"}
    disk = api.get("storage/disks/1.0.0")
    assert disk["aggregates"] == [{"name": "aggr1", "uuid": aggregate["uuid"]}]
    assert disk["content"] == 'aggregate "aggr1"'
    assert [d["name"] for d in api.records("storage/disks?container_type=spare")] == ["1.0.4"]


def test_a_member_is_found_by_an_aggregate_of_the_longest_name(api: Array) -> None:
    api.disks(4)
    aggregate = api.aggregate(count=4)
    name = "a" * 255
    api.patch(f"storage/aggregates/{aggregate['uuid']}", {"name": name})
    [first, *_] = api.records(f'storage/disks?content=aggregate "{name}"')
    assert first["name"] == "1.0.0"


def test_a_member_that_the_kernel_threw_out_is_broken(api: Array) -> None:
    api.disks(4)
    aggregate = api.aggregate()
    members = [{"device": "/dev/1.0.2", "state": "faulty", "slot": None}]
    group = {"group": 0, "state": "degraded", "degraded": 1, "members": members}
    api.observe("storage/aggregates", aggregate["uuid"], raid=[group])
    disk = api.get("storage/disks/1.0.2")
    assert (disk["state"], disk["container_type"]) == ("broken", "broken")
    assert api.get("storage/disks/1.0.1")["state"] == "present"


def test_disks_are_not_deleted(api: Array) -> None:
    api.disk("1.0.1")
    assert api.call("DELETE", "storage/disks/1.0.1").status_code == 405
    api.get("storage/disks/9.9.9", 404)


class TestLight:
    """The locate light is all of a disk that can be changed."""

    def test_a_light_is_ordered_for_half_an_hour(self, api: Array) -> None:
        api.disk("1.0.1", light="off")
        before = now()
        api.patch("storage/disks/1.0.1", {"location_led": "on"})
        [until] = [row.locate_until for row in api.contents()["disk"]]
        assert before + 1800 <= until <= now() + 1800

    def test_that_it_is_off_is_no_order(self, api: Array) -> None:
        """A light that another client put on stays on when a client sends back an old record."""
        api.disk("1.0.1", light="off")
        api.patch("storage/disks/1.0.1", {"location_led": "off"})
        assert [row.locate_until for row in api.contents()["disk"]] == [None]

    def test_an_order_that_is_not_done_yet_is_taken_back(self, api: Array) -> None:
        api.disk("1.0.1", light="off")
        for light in ("on", "off"):
            api.patch("storage/disks/1.0.1", {"location_led": light})
        assert [row.locate_until for row in api.contents()["disk"]] == [0.0]

    def test_a_disk_without_a_light_is_refused(self, api: Array) -> None:
        api.disk("1.0.1")
        error = api.refuse("PATCH", "storage/disks/1.0.1", "262197", {"location_led": "on"})
        assert error["message"] == "This disk has no locate light."

    def test_there_is_no_other_state(self, api: Array) -> None:
        api.disk("1.0.1", light="off")
        api.refuse("PATCH", "storage/disks/1.0.1", "262197", {"location_led": "blink"})


class TestErase:
    """A disk with data on it is erased if the request names its content."""

    FOREIGN = "md member of nas:0"

    def test_an_erasure_needs_the_content_that_was_shown(self, api: Array) -> None:
        api.disk("1.0.1", content=self.FOREIGN)
        api.patch("storage/disks/1.0.1", {"erase.content": self.FOREIGN})
        [order] = api.contents()["removal"]
        assert (order.kind, order.owner) == ("erasure", "storage/disks:1.0.1")
        expected = {"method": "discard", "content": self.FOREIGN}
        assert order.data == {"groups": [["serial:disk:1.0.1"]], **expected}
        assert api.get("storage/disks/1.0.1")["state"] == "zeroing"

    def test_a_disk_is_not_used_during_its_erasure(self, api: Array) -> None:
        api.disk("1.0.1", content=self.FOREIGN)
        api.patch("storage/disks/1.0.1", {"erase.content": self.FOREIGN})
        error = api.refuse("PATCH", "storage/disks/1.0.1", "8", {"erase.content": self.FOREIGN})
        assert "being cleared" in error["message"]
        primary = {"raid_type": "raid0", "disks": ["1.0.1"]}
        body = {"name": "a", "block_storage": {"primary": primary}}
        api.refuse("POST", "storage/aggregates", "19726341", body)

    @pytest.mark.parametrize("content", ["", "ext4 file system"])
    def test_an_erasure_with_the_wrong_content_is_refused(self, api: Array, content: str) -> None:
        api.disk("1.0.1", content=self.FOREIGN)
        error = api.refuse("PATCH", "storage/disks/1.0.1", "8", {"erase.content": content})
        assert self.FOREIGN in error["message"]

    def test_a_method_alone_is_no_order(self, api: Array) -> None:
        api.disk("1.0.1", content=self.FOREIGN)
        response = api.call("PATCH", "storage/disks/1.0.1", {"erase.method": "zeroes"})
        assert response.status_code == 400
        assert api.contents()["removal"] == []

    def test_a_disk_without_discard_loses_its_labels(self, api: Array) -> None:
        api.disk("1.0.1", content=self.FOREIGN, discards=False)
        body = {"erase.content": self.FOREIGN}
        path = "storage/disks/1.0.1"
        api.refuse("PATCH", path, "262197", body | {"erase.method": "discard"})
        api.patch(path, body)
        [order] = api.contents()["removal"]
        assert order.data["method"] == "labels"

    def test_a_spare_may_be_overwritten(self, api: Array) -> None:
        api.disk("1.0.1")
        api.patch("storage/disks/1.0.1", {"erase.content": "", "erase.method": "zeroes"})
        [order] = api.contents()["removal"]
        assert order.data["method"] == "zeroes"

    @pytest.mark.parametrize(
        ("facts", "why"),
        [
            ({"content": "mounted at /", "busy": "mounted at /"}, "mounted at /"),
            ({"content": "LVM physical volume", "busy": "in use by vg-lv"}, "in use by vg-lv"),
            ({"content": FOREIGN, "present": False}, "cannot be erased"),
            ({"content": FOREIGN, "identity_conflict": True}, "the same identity"),
        ],
    )
    def test_a_disk_in_use_is_not_erased(
        self, api: Array, facts: dict[str, object], why: str
    ) -> None:
        api.disk("1.0.1", **facts)
        body = {"erase.content": facts["content"]}
        error = api.refuse("PATCH", "storage/disks/1.0.1", "8", body)
        assert why in error["message"]

    def test_a_disk_of_an_aggregate_is_refused(self, api: Array) -> None:
        api.disks(4)
        api.aggregate()
        content = api.get("storage/disks/1.0.1")["content"]
        error = api.refuse("PATCH", "storage/disks/1.0.1", "8", {"erase.content": content})
        assert 'aggregate "aggr1"' in error["message"]


class TestSanitize:
    """Disks that can sanitize themselves do so, and are no spares until they are done."""

    CAN: ClassVar[dict[str, object]] = {"methods": ["crypto_erase"], "state": "", "percent": None}
    RUNS: ClassVar[dict[str, object]] = {"methods": [], "state": "running", "percent": 40}
    FAILED: ClassVar[dict[str, object]] = {"methods": [], "state": "failed", "percent": None}

    def test_sanitize_methods_are_shown(self, api: Array) -> None:
        api.disk("1.0.1", sanitize=self.CAN)
        sanitize = api.get("storage/disks/1.0.1")["sanitize"]
        assert sanitize == {"supported": True, "methods": ["crypto_erase"]}
        api.disk("1.0.2")
        assert api.get("storage/disks/1.0.2")["sanitize"] == {"supported": False}
        records = api.records("storage/disks?sanitize.supported=true")
        assert [disk["name"] for disk in records] == ["1.0.1"]

    def test_a_sanitize_operation_is_ordered(self, api: Array) -> None:
        api.disk("1.0.1", sanitize=self.CAN)
        body = {"erase.content": "", "erase.method": "crypto_erase"}
        api.patch("storage/disks/1.0.1", body)
        [order] = api.contents()["removal"]
        assert order.data["method"] == "crypto_erase"

    @pytest.mark.parametrize("method", ["overwrite", "block_erase"])
    def test_an_unsupported_method_is_refused(self, api: Array, method: str) -> None:
        api.disk("1.0.1", sanitize=self.CAN)
        body = {"erase.content": "", "erase.method": method}
        error = api.refuse("PATCH", "storage/disks/1.0.1", "262197", body)
        assert f"cannot sanitize itself by {method}" in error["message"]

    def test_a_sanitizing_disk_is_no_spare(self, api: Array) -> None:
        api.disk("1.0.1", sanitize=self.RUNS, content="unreadable: no", busy="unreadable: no")
        disk = api.get("storage/disks/1.0.1")
        assert (disk["state"], disk["content"]) == ("zeroing", "it sanitizes itself")
        assert disk["sanitize"] == {"supported": True, "state": "running", "percent": 40}
        body = {"erase.content": disk["content"], "erase.method": "overwrite"}
        error = api.refuse("PATCH", "storage/disks/1.0.1", "8", body)
        assert "being cleared" in error["message"]
        primary = {"raid_type": "raid0", "disks": ["1.0.1"]}
        body = {"name": "a", "block_storage": {"primary": primary}}
        api.refuse("POST", "storage/aggregates", "19726341", body)

    def test_a_disk_that_failed_to_sanitize_is_broken_and_can_only_repeat_it(
        self, api: Array
    ) -> None:
        api.disk("1.0.1", sanitize=self.FAILED, content="unreadable: no", busy="unreadable: no")
        disk = api.get("storage/disks/1.0.1")
        assert (disk["state"], disk["container_type"]) == ("broken", "broken")
        body = {"erase.content": disk["content"], "erase.method": "zeroes"}
        error = api.refuse("PATCH", "storage/disks/1.0.1", "8", body)
        assert "has failed to sanitize itself" in error["message"]
        api.patch("storage/disks/1.0.1", body | {"erase.method": "overwrite"})
        assert api.contents()["removal"][0].data["method"] == "overwrite"

    def test_a_disk_that_failed_to_sanitize_is_released(self, api: Array) -> None:
        api.disk("1.0.1", sanitize=self.FAILED, content="unreadable: no", busy="unreadable: no")
        api.patch("storage/disks/1.0.1", {"sanitize.action": "release"})
        [order] = api.contents()["removal"]
        assert (order.kind, order.data["method"]) == ("erasure", "release")

    @pytest.mark.parametrize("action", ["abort", "release"])
    def test_there_is_nothing_to_end(self, api: Array, action: str) -> None:
        api.disk("1.0.1", sanitize=self.CAN)
        api.refuse("PATCH", "storage/disks/1.0.1", "8", {"sanitize.action": action})
        assert api.contents()["removal"] == []

    def test_release_is_no_way_to_erase(self, api: Array) -> None:
        api.disk("1.0.1", sanitize=self.FAILED)
        body = {"erase.content": "", "erase.method": "release"}
        api.refuse("PATCH", "storage/disks/1.0.1", "262197", body)

    def test_a_member_that_failed_is_not_sanitized(self, api: Array) -> None:
        api.disks(4)
        api.aggregate()
        api.disk("1.0.1", sanitize=self.FAILED)
        disk = api.get("storage/disks/1.0.1")
        body = {"erase.content": disk["content"], "erase.method": "overwrite"}
        api.refuse("PATCH", "storage/disks/1.0.1", "8", body)
        api.refuse("PATCH", "storage/disks/1.0.1", "8", {"sanitize.action": "release"})
