"""Fabrics are asked from time to time, through one of the ports in each."""

from __future__ import annotations

import pytest
from standing_clock import Clock

from fakes import FakeKernel
from fakes.fabric_services import Fabric, Switch
from sanstone.reconcile.tasks import fabric_asker
from sanstone.reconcile.tasks.fabric_asker import FabricAsker, FabricsMemory

FABRIC = "10:00:00:05:1e:00:00:01"
PORTS = ("21:00:00:24:ff:00:00:01", "21:00:00:24:ff:00:00:02")


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with two ports in a fabric, of which the first cannot ask it."""
    made = FakeKernel(disks=0)
    made.fibre_channel.plug("lpfc")
    made.fibre_channel.plug()
    made.fabrics.fabrics[FABRIC] = Fabric({FABRIC: Switch()}, "set", {"zone1": []})
    return made


def test_it_is_asked_through_a_port_that_can(kernel: FakeKernel, clock: Clock) -> None:
    memory = FabricsMemory({FABRIC: PORTS})
    FabricAsker(kernel.host, memory).ask()
    assert set(kernel.fabrics.ports_of_requests) == {"host4"}
    told = memory.told[FABRIC]
    assert told.zone_set is not None
    assert (told.zone_set.name, told.switches[0].wwn) == ("set", FABRIC)
    assert told.time == clock.now


def test_it_is_asked_again_after_a_while(kernel: FakeKernel, clock: Clock) -> None:
    memory = FabricsMemory({FABRIC: PORTS})
    asker = FabricAsker(kernel.host, memory)
    asker.ask()
    kernel.fabrics.fabrics[FABRIC].zone_set = "other"
    clock.now += fabric_asker.PERIOD - 1
    asker.ask()
    assert (zone_set := memory.told[FABRIC].zone_set) is not None
    assert zone_set.name == "set"
    clock.now += 1
    asker.ask()
    assert (zone_set := memory.told[FABRIC].zone_set) is not None
    assert zone_set.name == "other"


@pytest.mark.usefixtures("clock")
def test_it_is_asked_at_once_when_a_port_joins(kernel: FakeKernel) -> None:
    memory = FabricsMemory({FABRIC: PORTS[:1]})
    asker = FabricAsker(kernel.host, memory)
    asker.ask()
    assert memory.told == {}
    memory.wanted = {FABRIC: PORTS}
    asker.ask()
    assert FABRIC in memory.told


@pytest.mark.usefixtures("clock")
def test_what_it_rejects_is_not_told(kernel: FakeKernel) -> None:
    kernel.fabrics.fabrics[FABRIC].rejects = {0x0101, 0x0115}
    memory = FabricsMemory({FABRIC: PORTS})
    FabricAsker(kernel.host, memory).ask()
    assert (memory.told[FABRIC].zone_set, memory.told[FABRIC].switches) == (None, ())


@pytest.mark.usefixtures("clock")
def test_one_that_is_gone_is_forgotten(kernel: FakeKernel) -> None:
    memory = FabricsMemory({FABRIC: PORTS})
    asker = FabricAsker(kernel.host, memory)
    asker.ask()
    memory.wanted = {}
    asker.ask()
    assert memory.told == {}
    memory.wanted = {FABRIC: PORTS}
    asker.ask()
    assert FABRIC in memory.told


@pytest.mark.usefixtures("clock")
def test_a_port_that_was_pulled_is_no_error(kernel: FakeKernel) -> None:
    memory = FabricsMemory({FABRIC: PORTS})
    kernel.fibre_channel.unplug()
    FabricAsker(kernel.host, memory).ask()
    assert memory.told == {}
