"""An observation replaces the one before, and errors go when their cause does."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, event, select
from toy import NODE

from sanstone.core.database.store import reading, writing
from sanstone.core.declaration.resource import Reader
from sanstone.core.observed import (
    Observed,
    failing,
    load,
    load_all,
    load_one,
    load_some,
    record,
    record_errors,
    record_some,
    shown,
)

DISKS = "storage/disks"
PARTNER = "20000000-0000-4000-8000-000000000000"


def _record(database: Engine, observations: dict[str, dict[str, Any]], kind: str = DISKS) -> None:
    with writing(database) as session:
        record(session, NODE, {kind: observations})


def _errors(database: Engine, errors: dict[tuple[str, str], str]) -> None:
    with writing(database) as session:
        record_errors(session, NODE, errors)


def _loaded(database: Engine, kind: str = DISKS) -> dict[str, tuple[dict[str, Any], str]]:
    with reading(database) as session:
        return {key: (row.data, row.error) for key, row in load(session, kind).items()}


def test_rows_of_a_kind_are_exactly_the_observations(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}, "b": {"size": 2}})
    _record(toys, {"a": {"size": 1}}, "network/ethernet/ports")
    _record(toys, {"b": {"size": 3}, "c": {}})
    assert _loaded(toys) == {"b": ({"size": 3}, ""), "c": ({}, "")}
    assert _loaded(toys, "network/ethernet/ports") == {"a": ({"size": 1}, "")}


def test_all_observations_of_a_node_equal_those_of_each_kind(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}, "b": {}})
    _record(toys, {"a": {"up": True}}, "network/ethernet/ports")
    _errors(toys, {("storage/luns", "x"): "broken", (DISKS, "b"): "broken"})
    with writing(toys) as session:
        record(session, PARTNER, {DISKS: {"c": {}}, "svm/svms": {"s": {}}})
    with reading(toys) as session:
        everything = load_all(session, NODE)
        assert everything.keys() == {DISKS, "network/ethernet/ports", "storage/luns"}
        for kind, rows in everything.items():
            assert rows == load(session, kind, node_uuid=NODE)


def test_unchanged_observations_are_not_written(toys: Engine) -> None:
    """The reconciler looks every few seconds; a disk that sleeps must not be woken for nothing."""
    _record(toys, {"a": {"size": 1}})
    _errors(toys, {(DISKS, "a"): "broken"})
    statements: list[str] = []

    def note(*arguments: Any) -> None:
        statements.append(arguments[2].split()[0])

    event.listen(toys, "before_cursor_execute", note)
    _record(toys, {"a": {"size": 1}})
    _errors(toys, {(DISKS, "a"): "broken"})
    assert not {"INSERT", "UPDATE", "DELETE"} & set(statements)


def test_errors_are_set_and_cleared_one_by_one(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}, "b": {"size": 2}, "c": {}})
    _errors(toys, {(DISKS, each): "broken" for each in "abc"})
    _errors(toys, {(DISKS, "a"): "still broken", (DISKS, "b"): ""})
    with reading(toys) as session:
        assert failing(session, NODE) == {(DISKS, "a"): "still broken", (DISKS, "c"): "broken"}
    _errors(toys, {(DISKS, "c"): ""})
    assert _loaded(toys) == {"a": ({"size": 1}, "still broken"), "b": ({"size": 2}, "")}


def test_an_error_of_something_never_seen_goes_without_a_trace(toys: Engine) -> None:
    _errors(toys, {("storage/luns", "x"): "no pool"})
    assert _loaded(toys, "storage/luns") == {"x": ({}, "no pool")}
    _errors(toys, {("storage/luns", "x"): ""})
    assert _loaded(toys, "storage/luns") == {}


def test_an_error_outlives_what_was_seen(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}, "b": {"size": 2}})
    _errors(toys, {(DISKS, "a"): "broken"})
    _record(toys, {})
    assert _loaded(toys) == {"a": ({}, "broken")}


def test_observations_of_some_objects_leave_the_others(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}, "b": {"size": 2}, "c": {"size": 3}})
    facts = {(DISKS, "b"): {"size": 4}, (DISKS, "c"): None, (DISKS, "d"): {"size": 5}}
    with writing(toys) as session:
        record_some(session, NODE, facts)
    assert _loaded(toys) == {"a": ({"size": 1}, ""), "b": ({"size": 4}, ""), "d": ({"size": 5}, "")}


def test_a_nodes_observations_leave_those_of_its_partner(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}, "b": {"size": 2}})
    with writing(toys) as session:
        record(session, PARTNER, {DISKS: {"a": {"size": 7}}})
        record_errors(session, PARTNER, {(DISKS, "a"): "broken"})
    _record(toys, {"a": {"size": 3}})
    with reading(toys) as session:
        own = load(session, DISKS, node_uuid=NODE)
        assert {key: row.data for key, row in own.items()} == {"a": {"size": 3}}
        partner = load_one(session, PARTNER, DISKS, "a")
        assert partner is not None
        assert (partner.data, partner.error, partner.node_uuid) == ({"size": 7}, "broken", PARTNER)
        assert load_one(session, NODE, DISKS, "b") is None
        assert list(load_some(session, PARTNER, DISKS, ["a", "b"])) == ["a"]
        assert failing(session, NODE) == {}


def test_seeing_keeps_the_error(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}})
    _errors(toys, {(DISKS, "a"): "broken"})
    _record(toys, {"a": {"size": 2}})
    assert _loaded(toys) == {"a": ({"size": 2}, "broken")}


def test_a_reader_looks_one_object_up_alone_and_the_others_at_once(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}, "c": {"size": 3}, "d": {}})
    _errors(toys, {(DISKS, "a"): "broken"})
    selects: list[str] = []

    def note(*arguments: Any) -> None:
        if "FROM observed" in arguments[2]:
            selects.append(arguments[2])

    event.listen(toys, "before_cursor_execute", note)
    with reading(toys) as session:
        reader = Reader(session)
        assert reader.seen(DISKS, "a") == {"size": 1}
        assert reader.fault(DISKS, "a") == "broken"
        assert len(selects) == 1
        assert '"key" IN' in selects[0]
        assert reader.seen(DISKS, "b") == {}
        assert reader.seen(DISKS, "c") == {"size": 3}
        assert reader.fault(DISKS, "b") == ""
        assert reader.fault(DISKS, "a") == "broken"
    assert len(selects) == 2


def test_of_what_both_nodes_see_the_own_observation_is_shown(toys: Engine) -> None:
    _record(toys, {"a": {"size": 1}})
    with writing(toys) as session:
        record(session, PARTNER, {DISKS: {"a": {"size": 7}, "b": {"size": 8}}})
        record_errors(session, PARTNER, {(DISKS, "a"): "broken"})
    assert _loaded(toys) == {"a": ({"size": 1}, ""), "b": ({"size": 8}, "")}
    with reading(toys) as session:
        keys = select(Observed.key, Observed.node_uuid).where(shown()).order_by(Observed.key)
        assert session.execute(keys).tuples().all() == [("a", NODE), ("b", PARTNER)]
        assert load(session, DISKS, ["a"])["a"].data == {"size": 1}
