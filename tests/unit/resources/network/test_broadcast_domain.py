"""The one broadcast domain."""

from __future__ import annotations

from in_process import Array

DOMAINS = "network/ethernet/broadcast-domains"


def port(api: Array, name: str, **more: object) -> None:
    api.observe("network/ethernet/ports", name, up=True, carrier=True, **more)


def test_the_domain_has_the_ports_that_are_in_no_lag(api: Array) -> None:
    for name in ("e0a", "e0c", "e0d"):
        port(api, name)
    lag = {"mode": "multimode", "distribution_policy": "ip", "member_ports": [{"name": "e0d"}]}
    api.make("network/ethernet/ports", {"type": "lag", "lag": lag})
    query = f"{DOMAINS}?name=Default&ipspace.name=Default&fields=uuid,name,ipspace,ports,mtu"
    [domain] = api.records(query)
    assert (domain["mtu"], domain["ipspace"]["name"]) == (1500, "Default")
    assert [each["name"] for each in domain["ports"]] == ["a0a", "e0a", "e0c"]
    uuids = {p["name"]: p["uuid"] for p in api.records("network/ethernet/ports")}
    assert all(uuids[each["name"]] == each["uuid"] for each in domain["ports"])
    assert {each["node"]["name"] for each in domain["ports"]} == {"array1-01"}


def test_a_second_broadcast_domain_is_refused(api: Array) -> None:
    response = api.call("POST", DOMAINS, {"name": "x", "mtu": 9000, "ipspace": "Default"})
    assert response.status_code == 405
    assert "one broadcast domain" in response.get_json()["error"]["message"]
