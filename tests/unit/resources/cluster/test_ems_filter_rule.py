"""Rules of a filter, one by one."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from in_process import Array

FILTERS = "support/ems/filters"
PATH = f"{FILTERS}/mine/rules"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with a filter of two rules."""
    rules = [{"type": "include", "message_criteria": {"name_pattern": p}} for p in ("a", "b")]
    api.make(FILTERS, {"name": "mine", "rules": rules})
    return api


def patterns(array: Array) -> list[str]:
    return [r["message_criteria"]["name_pattern"] for r in array.get(f"{FILTERS}/mine")["rules"]]


def test_a_rule_is_put_at_its_index_or_at_the_end(array: Array) -> None:
    for index, pattern in ((1, "x"), (3, "y"), (None, "z")):
        place = {"index": index} if index else {}
        criteria = {"message_criteria": {"name_pattern": pattern}}
        array.make(PATH, {"type": "exclude", **place, **criteria})
    assert patterns(array) == ["x", "a", "y", "b", "z", "*"]
    assert array.get(f"{PATH}/5")["message_criteria"]["name_pattern"] == "z"
    array.refuse("POST", PATH, "262197", {"type": "include", "index": 9})


def test_a_rule_is_changed_moved_and_deleted(array: Array) -> None:
    array.patch(f"{PATH}/2", {"type": "exclude", "index": 1})
    rules = array.get(f"{FILTERS}/mine")["rules"]
    assert [(rule["type"], rule["index"]) for rule in rules[:2]] == [("exclude", 1), ("include", 2)]
    assert patterns(array) == ["b", "a", "*"]
    array.delete(f"{PATH}/1")
    assert patterns(array) == ["a", "*"]
    assert array.delete(f"{PATH}?type=include") == {"num_records": 1}
    assert patterns(array) == ["*"]


def test_records_name_rules_by_their_numbers(array: Array) -> None:
    records = [{"index": 2, "type": "exclude"}, {"index": 1, "type": "exclude"}]
    assert array.patch(PATH, {"records": records}) == {"num_records": 2}
    assert {rule["type"] for rule in array.records(f"{PATH}?fields=type")} == {"exclude"}


def test_several_are_deleted_at_once(array: Array) -> None:
    array.delete(f"{PATH}?type=include")
    assert patterns(array) == ["*"]


def test_invalid_rules_are_refused(array: Array) -> None:
    array.refuse("DELETE", f"{PATH}/3", "8")
    array.refuse("PATCH", f"{PATH}/3", "8", {"type": "include"})
    array.refuse("DELETE", f"{PATH}/4", "4")
    again = {"type": "include", "message_criteria": {"name_pattern": "a"}}
    array.refuse("POST", PATH, "1", again)
    array.refuse("POST", f"{FILTERS}/important-events/rules", "8", again)
    array.refuse("POST", f"{FILTERS}/no-such/rules", "4", again)
