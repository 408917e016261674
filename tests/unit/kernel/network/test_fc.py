"""Fibre Channel ports are read as the kernel's transport class shows them."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from fakes.files import FakeFiles, SymbolicLink, Text
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
            virtual_maximum=254,
            virtual_in_use=0,
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


def test_virtual_ports_are_known_by_their_port(kernel: FakeKernel) -> None:
    base, name, node = "21:00:00:24:ff:00:00:01", "30:00:00:00:00:00:00:02", "30" + ":00" * 7
    kernel.fibre_channel.plug()
    assert fc.virtual_ports(kernel.host) == []
    kernel.fibre_channel.make_virtual(base, name, node)
    assert fc.virtual_ports(kernel.host) == [fc.VirtualPort(name, base, "010301", "active")]
    assert fc.ports(kernel.host)[0].virtual_in_use == 1


def test_the_address_of_its_port_is_none_of_a_virtual_port(kernel: FakeKernel) -> None:
    kernel.fibre_channel.plug("efct")
    name = "30:00:00:00:00:00:00:02"
    kernel.fibre_channel.make_virtual("21:00:00:24:ff:00:00:01", name, "30" + ":00" * 7)
    (port,) = fc.virtual_ports(kernel.host)
    assert (port.wwpn, port.address, port.state) == (name, "", "unknown")


def test_a_port_that_is_on_no_bus_has_its_hosts_name(kernel: FakeKernel) -> None:
    kernel.files.place(f"{fc.ROOT}/host7", SymbolicLink("../../devices/virtual/host7"))
    [port] = fc.ports(kernel.host)
    assert (port.name, port.driver, port.maximum) == ("host7", "", 0)


def place(files: FakeFiles, folder: str, texts: dict[str, str]) -> None:
    """Put attributes into a folder of sysfs."""
    for name, text in texts.items():
        files.place(f"{folder}/{name}", Text(f"{text}\n"))


LPFC_HOST = {
    "node_name": "0x200000109b1c2d3e",
    "port_name": "0x100000109b1c2d3e",
    "port_id": "0x010a00",
    "port_type": "NPort (fabric via point-to-point)",
    "port_state": "Online",
    "speed": "32 Gbit",
    "supported_speeds": "8 Gbit, 16 Gbit, 32 Gbit",
    "fabric_name": "0x100050eb1a2b3c4d",
    "symbolic_name": "Emulex LPe32002-M2 FV12.8.614.16 DV14.4.0.3 HN:array OS:Linux",
}
"""Attributes of lpfc: lpfc_get_host_port_id() and its neighbours in drivers/scsi/lpfc/lpfc_attr.c,
lpfc_vport_symbolic_node_name() in lpfc_els.c. Taken from the drivers' source, as QLA2XXX_HOST is:
the lab has no such adapter."""
QLA2XXX_HOST = {
    "node_name": "0x2000f4e9d4123456",
    "port_name": "0x2100f4e9d4123456",
    "port_id": "0x010b00",
    "port_type": "NPort (fabric via point-to-point)",
    "port_state": "Online",
    "speed": "16 Gbit",
    "supported_speeds": "4 Gbit, 8 Gbit, 16 Gbit",
    "fabric_name": "0x100050eb1a2b3c4d",
    "symbolic_name": "QLE2692 FW:v9.08.02 DVR:v10.02.09.300-k",
}
"""qla2x00_get_host_port_id() and its neighbours in drivers/scsi/qla2xxx/qla_attr.c,
qla2x00_get_sym_node_name() in qla_gs.c."""


def adapters(kernel: FakeKernel) -> None:
    """Plug in an adapter of each driver, as their sources say that sysfs shows them."""
    files = kernel.files
    for number, (function, host, driver) in enumerate(
        (("0000:3b:00.0", LPFC_HOST, "lpfc"), ("0000:5e:00.1", QLA2XXX_HOST, "qla2xxx"))
    ):
        name = f"host{number + 10}"
        devices = f"../../devices/pci0000:3a/0000:3a:00.0/{function}/{name}"
        files.place(f"{fc.ROOT}/{name}", SymbolicLink(f"{devices}/fc_host/{name}"))
        place(files, f"{fc.ROOT}/{name}", host)
        place(files, f"{fc.DRIVERS}/{name}", {"proc_name": driver})
    ids = {"vendor": "0x10df", "device": "0xe300", "class": "0x0c0400"}
    place(files, f"{fc.FUNCTIONS}/0000:3b:00.0", ids)


def test_adapters_as_their_drivers_show_them(kernel: FakeKernel) -> None:
    adapters(kernel)
    emulex, qlogic = fc.ports(kernel.host)
    assert (emulex.name, emulex.driver, emulex.speed) == ("0000:3b:00.0", "lpfc", 32)
    assert (emulex.wwnn, emulex.wwpn) == ("20:00:00:10:9b:1c:2d:3e", "10:00:00:10:9b:1c:2d:3e")
    assert (emulex.fabric, emulex.address) == ("10:00:50:eb:1a:2b:3c:4d", "010a00")
    assert (qlogic.name, qlogic.driver, qlogic.maximum) == ("0000:5e:00.1", "qla2xxx", 16)


def test_lpfc_is_loaded_with_the_ports_that_serve_nvme(kernel: FakeKernel) -> None:
    fc.load_lpfc(kernel.host, {"10:00:00:10:9b:1c:2d:3e"})
    assert kernel.commands.calls == [], "there is no adapter for it"
    adapters(kernel)
    fc.load_lpfc(kernel.host, {"10:00:00:10:9b:1c:2d:3f", "10:00:00:10:9b:1c:2d:3e"})
    names = "lpfc_enable_nvmet=0x100000109b1c2d3e,0x100000109b1c2d3f"
    assert kernel.commands.calls == [("modprobe", "lpfc", names)]


def test_a_port_of_lpfc_is_an_nvme_target_if_its_name_was_given(kernel: FakeKernel) -> None:
    adapters(kernel)
    assert not any(port.is_nvme_target for port in fc.ports(kernel.host))
    numbers = f"1,{0x100000109B1C2D3E},{0x2100F4E9D4123456}"
    kernel.files.place(fc.NVME_TARGETS, Text(f"{numbers}\n"))
    assert [port.is_nvme_target for port in fc.ports(kernel.host)] == [True, False]


def test_an_unnamed_driver_is_that_of_the_pci_function(kernel: FakeKernel) -> None:
    adapters(kernel)
    place(kernel.files, f"{fc.DRIVERS}/host10", {"proc_name": "<NULL>"})
    link = SymbolicLink("../../../../bus/pci/drivers/efct")
    kernel.files.place(f"{fc.FUNCTIONS}/0000:3b:00.0/driver", link)
    assert [port.driver for port in fc.ports(kernel.host)] == ["efct", "qla2xxx"]


def test_a_port_of_fcoe_is_named_after_its_ethernet_port(kernel: FakeKernel) -> None:
    host = LPFC_HOST | {"symbolic_name": "fcoe v0.1 over e0c", "fabric_name": "0x0"}
    link = SymbolicLink("../../devices/virtual/net/e0c/host5/fc_host/host5")
    kernel.files.place(f"{fc.ROOT}/host5", link)
    place(kernel.files, f"{fc.ROOT}/host5", host)
    (port,) = fc.ports(kernel.host)
    assert (port.name, port.fabric, port.address) == ("e0c", "", "010a00")


def test_remote_ports_are_listed_by_the_port_that_sees_them(kernel: FakeKernel) -> None:
    assert fc.remote_ports(kernel.host) == []
    adapters(kernel)
    attributes = {"port_name": "0x2000005056000001", "node_name": "0x1000005056000001"}
    attributes |= {"port_id": "0x010c00", "port_state": "Online"}
    place(kernel.files, f"{fc.REMOTE_PORTS}/rport-10:0-3", attributes)
    place(kernel.files, f"{fc.REMOTE_PORTS}/rport-11:0-1", attributes | {"port_state": "Blocked"})
    (port,) = fc.remote_ports(kernel.host)
    assert (port.wwpn, port.address) == ("20:00:00:50:56:00:00:01", "010c00")
    assert port.seen_by == "10:00:00:10:9b:1c:2d:3e"
    assert not port.is_initiator


@pytest.mark.parametrize(
    ("roles", "is_initiator"),
    [
        ("FCP Initiator", True),
        ("FCP Initiator, NVMe Initiator", True),
        ("FCP Target, FCP Initiator", False),
        ("FCP Target", False),
        ("FCP Dummy Initiator", False),
        ("unknown", False),
    ],
)
def test_a_host_is_an_initiator_and_no_target(
    kernel: FakeKernel, roles: str, is_initiator: bool
) -> None:
    attributes = {"port_name": "0x2000005056000001", "port_state": "Online", "roles": roles}
    place(kernel.files, f"{fc.REMOTE_PORTS}/rport-10:0-3", attributes)
    assert fc.remote_ports(kernel.host)[0].is_initiator is is_initiator


def test_traffic_is_in_bytes(kernel: FakeKernel) -> None:
    assert fc.traffic(kernel.host) == {}
    kernel.fibre_channel.plug()
    kernel.fibre_channel.count(1, rx_frames=3, tx_frames=4, rx_words=0x100, tx_words=0x200)
    assert fc.traffic(kernel.host) == {
        "21:00:00:24:ff:00:00:01": fc.Traffic(3, 4, received_bytes=1024, sent_bytes=2048)
    }


def test_a_port_without_counters_has_no_traffic(kernel: FakeKernel) -> None:
    kernel.fibre_channel.plug()
    kernel.fibre_channel.count(1, rx_words=2**64 - 1)
    assert list(fc.traffic(kernel.host).values()) == [None]
    # As a driver without counters, or one that cannot read them now.
    kernel.files.displace(f"{fc.ROOT}/host3/statistics/rx_frames")
    assert list(fc.traffic(kernel.host).values()) == [None]
