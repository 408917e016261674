"""Jobs as clients poll them."""

from __future__ import annotations

import json

from in_process import Array


def test_a_job_of_a_change_that_went_well(api: Array) -> None:
    response = api.call("PATCH", "cluster", {"location": "here"})
    assert response.status_code == 202
    job = json.loads(response.data)["job"]
    assert job["_links"]["self"]["href"] == f"/api/cluster/jobs/{job['uuid']}"
    record = api.get(f"cluster/jobs/{job['uuid']}")
    assert (record["state"], record["code"], record["message"]) == ("success", 0, "success")
    assert "error" not in record
    assert record["end_time"] >= record["start_time"]
    assert record["node"]["name"] == "array1-01"


def test_a_failed_job_has_its_reason_and_its_change_is_undone(api: Array) -> None:
    uuid = api.get("cluster")["uuid"]
    api.failures[f"cluster:{uuid}"] = ("460770", "The machine would not.")
    job = api.patch("cluster", {"location": "there"})
    assert (job["state"], job["code"]) == ("failure", 460770)
    assert job["message"] == "The machine would not."
    assert job["error"] == {"code": "460770", "message": "The machine would not."}
    assert api.get("cluster").get("location") == ""


def test_a_failed_job_has_the_arguments_of_its_message(api: Array) -> None:
    uuid = api.get("cluster")["uuid"]
    api.failures[f"cluster:{uuid}"] = ("460770", "Port e0z is in bond0.", ("e0z", "bond0"))
    job = api.patch("cluster", {"location": "there"})
    assert job["error"]["arguments"] == [
        {"code": "0", "message": "e0z"},
        {"code": "1", "message": "bond0"},
    ]


def test_jobs_are_listed_in_order_and_filtered(api: Array) -> None:
    for place in ("a", "b", "c"):
        api.patch("cluster", {"location": place})
    first = api.records("cluster/jobs?state=success&fields=description")
    assert len(first) == 3
    paged = api.get("cluster/jobs?max_records=2")
    rest = api.get(paged["_links"]["next"]["href"].removeprefix("/api/"))
    uuids = [record["uuid"] for record in paged["records"] + rest["records"]]
    assert uuids == [record["uuid"] for record in first]
    assert api.records("cluster/jobs?state=failure") == []


def test_a_long_request_is_found_by_its_job(api: Array) -> None:
    """The names in a path may be as long as 223 characters each, an initiator's among them."""
    api.make("svm/svms", {"name": "svm1"})
    body = {"svm.name": "svm1", "name": "igroup1", "os_type": "linux", "protocol": "iscsi"}
    group = api.make("protocols/san/igroups", body)
    initiator = f"iqn.1994-05.com.example:{'a' * 199}"
    place = f"protocols/san/igroups/{group['uuid']}/initiators"
    api.make(place, {"name": initiator})
    request = f"PATCH /api/{place}/{initiator}"
    api.patch(f"{place}/{initiator}", {"comment": "x"})
    [record] = api.records(f"cluster/jobs?description={request}&fields=description")
    assert record["description"] == request


def test_jobs_are_only_read(api: Array) -> None:
    assert api.call("POST", "cluster/jobs", {}).status_code == 405
