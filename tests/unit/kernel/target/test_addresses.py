"""Addresses of endpoints as nvmet writes them."""

from __future__ import annotations

from dataclasses import replace

from fakes import FakeKernel
from sanstone.kernel.target import configfs, nvmet
from sanstone.kernel.target.addresses import InternetAddress, NvmeAddress, WorldWideName

TCP = InternetAddress("192.168.1.1", 4420)


def port(address: NvmeAddress, transport: str) -> str:
    """Return configfs of a port at an address."""
    kernel = FakeKernel()
    desired = nvmet.render((), (), [nvmet.Port(9, address, transport)])
    for step in configfs.plan(nvmet.read(kernel.host), desired):
        step.run(kernel.host)
    lines = kernel.configfs.dump().splitlines()
    place = "/sys/kernel/config/nvmet/ports/9/addr_"
    return "\n".join(line.removeprefix(place) for line in lines if line.startswith(place))


def test_nvme_over_rdma_is_reached_at_an_ip_address() -> None:
    assert "trtype = rdma" in port(TCP, "rdma")
    assert "traddr = 192.168.1.1\ntreq" in port(TCP, "rdma")
    assert "adrfam = ipv4" in port(TCP, "rdma")
    assert "trsvcid = 4420" in port(TCP, "rdma")
    assert "adrfam = ipv6" in port(replace(TCP, ip="fd00::1"), "rdma")


def test_nvme_over_fibre_channel_is_reached_at_the_names_of_a_port() -> None:
    names = WorldWideName("10:00:11:00:ab:00:00:01", "20:00:11:00:ab:00:00:01")
    text = port(names, "fc")
    assert "traddr = nn-0x10001100ab000001:pn-0x20001100ab000001\n" in text
    assert "adrfam = fc" in text
    assert "trsvcid = none" in text
