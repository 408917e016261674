"""An SVM's account sees its SVM and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import LOGIN, Array
from logins import ACCOUNTS, HTTP, KEY, PASSWORD, ROLES, account, as_, status

from sanstone.core.database.store import reading
from sanstone.model.security import Account, Failures


@pytest.fixture
def two(api: Array) -> Array:
    """Two SVMs with a volume, a LUN and an igroup each, and an account `vsadmin` in each."""
    api.disks(4)
    api.aggregate()
    for number in (1, 2):
        svm = f"svm{number}"
        api.svm(svm, iscsi={"enabled": True})
        api.volume("vol1", svm=svm)
        api.lun("/vol/vol1/lun1", svm=svm)
        group = {"name": f"group{number}", "svm": {"name": svm}, "os_type": "linux"}
        api.make("protocols/san/igroups", group)
        account(api, "vsadmin", "vsadmin", owner={"name": svm}, password=f"{PASSWORD}{number}")
    return api


def ask(two: Array, method: str, path: str, body: Any = None) -> Any:
    """Send a request as the first SVM's account."""
    return as_(two, "vsadmin", method, path, body, password=f"{PASSWORD}1")


@pytest.mark.parametrize("path", ["storage/volumes", "storage/luns", "protocols/san/igroups"])
def test_an_svm_account_sees_only_the_svms_objects(two: Array, path: str) -> None:
    records = ask(two, "GET", f"{path}?fields=svm.name").get_json()["records"]
    assert [record["svm"]["name"] for record in records] == ["svm1"]
    (other,) = two.records(f"{path}?svm.name=svm2")
    for method in ("GET", "PATCH", "DELETE"):
        answer = ask(two, method, f"{path}/{other['uuid']}", {} if method == "PATCH" else None)
        assert answer.status_code == 404


def test_an_svm_account_sees_its_svm_and_the_array(two: Array) -> None:
    names = [r["name"] for r in ask(two, "GET", "svm/svms").get_json()["records"]]
    assert names == ["svm1"]
    assert ask(two, "GET", "cluster").status_code == 200
    assert ask(two, "GET", "storage/aggregates").status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "storage/disks"),
        ("GET", "support/ems/events"),
        ("GET", "security/roles"),
        ("DELETE", "storage/aggregates?name=aggr1"),
        ("PATCH", "cluster"),
        ("POST", "svm/svms"),
    ],
)
def test_the_array_is_not_its_business(two: Array, method: str, path: str) -> None:
    assert ask(two, method, path, {"name": "x"}).status_code == 403


def allow_everything(two: Array) -> str:
    """Give the first SVM's account a role for all paths, and return the SVM's UUID."""
    svm: str = two.records("svm/svms?name=svm1")[0]["uuid"]
    role = {"name": "all", "owner.uuid": svm}
    two.make(ROLES, role | {"privileges": [{"path": "/api", "access": "all"}]})
    two.patch(f"{ACCOUNTS}/{svm}/vsadmin", {"role.name": "all"})
    return svm


def test_a_role_that_allows_everything_does_not_change_that(two: Array) -> None:
    svm = allow_everything(two)
    for method, path in (
        ("GET", "storage/disks"),
        ("DELETE", "storage/aggregates?name=aggr1"),
        ("PATCH", "cluster"),
        ("POST", "svm/svms"),
        ("DELETE", f"svm/svms/{svm}"),
        ("GET", "support/ems/events"),
    ):
        answer = ask(two, method, path, {"name": "x"})
        assert answer.status_code == 403, (method, path)
    account = {"name": "another", "applications": HTTP, "password": PASSWORD}
    assert ask(two, "POST", ACCOUNTS, account | {"owner.name": "svm2"}).status_code == 400
    assert ask(two, "POST", ACCOUNTS, account).status_code == 201
    owners = [r["owner"]["name"] for r in ask(two, "GET", ACCOUNTS).get_json()["records"]]
    assert owners == ["svm1", "svm1"]


def test_objects_of_an_svm_account_belong_to_the_svm(two: Array) -> None:
    body = {"name": "new", "os_type": "linux"}
    assert ask(two, "POST", "protocols/san/igroups", body).status_code == 201
    (record,) = two.records("protocols/san/igroups?name=new&fields=svm.name")
    assert record["svm"]["name"] == "svm1"
    body["svm"] = {"name": "svm2"}  # type: ignore[assignment]
    assert ask(two, "POST", "protocols/san/igroups", body).status_code == 400


def test_an_svm_account_reaches_no_other_svm_by_reference_or_parent(two: Array) -> None:
    (group,) = two.records("protocols/san/igroups?svm.name=svm2")
    (lun,) = two.records("storage/luns?svm.name=svm2")
    where = f"protocols/san/igroups/{group['uuid']}/initiators"
    initiator = {"name": "iqn.1994-05.com.example:x"}
    assert ask(two, "POST", where, initiator).status_code == 404
    assert ask(two, "GET", where).status_code == 404
    maps = {"lun.uuid": lun["uuid"], "igroup.name": "group1"}
    answer = ask(two, "POST", "protocols/san/lun-maps", maps)
    assert answer.get_json()["error"]["code"] == "1254201"
    answer = ask(two, "POST", "protocols/san/lun-maps", maps | {"lun.name": "/vol/vol1/other"})
    assert answer.get_json()["error"]["code"] == "1254201", (
        "it does not reveal that the UUID exists"
    )


def test_an_svm_account_sees_its_own_jobs(two: Array) -> None:
    body = {"name": "vol9", "size": 1024**3}
    job = ask(two, "POST", "storage/volumes", body).get_json()["job"]["uuid"]
    assert ask(two, "GET", f"cluster/jobs/{job}").get_json()["state"] == "success"
    all_jobs = two.get("cluster/jobs?return_records=false")["num_records"]
    own = ask(two, "GET", "cluster/jobs?return_records=false").get_json()["num_records"]
    assert 0 < own < all_jobs


def test_a_job_about_several_svms_is_none_of_theirs(two: Array) -> None:
    two.patch("storage/luns?name=*", {"comment": "changed in both"})
    two.patch("storage/luns?svm.name=svm1", {"comment": "changed in one"})
    igroups = [{"name": "new", "svm.name": f"svm{n}", "os_type": "linux"} for n in (1, 2)]
    assert two.call("POST", "protocols/san/igroups", {"records": igroups}).status_code == 201
    fields = "fields=svm.name&order_by=start_time"
    jobs = [two.records(f"cluster/jobs?description={what}*&{fields}") for what in ("PATCH", "POST")]
    assert ["svm" in job for job in jobs[0]][-2:] == [False, True]
    assert "svm" not in jobs[1][-1]


def test_accounts_of_one_name_are_distinguished(two: Array) -> None:
    for number in (1, 2):
        for login in ("vsadmin", rf"svm{number}\vsadmin"):
            answer = as_(two, login, "GET", "svm/svms", password=f"{PASSWORD}{number}")
            assert [r["name"] for r in answer.get_json()["records"]] == [f"svm{number}"]
    assert status(two, r"svm2\vsadmin", "GET", "svm/svms", password=f"{PASSWORD}1") == 401
    assert status(two, r"svm1\admin", "GET", "svm/svms", password=LOGIN[1]) == 401


def test_one_password_for_two_svms_logs_nobody_in(two: Array) -> None:
    for svm in two.records("svm/svms"):
        two.patch(f"{ACCOUNTS}/{svm['uuid']}/vsadmin", {"password": "the same 4 both"})
    assert status(two, "vsadmin", "GET", "svm/svms", password="the same 4 both") == 401
    headers = {"X-Dot-SVM-Name": "svm2"}
    auth = ("vsadmin", "the same 4 both")
    answer = two.client.get("/api/svm/svms", headers=headers, auth=auth)
    assert [r["name"] for r in answer.get_json()["records"]] == ["svm2"]


def test_a_header_that_names_another_svm_opens_nothing(two: Array) -> None:
    other = two.records("svm/svms?name=svm2")[0]
    for headers in ({"X-Dot-SVM-Name": "svm2"}, {"X-Dot-SVM-UUID": other["uuid"]}):
        auth = (r"svm1\vsadmin", f"{PASSWORD}1")
        answer = two.client.get("/api/storage/luns", headers=headers, auth=auth)
        assert answer.status_code == 400


def test_accounts_go_with_their_svm(api: Array) -> None:
    svm = api.svm("svm1")["uuid"]
    account(api, "vsadmin", "vsadmin", owner={"name": "svm1"})
    key = {"owner.name": "svm1", "account.name": "vsadmin", "public_key": KEY}
    api.make("security/authentication/publickeys", key)
    api.patch(f"security/login/messages/{svm}", {"message": "Hello."})
    assert status(api, "vsadmin", "GET", "svm/svms", password="wrong") == 401
    api.delete(f"svm/svms/{svm}")
    with reading(api.database) as session:
        assert [row.name for row in session.query(Account)] == ["admin"]
        assert session.query(Failures).all() == []


def test_an_svm_account_copies_nothing_of_another_svm(two: Array) -> None:
    source = {"copy.source.svm.name": "svm2", "copy.source.name": "/vol/vol1/lun1"}
    answer = ask(two, "POST", "storage/luns", {"name": "/vol/vol1/stolen"} | source)
    assert answer.get_json()["error"]["code"] == "2621462"
    assert len(two.records("storage/luns")) == 2


@pytest.mark.parametrize("command", ["lun", "volume"])
def test_commands_over_rest_show_it_only_what_is_the_svms(two: Array, command: str) -> None:
    allow_everything(two)
    path = f"private/cli/{command}"
    assert {record["vserver"] for record in two.records(path)} == {"svm1", "svm2"}
    records = ask(two, "GET", path).get_json()["records"]
    assert [record["vserver"] for record in records] == ["svm1"]


def test_figures_for_prometheus_are_not_its_business(two: Array) -> None:
    allow_everything(two)
    assert ask(two, "GET", "metrics").get_json()["error"]["code"] == "6"
    assert two.call("GET", "metrics").status_code == 200
