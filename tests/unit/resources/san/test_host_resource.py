"""Hosts, and how their paths are, taken together."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array
from paths_of_hosts import HOST, IGROUPS, OTHER, PATHS, add_paths, paths, see

HOSTS = "protocols/san/hosts"


@pytest.fixture
@prepared_once
def san(api: Array) -> Array:
    """An SVM with two LIFs, and a LUN that is mapped to an igroup of HOST."""
    add_paths(api)
    return api


def host(api: Array) -> dict[str, Any]:
    """Return the host."""
    [record] = api.records(f"{HOSTS}?initiator.name={HOST}&fields=*")
    return record


def test_a_host_that_was_not_seen(san: Array) -> None:
    record = host(san)
    assert (record["name"], record["state"]) == ("web1", "never")
    assert record["paths"] == {"total": 2, "connected": 0, "lost": 0, "narrow": 0}
    assert [igroup["name"] for igroup in record["igroups"]] == ["hosts"]
    assert record["transport_protocols"] == ["iscsi"]


@pytest.mark.parametrize(
    ("first", "second", "state", "lost_count"),
    [
        (True, True, "connected", 0),
        (True, None, "connected", 0),
        (True, False, "degraded", 1),
        (False, None, "lost", 1),
        (False, False, "lost", 2),
    ],
)
def test_states(
    san: Array, first: bool | None, second: bool | None, state: str, lost_count: int
) -> None:
    for path, connected in zip(paths(san), (first, second), strict=True):
        if connected is not None:
            see(san, path, connected=connected)
    record = host(san)
    assert (record["state"], record["paths"]["lost"]) == (state, lost_count)
    assert ("since" in record) == bool(lost_count)


def test_a_lif_that_is_down_degrades_the_hosts_that_use_it(san: Array) -> None:
    one, two = paths(san)
    see(san, one, connected=True)
    see(san, two, connected=True)
    san.observe("network/ip/interfaces", one["interface"]["uuid"], state="down")
    assert host(san)["state"] == "degraded"
    san.observe("network/ip/interfaces", two["interface"]["uuid"], state="down")
    assert host(san)["state"] == "lost"


def test_the_worst_come_first(san: Array) -> None:
    [group] = san.records(IGROUPS)
    san.make(f"{IGROUPS}/{group['uuid']}/initiators", {"name": OTHER})
    for path in paths(san):
        see(san, path, connected=path["initiator"]["name"] == HOST)
    records = san.records(f"{HOSTS}?fields=state")
    assert [each["state"] for each in records] == ["lost", "connected"]


def test_a_host_leads_to_its_paths(san: Array) -> None:
    record = host(san)
    assert san.get(f"{HOSTS}/{record['svm']['uuid']}/{record['uuid']}")["name"] == "web1"
    assert len(san.records(f"{PATHS}?host.uuid={record['uuid']}")) == 2
