"""Announcements follow the LIFs, the services and the exports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scenarios import delete, fabric, patch
from simulator import Simulator, simulated

from sanstone.kernel.host import FileError
from sanstone.reconcile import announcement
from sanstone.reconcile.announcement import Announcement

LIFS, SERVICES = "network/ip/interfaces", "protocols/nvme/services"
SUBSYSTEMS = "protocols/nvme/subsystems"
FORCED = "?allow_delete_while_mapped=true&allow_delete_with_hosts=true"
GROUP = "224.0.0.251"


def announcements(array: Simulator) -> list[Announcement]:
    """Return the announcements."""
    files, path = array.kernel.files, announcement.path()
    return list(announcement.from_text(files.read(path))) if files.exists(path) else []


def places(array: Simulator) -> list[tuple[str, str]]:
    """Return the links and addresses that are announced."""
    return [(each.link, each.address) for each in announcements(array)]


def heard_on(array: Simulator) -> set[str]:
    """Return the links on which questions get past the firewall."""
    links = ("e0M", "e0a", "e0b", "e0c")
    return {link for link in links if array.kernel.nftables.takes(link, GROUP, 5353, "udp")}


def service(array: Simulator) -> str:
    """Return the path of the NVMe service."""
    [record] = array.get(SERVICES)["records"]
    return f"{SERVICES}/{record['svm']['uuid']}"


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Simulator]:
    """An array that serves a namespace at two LIFs."""
    with simulated(tmp_path, fabric) as array:
        yield array


def test_each_lif_is_announced_on_its_link(serving: Simulator) -> None:
    lifs = {each["name"]: each["uuid"] for each in serving.get(LIFS)["records"]}
    nqn = "nqn=nqn.2014-08.org.nvmexpress.discovery"
    rest = ("_nvme-disc._tcp", 8009, ("p=tcp", nqn))
    assert announcements(serving) == [
        Announcement("e0a", "10.10.1.1", 24, lifs["lif1"], "lif1", *rest),
        Announcement("e0b", "10.10.2.1", 24, lifs["lif2"], "lif2", *rest),
    ]
    assert heard_on(serving) == {"e0a", "e0b"}


@pytest.mark.parametrize(
    "change",
    [
        patch(LIFS, "lif2", {"enabled": False}),
        patch(LIFS, "lif2", {"service_policy.name": "default-data-iscsi"}),
        delete(LIFS, "lif2"),
    ],
)
def test_a_lif_that_does_not_serve_is_not_announced(serving: Simulator, change) -> None:  # type: ignore[no-untyped-def]
    change(serving)
    assert places(serving) == [("e0a", "10.10.1.1")]
    assert heard_on(serving) == {"e0a"}


def test_an_announcement_moves_with_its_lif(serving: Simulator) -> None:
    patch(LIFS, "lif2", {"location.home_port.name": "e0c"})(serving)
    assert places(serving) == [("e0a", "10.10.1.1"), ("e0c", "10.10.2.1")]
    assert heard_on(serving) == {"e0a", "e0c"}


def test_nothing_is_announced_on_the_management_port(serving: Simulator) -> None:
    patch(LIFS, "lif2", {"location.home_port.name": "e0M"})(serving)
    assert places(serving) == [("e0a", "10.10.1.1")]
    assert heard_on(serving) == {"e0a"}


def test_nothing_is_announced_where_no_port_listens(serving: Simulator) -> None:
    delete(SUBSYSTEMS, "sub1", FORCED)(serving)
    assert announcements(serving) == []
    assert not serving.kernel.files.exists(announcement.path())


@pytest.mark.parametrize("field", ["mdns_service_discovery_enabled", "enabled"])
def test_announcements_can_be_switched_off(serving: Simulator, field: str) -> None:
    before = announcements(serving)
    serving.do("PATCH", service(serving), {field: False})
    assert (announcements(serving), heard_on(serving)) == ([], set())
    serving.do("PATCH", service(serving), {field: True})
    assert (announcements(serving), heard_on(serving)) == (before, {"e0a", "e0b"})


def test_a_lost_file_is_written_again(serving: Simulator) -> None:
    before = announcements(serving)
    serving.kernel.files.unlink(announcement.path())
    serving.settle()
    assert announcements(serving) == before
    serving.kernel.interrupt.log.clear()
    serving.settle()
    assert not [step for step in serving.kernel.interrupt.log if announcement.path() in step]


def test_a_failure_is_the_fault_of_what_is_to_be_announced(serving: Simulator) -> None:
    path = announcement.path()
    serving.kernel.fail_when(lambda step: path in step, FileError("unlink", path, 5))
    response = serving.call("PATCH", service(serving), {"mdns_service_discovery_enabled": False})
    assert response.status_code == 500
    assert serving.get(service(serving))["mdns_service_discovery_enabled"] is True
