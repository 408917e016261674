"""Locate lights are on while that is ordered, and say so where they do not obey."""

from __future__ import annotations

import errno
from typing import Any

import pytest
from simulator import Simulator
from standing_clock import Clock

from sanstone.kernel.host import FileError
from sanstone.reconcile.stages import disk_lights
from sanstone.resources.storage import disk as disk_resource

DISKS = "storage/disks"
UID = "500605b0000272bf"


@pytest.fixture
def array(array: Simulator) -> Simulator:
    """An array with a shelf of two disks, sda and sdb."""
    array.kernel.enclosures.attach(UID, 4, {0: "sda", 1: "sdb"})
    array.read_disks()
    return array


def name(array: Simulator, device: str) -> str:
    [record] = array.get(f"{DISKS}?path=/dev/{device}")["records"]
    return str(record["name"])


def light_state(array: Simulator, device: str = "sda") -> str | None:
    [record] = array.get(f"{DISKS}?path=/dev/{device}&fields=location_led")["records"]
    light: str | None = record.get("location_led")
    return light


def order(array: Simulator, light: str, device: str = "sda") -> dict[str, Any]:
    return array.do("PATCH", f"{DISKS}/{name(array, device)}", {"location_led": light})


def test_a_light_goes_on_and_off_as_ordered(array: Simulator) -> None:
    order(array, "on")
    assert array.kernel.enclosures.is_lit(0, 0)
    assert not array.kernel.enclosures.is_lit(0, 1)
    assert (light_state(array), light_state(array, "sdb")) == ("on", "off")
    order(array, "off")
    assert not array.kernel.enclosures.is_lit(0, 0)
    assert light_state(array) == "off"


def test_a_light_goes_off_by_itself(array: Simulator, clock: Clock) -> None:
    order(array, "on")
    clock.now += disk_resource.LIT + 1
    array.read_disks()
    array.settle()
    assert not array.kernel.enclosures.is_lit(0, 0)
    assert light_state(array) == "off"


def test_a_light_stays_on_over_a_start_of_the_reconciler(array: Simulator) -> None:
    order(array, "on")
    array.start()
    array.settle()
    assert array.kernel.enclosures.is_lit(0, 0)
    before = len(array.kernel.interrupt.log)
    array.settle()
    assert len(array.kernel.interrupt.log) == before, "nothing is written twice"


def test_after_a_loss_of_power_it_is_switched_on_again(array: Simulator) -> None:
    order(array, "on")
    array.reboot()
    assert not array.kernel.enclosures.is_lit(0, 0)
    array.settle()
    array.settle()
    assert array.kernel.enclosures.is_lit(0, 0)


def test_a_light_that_nobody_ordered_is_left_as_it_is(array: Simulator) -> None:
    light = f"{array.kernel.enclosures.bay(0, 1)}/locate"
    array.kernel.host.files.write(light, "1")
    array.start()
    array.settle()
    array.settle()
    assert light_state(array, "sdb") == "on"
    assert array.kernel.enclosures.is_lit(0, 1)
    order(array, "off", "sdb")
    assert not array.kernel.enclosures.is_lit(0, 1)


def test_taking_the_disk_out_ends_the_order(array: Simulator) -> None:
    order(array, "on")
    array.kernel.remove_disk("sda")
    array.reconciler.rescan()
    array.settle()
    array.settle()
    assert not array.kernel.enclosures.is_lit(0, 0)
    before = len(array.kernel.interrupt.log)
    array.settle()
    assert len(array.kernel.interrupt.log) == before


def test_a_disk_without_a_light_is_refused(array: Simulator) -> None:
    for light in ("on", "off"):
        response = array.call("PATCH", f"{DISKS}/{name(array, 'sdc')}", {"location_led": light})
        assert response.status_code == 400
        error = response.get_json()["error"]
        assert error["message"] == "This disk has no locate light."
        assert error["target"] == "location_led"
    assert light_state(array, "sdc") is None


def failed_job(array: Simulator) -> str:
    """Order a light, and return why that fails."""
    response = array.call("PATCH", f"{DISKS}/{name(array, 'sda')}", {"location_led": "on"})
    assert response.status_code >= 400 or "job" in response.get_json(), response.get_json()
    [job] = array.get("cluster/jobs?order_by=start_time desc&fields=message,state&max_records=1")[
        "records"
    ]
    assert job["state"] == "failure", job
    return str(job["message"])


def test_a_failed_light_is_reported_and_its_order_withdrawn(array: Simulator) -> None:
    failure = FileError("write", "locate", errno.EIO)
    array.kernel.fail_when(lambda step: "/locate" in step, failure)
    assert "Input/output error" in failed_job(array)
    array.kernel.interrupt.clear()
    array.settle()
    assert light_state(array) == "off"
    assert not array.kernel.enclosures.is_lit(0, 0)


def test_a_shelf_that_does_not_answer_stops_no_turn(array: Simulator, clock: Clock) -> None:
    clock.now += disk_lights.FRESH + 1
    assert "its shelf does not answer" in failed_job(array)
    assert not array.kernel.enclosures.is_lit(0, 0)
