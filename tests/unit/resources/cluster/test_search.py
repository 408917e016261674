"""One search finds everything that its sender may see."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array
from logins import account, as_, role

from sanstone.core.database.store import writing
from sanstone.model.san import Lun

IQN = "iqn.1994-05.com.redhat:host1"
FIELDS = "&fields=**"
NQN = "nqn.2014-08.org.nvmexpress:uuid:host1"


@pytest.fixture
@prepared_once
def two(api: Array) -> Array:
    """Two SVMs with alike objects; and the accounts `vsadmin` of the first."""
    api.disks(4)
    api.aggregate()
    for number in (1, 2):
        svm = f"svm{number}"
        api.svm(svm, iscsi={"enabled": True}, nvme={"enabled": True})
        api.volume("vol1", svm=svm)
        api.lun("/vol/vol1/lun1", svm=svm, comment=f"of tenant {number}")
        api.lun("/vol/vol1/lun10", svm=svm)
        group = {"name": "hosts", "svm": {"name": svm}, "os_type": "linux"}
        api.make("protocols/san/igroups", group | {"initiators": [{"name": f"{IQN}-{number}"}]})
        subsystem = {"name": "sub1", "svm": {"name": svm}, "os_type": "linux"}
        api.make("protocols/nvme/subsystems", subsystem | {"hosts": [{"nqn": f"{NQN}-{number}"}]})
    account(api, "vsadmin", "vsadmin", owner={"name": "svm1"})
    return api


def search_hits(array: Array, text: str) -> list[tuple[str, str, str]]:
    """Return kind, name and SVM of the objects found."""
    return hits_in(array.get(f"cluster/search?query={text}{FIELDS}"))


def hits_in(answer: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return kind, name and SVM of the records of an answer with all fields."""
    return [(r["kind"], r["name"], r.get("svm", {}).get("name", "")) for r in answer["records"]]


def test_a_record_leads_to_its_object(two: Array) -> None:
    (lun,) = two.records("storage/luns?svm.name=svm1&name=*lun1&fields=serial_number")
    (record,) = two.records(f"cluster/search?query={lun['serial_number'].lower()}{FIELDS}")
    assert record == {
        "kind": "storage/luns",
        "name": "/vol/vol1/lun1",
        "path": f"storage/luns/{lun['uuid']}",
        "uuid": lun["uuid"],
        "svm": record["svm"],
        "_links": {"self": {"href": f"/api/storage/luns/{lun['uuid']}"}},
    }
    assert record["svm"]["name"] == "svm1"
    assert two.get(record["path"])["name"] == record["name"]
    assert two.get(f"cluster/search/{record['path']}?fields=**")["name"] == record["name"]


def test_the_best_comes_first(two: Array) -> None:
    two.lun("/vol/vol1/a-lun1")
    names = [name for _, name, _ in search_hits(two, "LUN1")]
    whole, beginning = ["/vol/vol1/lun1"] * 2, ["/vol/vol1/lun10"] * 2
    assert names == [*whole, *beginning, "/vol/vol1/a-lun1"]


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("tenant 2", "storage/luns", {"/vol/vol1/lun1"}),
        ("aggr", "storage/aggregates", {"aggr1"}),
        ("svm2", "svm/svms", {"svm2"}),
        ("vol1", "storage/volumes", {"vol1"}),
        ("hosts", "protocols/san/igroups", {"hosts"}),
        ("redhat", "protocols/san/igroups/{igroup.uuid}/initiators", {f"{IQN}-1", f"{IQN}-2"}),
        (f"{NQN}-2", "protocols/nvme/subsystems/{subsystem.uuid}/hosts", {f"{NQN}-2"}),
        ("serial:disk:1.0.3", "storage/disks", {"1.0.3"}),
        (":vs.1", "protocols/san/iscsi/services", None),
        ("subsystem.sub1", "protocols/nvme/subsystems", {"sub1"}),
        ("hourly", "cluster/schedules", {"hourly"}),
    ],
)
def test_each_identifier_finds_its_object(
    two: Array, text: str, kind: str, names: set[str] | None
) -> None:
    hits = {name for found_kind, name, _ in search_hits(two, text) if found_kind == kind}
    assert hits == names if names else hits


def test_a_disk_is_found_by_its_serial_number(api: Array) -> None:
    api.disk("1.0.7", serial="ZX-77")
    assert search_hits(api, "zx-") == [("storage/disks", "1.0.7", "")]


def test_a_hundred_are_shown(two: Array) -> None:
    with writing(two.database) as session:
        lun = session.query(Lun).first()
        assert lun is not None
        for number in range(150):
            owner = {"svm_uuid": lun.svm_uuid, "volume_uuid": lun.volume_uuid}
            columns = {"name": f"/vol/vol1/many{number:03}", "size": 4096, "thin_id": 1000 + number}
            session.add(Lun(os_type="linux", source_device="", **columns, **owner))
            session.flush()
    assert len(search_hits(two, "many")) == 100
    first = two.get("cluster/search?query=many&max_records=30&return_total=true")
    assert (first["num_records"], first["total_records"]) == (30, 100)
    assert first["records"][0]["name"] == "/vol/vol1/many000"
    assert search_hits(two, "many149")[0][1] == "/vol/vol1/many149"


def test_an_account_of_an_svm_finds_its_svm_s_objects_alone(two: Array) -> None:
    for text in ("", "1", "lun", "vol", "hosts", "redhat", "svm", "aggr"):
        answer = as_(two, "vsadmin", "GET", f"cluster/search?query={text}{FIELDS}")
        assert answer.status_code == 200
        assert {svm for _, _, svm in hits_in(answer.get_json())} <= {"svm1"}, text
        of_svm1 = {row for row in search_hits(two, text) if row[2] == "svm1"}
        assert set(hits_in(answer.get_json())) == of_svm1, text
    (other,) = two.records("storage/luns?svm.name=svm2&name=*lun1")
    path = f"cluster/search/storage/luns/{other['uuid']}"
    assert as_(two, "vsadmin", "GET", path).status_code == 404


def test_a_header_confines_it_too(two: Array) -> None:
    headers = {"X-Dot-SVM-Name": "svm2"}
    answer = two.call("GET", f"cluster/search?query=lun1{FIELDS}", headers=headers)
    assert {svm for _, _, svm in hits_in(answer.get_json())} == {"svm2"}


@pytest.mark.parametrize(
    ("privileges", "kinds"),
    [
        ({"storage": "readonly"}, {"storage/luns", "storage/volumes", "storage/aggregates"}),
        ({"storage__luns": "readonly"}, {"storage/luns"}),
        ({"svm": "all", "storage__luns": "none"}, set()),
        ({"protocols": "readonly", "protocols__san__igroups": "none"}, {"iscsi", "nvme"}),
    ],
)
def test_a_role_limits_what_is_found(
    two: Array, privileges: dict[str, str], kinds: set[str]
) -> None:
    role(two, "few", cluster__search="readonly", **privileges)
    account(two, "someone", "few")
    answer = as_(two, "someone", "GET", f"cluster/search?query=1{FIELDS}").get_json()
    hits = {kind for kind, _, _ in hits_in(answer)}
    assert all(kind in hits or any(kind in hit for hit in hits) for kind in kinds)
    allowed = [f"{p.replace('__', '/')}" for p, access in privileges.items() if access != "none"]
    assert all(kind.startswith(tuple(allowed)) for kind in hits)
    assert not any("igroups" in kind for kind in hits)


def test_hidden_objects_take_no_place_in_the_results(two: Array) -> None:
    luns = two.records("storage/luns?name=*lun1")
    hidden = {f"storage__luns__{luns[0]['uuid']}": "none"}
    role(two, "most", storage="readonly", cluster__search="readonly", **hidden)
    account(two, "someone", "most")
    answer = as_(two, "someone", "GET", "cluster/search?query=lun1&fields=uuid").get_json()
    hits = [record.get("uuid") for record in answer["records"]]
    assert luns[0]["uuid"] not in hits
    assert luns[1]["uuid"] in hits
    for lun, status in ((luns[0], 404), (luns[1], 200)):
        path = f"cluster/search/storage/luns/{lun['uuid']}"
        assert as_(two, "someone", "GET", path).status_code == status


def test_a_role_without_the_search_has_none(two: Array) -> None:
    role(two, "few", storage="readonly")
    account(two, "someone", "few")
    assert as_(two, "someone", "GET", "cluster/search?query=lun").status_code == 403


@pytest.mark.parametrize("text", ["%00", "%0a", "x" * 256])
def test_a_text_that_is_none_is_refused(api: Array, text: str) -> None:
    assert api.get(f"cluster/search?query={text}", 400)["error"]["target"] == "query"


def test_an_object_that_is_not_there_is_not_found(api: Array) -> None:
    for path in ("storage/luns/none", "storage/none/x", "no/such"):
        assert api.get(f"cluster/search/{path}", 404)["error"]["code"] == "4"
