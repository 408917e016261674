"""A controller that is slow to go, since an I/O of its host has not ended."""

from __future__ import annotations

import pytest

from lab.administrator import Record
from lab.initiator import Nvme
from lab.patience import eventually
from lab.station import Array, Host

DEBUG = "/sys/kernel/debug/nvmet"
PATHS = {"10.10.1.101", "10.10.2.101"}
"""The host's addresses, one on each."""


def is_with_the_array(array: Array, host: Host, drive: str) -> bool:
    """Return whether a write of the host's waits for the array's device.

    It is under way on the host, all that this has sent has arrived, and nvmet has read it.
    """
    paths = f"/sys/block/$(basename $(realpath {drive}) | sed 's/n[0-9]*$//')*c*n*/inflight"
    under_way = sum(map(int, host.run(f"cat {paths}").split()))
    queues = "ss --no-header --tcp --numeric state established"
    sent = host.run(f"{queues} dport = :4420").split()[1::4]
    unread = array.run(f"{queues} sport = :4420").split()[0::4]
    return under_way == 1 and not any(map(int, [*sent, *unread]))


def losses(host: Host) -> int:
    """Return how often the host lost a controller."""
    return host.run("journalctl --boot --dmesg --output=cat").count("starting error recovery")


@pytest.mark.usefixtures("drive")
def test_the_array_shows_the_host_of_a_controller_without_its_admin_queue(
    array: Array, host: Host, nvme: Nvme, namespace: Record, drive: str
) -> None:
    if not array.has_product_kernel:
        pytest.skip("this kernel dies of the question (board/common/patches)")
    device = f"sanstone-{namespace['uuid']}"
    of_subsystem = f"{DEBUG}/{namespace['nqn']}/ctrl*"
    # It would resume the device.
    array.run("systemctl kill --signal=STOP sanstone-reconciler")
    array.run(f"dmsetup suspend {device}")
    try:
        write = f"dd if=/dev/zero of={drive} bs=4k count=1 oflag=direct"
        host.run(f"systemd-run --quiet --collect --unit=write {write}")
        eventually(lambda: is_with_the_array(array, host, drive))
        lost = losses(host)
        array.run(f"for state in {of_subsystem}/state; do echo fatal > $state; done")
        # The host notices as its queues go, the admin queue first; the write holds the other one.
        eventually(lambda: losses(host) >= lost + len(PATHS))
        # That of the other way may just go.
        addresses = array.attempt(f"cat {of_subsystem}/host_traddr").out.split()
    finally:
        array.run(f"dmsetup resume {device}")
        array.run("systemctl kill --signal=CONT sanstone-reconciler")
    assert addresses
    assert set(addresses) <= PATHS
    eventually(lambda: host.attempt("systemctl is-active write").out.strip() == "inactive")
    eventually(lambda: [path.state for path in nvme.paths(drive)] == ["live optimized"] * 2)
