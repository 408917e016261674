"""A change can be taken back, later ones stay, and secrets stay secret in its record."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from toy import Box, Shelf, ShelfResource, ToyBase, ToySvm

from sanstone.core.database.change import Change, Removal, Superseded, revert
from sanstone.core.database.store import reading, writing

SVM, SHELF = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"


@pytest.fixture
def world(toys: Engine) -> Engine:
    """An owner with a shelf of every kind of value and two boxes."""
    with writing(toys) as session:
        session.add(ToySvm(uuid=SVM, name="svm1"))
        session.flush()
        session.add(
            Shelf(
                uuid=SHELF,
                name="s",
                svm_uuid=SVM,
                size=2**62,
                create_time=0.1 + 0.2,
                password="open sesame",
                notes={"a": [1, None, "ü"]},
            )
        )
        session.flush()
        session.add_all(Box(shelf_uuid=SHELF, name=name, number=1) for name in ("a", "b"))
    return toys


def _contents(database: Engine) -> list[str]:
    """Return the toys' rows in a fixed order, but for the counter, which is never taken back."""
    lines: list[str] = []
    with reading(database) as session:
        for table in ToyBase.metadata.sorted_tables:
            columns = [column for column in table.c if column.name != "counter"]
            lines += sorted(f"{table.name} {row}" for row in session.execute(select(*columns)))
    return lines


def _changed(database: Engine, *hooks: Any) -> list[dict[str, Any]]:
    """Run hooks as one change and return its record as the job keeps it: as JSON."""
    with writing(database) as session:
        change = Change(session)
        for hook in hooks:
            hook(change)
        session.flush()
        record: list[dict[str, Any]] = json.loads(json.dumps(change.undo))
        return record


def _take_back(database: Engine, undo: list[dict[str, Any]]) -> None:
    with writing(database) as session:
        revert(session, undo)


def _set(**values: Any) -> Any:
    def hook(change: Change) -> None:
        shelf = change.session.get_one(Shelf, SHELF)
        for name, value in values.items():
            setattr(shelf, name, value)
        change.session.flush()

    return hook


def _delete_shelf(change: Change) -> None:
    shelf = change.session.get_one(Shelf, SHELF)
    ShelfResource().delete(change, shelf, {"force": True})


def _shelf(database: Engine) -> dict[str, Any]:
    with reading(database) as session:
        shelf = session.get_one(Shelf, SHELF)
        return {column.key: getattr(shelf, column.key) for column in Shelf.__table__.columns}


def _removals(database: Engine) -> list[tuple[str, str]]:
    with reading(database) as session:
        return [(row.kind, row.owner) for row in session.scalars(select(Removal))]


def test_a_created_object_goes_and_what_the_machine_may_hold_of_it_is_removed(
    world: Engine,
) -> None:
    before = _contents(world)

    def create(change: Change) -> None:
        change.add(Shelf(uuid="new", name="t", svm_uuid=SVM))
        change.add(Box(shelf_uuid="new", name="c"))

    undo = _changed(world, create)
    _take_back(world, undo)
    assert _contents(world) == before
    assert _removals(world) == [("thin", "toys/shelves:new")]


def test_a_changed_object_is_as_it_was(world: Engine) -> None:
    before = _contents(world)
    values = {"name": "t", "size": 1, "comment": "x", "enabled": False, "create_time": 7.5}
    _take_back(world, _changed(world, _set(**values, password="changed", notes={})))
    assert _contents(world) == before
    assert _removals(world) == []


def test_a_deleted_object_comes_back_whole_and_is_not_removed(world: Engine) -> None:
    before = _contents(world)
    undo = _changed(world, _delete_shelf)
    assert _removals(world) == [("thin", f"toys/shelves:{SHELF}")]
    _take_back(world, undo)
    assert _contents(world) == before
    assert _removals(world) == []


def test_a_later_changes_values_stay(world: Engine) -> None:
    undo = _changed(world, _set(color="green", size=5, password="second"))
    _changed(world, _set(size=9, password="third"))
    _take_back(world, undo)
    shelf = _shelf(world)
    assert (shelf["color"], shelf["size"], shelf["password"]) == ("red", 9, "third")


def _replace(change: Change) -> None:
    """Put a shelf, without boxes, in the place of another that has its data."""
    shelf = change.session.get_one(Shelf, SHELF)
    for box in list(shelf.boxes):
        change.delete(box)
    values = {"name": "t", "svm_uuid": SVM, "password": "a new secret", "create_time": 0.1}
    change.replace(shelf, Shelf(uuid="new", **values))


def test_a_replaced_object_comes_back_and_its_successor_leaves_nothing_to_remove(
    world: Engine,
) -> None:
    before = _contents(world)
    _take_back(world, _changed(world, _replace))
    assert _contents(world) == before
    assert _removals(world) == []


@pytest.mark.parametrize("later", [update(Shelf).values(size=9), delete(Shelf)])
def test_a_replaced_object_stays_away_once_its_data_is_another_matter(
    world: Engine, later: Any
) -> None:
    undo = _changed(world, _replace)
    with writing(world) as session:
        session.execute(later.where(Shelf.uuid == "new"))
    before = _contents(world)
    with pytest.raises(Superseded):
        _take_back(world, undo)
    assert _contents(world) == before


def test_several_writes_of_one_change_are_undone_to_the_first(world: Engine) -> None:
    undo = _changed(world, _set(size=5), _set(size=6, color="green"), _set(size=7))
    _take_back(world, undo)
    assert (_shelf(world)["size"], _shelf(world)["color"]) == (2**62, "red")


def test_a_value_that_a_later_change_set_back_stays(world: Engine) -> None:
    undo = _changed(world, _set(comment="x"))
    _changed(world, _set(comment=None))
    _take_back(world, undo)
    assert _shelf(world)["comment"] is None


@pytest.mark.parametrize("later", [None, ""])
def test_a_secret_that_was_taken_away_comes_back(world: Engine, later: str | None) -> None:
    undo = _changed(world, _set(password=later))
    assert _shelf(world)["password"] == ""
    _take_back(world, undo)
    assert _shelf(world)["password"] == "open sesame"


def test_a_secret_that_was_given_goes_again(world: Engine) -> None:
    _changed(world, _set(password=None))
    _take_back(world, _changed(world, _set(password="second")))
    assert _shelf(world)["password"] == ""


def test_secrets_stay_encrypted_in_the_record(world: Engine) -> None:
    record = json.dumps(
        [
            *_changed(world, _set(password="a new secret")),
            *_changed(world, _delete_shelf),
        ]
    )
    assert "open sesame" not in record
    assert "a new secret" not in record


def test_a_row_created_and_deleted_in_one_change_needs_no_undo(world: Engine) -> None:
    before = _contents(world)

    def hook(change: Change) -> None:
        shelf = Shelf(uuid="new", name="t", svm_uuid=SVM)
        change.add(shelf)
        change.delete(shelf)

    _take_back(world, _changed(world, hook))
    assert _contents(world) == before


def test_a_name_that_was_freed_and_taken_again_within_a_change(world: Engine) -> None:
    before = _contents(world)

    def hook(change: Change) -> None:
        change.add(Shelf(uuid="new", name="s", svm_uuid=SVM))

    _take_back(world, _changed(world, _set(name="t"), hook))
    assert _contents(world) == before


def test_a_counter_is_not_taken_back(world: Engine) -> None:
    def hook(change: Change) -> None:
        svm = change.session.get_one(ToySvm, SVM)
        svm.counter, svm.name = 5, "renamed"
        change.session.flush()

    _take_back(world, _changed(world, hook))
    with reading(world) as session:
        svm = session.get_one(ToySvm, SVM)
        assert (svm.name, svm.counter) == ("svm1", 5)


def test_a_change_that_others_build_on_cannot_be_taken_back(world: Engine) -> None:
    undo = _changed(world, lambda change: change.add(Shelf(uuid="n", name="t", svm_uuid=SVM)))
    _changed(world, lambda change: change.add(Box(shelf_uuid="n", name="x")))
    before = _contents(world)
    with pytest.raises(IntegrityError):
        _take_back(world, undo)
    assert _contents(world) == before
    assert _removals(world) == []


def test_a_name_that_another_took_cannot_be_given_back(world: Engine) -> None:
    undo = _changed(world, _set(name="t"))
    _changed(world, lambda change: change.add(Shelf(uuid="n", name="s", svm_uuid=SVM)))
    with pytest.raises(IntegrityError):
        _take_back(world, undo)


def test_the_owners_of_all_rows_are_touched(world: Engine) -> None:
    with writing(world) as session:
        change = Change(session)
        change.touch("x:y")
        change.add(Shelf(uuid="new", name="t", svm_uuid=SVM))
        session.get_one(ToySvm, SVM).name = "renamed"
        session.flush()
        _delete_shelf(change)
        assert change.touched == {
            "x:y",
            "toys/shelves:new",
            f"svm/svms:{SVM}",
            f"toys/shelves:{SHELF}",
        }


def test_a_row_set_to_what_it_is_is_no_change(world: Engine) -> None:
    with writing(world) as session:
        change = Change(session)
        session.get_one(Shelf, SHELF).name = "s"
        session.flush()
        assert not change.undo
        assert not change.touched


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["add", "delete", "rename", "color", "secret", "box", "unbox", "flush"]),
        st.integers(0, 3),
    ),
    max_size=12,
)


def _operate(session: Session, change: Change, action: str, number: int) -> None:
    """Do one thing to shelf `number` if it can be done."""
    uuid = f"shelf{number}"
    shelf = session.get(Shelf, uuid)
    if action == "add" and shelf is None:
        change.add(Shelf(uuid=uuid, name=uuid, svm_uuid=SVM))
    elif action == "flush":
        session.flush()
    elif shelf is None:
        return
    elif action == "delete":
        ShelfResource().delete(change, shelf, {"force": True})
    elif action == "rename":
        shelf.name += "x"
    elif action == "color":
        shelf.color = "green" if shelf.color == "red" else "red"
    elif action == "secret":
        shelf.password = f"{shelf.password or ''}x"
    elif action == "box" and len(shelf.boxes) < 2:
        change.add(Box(shelf_uuid=uuid, name=f"b{len(shelf.boxes)}", number=number))
        session.expire(shelf, ["boxes"])
    elif action == "unbox" and shelf.boxes:
        change.delete(shelf.boxes[-1])
        session.expire(shelf, ["boxes"])


@given(before=OPERATIONS, operations=OPERATIONS)
def test_any_change_is_undone(
    world: Engine, before: list[tuple[str, int]], operations: list[tuple[str, int]]
) -> None:
    with writing(world) as session:
        session.execute(delete(Box))
        session.execute(delete(Shelf))
        change = Change(session)
        for action, number in before:
            _operate(session, change, action, number)
    contents = _contents(world)
    with writing(world) as session:
        change = Change(session)
        for action, number in operations:
            _operate(session, change, action, number)
        session.flush()
        undo = json.loads(json.dumps(change.undo))
    _take_back(world, undo)
    assert _contents(world) == contents
