"""The one IPspace."""

from __future__ import annotations

from in_process import Array


def test_there_is_one_and_it_is_the_same_everywhere(api: Array) -> None:
    [space] = api.records("network/ipspaces?name=Default&fields=uuid")
    policy = api.records("network/ip/service-policies?fields=ipspace")[0]
    assert policy["ipspace"] == {"name": "Default", "uuid": space["uuid"]}
    assert api.get(f"network/ipspaces/{space['uuid']}")["name"] == "Default"
    assert api.records("network/ipspaces?name=other") == []


def test_a_second_ipspace_is_refused(api: Array) -> None:
    response = api.call("POST", "network/ipspaces", {"name": "other"})
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert "one IPspace" in response.get_json()["error"]["message"]
    assert response.get_json()["error"]["code"] == "3"
