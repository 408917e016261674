"""Aggregates: which disks they take, how they grow, how disks are replaced, how they go."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import DISK_SIZE, GIB, Array
from sqlalchemy import select

from sanstone.core.database.store import reading
from sanstone.kernel.storage import md
from sanstone.model.aggregates import AggregateDisk
from sanstone.rules.storage.raid import RAID_TYPES

PATH = "storage/aggregates"


def names(record: dict[str, Any]) -> list[str]:
    return [disk["name"] for disk in record["block_storage"]["primary"]["disks"]]


def groups(api: Array) -> list[int]:
    """Return how many disks each RAID group has."""
    with reading(api.database) as session:
        numbers = [row.raid_group for row in session.scalars(select(AggregateDisk))]
    return [numbers.count(number) for number in sorted(set(numbers))]


def broken(api: Array, aggregate: str, disk: str) -> None:
    members = [{"device": f"/dev/{disk}", "state": "faulty", "slot": None}]
    group = {"group": 0, "state": "degraded", "degraded": 1, "members": members}
    api.observe(PATH, aggregate, raid=[group])


class TestCreate:
    def test_spares_are_picked_in_order_and_the_answer_has_the_uuid(self, api: Array) -> None:
        api.disks(12)
        created = api.aggregate(count=10)
        primary = created["block_storage"]["primary"]
        assert names(created) == [f"1.0.{n}" for n in range(10)]
        assert (primary["raid_type"], primary["raid_size"]) == ("raid_dp", 16)
        assert (primary["disk_count"], primary["disk_class"]) == (10, "solid_state")
        assert (primary["disk_type"], created["block_storage"]["storage_type"]) == ("ssd", "ssd")
        assert groups(api) == [10]

    def test_a_creation_is_a_job_that_clients_can_follow(self, api: Array) -> None:
        api.disks(4)
        body = {"name": "a", "block_storage.primary.disk_count": "4", "node.name": "array1-01"}
        response = api.call("POST", PATH, body)
        assert response.status_code == 202
        assert response.headers["Location"].startswith("/api/storage/aggregates/")
        assert response.get_json()["job"]["_links"]["self"]["href"].startswith("/api/cluster/jobs/")

    def test_groups_are_as_few_and_as_even_as_can_be(self, api: Array) -> None:
        api.disks(18)
        api.aggregate(count=18)
        assert groups(api) == [9, 9]

    def test_only_disks_of_one_type_and_size_the_smallest_that_suffice(self, api: Array) -> None:
        for n in range(4):
            api.disk(f"large{n}", size=20 * GIB)
            api.disk(f"small{n}", size=10 * GIB)
            api.disk(f"slow{n}", size=5 * GIB, rotational=True)
        api.disk("tiny", size=GIB)
        assert names(api.aggregate("a", disk_class="solid_state")) == [
            f"small{n}" for n in range(4)
        ]
        assert names(api.aggregate("b", disk_class="solid_state")) == [
            f"large{n}" for n in range(4)
        ]
        assert names(api.aggregate("c")) == [f"slow{n}" for n in range(4)]

    def test_a_size_may_be_requested(self, api: Array) -> None:
        for n in range(4):
            api.disk(f"small{n}", size=10 * GIB)
            api.disk(f"large{n}", size=20 * GIB)
        body = {"name": "a", "block_storage": {"primary": {"disk_count": 4}}}
        assert names(api.make(f"{PATH}?disk_size=19GB", body))[0] == "large0"

    def test_disks_may_be_named(self, api: Array) -> None:
        api.disks(8)
        disks = ["1.0.7", "1.0.1", "1.0.3", "1.0.5"]
        created = api.make(PATH, {"name": "a", "block_storage": {"primary": {"disks": disks}}})
        assert names(created) == disks

    @pytest.mark.parametrize("raid_type", RAID_TYPES)
    def test_the_fewest_disks_are_what_the_kernel_driver_takes(
        self, api: Array, raid_type: str
    ) -> None:
        fewest = md.RAID_TYPES[raid_type].minimum_disks
        api.disks(8)
        api.aggregate(count=fewest, raid_type=raid_type)
        if fewest > 1:
            primary = {"disk_count": fewest - 1, "raid_type": raid_type}
            body = {"name": "b", "block_storage": {"primary": primary}}
            api.refuse("POST", PATH, "786973", body)

    def test_raid_dp_of_three_disks_is_refused_with_a_reason(self, api: Array) -> None:
        api.disks(8)
        body = {"name": "a", "block_storage": {"primary": {"disk_count": 3}}}
        error = api.refuse("POST", PATH, "786973", body)
        assert "Linux's RAID 6" in error["message"]

    def test_too_few_spares(self, api: Array) -> None:
        api.disks(5)
        api.disk("1.0.4", content="LVM")
        api.disk("1.0.9", present=False)
        body = {"name": "a", "block_storage": {"primary": {"disk_count": 5}}}
        error = api.refuse("POST", PATH, "19726341", body)
        assert f"4 ssd of {DISK_SIZE} bytes" in error["message"]

    def test_a_disk_with_data_is_never_taken_even_when_named(self, api: Array) -> None:
        api.disks(4)
        api.disk("1.0.2", content="NTFS file system")
        disks = [f"1.0.{n}" for n in range(4)]
        body = {"name": "a", "block_storage": {"primary": {"disks": disks}}}
        error = api.refuse("POST", PATH, "19726341", body)
        assert "NTFS" in error["message"]

    @pytest.mark.parametrize(
        ("code", "primary"),
        [
            ("4", {"disks": ["1.0.0", "1.0.1", "1.0.2", "nope"]}),
            ("262188", {"disks": ["1.0.0", "1.0.1", "1.0.2", "1.0.2"]}),
            ("262186", {"disks": ["1.0.0", "1.0.1", "1.0.2", "1.0.3"], "disk_count": 5}),
            ("786973", {"disk_count": 8, "raid_size": 3}),
            ("2", {"raid_type": "raid_dp"}),
        ],
    )
    def test_unsuitable_disks_are_refused(
        self, api: Array, code: str, primary: dict[str, Any]
    ) -> None:
        api.disks(8)
        api.refuse("POST", PATH, code, {"name": "a", "block_storage": {"primary": primary}})

    def test_names_are_unique_and_the_node_is_the_one(self, api: Array) -> None:
        api.disks(8)
        api.aggregate("a")
        body: dict[str, Any] = {"name": "a", "block_storage": {"primary": {"disk_count": 4}}}
        api.refuse("POST", PATH, "786439", body)
        api.refuse("POST", PATH, "4", body | {"name": "b", "node": "other-01"})
        encryption = {"data_encryption": {"software_encryption_enabled": True}}
        api.refuse("POST", PATH, "262197", body | {"name": "b"} | encryption)

    def test_a_failed_job_leaves_nothing_wanted_but_the_cleaning_up(self, api: Array) -> None:
        api.disks(8)
        api.aggregate("first")
        api.failures[PATH] = ("460770", "mdadm failed.")
        response = api.call("POST", PATH, {"name": "b", "block_storage.primary.disk_count": 4})
        job = api.get(f"cluster/jobs/{response.get_json()['job']['uuid']}")
        assert (job["state"], job["error"]["code"]) == ("failure", "460770")
        assert [record["name"] for record in api.records(PATH)] == ["first"]
        (removal,) = api.contents()["removal"]
        assert removal.data["uuid"] == response.headers["Location"].rpartition("/")[2]


class TestShow:
    def test_space_is_what_was_seen(self, api: Array) -> None:
        api.disks(6)
        uuid = api.aggregate(count=6)["uuid"]
        facts = {"used": GIB, "size": 4 * GIB, "available": 3 * GIB, "metadata_used_percent": 12.4}
        api.observe(PATH, uuid, **facts)
        record = api.get(f"{PATH}/{uuid}")
        assert record["state"] == "online"
        space = record["space"]["block_storage"]
        assert (space["size"], space["used"], space["available"]) == (4 * GIB, GIB, 3 * GIB)
        assert (space["used_percent"], space["metadata_used_percent"]) == (25, 12)
        assert record["space"]["footprint"] == GIB

    def test_the_fields_that_trident_reads(self, api: Array) -> None:
        api.disks(4)
        api.aggregate()
        fields = "block_storage.primary.disk_type,space.footprint,space.block_storage.size"
        records = api.records(f"{PATH}?fields={fields},space.block_storage.used&name=*")
        assert records[0]["block_storage"]["primary"]["disk_type"] == "ssd"

    def test_never_seen_is_unknown(self, api: Array) -> None:
        api.disks(4)
        uuid = api.aggregate()["uuid"]
        api.observe(PATH, uuid, state="strange")
        assert api.get(f"{PATH}/{uuid}")["state"] == "unknown"


class TestChange:
    def test_rename_and_the_same_again(self, api: Array) -> None:
        api.disks(8)
        uuid = api.aggregate("a")["uuid"]
        api.aggregate("b")
        for _ in range(2):
            assert api.patch(f"{PATH}/{uuid}", {"name": "c"})["state"] == "success"
        api.refuse("PATCH", f"{PATH}/{uuid}", "786439", {"name": "b"})

    def test_an_aggregate_grows_by_whole_groups(self, api: Array) -> None:
        api.disks(12)
        uuid = api.aggregate(count=8)["uuid"]
        api.refuse("PATCH", f"{PATH}/{uuid}", "786973", {"block_storage.primary.disk_count": 9})
        grown = {"block_storage": {"primary": {"disk_count": 12}}}
        for _ in range(2):
            assert api.patch(f"{PATH}/{uuid}", grown)["state"] == "success"
        assert groups(api) == [8, 4]

    @pytest.mark.parametrize(
        ("code", "spares", "change", "possible"),
        [
            ("786973", 4, {"disk_count": 9}, "disk_count can be 12."),
            ("19726341", 6, {"disk_count": 24}, "disk_count can be 12 to 14."),
            ("786973", 9, {"disk_count": 15, "raid_size": 5}, "can be 12 to 13, 16 to 17."),
            ("786973", 3, {"disk_count": 10}, "too few spare disks of its type."),
            ("786973", 4, {"disks": [f"1.0.{n}" for n in range(9)]}, "disk_count can be 12."),
        ],
    )
    def test_an_impossible_growth_is_refused_with_the_possible_one(
        self, api: Array, code: str, spares: int, change: dict[str, Any], possible: str
    ) -> None:
        api.disks(8 + spares)
        for number in range(9):
            api.disk(f"1.1.{number}", rotational=True)
        primary = {"disks": [f"1.0.{n}" for n in range(8)]}
        body = {"name": "a", "block_storage": {"primary": primary}}
        path = f"{PATH}/{api.make(PATH, body)['uuid']}"
        error = api.refuse("PATCH", path, code, {"block_storage": {"primary": change}})
        assert error["message"].endswith(possible), error["message"]

    def test_growth_takes_disks_of_its_type_and_if_possible_its_size(self, api: Array) -> None:
        api.disks(4)
        uuid = api.aggregate()["uuid"]
        for n in range(4):
            api.disk(f"cheap{n}", size=GIB, rotational=True)
            api.disk(f"small{n}", size=5 * GIB)
            api.disk(f"same{n}")
        api.patch(f"{PATH}/{uuid}", {"block_storage.primary.disk_count": 8})
        assert names(api.get(f"{PATH}/{uuid}"))[4:] == [f"same{n}" for n in range(4)]
        api.patch(f"{PATH}/{uuid}", {"block_storage.primary.disk_count": 12})
        assert names(api.get(f"{PATH}/{uuid}"))[8:] == [f"small{n}" for n in range(4)]
        api.refuse("PATCH", f"{PATH}/{uuid}", "19726341", {"block_storage.primary.disk_count": 16})

    def test_an_aggregate_never_shrinks_nor_changes_its_raid_type(self, api: Array) -> None:
        api.disks(8)
        uuid = api.aggregate(count=8)["uuid"]
        path = f"{PATH}/{uuid}"
        api.refuse("PATCH", path, "262197", {"block_storage.primary.disk_count": 4})
        api.refuse("PATCH", path, "262197", {"block_storage.primary.raid_type": "raid5"})
        assert api.patch(path, {"block_storage.primary.raid_type": "raid_dp"})["state"] == "success"

    def test_a_broken_disk_is_replaced_in_its_place(self, api: Array) -> None:
        api.disks(5)
        uuid = api.aggregate(count=4)["uuid"]
        broken(api, uuid, "1.0.1")
        disks = ["1.0.0", "1.0.4", "1.0.2", "1.0.3"]
        for _ in range(2):
            api.patch(f"{PATH}/{uuid}", {"block_storage": {"primary": {"disks": disks}}})
        assert names(api.get(f"{PATH}/{uuid}")) == disks
        assert groups(api) == [4]

    def test_a_working_disk_is_not_given_up(self, api: Array) -> None:
        api.disks(5)
        uuid = api.aggregate(count=4)["uuid"]
        disks = ["1.0.0", "1.0.4", "1.0.2", "1.0.3"]
        path, body = f"{PATH}/{uuid}", {"block_storage": {"primary": {"disks": disks}}}
        error = api.refuse("PATCH", path, "8", body)
        assert "1.0.1" in error["message"]
        fewer = {"block_storage": {"primary": {"disks": disks[:1]}}}
        api.refuse("PATCH", path, "262197", fewer)

    def test_a_smaller_disk_does_not_take_the_place(self, api: Array) -> None:
        api.disks(4)
        uuid = api.aggregate(count=4)["uuid"]
        api.disk("small", size=GIB)
        broken(api, uuid, "1.0.1")
        disks = ["1.0.0", "small", "1.0.2", "1.0.3"]
        body = {"block_storage": {"primary": {"disks": disks}}}
        api.refuse("PATCH", f"{PATH}/{uuid}", "262197", body)


class TestSectors:
    """Disks with logical sectors of 4096 bytes and of 512 never come into one aggregate."""

    FOUR = {"sector_size": 4096}

    def test_disks_are_picked_of_one_kind(self, api: Array) -> None:
        for number in range(4):
            api.disk(f"1.0.{2 * number}")
            api.disk(f"1.0.{2 * number + 1}", **self.FOUR)
        first, second = api.aggregate("a"), api.aggregate("b")
        assert names(first) == [f"1.0.{n}" for n in (0, 2, 4, 6)]
        assert names(second) == [f"1.0.{n}" for n in (1, 3, 5, 7)]
        sectors = [a["block_storage"]["primary"]["bytes_per_sector"] for a in (first, second)]
        assert sectors == [512, 4096]

    def test_too_few_of_one_kind_are_refused(self, api: Array) -> None:
        api.disks(3)
        api.disk("1.0.3", **self.FOUR)
        body = {"name": "a", "block_storage.primary.disk_count": 4}
        error = api.refuse("POST", PATH, "19726341", body)
        assert f"3 ssd of {DISK_SIZE} bytes in sectors of 512" in error["message"]

    def test_named_disks_are_of_one_kind(self, api: Array) -> None:
        api.disks(3)
        api.disk("1.0.3", **self.FOUR)
        primary = {"disks": [f"1.0.{n}" for n in range(4)]}
        body = {"name": "a", "block_storage": {"primary": primary}}
        error = api.refuse("POST", PATH, "8", body)
        assert '"1.0.3" has sectors of 4096 bytes, the others of 512' in error["message"]

    def test_growth_takes_disks_with_the_same_sectors(self, api: Array) -> None:
        api.disks(4)
        path = f"{PATH}/{api.aggregate()['uuid']}"
        for number in range(4):
            api.disk(f"four{number}", **self.FOUR)
        grown = {"block_storage.primary.disk_count": 8}
        error = api.refuse("PATCH", path, "19726341", grown)
        assert "too few spare disks of its type" in error["message"]
        disks = ["1.0.0", "1.0.1", "1.0.2", "1.0.3", *(f"four{n}" for n in range(4))]
        body = {"block_storage": {"primary": {"disks": disks}}}
        api.refuse("PATCH", path, "8", body)
        for number in range(4):
            api.disk(f"same{number}")
        assert api.patch(path, grown)["state"] == "success"

    @pytest.mark.parametrize("sectors", [(512, 4096), (4096, 512)])
    def test_a_pulled_disk_is_replaced_by_its_own_kind(
        self, api: Array, sectors: tuple[int, int]
    ) -> None:
        own, other = sectors
        api.disks(4, sector_size=own)
        path = f"{PATH}/{api.aggregate()['uuid']}"
        api.disk("1.0.1", sector_size=own, present=False)
        api.disk("other", sector_size=other)
        api.disk("same", sector_size=own)

        def body_with(disk: str) -> dict[str, Any]:
            disks = ["1.0.0", disk, "1.0.2", "1.0.3"]
            return {"block_storage": {"primary": {"disks": disks}}}

        error = api.refuse("PATCH", path, "8", body_with("other"))
        [tried] = api.patch(f"{path}?dry_run=true", body_with("other"))["refusals"]
        assert tried["message"] == error["message"]
        assert api.patch(path, body_with("same"))["state"] == "success"

    def test_a_member_of_another_kind_can_be_replaced(self, api: Array) -> None:
        """An earlier release let it in; until the next start the aggregate has its old sectors."""
        api.disks(4)
        uuid = api.aggregate()["uuid"]
        api.observe(PATH, uuid, sector_size=512)
        api.disk("1.0.1", **self.FOUR)
        api.disk("same")
        disks = ["1.0.0", "same", "1.0.2", "1.0.3"]
        body = {"block_storage": {"primary": {"disks": disks}}}
        assert api.patch(f"{PATH}/{uuid}", body)["state"] == "success"


class TestDelete:
    def test_its_disks_become_spares_and_its_removal_is_ordered(self, api: Array) -> None:
        api.disks(8)
        uuid = api.aggregate(count=8, raid_size=4)["uuid"]
        api.svm(aggregates=["aggr1"])
        assert api.delete(f"{PATH}/{uuid}")["state"] == "success"
        assert api.records(PATH) == []
        assert len(api.records("storage/disks?container_type=spare")) == 8
        assert api.records("svm/svms?fields=aggregates")[0]["aggregates"] == []
        (removal,) = api.contents()["removal"]
        assert (removal.kind, removal.owner) == ("aggregate", f"{PATH}:{uuid}")
        assert removal.data["raid_type"] == "raid_dp"
        first, second = removal.data["groups"]
        assert first == [f"serial:disk:1.0.{n}" for n in range(4)]
        assert len(second) == 4

    def test_its_disks_are_not_used_again_before_they_are_cleared(self, api: Array) -> None:
        api.disks(4)
        api.delete(f"{PATH}/{api.aggregate()['uuid']}")
        assert len(api.records("storage/disks?state=zeroing")) == 4
        body = {"name": "b", "block_storage": {"primary": {"disk_count": 4}}}
        api.refuse("POST", PATH, "19726341", body)
        body = {"name": "b", "block_storage": {"primary": {"disks": ["1.0.0"]}}}
        assert "cleared" in api.refuse("POST", PATH, "19726341", body)["message"]

    def test_not_while_it_has_volumes(self, api: Array) -> None:
        api.disks(4)
        uuid = api.aggregate()["uuid"]
        api.svm()
        volume = api.volume()["uuid"]
        assert api.get(f"{PATH}/{uuid}")["volume_count"] == 1
        api.refuse("DELETE", f"{PATH}/{uuid}", "786497")
        api.delete(f"storage/volumes/{volume}")
        assert api.delete(f"{PATH}/{uuid}")["state"] == "success"

    def test_a_failed_deletion_is_taken_back(self, api: Array) -> None:
        api.disks(4)
        uuid = api.aggregate()["uuid"]
        api.failures[f"{PATH}:{uuid}"] = ("460770", "The pool is in use.")
        before = api.get(f"{PATH}/{uuid}")
        assert api.delete(f"{PATH}/{uuid}")["state"] == "failure"
        assert api.get(f"{PATH}/{uuid}") == before
