"""The release."""

from __future__ import annotations

from in_process import Array


def test_it_is_that_of_the_array(api: Array) -> None:
    version = api.get("cluster")["version"]
    shown = api.get("cluster/software?fields=*")
    assert shown["version"] == f"{version['generation']}.{version['major']}.{version['minor']}"
    assert [(n["name"], n["version"]) for n in shown["nodes"]] == [("array1-01", shown["version"])]
    refused = api.call("PATCH", "cluster/software", {"version": "9.99.1"})
    assert refused.status_code == 405
    assert "as a whole" in refused.get_json()["error"]["message"]
