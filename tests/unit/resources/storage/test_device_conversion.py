"""A LUN becomes a namespace and a namespace a LUN, or nothing changes, with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from beginnings import prepared_once
from in_process import GIB, Array
from sqlalchemy import delete, select, update

from sanstone.core import jobs
from sanstone.core.database.change import Removal
from sanstone.core.database.store import reading, writing
from sanstone.core.jobs import Job
from sanstone.http import routes
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.volumes import ThinDevice

LUNS, NAMESPACES = "storage/luns", "storage/namespaces"
LUN, NS = "/vol/vol1/lun1", "/vol/vol1/ns1"
TO_NAMESPACE = {"svm": "svm1", "convert": {"lun": {"name": LUN}}}
TO_LUN = {"svm": "svm1", "convert": {"namespace": {"name": NS}}}
IN_USE = "8"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with vol1 of 5 GiB, in it lun1, and ns1 with blocks of 512 bytes."""
    api.disks(8)
    api.aggregate()
    api.svm()
    api.volume()
    api.make("storage/qos/policies", {"name": "qos1", "svm": "svm1"})
    api.lun(LUN, comment="mine", **{"qos_policy.name": "qos1"})
    api.namespace(NS, **{"space.block_size": 512})
    in_place(api, Lun)
    in_place(api, Namespace)
    return api


def in_place(array: Array, kind: type[ThinDevice]) -> None:
    """Record the devices of a kind as the reconciler does."""
    for device in rows(array, kind):
        array.observe(kind.kind, device.uuid, thin_id=device.thin_id)


def rows(array: Array, kind: Any) -> list[Any]:
    with reading(array.database) as session:
        return list(session.execute(select(*kind.__table__.columns)))


def removals(array: Array) -> list[tuple[str, str]]:
    return [(row.kind, row.owner) for row in rows(array, Removal)]


def record_of(array: Array, path: str, name: str) -> dict[str, Any]:
    fields = "name,os_type,comment,enabled,space.size,space.guarantee.requested,qos_policy.name"
    [record] = array.records(f"{path}?name={name}&fields={fields}")
    del record["_links"]
    return record


def everything(array: Array) -> dict[str, list[dict[str, Any]]]:
    """Return all LUNs and namespaces but for their figures, which bear the time of the request."""
    records = {kind: array.records(f"{kind}?fields=**") for kind in (LUNS, NAMESPACES)}
    for record in (*records[LUNS], *records[NAMESPACES]):
        del record["metric"], record["statistics"]
    return records


class TestConverted:
    @pytest.mark.parametrize("by", ["name", "uuid"])
    def test_a_lun_is_a_namespace_with_all_that_was_true_of_it(self, array: Array, by: str) -> None:
        before, [row] = record_of(array, LUNS, LUN), rows(array, Lun)
        identity = {"name": LUN, "uuid": row.uuid}[by]
        created = array.make(NAMESPACES, {"svm": "svm1", "convert": {"lun": {by: identity}}})
        assert record_of(array, NAMESPACES, LUN) == before
        assert created["space"]["block_size"] == 512
        assert array.records(LUNS) == []
        [now] = [each for each in rows(array, Namespace) if each.name == LUN]
        assert (now.thin_id, now.volume_uuid) == (row.thin_id, row.volume_uuid)

    def test_a_namespace_is_a_lun_with_a_serial_number_of_its_own(self, array: Array) -> None:
        before, [row] = record_of(array, NAMESPACES, NS), rows(array, Namespace)
        created = array.make(LUNS, TO_LUN)
        assert record_of(array, LUNS, NS) == before
        assert len({lun["serial_number"] for lun in array.records(f"{LUNS}?fields=**")}) == 2
        assert created["space"]["scsi_thin_provisioning_support_enabled"] is True
        assert array.records(NAMESPACES) == []
        [now] = [each for each in rows(array, Lun) if each.name == NS]
        assert now.thin_id == row.thin_id

    def test_blocks_are_as_large_as_before_on_disks_with_large_sectors(self, array: Array) -> None:
        array.disks(12, sector_size=4096)
        array.aggregate("large")
        array.volume("vol2", aggregates=[{"name": "large"}])
        array.lun("/vol/vol2/a")
        in_place(array, Lun)
        convert = {"svm": "svm1", "convert": {"lun": {"name": "/vol/vol2/a"}}}
        assert array.make(NAMESPACES, convert)["space"]["block_size"] == 4096
        in_place(array, Namespace)
        array.make(LUNS, {"svm": "svm1", "convert": {"namespace": {"name": "/vol/vol2/a"}}})

    def test_no_data_is_ordered_to_go(self, array: Array) -> None:
        [row] = rows(array, Lun)
        array.make(NAMESPACES, TO_NAMESPACE)
        array.make(LUNS, TO_LUN)
        assert removals(array) == [("reservations", f"{NAMESPACES}:{row.uuid}")]

    def test_an_offline_device_can_be_converted(self, array: Array) -> None:
        [row] = rows(array, Lun)
        array.patch(f"{LUNS}/{row.uuid}", {"enabled": False})
        assert array.make(NAMESPACES, TO_NAMESPACE)["enabled"] is False


class TestTakenBack:
    @pytest.mark.parametrize(
        ("path", "body"), [(NAMESPACES, TO_NAMESPACE), (LUNS, TO_LUN)], ids=["LUN", "namespace"]
    )
    def test_a_failed_conversion_leaves_all_as_it_was(
        self, array: Array, path: str, body: dict[str, Any]
    ) -> None:
        before = everything(array)
        array.failures[path] = ("65538", "no")
        assert array.call("POST", path, body).status_code == 500
        assert everything(array) == before
        assert removals(array) == []

    @pytest.mark.parametrize(
        "since",
        [update(Namespace).values(size=2 * GIB), delete(Namespace)],
        ids=["grown", "deleted"],
    )
    def test_not_when_the_namespace_was_changed_meanwhile(
        self, array: Array, monkeypatch: pytest.MonkeyPatch, since: Any
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(jobs, "wake", lambda: None)
            patch.setattr(routes, "SYNCHRONOUS_WAIT", 0)
            array.call("POST", f"{NAMESPACES}?return_timeout=0", TO_NAMESPACE)
        with writing(array.database) as session:
            session.execute(since.where(Namespace.name == LUN))
        array.failures[NAMESPACES] = ("65538", "no")
        array.reconcile()
        assert array.records(LUNS) == []
        [event] = array.records("support/ems/events?message.name=job.revert.failed&fields=**")
        assert "what took over the data was changed since" in event["log_message"]


def _map_lun(array: Array) -> None:
    array.make("protocols/san/igroups", {"name": "g", "svm": "svm1", "os_type": "linux"})
    array.make("protocols/san/lun-maps", {"svm": "svm1", "lun.name": LUN, "igroup.name": "g"})


def _map_namespace(array: Array) -> None:
    array.make("protocols/nvme/services", {"svm": "svm1"})
    array.make("protocols/nvme/subsystems", {"name": "s", "svm": "svm1", "os_type": "linux"})
    body = {"svm": "svm1", "namespace.name": NS, "subsystem.name": "s"}
    array.make("protocols/nvme/subsystem-maps", body)


def _group(array: Array) -> None:
    body = {"name": "cg1", "svm": "svm1", "volumes": [{"name": "vol1", **JOINING}]}
    array.make("application/consistency-groups", body)


JOINING = {"provisioning_options": {"action": "add"}}


def _attribute(array: Array) -> None:
    [row] = rows(array, Lun)
    array.make(f"{LUNS}/{row.uuid}/attributes", {"name": "a", "value": "b"})


def _offline(array: Array) -> None:
    [volume] = array.records("storage/volumes")
    array.patch(f"storage/volumes/{volume['uuid']}", {"state": "offline"})


def _stop(array: Array) -> None:
    [svm] = array.records("svm/svms")
    array.patch(f"svm/svms/{svm['uuid']}", {"state": "stopped"})


def _forbid(*names: str) -> Callable[[Array], None]:
    def forbid(array: Array) -> None:
        [svm] = array.records("svm/svms")
        array.patch(f"svm/svms/{svm['uuid']}", {f"{name}.allowed": False for name in names})

    return forbid


def _copied_onto(array: Array) -> None:
    array.lun("/vol/vol1/other")
    [row] = [each for each in rows(array, Lun) if each.name == LUN]
    array.patch(f"{LUNS}/{row.uuid}", {"clone.source.name": "/vol/vol1/other"})


def _being_unmapped(array: Array) -> None:
    [row] = rows(array, Lun)
    with writing(array.database) as session:
        session.add(Job(description="DELETE", touched=[f"protocols/san/lun-maps:{row.uuid}/g"]))


def _set(kind: Any, **values: Any) -> Callable[[Array], None]:
    def change(array: Array) -> None:
        with writing(array.database) as session:
            session.execute(update(kind).values(**values))

    return change


class TestRefused:
    @pytest.mark.parametrize(
        ("first", "code", "reason"),
        [
            (_map_lun, "1254197", f'"{LUN}" is mapped'),
            (_set(Lun, os_type="solaris"), IN_USE, "A namespace cannot be for solaris hosts"),
            (_attribute, IN_USE, "has attributes, which a namespace cannot have"),
            (_group, IN_USE, 'is in consistency group "cg1"'),
            (_offline, "5374866", 'Volume "vol1" is offline'),
            (_stop, "5374893", 'SVM "svm1" is stopped'),
            (_forbid("nvme"), "2621507", "is not allowed to serve a namespace"),
            (_copied_onto, IN_USE, "is still being changed"),
            (_being_unmapped, IN_USE, "is still being changed"),
        ],
    )
    def test_a_lun(
        self, array: Array, first: Callable[[Array], None], code: str, reason: str
    ) -> None:
        first(array)
        assert reason in array.refuse("POST", NAMESPACES, code, TO_NAMESPACE)["message"]
        tried = array.call("POST", f"{NAMESPACES}?dry_run=true", TO_NAMESPACE).get_json()
        assert [reason in refusal["message"] for refusal in tried["refusals"]] == [True]

    @pytest.mark.parametrize(
        ("first", "code", "reason"),
        [
            (_map_namespace, "72089796", f'"{NS}" is mapped'),
            (_set(Namespace, block_size=4096), IN_USE, "has blocks of 4096 bytes"),
            (_forbid("iscsi", "fcp", "srp"), "2621507", "is not allowed to serve a LUN"),
        ],
    )
    def test_a_namespace(
        self, array: Array, first: Callable[[Array], None], code: str, reason: str
    ) -> None:
        first(array)
        assert reason in array.refuse("POST", LUNS, code, TO_LUN)["message"]

    def test_the_protocol_that_it_had_is_not_needed_any_more(self, array: Array) -> None:
        _forbid("nvme")(array)
        array.make(LUNS, TO_LUN)

    @pytest.mark.parametrize(
        ("path", "reference", "code"),
        [
            (NAMESPACES, {"convert.lun.name": NS}, "5374876"),
            (NAMESPACES, {"convert.lun.uuid": "00000000-0000-4000-8000-000000000000"}, "5374875"),
            (LUNS, {"convert.namespace.name": LUN}, "72090007"),
        ],
    )
    def test_a_missing_source_is_refused(
        self, array: Array, path: str, reference: dict[str, str], code: str
    ) -> None:
        array.refuse("POST", path, code, {"svm": "svm1", **reference})

    @pytest.mark.parametrize(
        "more",
        [
            {"name": "/vol/vol1/new"},
            {"os_type": "linux"},
            {"space.size": GIB},
            {"space.block_size": 4096},
            {"comment": "new"},
            {"enabled": False},
            {"qos_policy": "qos1"},
            {"clone.source.name": NS},
        ],
        ids=lambda more: next(iter(more)),
    )
    def test_anything_else_that_is_given(self, array: Array, more: dict[str, Any]) -> None:
        error = array.refuse("POST", NAMESPACES, "262186", TO_NAMESPACE | more)
        assert error["target"] == next(iter(more))


class TestTried:
    def test_a_dry_run_lists_created_and_deleted_objects(self, array: Array) -> None:
        [row] = rows(array, Lun)
        before = array.contents()
        tried = array.call("POST", f"{NAMESPACES}?dry_run=true", TO_NAMESPACE).get_json()
        assert (tried["refusals"], tried["aggregates"]) == ([], [])
        both = {"uuid": row.uuid, "name": LUN}
        assert tried["changes"] == [
            {"action": "delete", "path": LUNS, **both},
            {"action": "create", "path": NAMESPACES, **both},
        ]
        assert array.contents() == before

    def test_all_obstacles_are_reported_together(self, array: Array) -> None:
        _map_lun(array)
        _attribute(array)
        tried = array.call("POST", f"{NAMESPACES}?dry_run=true", TO_NAMESPACE).get_json()
        assert len(tried["refusals"]) == 2


def test_a_restore_brings_the_former_kind_back(array: Array) -> None:
    [volume] = array.records("storage/volumes")
    array.make(f"storage/volumes/{volume['uuid']}/snapshots", {"name": "then"})
    before = {kind: array.records(f"{kind}?fields=**") for kind in (LUNS, NAMESPACES)}
    contents = {row.uuid: row.thin_id for kind in (Lun, Namespace) for row in rows(array, kind)}
    array.make(NAMESPACES, TO_NAMESPACE)
    array.make(LUNS, TO_LUN)
    place = f"storage/volumes/{volume['uuid']}?restore_to.snapshot.name=then"
    array.patch(place, {})
    for kind, records in before.items():
        identity = [
            {name: record.get(name) for name in ("uuid", "name", "serial_number", "os_type")}
            for record in records
        ]
        again = array.records(f"{kind}?fields=**")
        assert [{name: record.get(name) for name in identity[0]} for record in again] == identity
    after = {row.uuid: row.thin_id for kind in (Lun, Namespace) for row in rows(array, kind)}
    assert after.keys() == contents.keys()
    assert not set(after.values()) & set(contents.values())
    removed = {row.data["thin_id"] for row in rows(array, Removal) if row.kind == "content"}
    assert removed == set(contents.values())


def test_a_moved_and_converted_device_is_not_duplicated_by_a_restore(array: Array) -> None:
    [lun] = rows(array, Lun)
    [volume] = array.records("storage/volumes")
    array.make(f"storage/volumes/{volume['uuid']}/snapshots", {"name": "then"})
    array.volume("vol2")
    array.patch(f"{LUNS}/{lun.uuid}", {"name": "/vol/vol2/lun1"})
    body = {"svm": "svm1", "convert.lun.uuid": lun.uuid}
    assert array.make(NAMESPACES, body)["uuid"] == lun.uuid
    array.patch(f"storage/volumes/{volume['uuid']}?restore_to.snapshot.name=then", {})
    [restored] = [record for record in array.records(LUNS) if record["name"] == LUN]
    assert restored["uuid"] != lun.uuid
