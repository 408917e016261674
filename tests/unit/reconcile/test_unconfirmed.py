"""A change of the network that nobody confirms is taken back, whatever happens meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from simulator import Simulator
from standing_clock import Clock

LIFS = "network/ip/interfaces"
BODY = {
    "name": "management",
    "scope": "cluster",
    "ip": {"address": "10.10.1.5", "netmask": "24"},
    "location.home_port.name": "e0a",
}
MOVED = {"ip": {"address": "10.10.1.6"}}


@pytest.fixture
def lif(array: Simulator, clock: Clock) -> str:
    """The path of a LIF of the management."""
    array.do("POST", LIFS, BODY)
    [record] = array.get(f"{LIFS}?name=management")["records"]
    return f"{LIFS}/{record['uuid']}"


def _addresses(array: Simulator) -> set[str]:
    """Return the addresses on the machine's ports."""
    return {address.address for address in array.kernel.host.network.addresses()}


def _move(array: Simulator, lif: str) -> str:
    """Change the LIF's address on condition, and return the path of the job."""
    response = array.call("PATCH", f"{lif}?confirm_within=60&return_timeout=15", MOVED)
    assert response.status_code == 202, response.get_data(as_text=True)
    return f"cluster/jobs/{response.get_json()['job']['uuid']}"


def _job(array: Simulator, path: str) -> dict[str, Any]:
    return array.get(f"{path}?fields=**")


def test_an_unconfirmed_change_is_in_effect_until_its_time_is_over(
    array: Simulator, lif: str, clock: Clock
) -> None:
    job = _move(array, lif)
    record = _job(array, job)
    assert (record["state"], record["cancelable"]) == ("paused", True)
    assert "confirm_until" in record
    assert "10.10.1.6" in _addresses(array)
    clock.now += 60
    array.settle()
    record = _job(array, job)
    assert record["state"] == "failure"
    assert "not confirmed within 60 s" in record["message"]
    assert array.get(lif)["ip"]["address"] == "10.10.1.5"
    assert "10.10.1.5" in _addresses(array) and "10.10.1.6" not in _addresses(array)


def test_a_confirmed_change_stays(array: Simulator, lif: str, clock: Clock) -> None:
    job = _move(array, lif)
    array.do("PATCH", f"{job}?action=confirm", {})
    assert _job(array, job)["state"] == "success"
    clock.now += 3600
    array.settle()
    assert "10.10.1.6" in _addresses(array)


def test_an_unconfirmed_change_is_undone_at_once_on_request(array: Simulator, lif: str) -> None:
    job = _move(array, lif)
    array.do("PATCH", f"{job}?action=cancel", {})
    assert _job(array, job)["state"] == "failure"
    assert "10.10.1.5" in _addresses(array) and "10.10.1.6" not in _addresses(array)


def test_an_unconfirmed_change_is_undone_after_a_power_cut(
    array: Simulator, lif: str, clock: Clock
) -> None:
    job = _move(array, lif)
    array.reboot()
    array.settle()
    assert "10.10.1.6" in _addresses(array), "the time that is left is still to be used"
    array.reboot()
    clock.now += 61
    array.settle()
    assert _job(array, job)["state"] == "failure"
    assert "10.10.1.5" in _addresses(array) and "10.10.1.6" not in _addresses(array)


def test_an_unconfirmed_change_is_undone_after_any_kill(
    array: Simulator, lif: str, clock: Clock
) -> None:
    step = 1
    while True:
        job = _move(array, lif)
        clock.now += 61
        first = len(array.kernel.interrupt.log)
        with array.killed(step, done=True):
            array.settle()
        step_count = len(array.kernel.interrupt.log) - first
        array.recover()
        assert _job(array, job)["state"] == "failure"
        assert "10.10.1.5" in _addresses(array) and "10.10.1.6" not in _addresses(array)
        if step_count < step:
            return
        step += 1


def test_meanwhile_the_network_stays_as_it_is(array: Simulator, lif: str) -> None:
    job = _move(array, lif)
    for method, path, body in (
        ("PATCH", lif, {"enabled": False}),
        ("PATCH", f"{lif}?confirm_within=60", {"enabled": False}),
        ("POST", "network/ip/routes", {"gateway": "10.10.1.254"}),
    ):
        response = array.call(method, path, body)
        assert response.status_code == 409
        assert job.rpartition("/")[2] in response.get_json()["error"]["message"]
    array.do("POST", "svm/svms", {"name": "svm1"})
    array.do("PATCH", f"{job}?action=confirm", {})
    array.do("PATCH", lif, {"enabled": False})


def test_a_job_that_cannot_be_confirmed_gives_a_reason(array: Simulator, lif: str) -> None:
    array.do("PATCH", lif, {"enabled": True})
    [job] = array.get("cluster/jobs?order_by=start_time desc&max_records=1")["records"]
    response = array.call("PATCH", f"cluster/jobs/{job['uuid']}?action=confirm", {})
    assert response.get_json()["error"]["code"] == "458762"
    assert array.call("POST", "svm/svms?confirm_within=60", {"name": "x"}).status_code == 400
    for seconds in (9, 601):
        assert array.call("PATCH", f"{lif}?confirm_within={seconds}", MOVED).status_code == 400


def test_a_late_confirmation_is_refused(array: Simulator, lif: str, clock: Clock) -> None:
    job = _move(array, lif)
    clock.now += 61
    array.settle()
    answer = array.call("PATCH", f"{job}?action=confirm", {}).get_json()["error"]
    assert "not confirmed within 60 s" in answer["message"]
