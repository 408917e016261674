"""Validations and updates, through kills and reboots."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import Any

import pytest
from software_orders import Orders, store_package
from sqlalchemy import select
from system_disk import Package, SystemDisk
from toy import NODE

from fakes import FakeKernel, Killed
from sanstone.core import places
from sanstone.core.database.store import writing
from sanstone.core.observed import Observed
from sanstone.kernel.host import CommandError, FileError
from sanstone.model.software import (
    FAILURE,
    REBOOTING,
    RUNNING,
    SUCCESS,
    UPDATE,
    VALIDATE,
    SoftwareTask,
)
from sanstone.system import boot_order, floor, packages, slot_report


def test_an_update_is_written_to_the_other_slot_and_the_array_reboots(
    orders: Orders, disk: SystemDisk
) -> None:
    store_package(Package())
    task = orders.do(UPDATE, version="2.0")
    assert (task.state, task.slot) == (REBOOTING, "b")
    assert disk.releases == {"a": "1.0", "b": "2.0"}
    assert disk.reboot_requested
    assert boot_order.on_trial(disk.variables["/dev/vda2"], "b")
    assert slot_report.content()["b"]["version"] == "2.0"


@pytest.mark.parametrize("what", ["reboot", "report"])
def test_an_update_that_fails_after_its_slot_was_written_is_not_booted_weeks_later(
    orders: Orders, disk: SystemDisk, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def refuse(argv: Sequence[str], _stdin: str = "") -> str:
        if argv[-1] == "reboot":
            raise CommandError(argv, 1, "Transport endpoint is not connected")
        return ""

    files = disk.kernel.files
    full, store = [errno.ENOSPC], files.store

    def store_when_there_is_room(path: str, *how: Any) -> None:
        if full:
            raise FileError("store", path, full.pop())
        store(path, *how)

    if what == "reboot":
        disk.kernel.commands.register("systemctl", refuse)
    else:
        disk.on_write = lambda: monkeypatch.setattr(files, "store", store_when_there_is_room)
    store_package(Package())
    assert orders.do(UPDATE, version="2.0").state == FAILURE
    variables = disk.variables["/dev/vda2"]
    assert (variables["ORDER"], variables["b_OK"], variables["TRIAL"]) == ("a b", "0", "")
    assert not slot_report.content()["b"]["trial"]


def test_an_update_that_fails_before_its_slot_is_written_leaves_the_way_back(
    orders: Orders, disk: SystemDisk
) -> None:
    def refuse(argv: Sequence[str], _stdin: str) -> str:
        raise CommandError(argv, 1, "Unit rauc.service not found.")

    disk.variables["/dev/vda2"] = boot_order.mark_good(disk.variables["/dev/vda2"], "b")
    disk.kernel.commands.register("systemctl", refuse)
    store_package(Package())
    assert orders.do(UPDATE, version="2.0").state == FAILURE
    assert boot_order.is_good(disk.variables["/dev/vda2"], "b")


def test_faults_before_an_update_are_noted(orders: Orders) -> None:
    with writing(orders.database) as session:
        session.add(Observed(kind="storage/luns", key="1", node_uuid=NODE, error="no such device"))
        session.add(Observed(kind="storage/luns", key="2", node_uuid=NODE))
        session.add(
            Observed(kind="network/ip/interfaces", key="3", node_uuid=NODE, data={"state": "down"})
        )
        session.add(
            Observed(kind="network/ip/interfaces", key="4", node_uuid=NODE, data={"state": "up"})
        )
    store_package(Package())
    task = orders.do(UPDATE, version="2.0")
    assert task.lacking == ["network/ip/interfaces:3", "storage/luns:1"]


@pytest.mark.parametrize("what", [VALIDATE, UPDATE])
@pytest.mark.parametrize(
    "package",
    [Package(schema="old older"), Package(schema=""), Package(signed=False)],
    ids=["older", "none", "signature"],
)
def test_a_wrong_package_is_refused_before_any_write(
    orders: Orders, disk: SystemDisk, package: Package, what: str
) -> None:
    store_package(package)
    before = dict(disk.variables["/dev/vda2"])
    task = orders.do(what, version="2.0")
    assert task.state == FAILURE and task.message
    assert disk.variables["/dev/vda2"] == before
    assert not disk.reboot_requested
    assert not any(call[:2] == ("rauc", "install") for call in disk.kernel.commands.calls)


@pytest.mark.parametrize("what", [VALIDATE, UPDATE])
def test_a_release_older_than_what_has_served_is_refused(
    orders: Orders, disk: SystemDisk, what: str
) -> None:
    store_package(Package("0.9"))
    task = orders.do(what, version="0.9")
    assert task.state == FAILURE and "0.9 is older than 1.0" in task.message
    assert disk.releases == {"a": "1.0", "b": ""}


def test_an_older_release_that_was_accepted_at_the_console_is_written_once(
    orders: Orders, disk: SystemDisk
) -> None:
    store_package(Package("0.9"))
    floor.accept(FakeKernel().host.files, places.state_directory(), "0.9")
    assert orders.do(VALIDATE, version="0.9").state == SUCCESS
    assert orders.do(UPDATE, version="0.9").state == REBOOTING
    assert disk.releases["b"] == "0.9"
    assert floor.accepted() == ""


@pytest.fixture
def updated(orders: Orders, disk: SystemDisk) -> SystemDisk:
    """The array runs release 2.0 from slot B; slot A holds the one before, without its package."""
    disk.schemas["a"] = "old now"
    disk.releases["b"], disk.schemas["b"] = "2.0", "old now"
    good = boot_order.mark_good(boot_order.mark_good(disk.variables["/dev/vda2"], "a"), "b")
    disk.variables["/dev/vda2"] = good | {"ORDER": "b a"}
    disk.boot("b")
    assert not list(packages.stored())
    return disk


def test_the_way_back_needs_no_package_and_is_tried_once(
    orders: Orders, updated: SystemDisk
) -> None:
    task = orders.do(UPDATE, version="1.0")
    assert (task.state, task.slot) == (REBOOTING, "a")
    assert updated.reboot_requested
    assert boot_order.on_trial(updated.variables["/dev/vda2"], "a")
    assert updated.releases == {"a": "1.0", "b": "2.0"}
    assert not any(call[:2] == ("rauc", "install") for call in updated.kernel.commands.calls)


@pytest.mark.parametrize("why", ["newer database", "does not tell", "failed its trial"])
def test_a_release_that_may_not_come_up_is_no_way_back(
    orders: Orders, updated: SystemDisk, why: str
) -> None:
    if why == "failed its trial":
        updated.variables["/dev/vda2"] = boot_order.stay(updated.variables["/dev/vda2"], "b")
    else:
        updated.schemas["a"] = "old" if why == "newer database" else ""
    before = dict(updated.variables["/dev/vda2"])
    task = orders.do(UPDATE, version="1.0")
    assert task.state == FAILURE and "no longer there" in task.message
    assert updated.variables["/dev/vda2"] == before and not updated.reboot_requested


def test_a_way_back_whose_reboot_fails_stays_open(orders: Orders, updated: SystemDisk) -> None:
    def refuse(argv: Sequence[str], _stdin: str = "") -> str:
        if argv[-1] == "reboot":
            raise CommandError(argv, 1, "Transport endpoint is not connected")
        return ""

    updated.kernel.commands.register("systemctl", refuse)
    assert orders.do(UPDATE, version="1.0").state == FAILURE
    variables = updated.variables["/dev/vda2"]
    assert (variables["ORDER"], variables["TRIAL"]) == ("b a", "")
    assert boot_order.is_good(variables, "a")
    updated.kernel.commands.register("systemctl", updated.systemctl)
    assert orders.do(UPDATE, version="1.0").state == REBOOTING


def test_a_way_back_that_is_killed_before_the_reboot_is_gone_on_with(
    orders: Orders, updated: SystemDisk
) -> None:
    def cut(argv: Sequence[str], _stdin: str = "") -> str:
        if argv[-1] == "reboot":
            raise Killed("power cut")
        return ""

    updated.kernel.commands.register("systemctl", cut)
    with pytest.raises(Killed):
        orders.do(UPDATE, version="1.0")
    with writing(orders.database) as session:
        session.scalars(select(SoftwareTask)).one().state = RUNNING
    updated.kernel.commands.register("systemctl", updated.systemctl)
    orders.work()
    assert updated.reboot_requested and boot_order.on_trial(updated.variables["/dev/vda2"], "a")


def test_whether_the_way_back_is_open_is_looked_at(orders: Orders, updated: SystemDisk) -> None:
    task = orders.do(VALIDATE, version="1.0")
    assert (task.state, task.message) == (SUCCESS, "The array can go back to release 1.0.")
    assert not updated.reboot_requested


def test_a_validation_writes_nothing(orders: Orders, disk: SystemDisk) -> None:
    store_package(Package())
    assert orders.do(VALIDATE, version="2.0").state == SUCCESS
    assert disk.releases["b"] == "" and not disk.reboot_requested


def test_a_killed_update_leaves_the_slot_bad_and_starts_again(
    orders: Orders, disk: SystemDisk
) -> None:
    store_package(Package())

    def cut() -> None:
        raise Killed("power cut")

    disk.on_write = cut
    with pytest.raises(Killed):
        orders.do(UPDATE, version="2.0")
    assert not boot_order.is_good(disk.variables["/dev/vda2"], "b")
    assert boot_order.primary(disk.variables["/dev/vda2"]) == "a"
    disk.on_write = lambda: None
    orders.work()
    assert disk.releases["b"] == "2.0" and disk.reboot_requested
    calls = [c for c in disk.kernel.commands.calls if c[0] in ("rauc", "systemctl")]
    installs = [i for i, c in enumerate(calls) if c[:2] == ("rauc", "install")]
    assert all(calls[i - 1] == ("systemctl", "restart", "rauc.service") for i in installs)


def test_a_slot_that_runs_already_is_not_written_over_its_way_back(
    orders: Orders, disk: SystemDisk
) -> None:
    """The power was cut between RAUC's last write and the note of it."""
    disk.releases["b"] = "2.0"
    disk.boot("b")
    task = orders.do(UPDATE, version="2.0", state=RUNNING, slot="b")
    assert task.state == REBOOTING
    assert disk.releases["a"] == "1.0" and not disk.reboot_requested
