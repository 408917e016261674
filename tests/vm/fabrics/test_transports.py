"""One table: each transport in turn does what hosts expect of all.

The tests of a transport share a device. Power is cut for several at once, in
`test_fabrics_power_cut.py` and `vm/reliability/test_power_cut.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from provisioned import administrator_of

from lab.administrator import GIB, MIB, Record
from lab.agent import GuestCommandFailed
from lab.patience import eventually
from lab.station import Array, Host, Station
from lab.transports import TRANSPORTS, LifTransport
from lab.workload import Workload

WRITTEN, BLOCK = 24 * MIB, 16384


@pytest.fixture(scope="module", params=TRANSPORTS, ids=lambda each: each.name)
def transport(request: pytest.FixtureRequest, machines: Station) -> LifTransport:
    """A transport, in use by the host."""
    kind: type[LifTransport] = request.param
    transport = kind(administrator_of(machines.array), machines.host())
    if not transport.is_possible():
        pytest.skip("the kernel of the host lacks it")
    return transport


@pytest.fixture(scope="module")
def record(transport: LifTransport) -> Iterator[Record]:
    """The array's record of a device that the host may reach."""
    with transport.provisioned() as record:
        yield record


@pytest.fixture(scope="module")
def device(transport: LifTransport, record: Record) -> Iterator[str]:
    """The host's device, with both of its paths."""
    transport.connect()
    device = transport.device(record)
    eventually(lambda: transport.are_good(device, 2))
    yield device
    transport.disconnect()


@pytest.mark.usefixtures("record")
def test_discovery_lists_both_addresses(transport: LifTransport) -> None:
    if not transport.discovers:
        pytest.skip("it has no discovery")
    assert transport.discover() >= set(transport.addresses)


@pytest.mark.usefixtures("device")
def test_the_array_shows_the_hosts_transport(transport: LifTransport) -> None:
    def protocols() -> set[str]:
        query = {"state": "connected", "fields": "transport_protocol"}
        paths = transport.admin.api.get("protocols/san/paths", **query)["records"]
        return {path["transport_protocol"] for path in paths}

    eventually(lambda: protocols() == {transport.listed_as or transport.name})


def test_growth_is_seen(host: Host, transport: LifTransport, record: Record, device: str) -> None:
    transport.admin.change(transport.devices, record, {"space.size": 2 * GIB})
    transport.look_again(device)
    eventually(lambda: int(host.run(f"blockdev --getsize64 {device}")) == 2 * GIB)
    host.run(f"dd if=/dev/urandom of={device} bs=1M count=4 seek=2044 oflag=direct conv=fsync")


def test_nothing_is_lost_with_a_path(
    array: Array, host: Host, transport: LifTransport, device: str
) -> None:
    workload = Workload(host, f"path-{transport.name}", device, WRITTEN, BLOCK)
    workload.start()
    workload.wait_until_written(MIB)
    array.plug("e0b", connected=False)
    eventually(lambda: transport.are_good(device, 1))
    array.plug("e0b", connected=True)
    assert workload.wait().read_back == WRITTEN
    workload.reread()
    eventually(lambda: transport.are_good(device, 2))


@pytest.mark.usefixtures("device")
def test_a_host_that_is_not_admitted_is_refused(transport: LifTransport, record: Record) -> None:
    transport.disconnect()
    transport.admits(record, admitted=False)
    try:
        with pytest.raises(GuestCommandFailed):
            transport.connect()
    finally:
        transport.disconnect()
        transport.admits(record, admitted=True)
