"""The paths by which hosts are logged in, and the lost ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from iscsi_sessions import SESSION, log_in, log_out, set_sessions
from scenarios import HOST_IQN, HOST_NQN, fabric, patch, san
from simulator import Simulator, simulated

from fakes.files import Text
from sanstone.kernel.target import sessions

PATHS = "protocols/san/paths"


def states(array: Simulator) -> dict[str, str]:
    """Return the state of each path by its LIF."""
    records = array.get(f"{PATHS}?fields=*")["records"]
    return {record["interface"]["name"]: record["state"] for record in records}


def path(array: Simulator) -> dict[str, Any]:
    """Return the path at the first LIF."""
    [record] = array.get(f"{PATHS}?interface.name=lif1&fields=*")["records"]
    return dict(record)


@pytest.fixture
def mapped(tmp_path: Path) -> Iterator[Simulator]:
    """A LUN that is mapped to a host, which reaches it at two LIFs."""
    with simulated(tmp_path, san) as array:
        yield array


def test_a_host_that_was_never_seen(mapped: Simulator) -> None:
    mapped.settle()
    assert states(mapped) == {"lif1": "never", "lif2": "never"}
    assert "since" not in path(mapped)


def test_a_host_that_comes_over_rdma_has_a_path_of_its_own(array: Simulator) -> None:
    san(array)
    patch("network/ip/interfaces", "lif1", {"rdma_protocols": ["roce"]})(array)
    text = SESSION.format(name=HOST_IQN, state="TARG_CONN_STATE_LOGGED_IN")
    # The kernel's text for all transports but TCP.
    set_sessions(array, text.replace("TCP", "SCTP"))
    array.settle()
    records = array.get(f"{PATHS}?interface.name=lif1&fields=*")["records"]
    states = {record["transport_protocol"]: record["state"] for record in records}
    assert states == {"iscsi": "never", "iser": "connected"}
    [session] = array.get("protocols/san/iscsi/sessions?fields=**")["records"]
    assert [each["transport_protocol"] for each in session["connections"]] == ["iser"]


def test_a_host_logs_in_and_is_lost(mapped: Simulator) -> None:
    log_in(mapped)
    mapped.settle()
    assert states(mapped) == {"lif1": "connected", "lif2": "never"}
    there = path(mapped)
    assert there["initiator"] == {"name": HOST_IQN, "addresses": ["10.10.1.200"]}
    assert there["host"]["name"] == "web1"
    log_out(mapped)
    mapped.settle()
    record = path(mapped)
    assert (record["state"], record["host"]["name"]) == ("lost", "web1")
    assert record["since"] >= there["since"]


def test_a_session_whose_connection_broke_is_no_login(mapped: Simulator) -> None:
    log_in(mapped)
    mapped.settle()
    log_in(mapped, "TARG_CONN_STATE_CLEANUP_WAIT")
    mapped.settle()
    assert states(mapped)["lif1"] == "lost"


def test_path_states_outlive_the_process_and_a_boot(
    mapped: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(mapped)
    mapped.settle()
    monkeypatch.setattr("sanstone.reconcile.stages.paths.time.time", lambda: 5000.0)
    mapped.reboot()
    mapped.settle()
    record = path(mapped)
    assert (record["state"], record["since"]) == ("lost", "1970-01-01T01:23:20+00:00")
    monkeypatch.undo()
    mapped.start()
    mapped.settle()
    assert path(mapped)["since"] == record["since"]
    log_in(mapped)
    mapped.settle()
    assert path(mapped)["state"] == "connected"


@pytest.mark.parametrize(
    "removed",
    [
        "protocols/san/lun-maps?svm.name=svm1",
        "network/ip/interfaces?name=lif1",
        "protocols/san/igroups?name=group1&allow_delete_while_mapped=true",
    ],
)
def test_a_path_removed_by_configuration_is_not_lost(mapped: Simulator, removed: str) -> None:
    log_in(mapped)
    mapped.settle()
    log_out(mapped)
    mapped.settle()
    assert "lost" in states(mapped).values()
    mapped.do("DELETE", removed)
    mapped.settle()
    assert "lost" not in states(mapped).values()


def test_an_initiator_that_was_taken_out_and_came_back_begins_anew(mapped: Simulator) -> None:
    log_in(mapped)
    mapped.settle()
    [group] = mapped.get("protocols/san/igroups")["records"]
    initiators = f"protocols/san/igroups/{group['uuid']}/initiators"
    mapped.do("DELETE", f"{initiators}/{HOST_IQN}?allow_delete_while_mapped=true")
    mapped.settle()
    assert states(mapped) == {}
    mapped.do("POST", initiators, {"name": HOST_IQN})
    mapped.settle()
    assert states(mapped) == {"lif1": "never", "lif2": "never"}


def test_a_lif_without_a_link_is_broken_at_once_although_the_session_lasts(
    mapped: Simulator,
) -> None:
    log_in(mapped)
    mapped.settle()
    mapped.kernel.network.plug("e0a", connected=False)
    mapped.settle()
    assert states(mapped) == {"lif1": "lif_down", "lif2": "never"}
    assert path(mapped)["message"] == 'LIF "lif1" is down: port e0a has no link.'


def test_a_host_comes_and_goes_by_nvme(array: Simulator) -> None:
    fabric(array)
    [subsystem] = array.get("protocols/nvme/subsystems?fields=target_nqn")["records"]
    [port, _] = array.kernel.files.listdir("/sys/kernel/config/nvmet/ports")
    folder = f"{sessions.DEBUG}/{subsystem['target_nqn']}/ctrl1"
    attributes = {"hostnqn": HOST_NQN, "port": port, "state": "ready", "kato": "15"}
    for name, text in (attributes | {"host_traddr": "10.10.1.200"}).items():
        array.kernel.files.place(f"{folder}/{name}", Text(f"{text}\n"))
    array.settle()
    assert sorted(states(array).values()) == ["connected", "never"]
    [record] = array.get(f"{PATHS}?state=connected&fields=*,namespaces")["records"]
    assert record["subsystem"]["name"] == "sub1"
    assert record["transport_protocol"] == "nvme_tcp"
    assert [each["name"] for each in record["namespaces"]] == ["/vol/vol1/ns1"]
    array.kernel.files.place(f"{folder}/state", Text("ready|fatal\n"))
    array.settle()
    assert sorted(states(array).values()) == ["lost", "never"]


def test_a_change_of_a_path_is_counted_for_its_svm(mapped: Simulator) -> None:
    log_in(mapped)
    before = mapped.get("cluster/changes")["counter"]
    mapped.settle()
    changed = mapped.get(f"cluster/changes?after={before}")["records"]
    [path_change] = [each for each in changed if each["kind"] == PATHS]
    [svm] = mapped.get("svm/svms")["records"]
    assert path_change["svm"]["uuid"] == svm["uuid"]
    assert mapped.get(f"{PATHS}/{path_change['key']}")["state"] == "connected"
