"""The array as a whole and its one node."""

from __future__ import annotations

import pytest
from in_process import NODE_UUID, SERIAL, Array

from sanstone import __version__
from sanstone.core import build


def test_cluster_is_one_object_with_the_version_for_clients(api: Array) -> None:
    cluster = api.get("cluster")
    version = cluster["version"]
    assert [version[part] for part in ("generation", "major", "minor")] == [9, 16, 1]
    assert cluster["name"] == "array1"
    assert cluster["timezone"] == {"name": "Etc/UTC"}
    assert "records" not in cluster


def test_the_address_by_dhcp_is_one_of_management(api: Array) -> None:
    assert "management_interfaces" not in api.get("cluster")
    ports = "network/ethernet/ports"
    api.observe(ports, "e0a", management_addresses=[])
    api.observe(ports, "e0M", management_addresses=["10.0.2.15", "fd00::15"])
    leased = [{"name": "e0M", "ip": {"address": address}} for address in ("10.0.2.15", "fd00::15")]
    assert api.get("cluster")["management_interfaces"] == leased
    assert (
        api.records("cluster/nodes?fields=management_interfaces")[0]["management_interfaces"]
        == leased
    )


def test_version_shows_build_and_running_release(
    api: Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    monkeypatch.setattr(build, "running", lambda: build.Build(commit, 1_767_323_045, False))
    monkeypatch.setattr(build, "kernel", lambda: "6.12.112")
    version = api.get("cluster")["version"]
    assert version["release"] == __version__
    assert version["build"] == {
        "commit": commit,
        "time": "2026-01-02T03:04:05+00:00",
        "development": False,
    }
    assert version["kernel"] == "6.12.112"
    assert version["full"] == (
        f"Sanstone {__version__} (build 0123456789ab of 2026-01-02), Linux 6.12.112, "
        "REST API of ONTAP 9.16.1"
    )
    assert api.records("cluster/nodes?fields=version")[0]["version"] == version


def test_a_development_build_is_marked(api: Array) -> None:
    version = api.get("cluster")["version"]
    assert version["build"]["development"] is True
    assert "development build" in version["full"]


def test_trailing_slash_and_probe_for_the_personality(api: Array) -> None:
    path = "cluster/?fields=san_optimized,disaggregated&ignore_unknown_fields=true"
    cluster = api.get(path)
    assert (cluster["san_optimized"], cluster["disaggregated"]) == (False, False)


def test_cluster_changes_are_a_job_and_merge(api: Array) -> None:
    job = api.patch("cluster", {"contact": "admin@example.com", "timezone": "Europe/Berlin"})
    assert job["state"] == "success"
    assert job["description"] == "PATCH /api/cluster"
    api.patch("cluster", {"name": "other", "location": "rack 7"})
    cluster = api.get("cluster")
    assert (cluster["name"], cluster["contact"]) == ("other", "admin@example.com")
    assert cluster["timezone"]["name"] == "Europe/Berlin"
    node = api.records("cluster/nodes?fields=*")[0]
    assert (node["name"], node["location"]) == ("other-01", "rack 7")


def test_unknown_time_zone_is_refused(api: Array) -> None:
    for zone in ("Mars/Olympus", "../../etc/passwd", "a/\u00fc"):
        error = api.refuse("PATCH", "cluster", "262197", {"timezone": {"name": zone}})
        assert error["target"] == "timezone.name"


def test_identity_cannot_be_changed(api: Array) -> None:
    api.refuse("PATCH", "cluster", "262196", {"serial_number": "x"})
    api.refuse("PATCH", "cluster", "262196", {"version": {"major": 17}})


def test_the_node(api: Array) -> None:
    api.observe("cluster/nodes", NODE_UUID, uptime=77, cpus=2, memory=1024, model="Box")
    records = api.records("cluster/nodes?fields=*&name=*")
    assert len(records) == 1
    node = records[0]
    assert (node["uuid"], node["name"], node["state"]) == (NODE_UUID, "array1-01", "up")
    assert node["serial_number"] == SERIAL
    assert node["controller"] == {"cpu": {"count": 2}, "memory_size": 1024}
    assert (node["uptime"], node["model"]) == (77, "Box")
    assert api.get(f"cluster/nodes/{NODE_UUID}")["name"] == "array1-01"
    api.get("cluster/nodes/11111111-0000-4000-8000-000000000000", 404)


def test_the_node_shows_its_own_serial_number_where_it_has_one(api: Array) -> None:
    api.observe("cluster/nodes", NODE_UUID, serial="XYZ1")
    assert api.get(f"cluster/nodes/{NODE_UUID}")["serial_number"] == "XYZ1"


def test_name_servers_and_domains_keep_their_order_and_are_cleared_by_empty_lists(
    api: Array,
) -> None:
    assert (api.get("cluster")["name_servers"], api.get("cluster")["dns_domains"]) == ([], [])
    api.patch("cluster", {"name_servers": ["192.0.2.54", "2001:DB8::35", "192.0.2.53"]})
    api.patch("cluster", {"dns_domains": ["San.example.org", "example.org"]})
    cluster = api.get("cluster")
    assert cluster["name_servers"] == ["192.0.2.54", "2001:db8::35", "192.0.2.53"]
    assert cluster["dns_domains"] == ["san.example.org", "example.org"]
    api.patch("cluster", {"name_servers": []})
    cluster = api.get("cluster")
    assert (cluster["name_servers"], len(cluster["dns_domains"])) == ([], 2)


def test_an_invalid_name_server_or_domain_is_refused(api: Array) -> None:
    for field, value in (
        ("name_servers", ["ns.example.org"]),
        ("name_servers", [f"192.0.2.{number}" for number in range(1, 5)]),
        ("name_servers", ["192.0.2.1", "192.0.2.1"]),
        ("name_servers", "192.0.2.1"),
        ("dns_domains", ["example.org\nDNS=192.0.2.1"]),
        ("dns_domains", ["~."]),
        ("dns_domains", [f"d{number}.org" for number in range(7)]),
    ):
        error = api.refuse("PATCH", "cluster", "262197", {field: value})
        assert error["target"] == field


def test_time_servers_are_not_set_here(api: Array) -> None:
    api.refuse("PATCH", "cluster", "262196", {"ntp_servers": ["192.0.2.1"]})
