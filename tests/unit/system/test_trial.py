"""A system that was booted proves itself, or is left again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sqlalchemy import Engine
from standing_clock import Clock
from system_disk import FRESH, SystemDisk
from toy import NODE

from sanstone.core.database import store
from sanstone.core.database.store import reading, writing
from sanstone.core.events import Event
from sanstone.core.observed import Observed
from sanstone.model.software import FAILURE, REBOOTING, RUNNING, SUCCESS, UPDATE, SoftwareTask
from sanstone.system import boot_order, fallback, slot_report, trial


@pytest.fixture(autouse=True)
def quick(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that take no time."""
    monkeypatch.setattr(time, "sleep", clock.sleep)


@pytest.fixture
def updated(disk: SystemDisk, database: Engine) -> SystemDisk:
    """An array that has written slot B and got a request to reboot."""
    disk.releases["b"] = "2.0"
    disk.variables["/dev/vda2"] = boot_order.activate(FRESH, "b")
    order(database, state=REBOOTING)
    return disk


def order(database: Engine, state: str) -> None:
    with writing(database) as session:
        session.add(SoftwareTask(action=UPDATE, version="2.0", slot="b", state=state))


def wait(disk: SystemDisk, *, api: bool = True) -> None:
    trial.wait(disk.kernel.host, lambda: api)


def ended(database: Engine) -> tuple[str, list[str]]:
    with reading(database) as session:
        return session.query(SoftwareTask).one().state, [e.name for e in session.query(Event)]


def test_a_system_that_serves_is_there_to_stay(updated: SystemDisk, database: Engine) -> None:
    updated.boot("b")
    fallback.keep(updated.kernel.host.files, store.path(), "old")
    wait(updated)
    variables = updated.variables["/dev/vda2"]
    assert (variables["ORDER"], variables["b_TRY"], variables["TRIAL"]) == ("b a", "0", "")
    assert ended(database) == (SUCCESS, ["software.update.done"])
    assert not fallback.copy_path("old").exists()
    assert not updated.reboot_requested


def test_the_system_before_notes_that_the_update_failed(
    updated: SystemDisk, database: Engine
) -> None:
    updated.boot("a")
    wait(updated)
    variables = updated.variables["/dev/vda2"]
    assert (variables["ORDER"], variables["b_OK"]) == ("a b", "0")
    assert ended(database) == (FAILURE, ["software.update.fell.back"])


@pytest.mark.parametrize("what", ["sanstone-reconciler.service", "api"])
def test_a_system_on_trial_that_does_not_serve_is_left(
    updated: SystemDisk, database: Engine, what: str
) -> None:
    updated.boot("b")
    updated.inactive = {what}
    wait(updated, api=what != "api")
    assert updated.reboot_requested
    assert boot_order.on_trial(updated.variables["/dev/vda2"], "b")
    assert ended(database) == (REBOOTING, [])


LUN, LIF = "storage/luns", "network/ip/interfaces"


def see(database: Engine, kind: str, key: str, error: str = "", **data: object) -> None:
    """Record an observation of an object."""
    with writing(database) as session:
        session.merge(Observed(kind=kind, key=key, node_uuid=NODE, error=error, data=data))


@pytest.mark.parametrize("served_before", [True, False])
@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        (LUN, {"error": "no such device"}),
        (LIF, {"state": "down"}),
        ("storage/aggregates", {"state": "restricted"}),
    ],
    ids=["fault", "LIF", "aggregate"],
)
def test_a_system_on_trial_serves_what_was_served_before(
    updated: SystemDisk,
    database: Engine,
    caplog: pytest.LogCaptureFixture,
    kind: str,
    facts: dict[str, str],
    served_before: bool,
) -> None:
    see(database, kind, "1", **facts)
    with writing(database) as session:
        session.query(SoftwareTask).one().lacking = [] if served_before else [f"{kind}:1"]
    updated.boot("b")
    wait(updated)
    assert updated.reboot_requested is served_before
    assert (f"{kind}:1: " in caplog.text) is served_before
    assert ended(database)[0] == (REBOOTING if served_before else SUCCESS)


def test_late_objects_are_awaited(
    updated: SystemDisk, database: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    see(database, LIF, "1", state="down")
    with writing(database) as session:
        session.query(SoftwareTask).one().lacking = []
    monkeypatch.setattr("time.sleep", lambda _: see(database, LIF, "1", state="up"))
    updated.boot("b")
    wait(updated)
    assert ended(database)[0] == SUCCESS


def test_an_ordinary_boot_serves_although_single_objects_fail(
    disk: SystemDisk, database: Engine
) -> None:
    see(database, LUN, "1", error="no such device")
    wait(disk)
    assert disk.variables["/dev/vda2"]["a_TRY"] == "0"


def test_a_system_that_proved_itself_stays_up_whatever_fails(
    disk: SystemDisk, database: Engine
) -> None:
    disk.inactive = {"sanstone-reconciler.service"}
    wait(disk)
    assert not trial.give_up(disk.kernel.host)
    assert not disk.reboot_requested


def test_the_deadline_has_nothing_to_say_to_a_system_that_serves(
    disk: SystemDisk, database: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    wait(disk)
    caplog.clear()
    assert not trial.give_up(disk.kernel.host)
    assert not disk.reboot_requested and not caplog.records


def given_up(disk: SystemDisk) -> None:
    """Have GRUB boot slot A after three boots in vain of slot B, which had proved itself."""
    variables = boot_order.settle(boot_order.activate(FRESH, "b"), "b")
    disk.variables["/dev/vda2"] = variables | {"b_TRY": "3", "a_TRY": "1"}
    disk.boot("a")


def test_a_fallback_that_cannot_serve_gives_way_to_the_wanted_system(
    disk: SystemDisk, database: Engine
) -> None:
    given_up(disk)
    disk.inactive = {"sanstone-reconciler.service"}
    wait(disk)
    assert disk.reboot_requested
    variables = disk.variables["/dev/vda2"]
    assert (variables["ORDER"], variables["b_TRY"]) == ("b a", "0")


def test_a_fallback_that_cannot_serve_gives_way_to_what_failed_its_trial(
    updated: SystemDisk, database: Engine
) -> None:
    """The system before cannot read the database any more: the exports of the new one count."""
    with writing(database) as session:
        session.query(SoftwareTask).one().lacking = []
    see(database, LUN, "1", error="no such device")
    updated.variables["/dev/vda2"]["b_TRY"] = "3"
    updated.inactive = {"sanstone-reconciler.service"}
    updated.boot("a")
    wait(updated)
    assert updated.reboot_requested
    updated.reboot_requested, updated.inactive = False, set()
    updated.boot("b")
    wait(updated)
    assert ended(database)[0] == SUCCESS
    assert not updated.reboot_requested


def test_a_fallback_that_serves_stays_with_an_event(disk: SystemDisk, database: Engine) -> None:
    given_up(disk)
    wait(disk)
    variables = disk.variables["/dev/vda2"]
    assert (variables["ORDER"], variables["b_OK"]) == ("a b", "0")
    with reading(database) as session:
        assert [event.name for event in session.query(Event)] == ["software.slot.given.up"]


def test_a_slot_that_is_chosen_in_the_menu_was_not_given_up(
    disk: SystemDisk, database: Engine
) -> None:
    given_up(disk)
    disk.variables["/dev/vda2"]["b_TRY"] = "0"
    wait(disk)
    variables = disk.variables["/dev/vda2"]
    assert (variables["ORDER"], variables["b_OK"]) == ("a b", "1")
    with reading(database) as session:
        assert session.query(Event).all() == []


def test_consequences_of_a_boot_are_events_though_it_failed_half_way(
    disk: SystemDisk, database: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_up(disk)
    order(database, state=REBOOTING)

    def refuse(*_: object) -> None:
        raise OSError("No space left on device")

    with monkeypatch.context() as full:
        full.setattr(slot_report, "publish", refuse)
        with pytest.raises(OSError, match="No space"):
            wait(disk)
    wait(disk)
    state, event_names = ended(database)
    assert state == FAILURE
    assert event_names == ["software.slot.given.up", "software.update.fell.back"]


def test_an_update_whose_last_note_was_lost_is_judged_all_the_same(
    disk: SystemDisk, database: Engine
) -> None:
    disk.variables["/dev/vda2"] = boot_order.activate(FRESH, "b")
    order(database, state=RUNNING)
    disk.boot("b")
    wait(disk)
    assert ended(database)[0] == SUCCESS


def test_an_update_that_is_still_written_is_not_judged(disk: SystemDisk, database: Engine) -> None:
    order(database, state=RUNNING)
    wait(disk)
    assert ended(database) == (RUNNING, [])


def test_an_ordinary_boot_writes_only_that_it_was_good(disk: SystemDisk, database: Path) -> None:
    wait(disk)
    assert disk.variables["/dev/vda2"] == FRESH | {"a_TRY": "0"}
