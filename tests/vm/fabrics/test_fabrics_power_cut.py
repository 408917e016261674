"""A power cut while a host writes by iSER, SRP, NVMe/RDMA and TLS at once loses nothing by any.

iSCSI and NVMe over plain TCP have theirs in `vm/reliability`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

import pytest
from tls_host import are_live, connect, new_key, secured_namespace, start_handshakes

from lab.administrator import MIB, Administrator
from lab.initiator import Nvme
from lab.patience import eventually
from lab.station import Array, Host
from lab.transports import IserTransport, NvmeRdmaTransport, SrpTransport
from lab.workload import Workload

WRITTEN, BLOCK = 24 * MIB, 16384


class Used(NamedTuple):
    """A device of the host's, and whether both of its paths are as they should be."""

    name: str
    device: str
    is_good: Callable[[], bool]


@pytest.fixture
def by_rdma(admin: Administrator, host: Host) -> Iterator[list[Used]]:
    """A device of each transport over RDMA."""
    used = []
    with ExitStack() as provisioned:
        for kind in (IserTransport, SrpTransport, NvmeRdmaTransport):
            transport = kind(admin, host)
            record = provisioned.enter_context(transport.provisioned())
            transport.connect()
            provisioned.callback(transport.disconnect)
            device = transport.device(record)
            used.append(Used(transport.name, device, partial(transport.are_good, device, 2)))
        yield used


@pytest.fixture
def key(host: Host) -> str:
    """The key of host and array."""
    return new_key(host)


@pytest.fixture
def by_tls(
    array: Array, admin: Administrator, nvme: Nvme, host: Host, key: str
) -> Iterator[list[Used]]:
    """A device by TLS, unless the kernel cannot bind hosts to it (board/common/patches)."""
    if not array.has_product_kernel:
        yield []
        return
    start_handshakes(host)
    with secured_namespace(admin, nvme, key) as namespace:
        drive = connect(nvme, namespace, "--tls")
        yield [Used("tls", drive, partial(are_live, nvme, drive))]


def test_nothing_is_lost(
    array: Array, host: Host, by_rdma: list[Used], by_tls: list[Used], key: str
) -> None:
    used = [*by_rdma, *by_tls]
    for each in used:
        eventually(each.is_good)
    workloads = [Workload(host, f"cut-{each.name}", each.device, WRITTEN, BLOCK) for each in used]
    for workload in workloads:
        workload.start()
    for workload in workloads:
        workload.wait_until_written(MIB)
    array.power_off_hard()
    array.boot()
    for workload in workloads:
        workload.wait()
    for each in used:
        eventually(each.is_good)
    for workload in workloads:
        workload.reread()
    assert key not in array.run("journalctl --boot --no-pager; cat /proc/keys")
