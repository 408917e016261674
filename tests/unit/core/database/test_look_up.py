"""Facts are loaded alone, for the rows shown, or for a whole kind, and are always the same."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.database.look_up import LookUp

FACTS = {"disk": {f"d{number}": number for number in range(9)}, "port": {"p0": 70}}


class Source:
    """A source of facts that counts its loads."""

    def __init__(self) -> None:
        self.loads: list[tuple[str, tuple[str, ...] | None]] = []
        self.facts = LookUp(self.load)

    def load(self, kind: str, keys: Sequence[str] | None) -> dict[str, int]:
        """Return the facts about some keys or all."""
        self.loads.append((kind, None if keys is None else tuple(keys)))
        return {k: v for k, v in FACTS.get(kind, {}).items() if keys is None or k in keys}


def test_one_object_is_looked_up_alone() -> None:
    source = Source()
    assert [source.facts.get("disk", "d3") for _ in range(3)] == [3, 3, 3]
    assert source.loads == [("disk", ("d3",))]


def test_the_second_object_brings_its_whole_kind() -> None:
    source = Source()
    assert [source.facts.get("disk", key) for key in ("d3", "d4", "d5", "none")] == [3, 4, 5, None]
    assert source.loads == [("disk", ("d3",)), ("disk", None)]


def test_expected_facts_are_loaded_together_and_on_demand() -> None:
    source = Source()
    source.facts.expect("disk", ["d1", "d2", "none"])
    assert source.loads == []
    assert [source.facts.get("disk", key) for key in ("d2", "d1", "none")] == [2, 1, None]
    assert source.loads == [("disk", ("d1", "d2", "none"))]
    assert source.facts.get("disk", "d7") == 7


def test_earlier_facts_stay_right_when_more_are_expected() -> None:
    source = Source()
    assert source.facts.get("disk", "d0") == 0
    source.facts.expect("disk", ["d1"])
    assert [source.facts.get("disk", key) for key in ("d1", "d0")] == [1, 0]


def test_kinds_are_apart() -> None:
    source = Source()
    source.facts.expect("disk", ["d1"])
    assert source.facts.get("port", "p0") == 70
    assert source.facts.all("nothing") == {}
