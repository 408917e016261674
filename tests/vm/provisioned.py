"""Fixtures of an array that serves a host: what the areas' tests begin with.

The aggregate, the SVM and its LIFs are made once and shared; each test gets a LUN or a namespace of
its own, which is gone after it. Two of the array's eight disks stay spares.

An area's conftest.py imports the fixtures that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from patience import eventually

from lab.administrator import GIB, Administrator, Record
from lab.initiator import Iscsi, Nvme, Path
from lab.station import Array, Host

__all__ = ["admin", "disk", "drive", "iscsi", "lun", "namespace", "nvme"]
AGGREGATE_DISKS = 6
ISCSI_PORTAL, NVME_PORTAL = "10.10.1.1", "10.10.1.2"


@pytest.fixture
def admin(array: Array) -> Administrator:
    """An administrator of an array with an aggregate, an SVM and its LIFs."""
    admin = Administrator(array.api)
    if not admin.api.get("svm/svms", name=admin.svm)["records"]:
        admin.add_aggregate(AGGREGATE_DISKS)
        admin.add_svm()
        admin.add_data_lifs()
    return admin


@pytest.fixture
def iscsi(host: Host) -> Iscsi:
    """The host's open-iscsi."""
    return Iscsi(host)


@pytest.fixture
def lun(admin: Administrator, iscsi: Iscsi) -> Iterator[Record]:
    """A LUN of 1 GiB that is mapped to the host, which is logged out before it goes."""
    igroup = admin.add_igroup("group1", iscsi.name)
    volume = admin.add_volume("vol_lun")
    lun = admin.add_lun(volume, "lun1", GIB)
    admin.map_lun(lun, igroup)
    yield lun
    iscsi.log_out()
    admin.remove("protocols/san/igroups", igroup, allow_delete_while_mapped="true")
    admin.remove("storage/volumes", volume)


@pytest.fixture
def disk(lun: Record, iscsi: Iscsi) -> str:
    """The host's multipath device of the LUN, with all its paths."""
    iscsi.discover(ISCSI_PORTAL)
    iscsi.log_in()
    disk = iscsi.device(lun["serial_number"])
    eventually(lambda: _are_all(iscsi.paths(disk), "active ready"))
    return disk


@pytest.fixture
def nvme(host: Host) -> Nvme:
    """The host's nvme-cli."""
    return Nvme(host)


@pytest.fixture
def namespace(admin: Administrator, nvme: Nvme) -> Iterator[Record]:
    """A namespace of 1 GiB that is mapped to the host, which is disconnected before it goes."""
    subsystem = admin.add_subsystem("sub1", {"nqn": nvme.name})
    volume = admin.add_volume("vol_namespace")
    namespace = admin.add_namespace(volume, "ns1", GIB)
    admin.map_namespace(namespace, subsystem)
    yield namespace
    nvme.disconnect()
    allowed = {"allow_delete_while_mapped": "true", "allow_delete_with_hosts": "true"}
    admin.remove("protocols/nvme/subsystems", subsystem, **allowed)
    admin.remove("storage/volumes", volume)


@pytest.fixture
def drive(namespace: Record, nvme: Nvme) -> str:
    """The host's device of the namespace, with all its paths."""
    nvme.connect(NVME_PORTAL)
    drive = nvme.device(namespace["uuid"])
    eventually(lambda: _are_all(nvme.paths(drive), "live optimized"))
    return drive


def _are_all(paths: list[Path], state: str) -> bool:
    """Tell whether there are two paths at least, and all of them are in this state."""
    return len(paths) >= 2 and {path.state for path in paths} == {state}
