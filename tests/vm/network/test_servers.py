"""Servers of names and of time: in the files that systemd-resolved and chrony read."""

from __future__ import annotations

from lab.api import Api
from lab.station import Array

NAMES = "/run/systemd/resolved.conf.d/sanstone-names.conf"
TIME = "/run/time-servers/array.sources"


def told(array: Array, path: str) -> list[str]:
    """Return the lines of a file, none where it is not there."""
    return array.run(f"if test -e {path}; then cat {path}; fi").splitlines()


def test_name_servers_are_told_and_forgotten(array: Array, api: Api) -> None:
    given = {"name_servers": ["192.0.2.53", "192.0.2.54"], "dns_domains": ["san.example.org"]}
    api.patch("cluster", given)
    shown = api.get("cluster")
    assert {name: shown[name] for name in given} == given
    assert told(array, NAMES) == [
        "[Resolve]",
        "DNS=192.0.2.53 192.0.2.54",
        "Domains=san.example.org ~.",
    ]
    assert array.run(f"stat --format '%A %U' {NAMES}").split() == ["-rw-r--r--", "root"]
    api.patch("cluster", {"name_servers": [], "dns_domains": []})
    assert told(array, NAMES) == []


def test_time_servers_are_told_and_forgotten(array: Array, api: Api) -> None:
    servers = ["192.0.2.123", "ntp.example.org"]
    for server in servers:
        api.post("cluster/ntp/servers", {"server": server})
    assert api.get("cluster")["ntp_servers"] == servers
    assert told(array, TIME) == [f"server {server} iburst" for server in servers]
    array.run("systemctl restart sanstone-reconciler")
    assert told(array, TIME) == [f"server {server} iburst" for server in servers]
    for server in servers:
        api.delete(f"cluster/ntp/servers/{server}")
    assert told(array, TIME) == []


def test_what_others_shall_read_lies_where_they_can(array: Array) -> None:
    for folder in ("/run/time-servers", "/run/systemd/resolved.conf.d"):
        assert array.run(f"stat --format %A {folder}").strip() == "drwxr-xr-x"
