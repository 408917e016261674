"""An array that is given servers of names and of time asks these, from then on and no longer."""

from __future__ import annotations

from lab.api import Api
from lab.patience import eventually
from lab.station import Array

NAME_SERVERS = ["192.0.2.54", "192.0.2.53"]
TIME_SERVERS = ["192.0.2.123", "192.0.2.124"]


def names_asked(array: Array) -> list[str]:
    """Return the name servers that the C library asks, in order."""
    return array.run("awk '$1 == \"nameserver\" {print $2}' /etc/resolv.conf").split()


def time_asked(array: Array) -> list[str]:
    """Return the servers that chrony asks."""
    return sorted(array.run("chronyc -c -n sources | cut -d , -f 3").split())


def test_name_servers_are_asked_before_those_of_dhcp(array: Array, api: Api) -> None:
    before = names_asked(array)
    api.patch("cluster", {"name_servers": NAME_SERVERS})
    eventually(lambda: names_asked(array) == [*NAME_SERVERS, *before])
    api.patch("cluster", {"name_servers": []})
    eventually(lambda: names_asked(array) == before)


def test_time_servers_are_asked_instead_of_those_of_dhcp(array: Array, api: Api) -> None:
    before = time_asked(array)
    for server in TIME_SERVERS:
        api.post("cluster/ntp/servers", {"server": server})
    eventually(lambda: time_asked(array) == TIME_SERVERS)
    for server in TIME_SERVERS:
        api.delete(f"cluster/ntp/servers/{server}")
    eventually(lambda: time_asked(array) == before)
