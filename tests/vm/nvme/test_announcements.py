"""Discovery by multicast DNS: a host finds the LIFs of each of its networks."""

from __future__ import annotations

import json

import pytest
from announced import GROUP, announced, announcements

from lab.administrator import Administrator, Record
from lab.patience import eventually
from lab.station import Array, Host

LIFS, SERVICES = "network/ip/interfaces", "protocols/nvme/services"
LEGS = {"10.10.1.101": "10.10.1.2", "10.10.2.101": "10.10.2.2"}
"""By the host's address in each network: the LIF that serves NVMe there."""


def listens(array: Array) -> set[str]:
    """Return the links where the array listens to the group."""
    links = json.loads(array.run("ip -json -4 maddress show"))
    return {
        each["ifname"]
        for each in links
        if GROUP in [member.get("address") for member in each["maddr"]]
    }


@pytest.fixture
def service(admin: Administrator) -> Record:
    """The NVMe service of the SVM."""
    [service] = admin.api.get(SERVICES, **{"svm.name": admin.svm})["records"]
    return dict(service["svm"])


@pytest.mark.usefixtures("namespace")
@pytest.mark.parametrize("leg", LEGS)
def test_a_host_finds_the_lif_of_each_network(host: Host, leg: str) -> None:
    eventually(lambda: announcements(host, leg) == announced(LEGS[leg]))


@pytest.mark.usefixtures("namespace")
def test_it_answers_at_these_links_alone_and_without_privilege(array: Array) -> None:
    eventually(lambda: listens(array) == {"e0a", "e0b"})
    status = "cat /proc/$(systemctl show --value --property MainPID sanstone-announcer)/status"
    status_lines = dict(line.split(":\t", 1) for line in array.run(status).splitlines())
    assert "0" not in status_lines["Uid"].split()
    assert [int(status_lines[name], 16) for name in ("CapEff", "CapPrm", "CapBnd")] == [0, 0, 0]


@pytest.mark.usefixtures("namespace")
def test_a_lif_is_announced_as_long_as_it_is_there(
    admin: Administrator, array: Array, host: Host
) -> None:
    leg, own = "10.10.1.101", "10.10.1.2"
    lif = admin.add_lif("found", "e0c", "10.10.1.9", "default-data-nvme-tcp")
    try:
        eventually(lambda: announcements(host, leg) == announced(own, "10.10.1.9"))
    finally:
        admin.remove(LIFS, lif)
    eventually(lambda: announcements(host, leg) == announced(own))
    assert listens(array) == {"e0a", "e0b"}


@pytest.mark.usefixtures("namespace")
def test_it_can_be_switched_off(
    admin: Administrator, array: Array, host: Host, service: Record
) -> None:
    admin.change(SERVICES, service, {"mdns_service_discovery_enabled": False})
    try:
        eventually(lambda: listens(array) == set())
        assert announcements(host, "10.10.1.101") == set()
        assert array.attempt("systemctl is-active sanstone-announcer").out.strip() == "inactive"
    finally:
        admin.change(SERVICES, service, {"mdns_service_discovery_enabled": True})
    eventually(lambda: announcements(host, "10.10.1.101") == announced("10.10.1.2"))
