"""Servers of names and of time: in the files that systemd-resolved and chrony read."""

from __future__ import annotations

import pytest

from lab.api import Api
from lab.station import Array

NAMES = "/run/systemd/resolved.conf.d/sanstone-names.conf"
TIME = "/run/time-servers/array.sources"
GATEWAY = "192.0.2.1"


def lines_of(array: Array, path: str) -> list[str]:
    """Return the lines of a file, none where it is not there."""
    return array.run(f"if test -e {path}; then cat {path}; fi").splitlines()


def test_name_servers_are_set_and_removed(array: Array, api: Api) -> None:
    settings = {"name_servers": ["192.0.2.53", "192.0.2.54"], "dns_domains": ["san.example.org"]}
    api.patch("cluster", settings)
    shown = api.get("cluster")
    assert {name: shown[name] for name in settings} == settings
    assert lines_of(array, NAMES) == [
        "[Resolve]",
        "DNS=192.0.2.53 192.0.2.54",
        "Domains=san.example.org ~.",
    ]
    assert array.run(f"stat --format '%A %U' {NAMES}").split() == ["-rw-r--r--", "root"]
    api.patch("cluster", {"name_servers": [], "dns_domains": []})
    assert lines_of(array, NAMES) == []


def test_time_servers_are_set_and_removed(array: Array, api: Api) -> None:
    servers = ["192.0.2.123", "ntp.example.org"]
    for server in servers:
        api.post("cluster/ntp/servers", {"server": server})
    assert api.get("cluster")["ntp_servers"] == servers
    assert lines_of(array, TIME) == [f"server {server} iburst" for server in servers]
    array.run("systemctl restart sanstone-reconciler")
    assert lines_of(array, TIME) == [f"server {server} iburst" for server in servers]
    for server in servers:
        api.delete(f"cluster/ntp/servers/{server}")
    assert lines_of(array, TIME) == []


def test_the_folders_of_settings_are_readable_to_services(array: Array) -> None:
    for folder in ("/run/time-servers", "/run/systemd/resolved.conf.d"):
        assert array.run(f"stat --format %A {folder}").strip() == "drwxr-xr-x"


@pytest.mark.qemu
def test_the_array_has_a_route_to_them(array: Array, api: Api) -> None:
    """By its own route, unless DHCP has named one: who came by DHCP's address stays connected."""
    address = {"address": "192.0.2.10", "netmask": "24"}
    lif = {"name": "way", "ip": address, "scope": "cluster"}
    api.post("network/ip/interfaces", lif | {"location": {"home_port": {"name": "e0M"}}})
    everywhere = {"address": "0.0.0.0", "netmask": "0"}
    api.post("network/ip/routes", {"destination": everywhere, "gateway": GATEWAY})
    assert GATEWAY in way_out(array)
    # Nothing leads out of the lab's management network; DHCP's routes have this metric.
    array.run("ip route add default dev e0M metric 1024")
    assert GATEWAY not in way_out(array)
    array.run("ip route delete default dev e0M metric 1024")
    for collection, query in (("routes", {"gateway": GATEWAY}), ("interfaces", {"name": "way"})):
        for record in api.get(f"network/ip/{collection}", **query)["records"]:
            api.delete(f"network/ip/{collection}/{record['uuid']}")
    assert GATEWAY not in array.run("ip route show table all")


def way_out(array: Array) -> str:
    """Return how the array itself reaches an address out of its networks."""
    return array.run("ip route get 198.51.100.1")
