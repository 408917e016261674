"""Fibre Channel ports are read as the kernel's transport class shows them."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from fakes.files import SymbolicLink
from sanstone.kernel.network import fc


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine without Fibre Channel."""
    return FakeKernel()


def test_most_machines_have_none(kernel: FakeKernel) -> None:
    assert fc.ports(kernel.host) == []


def test_a_port_in_a_fabric(kernel: FakeKernel) -> None:
    kernel.fibre_channel.plug()
    assert fc.ports(kernel.host) == [
        fc.Port(
            name="0000:03:00.0",
            wwnn="20:00:00:24:ff:00:00:01",
            wwpn="21:00:00:24:ff:00:00:01",
            driver="qla2xxx",
            description="QLE2692 FW:v9.08.02 DVR:v10.02.09",
            state="online",
            speed=16,
            maximum=16,
            fabric="10:00:00:05:1e:00:00:01",
            address="010201",
            is_nvme_target=False,
        )
    ]


@pytest.mark.parametrize("fabric", ["0x0", "0x0000000000000000", "0xffffffffffffffff"])
def test_a_port_without_a_link(kernel: FakeKernel, fabric: str) -> None:
    kernel.fibre_channel.plug(
        port_state="Linkdown", speed="unknown", fabric_name=fabric, port_id="0x000000"
    )
    [port] = fc.ports(kernel.host)
    assert (port.state, port.speed, port.maximum) == ("linkdown", 0, 16)
    assert (port.fabric, port.address) == ("", "")


def test_ports_keep_their_names_over_a_reboot_and_come_in_their_order(kernel: FakeKernel) -> None:
    kernel.fibre_channel.plug()
    kernel.fibre_channel.plug("lpfc")
    before = fc.ports(kernel.host)
    kernel.reboot()
    assert fc.ports(kernel.host) == before
    assert [port.name for port in before] == ["0000:03:00.0", "0000:03:00.1"]


def test_virtual_ports_are_no_ports(kernel: FakeKernel) -> None:
    kernel.fibre_channel.plug()
    place = "../../devices/pci0000:00/0000:03:00.0/host3/vport-3:0-0/host4/fc_host/host4"
    kernel.files.place(f"{fc.ROOT}/host4", SymbolicLink(place))
    assert len(fc.ports(kernel.host)) == 1


def test_a_port_that_is_on_no_bus_has_its_hosts_name(kernel: FakeKernel) -> None:
    kernel.files.place(f"{fc.ROOT}/host7", SymbolicLink("../../devices/virtual/host7"))
    [port] = fc.ports(kernel.host)
    assert (port.name, port.driver, port.maximum) == ("host7", "", 0)
