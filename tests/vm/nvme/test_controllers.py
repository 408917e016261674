"""A controller that is slow to go, since an I/O of its host has not ended."""

from __future__ import annotations

import pytest

from lab.administrator import Record
from lab.initiator import Nvme
from lab.patience import eventually
from lab.station import Array, Host

DEBUG = "/sys/kernel/debug/nvmet"


@pytest.mark.usefixtures("drive")
def test_the_array_knows_whose_controller_it_is_without_its_admin_queue(
    array: Array, host: Host, nvme: Nvme, namespace: Record, drive: str
) -> None:
    if not array.has_product_kernel:
        pytest.skip("this kernel dies of the question (board/common/patches/linux)")
    device = f"sanstone-{namespace['uuid']}"
    of_subsystem = f"{DEBUG}/{namespace['nqn']}/ctrl*"
    # It would resume the device.
    array.run("systemctl kill --signal=STOP sanstone-reconciler")
    array.run(f"dmsetup suspend {device}")
    try:
        write = f"dd if=/dev/zero of={drive} bs=4k count=1 oflag=direct"
        host.run(f"systemd-run --quiet --collect --unit=write {write}")
        eventually(lambda: host.attempt("systemctl is-active write").out.strip() == "active")
        # The write is on its way, and the admin queue is soon gone.
        array.run(f"sleep 3; for state in {of_subsystem}/state; do echo fatal > $state; done")
        # That of the other way may just go.
        addresses = array.attempt(f"sleep 2; cat {of_subsystem}/host_traddr").out.split()
    finally:
        array.run(f"dmsetup resume {device}")
        array.run("systemctl kill --signal=CONT sanstone-reconciler")
    assert addresses
    assert set(addresses) <= {"10.10.1.101", "10.10.2.101"}
    eventually(lambda: host.attempt("systemctl is-active write").out.strip() == "inactive")
    eventually(lambda: [path.state for path in nvme.paths(drive)] == ["live optimized"] * 2)
