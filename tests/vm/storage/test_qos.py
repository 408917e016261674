"""Limits hold for hosts, whichever transport they use, and change while they write.

The device-mapper target counts operations and bytes, and reports the array's own clock with them: a
machine that gets no processor is slower by both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from lab.administrator import MIB, Administrator, Record
from lab.patience import eventually
from lab.station import Array, Host
from lab.workload import Workload

POLICIES = "storage/qos/policies"
CLOSE = 0.05
"""By how much a rate may differ from its limit."""
OPERATIONS = 1000
"""That pass at least while a rate is measured, so that one more or less does not matter."""


@pytest.fixture(autouse=True)
def _possible(array: Array) -> None:
    if b"sanstone-qos" not in array.attempt("modprobe dm-sanstone-qos && dmsetup targets").stdout:
        pytest.skip("this kernel limits no throughput")


@dataclass(frozen=True)
class Passed:
    """The counters of a group at a moment of the array's clock, in nanoseconds."""

    clock: int
    operations: int
    size: int
    waiting: int
    waited: int


def passed(array: Array, device: Record) -> Passed:
    """Return the counters of the only group of a LUN or namespace."""
    status = array.run(f"dmsetup status --target sanstone-qos sanstone-{device['uuid']}").split()
    clock, groups, *words = status[3:]
    assert groups == "1"
    return Passed(int(clock), *map(int, words[3:7]))


def rate(array: Array, device: Record) -> tuple[float, float]:
    """Return the operations and bytes per second of some time in which hosts press."""
    before = passed(array, device)
    eventually(lambda: passed(array, device).operations >= before.operations + OPERATIONS)
    after = passed(array, device)
    seconds = (after.clock - before.clock) / 1e9
    assert after.waited > before.waited, "nothing had to wait"
    return (after.operations - before.operations) / seconds, (after.size - before.size) / seconds


def is_close(measured: float, limit: float) -> bool:
    """Return whether a rate is as near to its limit as it must be. One above it is refused."""
    assert measured <= limit * (1 + CLOSE)
    return measured >= limit * (1 - CLOSE)


@contextmanager
def policy(admin: Administrator, **members: int) -> Iterator[Record]:
    """A policy with these fixed members."""
    body = {"name": "limit", "svm.name": admin.svm, "fixed": members}
    admin.api.post(POLICIES, body)
    [policy] = admin.api.get(POLICIES, name="limit")["records"]
    try:
        yield policy
    finally:
        admin.api.delete(f"{POLICIES}/{policy['uuid']}")


@contextmanager
def pressing(host: Host, device: str, size: int = 4096) -> Iterator[None]:
    """A host that reads at random for as long as the block lasts, 32 at a time."""
    reads = (
        f"fio --name=press --filename={device} --rw=randread --bs={size} --direct=1 "
        "--ioengine=libaio --iodepth=32 --time_based --runtime=7200"
    )
    host.run(f"systemd-run --quiet --collect --unit=press {reads}")
    try:
        yield
    finally:
        host.run("systemctl stop press")


def require_kept(
    array: Array, host: Host, admin: Administrator, path: str, device: Record, node: str
) -> None:
    """Have a host press, and require that each limit that comes is kept."""
    owner = f"{path}/{device['uuid']}"
    with policy(admin, max_throughput_iops=200) as limit, pressing(host, node):
        admin.api.patch(owner, {"qos_policy.name": "limit"})
        try:
            eventually(lambda: is_close(rate(array, device)[0], 200))
            admin.api.patch(f"{POLICIES}/{limit['uuid']}", {"fixed.max_throughput_iops": 500})
            eventually(lambda: is_close(rate(array, device)[0], 500))
            bytes_alone = {"max_throughput_iops": 0, "max_throughput_mbps": 1}
            admin.api.patch(f"{POLICIES}/{limit['uuid']}", {"fixed": bytes_alone})
            eventually(lambda: is_close(rate(array, device)[1], 10**6))
        finally:
            admin.api.patch(owner, {"qos_policy": None})


def test_limits_are_kept_over_iscsi(
    array: Array, host: Host, admin: Administrator, lun: Record, disk: str
) -> None:
    require_kept(array, host, admin, "storage/luns", lun, disk)


def test_limits_are_kept_over_nvme_tcp(
    array: Array, host: Host, admin: Administrator, namespace: Record, drive: str
) -> None:
    require_kept(array, host, admin, "storage/namespaces", namespace, drive)


def test_nothing_is_lost_while_limits_come_change_and_go(
    array: Array, host: Host, admin: Administrator, lun: Record, disk: str
) -> None:
    workload = Workload(host, "limits", disk, 32 * MIB, 4096)
    path = f"storage/luns/{lun['uuid']}"
    with policy(admin, max_throughput_iops=1) as limit:
        workload.start()
        workload.wait_until_written(MIB)
        for operations in (50, 2000, 100, 5000) * 3:
            changed = {"fixed.max_throughput_iops": operations}
            admin.api.patch(f"{POLICIES}/{limit['uuid']}", changed)
            admin.api.patch(path, {"qos_policy.name": "limit"})
            admin.api.patch(f"{POLICIES}/{limit['uuid']}", {"fixed.max_throughput_mbps": 5})
            admin.api.patch(path, {"qos_policy": None})
        report = workload.wait()
    assert report.read_back == workload.size
    kinds = array.run(f"dmsetup table sanstone-{lun['uuid']}").split()[2]
    assert kinds == "thin"
