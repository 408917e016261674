"""Machines for tests.

`array` is an array that serves, `host` an initiator host beside it; both are booted once a session
and shared. A test that needs an array at its first boot is marked `fresh_array`: then all machines
are thrown away first. For one marked `spare_disks` they are if there are aggregates. Modules with
such tests come before all others, so that little is thrown away. After each module both machines
must be healthy: see `lab.health`. After one that failed they are thrown away too, so that the next
one begins clean.

Tests that need parts that User-mode Linux lacks (firmware, DHCP, two processors, buses of disks),
or the images' own kernel, are marked `qemu`: see `lab.suites`.

With `--sit` the machines in QEMU stay after a failure, to be looked into with
`PYTHONPATH=tests python3 -m lab --rack tests exec array`.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from lab import dependencies, health, paths, standstill
from lab.api import Api
from lab.rack import Layout
from lab.rack_lock import RackInUse
from lab.station import Array, Host, Station

STANDSTILLS = standstill.Watch()
RACK, USER_MODE_RACK = "tests", "tests-user-mode"
USER_MODE_LAYOUT = Layout(disk_size=512 << 20)
"""md rebuilds a whole disk where one was exchanged: of larger disks more."""
FAILURES = pytest.StashKey[int]()
"""How many tests had failed when a module began."""
IMAGE = os.environ.get("SANSTONE_IMAGE")
"""An ISO of `make image`; the array is its installation then."""
# Tests of the image itself need no stand-in, and the other way round.
collect_ignore = ["install", "update"] if IMAGE else ["image"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sit", action="store_true", help="keep the machines after a failure")
    parser.addoption("--user-mode", action="store_true", help="run in User-mode Linux")
    parser.addoption("--rack", default=USER_MODE_RACK, help="the one in User-mode Linux")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have the modules in the order in which their tests need fewest first boots of an array."""
    marks: dict[Path, set[str]] = {}
    for item in items:
        marks.setdefault(item.path, set()).update(mark.name for mark in item.iter_markers())
    ranks = {
        path: 0 if "fresh_array" in names else 1 if "spare_disks" in names else 2
        for path, names in marks.items()
    }
    items.sort(key=lambda item: ranks[item.path])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show with a failure what each machine last said: one that died is switched on again."""
    report = yield
    station = item.funcargs.get("station") if isinstance(item, pytest.Function) else None
    if report.failed and isinstance(station, Station):
        report.sections += [
            (machine.hardware.name, machine.last_words()) for machine in station.rack.started()
        ]
        report.sections.append(("the machine that tests run on", STANDSTILLS.report()))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup() -> Generator[None, object, object]:
    """End the run where another one has the rack: no test can begin then."""
    try:
        return (yield)
    except RackInUse as refusal:
        pytest.exit(str(refusal), pytest.ExitCode.USAGE_ERROR)


@pytest.fixture(scope="session")
def station(request: pytest.FixtureRequest) -> Iterator[Station]:
    """The machines of this session, all off and without a past."""
    dependencies.install_missing()
    if IMAGE:
        dependencies.install_missing(dependencies.PRODUCT_IMAGE)
        station = Station(paths.LAB / RACK, roles=("host",), iso=Path(IMAGE))
    elif request.config.getoption("--user-mode"):
        rack = paths.LAB / request.config.getoption("--rack")
        station = Station(rack, USER_MODE_LAYOUT, user_mode=True)
    else:
        station = Station(paths.LAB / RACK)
    station.erase()
    yield station
    if request.session.testsfailed and request.config.getoption("--sit"):
        print(f"\nThe machines stay on: python3 -m lab --rack {RACK} exec array")
    else:
        station.rack.cut_power()
        # They take several GB, which the next tests may need.
        station.rack.remove_disks()


@pytest.fixture
def array(request: pytest.FixtureRequest, station: Station) -> Array:
    """An array that serves."""
    if request.node.get_closest_marker("fresh_array"):
        station.erase()
    with_host = "host" in request.fixturenames
    station.switch_on(with_host=with_host)
    if request.node.get_closest_marker("spare_disks") and _has_aggregates(station.array):
        station.erase()
        station.switch_on(with_host=with_host)
    return station.array


def _has_aggregates(array: Array) -> bool:
    return bool(array.api.get("storage/aggregates")["records"])


@pytest.fixture
def host(array: Array, station: Station) -> Host:
    """An initiator host on the array's data networks."""
    host = station.host()
    if not host.machine.running:
        host.start()
    host.wait()
    return host


@pytest.fixture
def api(array: Array) -> Api:
    """The array's REST API, for the administrator."""
    return array.api


@pytest.fixture(scope="session")
def inspector() -> health.Inspector:
    """Remembers which messages were looked at."""
    return health.Inspector(health.read_allowed(Path(__file__).with_name("allowed-messages")))


@pytest.fixture(scope="module", autouse=True)
def healthy(
    request: pytest.FixtureRequest, station: Station, inspector: health.Inspector
) -> Iterator[None]:
    """Fail the module when a machine complains after its tests.

    After a failure the next module begins with other machines: these were asked for their state,
    and log it where complaints are looked for.
    """
    failures = request.session.testsfailed
    if failures > request.session.stash.get(FAILURES, 0) and not request.config.getoption("--sit"):
        station.erase()
    request.session.stash[FAILURES] = failures
    yield
    complaints = {
        f"{machine.hardware.name}: {complaint}"
        for machine in station.rack.started()
        if machine.running
        for complaint in inspector.complaints(machine, request.path.parent.name)
    }
    assert not complaints, "\n".join(sorted(complaints))
