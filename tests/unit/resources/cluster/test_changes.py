"""Changes since a moment: each object once, for accounts that may see it, and at a low cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from in_process import Array
from logins import PASSWORD, account, as_, role
from scenarios import aggregate, svm, volume
from simulator import Simulator, simulated
from sqlalchemy import event

from sanstone.core.database import last_changes
from sanstone.core.database.store import writing
from sanstone.kernel.host import HostError
from sanstone.resources.cluster import changes

PATH = "cluster/changes"


def counter(array: Array | Simulator) -> int:
    """Return the number of the last change."""
    answer = array.get(PATH)
    assert answer["records"] == []
    number: int = answer["counter"]
    return number


def since(array: Array | Simulator, after: int) -> dict[str, dict[str, Any]]:
    """Return the changes after a number, by owner."""
    records = array.get(f"{PATH}?after={after}")["records"]
    changes = {f"{record['kind']}:{record['key']}": record for record in records}
    assert len(changes) == len(records)
    assert [r["index"] for r in records] == sorted(r["index"] for r in records)
    return changes


def test_without_a_number_it_is_just_the_counter(api: Array) -> None:
    before = counter(api)
    api.svm()
    assert counter(api) > before


def test_created_changed_and_deleted_objects_are_listed_once(api: Array) -> None:
    before = counter(api)
    uuid = api.svm()["uuid"]
    changes = since(api, before)
    kinds = {owner.partition(":")[0] for owner in changes}
    assert kinds == {"cluster/jobs", "protocols/san/iscsi/credentials", "svm/svms"}
    assert changes[f"svm/svms:{uuid}"]["svm"] == {"uuid": uuid}
    api.patch(f"svm/svms/{uuid}", {"comment": "changed"})
    assert since(api, before).keys() > changes.keys()
    middle = counter(api)
    api.delete(f"svm/svms/{uuid}")
    assert since(api, middle)[f"svm/svms:{uuid}"]["deleted"] is True
    assert "deleted" not in changes[f"svm/svms:{uuid}"]
    assert since(api, counter(api)) == {}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("cluster", {"contact": "somebody"}),
        ("security/login/messages?scope=cluster", {"message": "welcome"}),
        ("private/cli/security/login/role/config?role=admin", {"passwd_minlength": 9}),
    ],
)
def test_settings_come_up(api: Array, path: str, body: dict[str, Any]) -> None:
    before = counter(api)
    api.patch(path, body)
    assert path.partition("?")[0] in {owner.partition(":")[0] for owner in since(api, before)}


def test_the_key_is_what_follows_the_path_of_the_collection(api: Array) -> None:
    before = counter(api)
    place = account(api, "viewer")
    role(api, "some", storage__luns="all")
    api.disks(4)
    uuid = api.aggregate()["uuid"]
    api.svm()
    group = api.make("protocols/san/igroups", {"name": "g", "svm.name": "svm1", "os_type": "linux"})
    changes = since(api, before)
    owners = {place, f"storage/aggregates/{uuid}", "storage/disks/1.0.0"}
    owners |= {f"protocols/san/igroups/{group['uuid']}"}
    assert owners <= {owner.replace(":", "/", 1) for owner in changes}
    for owner in owners:
        api.get(owner)


@pytest.mark.parametrize("away", [-1, 1])
def test_a_number_that_is_not_known_means_to_read_everything(api: Array, away: int) -> None:
    api.svm()
    with writing(api.database) as session:
        floor = last_changes.state(session).floor
    after = floor + away if away < 0 else counter(api) + away
    answer = api.get(f"{PATH}?after={after}")
    assert answer == {"counter": counter(api), "reset": True, "records": []} | {
        name: value for name, value in answer.items() if name == "_links"
    }
    assert "reset" not in api.get(f"{PATH}?after={floor}")


@pytest.mark.parametrize("after", ["-1", "x", "9" * 30])
def test_an_invalid_number_is_refused(api: Array, after: str) -> None:
    assert api.call("GET", f"{PATH}?after={after}").status_code == 400


def test_many_changes_come_in_portions(api: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    before = after = counter(api)
    for number in range(4):
        api.svm(f"svm{number}")
    whole = list(since(api, before))
    monkeypatch.setattr(changes, "MOST", 3)
    portions: list[str] = []
    while portion := list(since(api, after)):
        assert len(portion) <= 3
        portions += portion
        after = api.get(f"{PATH}?after={after}")["counter"]
    assert portions == whole
    assert after == counter(api)


def test_while_nothing_changed_there_is_no_answer(api: Array) -> None:
    api.svm()
    first = api.call("GET", f"{PATH}?after={counter(api)}")
    headers = {"If-None-Match": first.headers["ETag"]}
    again = api.call("GET", f"{PATH}?after={counter(api)}", headers=headers)
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Cache-Control"] == "no-store"
    before = counter(api)
    api.svm("svm2")
    changed = api.call("GET", f"{PATH}?after={before}", headers=headers)
    assert changed.status_code == 200 and changed.get_json()["records"]
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_answering_reads_nothing_but_numbers(api: Array) -> None:
    before = counter(api)
    for number in range(5):
        api.svm(f"svm{number}")
    statements: list[str] = []
    database = api.client.application.extensions["sanstone"]

    def note(*arguments: Any) -> None:
        if arguments[2].startswith("SELECT"):
            statements.append(arguments[2])

    event.listen(database, "before_cursor_execute", note)
    api.get("cluster/ntp/servers")
    usual = len(statements) - 1
    statements.clear()
    api.get(f"{PATH}?after={before}")
    number_queries = [
        text for text in statements if "FROM change_counter" in text or "FROM last_" in text
    ]
    assert len(number_queries) == 2 and len(statements) - len(number_queries) <= usual


def ask(api: Array, name: str, after: int, password: str = PASSWORD) -> set[str]:
    """Return the changed owners that an account may see."""
    answer = as_(api, name, "GET", f"{PATH}?after={after}", password=password)
    assert answer.status_code == 200, answer.data
    return {f"{r['kind']}:{r['key']}" for r in answer.get_json()["records"]}


def test_an_svm_account_gets_its_svms_changes(api: Array) -> None:
    api.disks(4)
    api.aggregate()
    uuids, before = {}, counter(api)
    for number in (1, 2):
        owner = f"svm{number}"
        uuids[owner] = api.svm(owner)["uuid"]
        api.volume("vol1", svm=owner)
        api.lun("/vol/vol1/lun1", svm=owner)
        account(api, "vsadmin", "vsadmin", owner={"name": owner}, password=f"{PASSWORD}{number}")
    luns = {r["svm"]["name"]: r["uuid"] for r in api.records("storage/luns?fields=svm.name")}
    owners = ask(api, "vsadmin", before, f"{PASSWORD}1")
    assert {f"svm/svms:{uuids['svm1']}", f"storage/luns:{luns['svm1']}"} <= owners
    assert f"security/accounts:{uuids['svm1']}/vsadmin" in owners
    text = " ".join(owners)
    assert uuids["svm2"] not in text and luns["svm2"] not in text and "storage/disks" not in text
    middle = counter(api)
    for uuid in luns.values():
        api.observe("storage/luns", uuid, "no pool")
    assert ask(api, "vsadmin", middle, f"{PASSWORD}1") == {f"storage/luns:{luns['svm1']}"}


def test_the_svm_of_what_is_observed_is_known_where_the_object_was_forgotten(api: Array) -> None:
    api.disks(4)
    api.aggregate()
    svm_uuid = api.svm()["uuid"]
    api.volume()
    lun = api.lun()["uuid"]
    with writing(api.database) as session:
        session.query(last_changes.LastChange).delete()
    before = counter(api)
    api.observe("storage/luns", lun, "no pool")
    assert since(api, before)[f"storage/luns:{lun}"]["svm"] == {"uuid": svm_uuid}


def test_a_role_gets_the_changes_that_it_may_read(api: Array) -> None:
    role(api, "some", cluster__changes="readonly", svm="readonly")
    account(api, "viewer", "some")
    before = counter(api)
    uuid = api.svm()["uuid"]
    api.patch("cluster", {"contact": "somebody"})
    assert len(since(api, before)) > 2
    assert ask(api, "viewer", before) == {f"svm/svms:{uuid}"}


@pytest.fixture
def array(tmp_path: Path) -> Any:
    """A whole array in this process."""
    with simulated(tmp_path) as simulator:
        yield simulator


def test_looking_at_what_stays_the_same_counts_nothing(array: Simulator) -> None:
    for step in (aggregate, svm, volume):
        step(array)
    array.settle()
    before = counter(array)
    array.settle()
    array.reconciler.verify_all()
    array.settle()
    array.measure()
    assert since(array, before) == {}


def test_the_reconcilers_changes_and_observations_are_listed(array: Simulator) -> None:
    before = counter(array)
    aggregate(array)
    changes = since(array, before)
    kinds = {owner.partition(":")[0] for owner in changes}
    assert {"storage/aggregates", "storage/disks", "cluster/jobs"} <= kinds
    [job] = [owner for owner in changes if owner.startswith("cluster/jobs:")]
    assert array.get(job.replace(":", "/"))["state"] == "success"


def test_a_change_that_is_taken_back_has_changed_again(array: Simulator) -> None:
    svm(array)
    before = counter(array)
    array.kernel.fail_when(lambda step: "10.10.1.1" in step, HostError("refused"))
    body = {
        "svm.name": "svm1",
        "name": "lif1",
        "ip": {"address": "10.10.1.1", "netmask": "24"},
        "location.home_port.name": "e0a",
    }
    assert array.call("POST", "network/ip/interfaces", body).status_code >= 400
    changes = since(array, before)
    [lif] = [r for r in changes.values() if r["kind"] == "network/ip/interfaces"]
    assert lif["deleted"] is True
    job = next(r for r in changes.values() if r["kind"] == "cluster/jobs")
    assert lif["index"] > before + 1 and job["index"] > before + 1
    array.kernel.interrupt.clear()
    before = counter(array)
    array.do("POST", "network/ip/interfaces", body)
    [lif] = [r for r in since(array, before).values() if r["kind"] == "network/ip/interfaces"]
    assert "deleted" not in lif
