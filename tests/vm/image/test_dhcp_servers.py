"""An array that is given servers of names and of time asks these, from then on and no longer."""

from __future__ import annotations

from lab.api import Api
from lab.patience import eventually
from lab.station import Array

NAME_SERVERS = ["192.0.2.54", "192.0.2.53"]
TIME_SERVERS = ["192.0.2.123", "192.0.2.124"]


def name_servers(array: Array) -> list[str]:
    """Return the name servers that the C library asks, in order."""
    return array.run("awk '$1 == \"nameserver\" {print $2}' /etc/resolv.conf").split()


def time_servers(array: Array) -> list[str]:
    """Return the servers that chrony asks."""
    return sorted(array.run("chronyc -c -n sources | cut -d , -f 3").split())


def test_name_servers_come_before_those_of_dhcp(array: Array, api: Api) -> None:
    before = name_servers(array)
    api.patch("cluster", {"name_servers": NAME_SERVERS})
    eventually(lambda: name_servers(array) == [*NAME_SERVERS, *before])
    api.patch("cluster", {"name_servers": []})
    eventually(lambda: name_servers(array) == before)


def test_time_servers_replace_those_of_dhcp(array: Array, api: Api) -> None:
    before = time_servers(array)
    for server in TIME_SERVERS:
        api.post("cluster/ntp/servers", {"server": server})
    eventually(lambda: time_servers(array) == TIME_SERVERS)
    for server in TIME_SERVERS:
        api.delete(f"cluster/ntp/servers/{server}")
    eventually(lambda: time_servers(array) == before)
