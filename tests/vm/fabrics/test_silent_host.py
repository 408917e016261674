"""A host that does not answer any more is shut out of SRP, and nobody waits for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.administrator import Administrator, Record
from lab.patience import eventually
from lab.station import Array, Host
from lab.transports import SrpTransport

SESSIONS = "protocols/san/srp/sessions"


@pytest.fixture
def transport(admin: Administrator, host: Host) -> SrpTransport:
    """SRP, in use by the host."""
    return SrpTransport(admin, host)


@pytest.fixture
def record(transport: SrpTransport) -> Iterator[Record]:
    """The array's record of a device that the host may reach."""
    with transport.provisioned() as record:
        yield record
        transport.disconnect()


def test_it_is_shut_out_while_nobody_waits(
    array: Array, admin: Administrator, host: Host, transport: SrpTransport, record: Record
) -> None:
    if not array.has_product_kernel:
        pytest.skip("Debian's kernel waits until it answers (sanstone.protocols.srp)")
    transport.connect()
    device = transport.device(record)
    eventually(lambda: transport.are_good(device, 2))
    host.plug("d2", connected=False)
    transport.admits(record, admitted=False)
    assert "still waiting" not in array.run("dmesg")
    eventually(lambda: admin.api.get(SESSIONS)["records"] == [])
    transport.admits(record, admitted=True)
    host.plug("d2", connected=True)
    eventually(lambda: transport.are_good(device, 2))
