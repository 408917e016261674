"""Fixtures of an array that serves a host, for the tests of all areas.

The aggregate, the SVM and its LIFs are created once and shared; each test gets a LUN or a namespace
of its own, which is deleted after it. Two of the array's eight disks stay spares.

An area's conftest.py imports the fixtures that it needs. `lun_of_module`, `disk_of_module`,
`namespace_of_module` and `drive_of_module` are the fixtures `lun`, `disk`, `namespace` and `drive`
of areas with one object for all tests of a module: to create it, to log in and to clear up takes
longer than most tests.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.administrator import Administrator, Record
from lab.initiator import Iscsi, Nvme, Path
from lab.mapped import mapped_lun, mapped_namespace
from lab.patience import eventually
from lab.station import Array, Host, Station

__all__ = [
    "admin",
    "disk",
    "disk_of_module",
    "drive",
    "drive_of_module",
    "iscsi",
    "lun",
    "lun_of_module",
    "machines",
    "namespace",
    "namespace_of_module",
    "nvme",
]
AGGREGATE_DISKS = 6
ISCSI_PORTAL, NVME_PORTAL = "10.10.1.1", "10.10.1.2"


def administrator_of(array: Array) -> Administrator:
    """Return an administrator of an array, which has an aggregate, an SVM and its LIFs then."""
    admin = Administrator(array.api)
    if not admin.api.get("svm/svms", name=admin.svm)["records"]:
        admin.add_aggregate(AGGREGATE_DISKS)
        admin.add_svm()
        admin.add_data_lifs()
    return admin


def log_in(iscsi: Iscsi, lun: Record) -> str:
    """Log the host in and return the LUN's multipath device once it has all its paths."""
    iscsi.discover(ISCSI_PORTAL)
    iscsi.log_in()
    disk = iscsi.device(lun["serial_number"])
    eventually(lambda: _are_all(iscsi.paths(disk), "active ready"))
    return disk


def connect(nvme: Nvme, namespace: Record) -> str:
    """Connect the host and return the namespace's device once it has all its paths."""
    nvme.connect(NVME_PORTAL)
    drive = nvme.device(namespace["uuid"])
    eventually(lambda: _are_all(nvme.paths(drive), "live optimized"))
    return drive


@pytest.fixture
def admin(array: Array) -> Administrator:
    """An administrator of an array with an aggregate, an SVM and its LIFs."""
    return administrator_of(array)


@pytest.fixture
def iscsi(host: Host) -> Iscsi:
    """The host's open-iscsi."""
    return Iscsi(host)


@pytest.fixture
def lun(admin: Administrator, iscsi: Iscsi) -> Iterator[Record]:
    """A LUN of the test's own."""
    with mapped_lun(admin, iscsi) as lun:
        yield lun


@pytest.fixture
def disk(lun: Record, iscsi: Iscsi) -> str:
    """The host's multipath device of the LUN, with all its paths."""
    return log_in(iscsi, lun)


@pytest.fixture
def nvme(host: Host) -> Nvme:
    """The host's nvme-cli."""
    return Nvme(host)


@pytest.fixture
def namespace(admin: Administrator, nvme: Nvme) -> Iterator[Record]:
    """A namespace of the test's own."""
    with mapped_namespace(admin, nvme) as namespace:
        yield namespace


@pytest.fixture
def drive(namespace: Record, nvme: Nvme) -> str:
    """The host's device of the namespace, with all its paths."""
    return connect(nvme, namespace)


@pytest.fixture(scope="module")
def machines(station: Station) -> Station:
    """The array and a host, both up."""
    station.switch_on(with_host=True)
    host = station.host()
    if not host.machine.running:
        host.start()
    host.wait()
    return station


@pytest.fixture(scope="module", name="lun")
def lun_of_module(machines: Station) -> Iterator[Record]:
    """A LUN of the module's own."""
    with mapped_lun(administrator_of(machines.array), Iscsi(machines.host())) as lun:
        yield lun


@pytest.fixture(scope="module", name="disk")
def disk_of_module(lun: Record, machines: Station) -> str:
    """The host's multipath device of the LUN, with all its paths."""
    return log_in(Iscsi(machines.host()), lun)


@pytest.fixture(scope="module", name="namespace")
def namespace_of_module(machines: Station) -> Iterator[Record]:
    """A namespace of the module's own."""
    with mapped_namespace(administrator_of(machines.array), Nvme(machines.host())) as namespace:
        yield namespace


@pytest.fixture(scope="module", name="drive")
def drive_of_module(namespace: Record, machines: Station) -> str:
    """The host's device of the namespace, with all its paths."""
    return connect(Nvme(machines.host()), namespace)


def _are_all(paths: list[Path], state: str) -> bool:
    """Return whether there are two paths at least, and all of them are in this state."""
    return len(paths) >= 2 and {path.state for path in paths} == {state}
