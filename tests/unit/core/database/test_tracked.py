"""Whatever writes rows of resources counts their change, in the same transaction."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine
from toy import NODE, Shelf, ToySvm

from sanstone.core import events, jobs, observed
from sanstone.core.database import last_changes, tracked
from sanstone.core.database.change import Owned
from sanstone.core.database.last_changes import LastChange
from sanstone.core.database.store import Base, reading, writing
from sanstone.core.database.tracked import Tracked
from sanstone.core.jobs import Job
from sanstone.core.long_jobs import LongJob
from sanstone.core.observed import UNCOUNTED, Observed
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.model.svm import Svm
from sanstone.resources.declared import RESOURCES

SVM = "00000000-0000-4000-8000-000000000001"
SHELF = "00000000-0000-4000-8000-000000000002"
AGGREGATE = "00000000-0000-4000-8000-000000000003"
LEFT_OUT = {
    "change_counter": "the counter itself",
    "configuration_epoch": "no collection shows it",
    "due": "it is a note of one node to another",
    "last_change": "the numbers themselves",
    "login_failure": "each guess at a password would be a change",
    "removal": "the object is gone already, or changes when it is done",
}
"""Tables whose changes clients do not see, and why."""


@pytest.fixture
def world(toys: Engine) -> Engine:
    """An SVM and a shelf of it."""
    with writing(toys) as session:
        session.add(ToySvm(uuid=SVM, name="svm1"))
        session.flush()
        session.add(Shelf(uuid=SHELF, name="shelf1", svm_uuid=SVM))
    return toys


def counter(database: Engine) -> int:
    """Return the number of the last change."""
    with reading(database) as session:
        return last_changes.state(session).counter


def since(database: Engine, after: int) -> dict[str, LastChange]:
    """Return the changes after a number, by owner."""
    with reading(database) as session:
        changes = last_changes.since(session, after, "", 100)
        session.expunge_all()
    return {f"{row.kind}:{row.key}": row for row in changes}


def test_created_changed_and_deleted_rows_are_counted(world: Engine) -> None:
    changes = since(world, 0)
    assert changes.keys() == {f"svm/svms:{SVM}", f"toys/shelves:{SHELF}"}
    assert changes[f"toys/shelves:{SHELF}"].about_svm == SVM
    before = counter(world)
    with writing(world) as session:
        session.get_one(Shelf, SHELF).name = "shelf2"
    [changed] = since(world, before).values()
    assert (changed.key, changed.deleted, counter(world)) == (SHELF, False, before + 1)
    with writing(world) as session:
        session.delete(session.get_one(Shelf, SHELF))
    [deleted] = since(world, before + 1).values()
    assert (deleted.key, deleted.deleted) == (SHELF, True)


def test_unchanged_rows_are_not_counted(world: Engine) -> None:
    before = counter(world)
    with writing(world) as session:
        session.get_one(Shelf, SHELF).name = "shelf1"
        session.get_one(ToySvm, SVM)
    assert counter(world) == before


def test_a_failed_change_is_not_counted(world: Engine) -> None:
    before = counter(world)
    with pytest.raises(KeyError), writing(world) as session:
        session.get_one(Shelf, SHELF).name = "shelf2"
        session.flush()
        raise KeyError
    assert counter(world) == before


def test_a_part_of_a_transaction_that_succeeds_is_counted_with_the_whole(world: Engine) -> None:
    before = counter(world)
    with writing(world) as session:
        with session.begin_nested():
            session.get_one(Shelf, SHELF).name = "shelf2"
        assert last_changes.state(session).counter == before
    assert since(world, before).keys() == {f"toys/shelves:{SHELF}"}


def test_numbers_that_a_row_gives_away_are_no_change_of_it(world: Engine) -> None:
    with writing(world) as session:
        place = {"home_node_uuid": NODE, "node_uuid": NODE}
        session.add(Aggregate(uuid=AGGREGATE, name="a", raid_type="raid4", raid_size=8, **place))
    before = counter(world)
    with writing(world) as session:
        session.get_one(Aggregate, AGGREGATE).next_thin_id += 1
    assert counter(world) == before


def see(database: Engine, kind: str, key: str, data: dict[str, Any] | None) -> None:
    """Record an observation of an object."""
    with writing(database) as session:
        observed.record_some(session, NODE, {(kind, key): data})


def test_a_changed_observation_is_counted(world: Engine) -> None:
    kind, key = "protocols/san/iscsi/sessions", f"{SVM}/7/3"
    with writing(world) as session:
        session.add(Svm(uuid=SVM, name="svm1", number=1))
    see(world, kind, key, {"alias": ""})
    before = counter(world)
    see(world, kind, key, {"alias": "host"})
    [row] = since(world, before).values()
    assert (row.kind, row.key, row.about_svm, row.deleted) == (kind, key, SVM, False)
    see(world, kind, key, None)
    [row] = since(world, before + 1).values()
    assert (row.key, row.about_svm, row.deleted) == (key, SVM, True)


@pytest.mark.parametrize(
    ("kind", "facts"), [(kind, facts) for kind, facts in sorted(UNCOUNTED.items()) if facts]
)
def test_fast_changing_figures_are_not_counted(
    world: Engine, kind: str, facts: frozenset[str]
) -> None:
    with writing(world) as session:
        session.add(Disk(uid="x", name="x"))
    see(world, kind, "x", dict.fromkeys(facts, 1) | {"state": "up"})
    before = counter(world)
    see(world, kind, "x", dict.fromkeys(facts, 2) | {"state": "up"})
    assert counter(world) == before
    if kind != "support/ems/destinations":
        see(world, kind, "x", dict.fromkeys(facts, 2) | {"state": "down"})
        assert since(world, before).keys() == {f"{kind}:x"}


@pytest.mark.parametrize("kind", [kind for kind, facts in sorted(UNCOUNTED.items()) if not facts])
def test_figures_are_not_counted(world: Engine, kind: str) -> None:
    before = counter(world)
    see(world, kind, "x", {"sizes": []})
    assert counter(world) == before


def test_a_fault_is_a_change_when_it_comes_and_when_it_goes(world: Engine) -> None:
    for error in ("no pool", ""):
        before = counter(world)
        with writing(world) as session:
            observed.record_errors(session, NODE, {("storage/luns", "x"): error})
        assert since(world, before).keys() == {"storage/luns:x"}


def test_a_disks_change_has_the_name_that_is_its_key(world: Engine) -> None:
    with writing(world) as session:
        session.add(Disk(uid="wwn:1", name="1.0.7"))
    before = counter(world)
    see(world, "storage/disks", "wwn:1", {"present": True})
    assert since(world, before).keys() == {"storage/disks:1.0.7"}


def test_events_are_counted_when_they_happen(world: Engine) -> None:
    before = counter(world)
    with writing(world) as session:
        events.emit(session, events.NOTICE, "a", "something happened")
    assert since(world, before).keys() == {"support/ems/events:1"}


def test_the_progress_of_long_work_is_a_change_of_its_owner_and_of_the_job(world: Engine) -> None:
    owner = f"storage/aggregates:{AGGREGATE}"
    with writing(world) as session:
        session.add(LongJob(uuid=SHELF, kind="raid", owner=owner, node_uuid=NODE, percent=1))
        session.add(Job(uuid="waits", description="POST", touched=[owner]))
        session.add(Job(uuid="does not", description="POST", touched=["storage/luns:x"]))
        session.add(Job(uuid="has ended", description="POST", touched=[owner], state=jobs.SUCCESS))
    before = counter(world)
    with writing(world) as session:
        session.get_one(LongJob, SHELF).percent = 2
    assert since(world, before).keys() == {owner, "cluster/jobs:waits"}


def test_expired_rows_are_not_counted(world: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "KEPT", 0)
    monkeypatch.setattr(events, "KEPT", 0)
    with writing(world) as session:
        session.add(Job(description="POST", state=jobs.SUCCESS))
        events.emit(session, events.NOTICE, "a", "something happened")
    before = counter(world)
    with writing(world) as session:
        jobs.prune(session)
        events.prune(session)
        session.flush()
        assert session.query(Job).count() == session.query(events.Event).count() == 0
    assert counter(world) == before


def test_a_session_may_leave_out_what_it_did(world: Engine) -> None:
    before = counter(world)
    with writing(world) as session:
        session.get_one(Shelf, SHELF).name = "shelf2"
        tracked.leave_out(session)
    assert counter(world) == before


def classes() -> list[type[Any]]:
    """Return the classes of all tables."""
    mapped: list[type[Any]] = [mapper.class_ for mapper in Base.registry.mappers]
    return [each for each in mapped if each.metadata is Base.metadata]


def test_each_table_is_tracked_or_left_out_for_a_reason() -> None:
    untracked = {c.__tablename__ for c in classes() if not issubclass(c, Tracked)}
    assert untracked == LEFT_OUT.keys()


def test_each_kind_is_the_path_of_a_resource() -> None:
    paths = {resource.path for resource in RESOURCES}
    kinds = {c.kind for c in classes() if issubclass(c, Owned)}
    kinds |= {c.shown_as for c in classes() if hasattr(c, "shown_as")}
    kinds |= {kind for c in classes() if issubclass(c, Tracked) for kind in c.observed_below}
    assert kinds <= paths
    assert {kind for kind, facts in UNCOUNTED.items() if facts} <= paths
    assert issubclass(Observed, Tracked)


def test_parts_have_the_keys_of_others() -> None:
    whole: list[Any] = [c for c in classes() if issubclass(c, Owned) and not c.is_part]
    assert sorted({c.kind for c in whole}) == sorted(
        c.kind for c in whole if not c.__tablename__.endswith("snapshot")
    )
