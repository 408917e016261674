"""Hosts that the targets refused, as they are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scenarios import HOST_IQN, fabric, san
from simulator import Simulator, simulated

from sanstone.kernel.host import FileError
from sanstone.rules.san.refusals import KEPT

REFUSED_INITIATORS = "protocols/san/refused-initiators"
STRANGER = "iqn.1994-05.com.example:stranger"
NQN = "nqn.2014-08.org.nvmexpress:uuid:5a000000-0000-4000-8000-000000000001"


@pytest.fixture
def mapped(tmp_path: Path) -> Iterator[Simulator]:
    """A LUN that is mapped to a host, which reaches it at two LIFs."""
    with simulated(tmp_path, san) as array:
        yield array


def target(array: Simulator) -> Any:
    """Return the iSCSI target in the kernel."""
    fabrics = array.kernel.configfs.lio.children["iscsi"].children
    [iscsi_target] = [each for name, each in fabrics.items() if name.startswith("iqn.")]
    return iscsi_target


def knock(array: Simulator, name: str = STRANGER, tag: str = "") -> None:
    """Let an initiator be refused at the first LIF, or at another portal group."""
    tag = tag or min(n for n in target(array).children if n.startswith("tpgt_"))[5:]
    array.kernel.log.say(
        f"iSCSI Initiator Node: {name} is not authorized to access iSCSI target portal group: "
        f"{tag}."
    )


def refused_initiators(array: Simulator) -> list[dict[str, Any]]:
    """Let the reconciler look, and return who was refused."""
    array.settle()
    return list(array.get(f"{REFUSED_INITIATORS}?fields=*")["records"])


def alerts(array: Simulator) -> list[str]:
    """Return the names of the events that are active."""
    events = array.get("support/ems/events?active=true&fields=message.name")["records"]
    return [event["message"]["name"] for event in events]


def test_a_refused_stranger_is_shown_with_its_lif_and_a_remedy(mapped: Simulator) -> None:
    knock(mapped)
    target(mapped).children["fabric_statistics"].fail(STRANGER, "10.10.1.9", authentication=False)
    [record] = refused_initiators(mapped)
    assert record["initiator"] == {"name": STRANGER, "address": "10.10.1.9"}
    assert record["interface"]["name"] == "lif1"
    assert (record["reason"], record["count"]) == ("not_allowed", 1)
    assert "in no igroup" in record["message"]
    assert alerts(mapped) == ["host.refused"]


def test_repeated_attempts_are_counted_and_are_one_event(mapped: Simulator) -> None:
    knock(mapped)
    [first] = refused_initiators(mapped)
    for _ in range(3):
        knock(mapped)
    [record] = refused_initiators(mapped)
    assert (record["uuid"], record["count"]) == (first["uuid"], 4)
    assert record["first_time"] == first["first_time"]
    assert len(mapped.get("support/ems/events?message.name=host.refused")["records"]) == 1


def test_a_new_process_does_not_count_again(mapped: Simulator) -> None:
    knock(mapped)
    refused_initiators(mapped)
    mapped.kernel.log.open_again()
    mapped.start()
    [record] = refused_initiators(mapped)
    assert record["count"] == 1


def test_the_log_of_another_boot_begins_anew(mapped: Simulator) -> None:
    knock(mapped)
    refused_initiators(mapped)
    mapped.reboot()
    mapped.settle()
    knock(mapped)
    [record] = refused_initiators(mapped)
    assert record["count"] == 2


def test_an_initiator_that_gets_in_is_no_longer_listed(mapped: Simulator) -> None:
    knock(mapped)
    refused_initiators(mapped)
    [group] = mapped.get("protocols/san/igroups")["records"]
    mapped.do("POST", f"protocols/san/igroups/{group['uuid']}/initiators", {"name": STRANGER})
    assert refused_initiators(mapped) == []
    assert alerts(mapped) == []


def test_a_wrong_chap_secret_of_an_allowed_initiator_is_shown(mapped: Simulator) -> None:
    statistics = target(mapped).children["fabric_statistics"]
    statistics.fail(HOST_IQN, "10.10.1.200", authentication=True)
    statistics.fail(HOST_IQN, "10.10.1.200", authentication=True)
    [record] = refused_initiators(mapped)
    assert record["initiator"] == {"name": HOST_IQN, "address": "10.10.1.200"}
    assert (record["reason"], record["count"]) == ("not_authenticated", 2)
    assert "interface" not in record
    assert [each["count"] for each in refused_initiators(mapped)] == [2]


def test_a_host_that_a_subsystem_does_not_list(array: Simulator) -> None:
    fabric(array)
    [subsystem] = array.get("protocols/nvme/subsystems?fields=target_nqn")["records"]
    nqn = subsystem["target_nqn"]
    array.kernel.log.say(f"nvmet: connect by host {NQN} for subsystem {nqn} not allowed")
    array.kernel.log.say(f"nvmet: connect by host {NQN} for subsystem nqn.gone not allowed")
    [record] = refused_initiators(array)
    assert record["subsystem"]["name"] == "sub1"
    assert (record["initiator"]["name"], record["transport_protocol"]) == (NQN, "nvme_tcp")


def test_a_host_that_a_subsystem_lists_and_that_came_without_its_tls_key(array: Simulator) -> None:
    fabric(array)
    [subsystem] = array.get("protocols/nvme/subsystems?fields=target_nqn")["records"]
    text = f"nvmet: connect by host {NQN} for subsystem {subsystem['target_nqn']} not allowed"
    array.kernel.log.say(f"{text} without its TLS key")
    [record] = refused_initiators(array)
    assert (record["reason"], record["subsystem"]["name"]) == ("not_authenticated", "sub1")
    assert "TLS key" in record["message"]


def test_a_flood_of_names_takes_bounded_space(
    mapped: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanstone.reconcile.stages.refusals.KEPT", 5)
    for number in range(20):
        mapped.kernel.log.say(
            "iSCSI Initiator Node: "
            f"iqn.2001-04.com.example:{number:02} is not authorized to access iSCSI target portal "
            f"group: {min(n for n in target(mapped).children if n.startswith('tpgt_'))[5:]}.",
            seconds=number,
        )
    names = [each["initiator"]["name"] for each in refused_initiators(mapped)]
    assert names == [f"iqn.2001-04.com.example:{number}" for number in range(15, 20)]
    assert KEPT == 256


def test_a_portal_group_that_is_gone_is_nobodys(mapped: Simulator) -> None:
    knock(mapped, tag="60000")
    assert refused_initiators(mapped) == []


def test_a_log_that_cannot_be_read_is_a_fault_and_hosts_are_served(mapped: Simulator) -> None:
    mapped.kernel.log.failure = FileError("read", "/dev/kmsg", 1)
    assert refused_initiators(mapped) == []
    assert alerts(mapped) == ["cluster/nodes.fault"]
    mapped.kernel.log.failure = None
    knock(mapped)
    assert len(refused_initiators(mapped)) == 1


def test_old_refusals_are_forgotten(mapped: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    knock(mapped)
    [record] = refused_initiators(mapped)
    assert record
    monkeypatch.setattr("sanstone.reconcile.stages.refusals.REPORTED", -1)
    refused_initiators(mapped)
    assert alerts(mapped) == []
    monkeypatch.setattr("sanstone.reconcile.stages.refusals.FORGOTTEN", -1)
    assert refused_initiators(mapped) == []
