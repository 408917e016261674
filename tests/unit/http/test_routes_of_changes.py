"""POST, PATCH and DELETE, as a client sees them."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from toy import Shelf, ShelfResource
from toy_api import Toys, answer, refusal_message

from sanstone.core import jobs
from sanstone.core.database.change import Removal
from sanstone.core.database.store import reading
from sanstone.core.jobs import Job
from sanstone.http import routes

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
Unchanged = Callable[[], None]


class TestCreate:
    """POST."""

    def test_a_synchronous_resource_is_there_at_once(self, shelves: Toys) -> None:
        response = shelves.call("POST", "toys/shelves", {"name": "new", "svm": "svm1"})
        assert answer(response, 201) == {}
        assert re.fullmatch(f"/api/toys/shelves/{UUID}", response.headers["Location"])
        assert shelves.get(response.headers["Location"].removeprefix("/api/"))["name"] == "new"

    def test_an_asynchronous_resource_is_a_job(self, api: Toys) -> None:
        response = api.call("POST", "svm/svms", {"name": "new"})
        body = answer(response, 202)
        uuid = body["job"]["uuid"]
        assert body == {
            "job": {"uuid": uuid, "_links": {"self": {"href": f"/api/cluster/jobs/{uuid}"}}}
        }
        assert re.fullmatch(f"/api/svm/svms/{UUID}", response.headers["Location"])
        assert api.jobs() == [f"POST {response.headers['Location']}"]

    def test_the_job_has_its_link_in_plain_json_too(self, api: Toys) -> None:
        headers = {"Accept": "application/json"}
        body = answer(api.call("POST", "svm/svms", {"name": "new"}, headers=headers), 202)
        assert body["job"]["_links"]["self"]["href"].endswith(body["job"]["uuid"])

    @pytest.mark.parametrize("word", ["true", "True", "TRUE"])
    def test_records_on_demand(self, shelves: Toys, word: str) -> None:
        path = f"toys/shelves?return_records={word}"
        body = answer(shelves.call("POST", path, {"name": "new", "svm": "svm1"}), 201)
        assert body["num_records"] == 1
        assert body["records"][0]["name"] == "new"
        assert body["records"][0]["svm"]["name"] == "svm1"

    def test_records_and_job_together(self, api: Toys) -> None:
        path = "svm/svms?return_records=true"
        body = answer(api.call("POST", path, {"name": "new"}), 202)
        assert body.keys() == {"job", "records", "num_records"}
        assert body["records"][0]["uuid"]

    def test_several_at_once(self, shelves: Toys) -> None:
        records = [{"name": name, "svm.name": "svm1"} for name in ("x", "y")]
        path = "toys/shelves?return_records=true"
        body = answer(shelves.call("POST", path, {"records": records}), 201)
        assert [record["name"] for record in body["records"]] == ["x", "y"]

    def test_several_objects_are_created_together_or_not_at_all(
        self, shelves: Toys, unchanged: Unchanged
    ) -> None:
        records = [{"name": "x", "svm.name": "svm1"}, {"name": "a", "svm.name": "svm1"}]
        refusal_message(shelves.call("POST", "toys/shelves", {"records": records}), 409, "1")
        unchanged()

    def test_a_child_belongs_to_the_parent_in_its_path(self, shelves: Toys) -> None:
        shelf = shelves.shelf("new")
        path = f"toys/shelves/{shelf}/boxes"
        response = shelves.call("POST", path, {"name": "iqn.x:y"})
        answer(response, 201)
        assert response.headers["Location"] == f"/api/{path}/iqn.x:y"
        record = shelves.get(f"{path}/iqn.x:y")
        assert (record["shelf"]["uuid"], record["number"]) == (shelf, 3)
        assert shelves.jobs()[-1] == f"POST /api/{path}/iqn.x:y"

    @pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
    def test_a_parent_that_does_not_exist(self, shelves: Toys, method: str) -> None:
        for path in ("toys/shelves/x/boxes?number=1", "toys/shelves/x/boxes/b"):
            if (method, path[-1]) == ("POST", "b"):
                continue
            body = {"name": "b"} if method in ("POST", "PATCH") else None
            path = path.removesuffix("?number=1") if method == "POST" else path
            refusal_message(shelves.call(method, path, body), 404, "4")

    def test_a_name_that_two_requests_raced_for(self, shelves: Toys) -> None:
        response = shelves.call("POST", "toys/shelves", {"name": "a", "svm": "svm1"})
        refusal_message(response, 409, "1")

    def test_a_failed_job_is_the_answer_and_leaves_what_was(self, shelves: Toys) -> None:
        shelves.failure = ("917536", "full")
        response = shelves.call("POST", "toys/shelves", {"name": "new", "svm": "svm1"})
        assert refusal_message(response, 500, "917536") == "full"
        assert "new" not in shelves.names("toys/shelves")
        with reading(shelves.database) as session:
            assert session.scalars(select(Removal.kind)).all() == ["thin"]

    def test_a_reconciler_that_takes_long_turns_a_request_into_a_job(
        self, shelves: Toys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(routes, "SYNCHRONOUS_WAIT", 0)
        shelves.asleep = True
        path = "toys/shelves?return_records=true"
        response = shelves.call("POST", path, {"name": "new", "svm": "svm1"})
        body = answer(response, 202)
        assert body["job"]["uuid"]
        assert body["records"][0]["name"] == "new"
        assert response.headers["Location"]


class TestModify:
    """PATCH."""

    def test_a_change_merges(self, shelves: Toys) -> None:
        uuid = shelves.shelf("new", comment="x", space={"size": 7})
        path = f"toys/shelves/{uuid}"
        assert answer(shelves.call("PATCH", path, {"ip": {"netmask": "8"}}), 200) == {}
        record = shelves.get(path)
        assert (record["comment"], record["space"]["size"]) == ("x", 7)
        assert record["ip"]["netmask"] == "8"
        assert shelves.jobs()[-1] == f"PATCH /api/{path}"

    @pytest.mark.parametrize("body", [None, b"", b"null", b"{}", b'{"space": {}}'])
    def test_no_changes_are_fine(self, shelves: Toys, body: bytes | None) -> None:
        uuid = shelves.shelf("new")
        assert answer(shelves.call("PATCH", f"toys/shelves/{uuid}", body), 200) == {}

    def test_the_same_again_is_fine(self, shelves: Toys) -> None:
        uuid = shelves.shelf("new")
        for _ in range(2):
            answer(shelves.call("PATCH", f"toys/shelves/{uuid}", {"name": "newer"}), 200)

    def test_an_asynchronous_resource_is_a_job(self, shelves: Toys) -> None:
        uuid = shelves.get("svm/svms?name=svm1")["records"][0]["uuid"]
        body = answer(shelves.call("PATCH", f"svm/svms/{uuid}", {"name": "renamed"}), 202)
        assert body["job"]["_links"]["self"]["href"] == f"/api/cluster/jobs/{body['job']['uuid']}"

    @pytest.mark.parametrize("path", ["toys/shelves/{a}", "toys/shelves?name=a"])
    def test_a_name_that_is_taken_is_noticed_before_the_commit(
        self, shelves: Toys, unchanged: Unchanged, path: str
    ) -> None:
        uuid = shelves.get("toys/shelves?name=a")["records"][0]["uuid"]
        response = shelves.call("PATCH", path.format(a=uuid), {"name": "b"})
        assert "UNIQUE" in refusal_message(response, 409, "1")
        unchanged()

    @pytest.mark.parametrize(
        ("body", "code", "target"),
        [
            ({"uuid": "x"}, "262196", "uuid"),
            ({"svm": {"name": "svm2"}}, "262196", "svm"),
            ({"colour": "red"}, "262179", "colour"),
            ({"records": []}, "262179", "records"),
            ({"color": "blue"}, "777", "color"),
        ],
    )
    def test_fixed_fields_cannot_change(
        self, shelves: Toys, body: dict[str, Any], code: str, target: str
    ) -> None:
        uuid = shelves.get("toys/shelves?name=a")["records"][0]["uuid"]
        refusal_message(shelves.call("PATCH", f"toys/shelves/{uuid}", body), 400, code, target)

    def test_all_that_a_query_matches(self, shelves: Toys) -> None:
        path = "toys/shelves?svm.name=svm2&name=!c"
        assert answer(shelves.call("PATCH", path, {"color": "green"}), 200) == {"num_records": 2}
        assert shelves.names("toys/shelves?color=green") == ["d", "e"]
        assert shelves.jobs()[-1] == "PATCH /api/toys/shelves"

    def test_a_query_that_matches_nothing(self, shelves: Toys, unchanged: Unchanged) -> None:
        path = "toys/shelves?name=x"
        assert answer(shelves.call("PATCH", path, {"color": "green"}), 200) == {"num_records": 0}
        unchanged()

    def test_a_query_over_an_asynchronous_resource(self, shelves: Toys) -> None:
        body = answer(shelves.call("PATCH", "svm/svms?name=svm1", {"name": "renamed"}), 202)
        assert body["num_records"] == 1
        assert body["job"]["uuid"]

    def test_all_that_a_query_matches_or_nothing(self, shelves: Toys, unchanged: Unchanged) -> None:
        refusal_message(shelves.call("PATCH", "toys/shelves?name=a|b", {"name": "same"}), 409, "1")
        unchanged()

    @pytest.mark.parametrize("method", ["PATCH", "DELETE"])
    @pytest.mark.parametrize("query", ["", "?return_timeout=0", "?fields=name", "?force=true"])
    def test_a_whole_collection_is_never_meant_by_accident(
        self, shelves: Toys, unchanged: Unchanged, method: str, query: str
    ) -> None:
        body = {"color": "green"} if method == "PATCH" else {}
        refusal_message(shelves.call(method, f"toys/shelves{query}", body), 400, "2")
        unchanged()

    def test_listed_records(self, shelves: Toys) -> None:
        uuids = [record["uuid"] for record in shelves.get("toys/shelves")["records"]]
        records = [
            {"uuid": uuids[0], "comment": "first"},
            {"uuid": uuids[1], "space": {"size": "1KB"}},
        ]
        path = "toys/shelves"
        assert answer(shelves.call("PATCH", path, {"records": records}), 200) == {"num_records": 2}
        assert shelves.get(f"toys/shelves/{uuids[0]}")["comment"] == "first"
        assert shelves.get(f"toys/shelves/{uuids[1]}")["space"]["size"] == 1024

    @pytest.mark.parametrize(
        ("records", "status", "code", "target"),
        [
            ([], 400, "262197", "records"),
            ({}, 400, "262197", "records"),
            ([1], 400, "262197", "records"),
            ([{"comment": "x"}], 400, "2", "records.uuid"),
            ([{"uuid": 7}], 404, "4", ""),
            ([{"uuid": True}], 400, "2", "records.uuid"),
            ([{"uuid": "x"}], 404, "4", ""),
        ],
    )
    @pytest.mark.parametrize("method", ["PATCH", "DELETE"])
    def test_listed_records_that_are_none(
        self, shelves: Toys, method: str, records: Any, status: int, code: str, target: str
    ) -> None:
        body = {"records": records}
        refusal_message(shelves.call(method, "toys/shelves", body), status, code, target)

    def test_listed_children(self, shelves: Toys) -> None:
        path = f"toys/shelves/{shelves.shelf('new', boxes=['x', 'y', 'z'])}/boxes"
        body = {"records": [{"name": "x", "number": 8}, {"name": "y", "number": 9}]}
        assert answer(shelves.call("PATCH", path, body), 200) == {"num_records": 2}
        assert [shelves.get(f"{path}/{name}")["number"] for name in "xyz"] == [8, 9, 3]

    def test_listed_records_of_two_keys(self, shelves: Toys) -> None:
        uuid = shelves.shelf("new", boxes=["x", "y"])
        records = [
            {"shelf": {"uuid": uuid}, "name": "x", "number": 8},
            {"shelf.uuid": uuid, "name": "y", "number": 9},
        ]
        body = answer(shelves.call("PATCH", "toys/every-box", {"records": records}), 200)
        assert body == {"num_records": 2}
        path = f"toys/every-box/{uuid}"
        assert [shelves.get(f"{path}/{name}")["number"] for name in "xy"] == [8, 9]

    def test_a_broken_rule_of_the_table_is_no_conflict(
        self, shelves: Toys, unchanged: Unchanged, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two requests cannot race for a value that is missing: this is our mistake."""

        def forget(_self: Any, _change: Any, row: Shelf, _values: Any) -> None:
            row.color = None  # type: ignore[assignment]

        monkeypatch.setattr(ShelfResource, "update", forget)
        refusal_message(shelves.call("PATCH", "toys/shelves?name=a", {}), 500, "65538")
        unchanged()

    def test_a_single_object(self, shelves: Toys) -> None:
        assert answer(shelves.call("PATCH", "toys/room?name=svm2", {}), 200) == {}
        refusal_message(shelves.call("PATCH", "toys/room?name=x", {}), 404, "4")


class TestDelete:
    """DELETE."""

    def test_all_that_a_query_matches(self, shelves: Toys) -> None:
        path = "toys/shelves?name=a|b&force=true"
        assert answer(shelves.call("DELETE", path), 200) == {"num_records": 2}
        assert shelves.names("toys/shelves") == [*"cde"]
        assert answer(shelves.call("DELETE", path), 200) == {"num_records": 0}

    def test_all_that_a_query_matches_or_nothing(self, shelves: Toys) -> None:
        shelves.shelf("z", boxes=["x"])
        refusal_message(shelves.call("DELETE", "toys/shelves?name=*"), 409, "8", "force")
        assert len(shelves.names("toys/shelves")) == 6

    def test_listed_records(self, shelves: Toys) -> None:
        uuids = [record["uuid"] for record in shelves.get("toys/shelves")["records"]]
        body = {"records": [{"uuid": uuid, "name": "ignored"} for uuid in uuids[:2]]}
        assert answer(shelves.call("DELETE", "toys/shelves", body), 200) == {"num_records": 2}
        assert shelves.names("toys/shelves") == [*"cde"]

    def test_an_object_that_others_refer_to(self, shelves: Toys) -> None:
        response = shelves.call("DELETE", "svm/svms?name=svm1")
        assert "FOREIGN KEY" in refusal_message(response, 409, "8")
        assert shelves.names("svm/svms") == ["svm1", "svm2"]

    def test_a_key_with_a_colon(self, shelves: Toys) -> None:
        path = f"toys/shelves/{shelves.shelf('new', boxes=['nqn.x:y'])}/boxes"
        for spelling in ("nqn.x:y", "nqn.x%3Ay"):
            assert shelves.get(f"{path}/{spelling}")["name"] == "nqn.x:y"
        answer(shelves.call("DELETE", f"{path}/nqn.x%3Ay"), 200)
        assert shelves.names(path) == []

    def test_a_failed_job_brings_the_object_back(self, shelves: Toys) -> None:
        uuid = shelves.shelf("new", boxes=["x"], **{"chap.password": "open sesame"})
        before = shelves.get(f"toys/shelves/{uuid}?fields=**")
        shelves.failure = ("8", "busy")
        refusal_message(shelves.call("DELETE", f"toys/shelves/{uuid}?force=true"), 500, "8")
        assert shelves.get(f"toys/shelves/{uuid}?fields=**") == before
        with reading(shelves.database) as session:
            assert session.get_one(Shelf, uuid).password == "open sesame"


class TestJobs:
    """Jobs and how long a request waits for them."""

    def test_return_timeout_waits_for_an_asynchronous_request(self, api: Toys) -> None:
        response = api.call("POST", "svm/svms?return_timeout=30&return_records=true", {"name": "a"})
        body, path = answer(response, 201), response.headers["Location"].removeprefix("/api/")
        assert [record["name"] for record in body["records"]] == ["a"]
        with reading(api.database) as session:
            job = session.query(Job).filter_by(uuid=body["job"]["uuid"]).one()
            assert job.state == "success"
        changed = answer(api.call("PATCH", f"{path}?return_timeout=30", {"name": "b"}), 200)
        assert changed.keys() == {"job"}
        answer(api.call("DELETE", f"{path}?return_timeout=30"), 200)

    def test_a_change_beyond_the_timeout_is_a_job(
        self, api: Toys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        api.asleep = True
        wait = jobs.wait
        monkeypatch.setattr(jobs, "wait", lambda database, job, _seconds: wait(database, job, 0))
        response = api.call("POST", "svm/svms?return_timeout=3", {"name": "a"})
        assert answer(response, 202).keys() == {"job"}

    def test_a_failure_within_it_is_the_answer(self, shelves: Toys) -> None:
        uuid = shelves.get("svm/svms?name=svm1")["records"][0]["uuid"]
        shelves.failure = ("917536", "full")
        path = f"svm/svms/{uuid}?return_timeout=30"
        assert (
            refusal_message(shelves.call("PATCH", path, {"name": "renamed"}), 500, "917536")
            == "full"
        )
        assert shelves.get(f"svm/svms/{uuid}")["name"] == "svm1"

    def test_a_failed_asynchronous_request_fails_its_job(self, shelves: Toys) -> None:
        uuid = shelves.get("svm/svms?name=svm1")["records"][0]["uuid"]
        shelves.failure = ("917536", "full")
        path = f"svm/svms/{uuid}?return_timeout=0"
        body = answer(shelves.call("PATCH", path, {"name": "renamed"}), 202)
        with reading(shelves.database) as session:
            job = session.query(Job).filter_by(uuid=body["job"]["uuid"]).one()
            assert (job.state, job.code, job.message) == ("failure", 917536, "full")
        assert shelves.get(f"svm/svms/{uuid}")["name"] == "svm1"


def test_one_of_many_simultaneous_creations_gets_the_name(shelves: Toys) -> None:
    """A check and the write that follows are one transaction, in threads as in workers."""

    def post() -> None:
        response = shelves.call("POST", "toys/shelves", {"name": "new", "svm": "svm1"})
        statuses.append(response.status_code)

    statuses: list[int] = []
    threads = [threading.Thread(target=post) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [201, 409, 409, 409, 409, 409]
    assert shelves.names("toys/shelves?name=new") == ["new"]
