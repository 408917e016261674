"""Fabrics are queried from time to time, through one of the ports in each."""

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
    """A machine with two ports in a fabric; the first cannot send requests to it."""
    fake = FakeKernel(disks=0)
    fake.fibre_channel.plug("lpfc")
    fake.fibre_channel.plug()
    fake.fabrics.fabrics[FABRIC] = Fabric({FABRIC: Switch()}, "set", {"zone1": []})
    return fake


def test_a_fabric_is_queried_through_a_capable_port(kernel: FakeKernel, clock: Clock) -> None:
    memory = FabricsMemory({FABRIC: PORTS})
    FabricAsker(kernel.host, memory).ask()
    assert set(kernel.fabrics.ports_of_requests) == {"host4"}
    fabric = memory.reports[FABRIC]
    assert fabric.zone_set is not None
    assert (fabric.zone_set.name, fabric.switches[0].wwn) == ("set", FABRIC)
    assert fabric.time == clock.now


def test_a_fabric_is_queried_again_when_due(kernel: FakeKernel, clock: Clock) -> None:
    memory = FabricsMemory({FABRIC: PORTS})
    asker = FabricAsker(kernel.host, memory)
    asker.ask()
    kernel.fabrics.fabrics[FABRIC].zone_set = "other"
    clock.now += fabric_asker.PERIOD - 1
    asker.ask()
    assert (zone_set := memory.reports[FABRIC].zone_set) is not None
    assert zone_set.name == "set"
    clock.now += 1
    asker.ask()
    assert (zone_set := memory.reports[FABRIC].zone_set) is not None
    assert zone_set.name == "other"


@pytest.mark.usefixtures("clock")
def test_a_port_that_joins_has_the_fabric_queried_at_once(kernel: FakeKernel) -> None:
    memory = FabricsMemory({FABRIC: PORTS[:1]})
    asker = FabricAsker(kernel.host, memory)
    asker.ask()
    assert memory.reports == {}
    memory.ports_by_fabric = {FABRIC: PORTS}
    asker.ask()
    assert FABRIC in memory.reports


@pytest.mark.usefixtures("clock")
def test_rejected_queries_leave_their_facts_absent(kernel: FakeKernel) -> None:
    kernel.fabrics.fabrics[FABRIC].rejects = {0x0101, 0x0115}
    memory = FabricsMemory({FABRIC: PORTS})
    FabricAsker(kernel.host, memory).ask()
    assert (memory.reports[FABRIC].zone_set, memory.reports[FABRIC].switches) == (None, ())


@pytest.mark.usefixtures("clock")
def test_a_removed_fabric_is_forgotten(kernel: FakeKernel) -> None:
    memory = FabricsMemory({FABRIC: PORTS})
    asker = FabricAsker(kernel.host, memory)
    asker.ask()
    memory.ports_by_fabric = {}
    asker.ask()
    assert memory.reports == {}
    memory.ports_by_fabric = {FABRIC: PORTS}
    asker.ask()
    assert FABRIC in memory.reports


@pytest.mark.usefixtures("clock")
def test_a_port_that_was_pulled_is_no_error(kernel: FakeKernel) -> None:
    memory = FabricsMemory({FABRIC: PORTS})
    kernel.fibre_channel.unplug()
    FabricAsker(kernel.host, memory).ask()
    assert memory.reports == {}
