"""The space that a volume with a guarantee reserves for its LUNs and namespaces."""

from __future__ import annotations

from sanstone.rules.storage.reserved_space import Content, Promise, promises

GIB = 1024**3
FIRST, SECOND = Content("first", 4 * GIB, reserved=False), Content("second", 4 * GIB, reserved=True)


def test_each_is_promised_its_size_and_what_copies_may_take() -> None:
    assert promises(10 * GIB, [FIRST, SECOND], 0) == {
        "first": Promise(4 * GIB, 0),
        "second": Promise(4 * GIB, 2 * GIB),
    }


def test_a_volume_promises_no_more_than_its_size_reservations_first() -> None:
    assert promises(6 * GIB, [FIRST, SECOND], 0) == {
        "first": Promise(2 * GIB, 0),
        "second": Promise(4 * GIB, 0),
    }


def test_a_guaranteed_volume_reserves_all_of_its_size() -> None:
    assert promises(20 * GIB, [FIRST, SECOND], 0) == {
        "first": Promise(4 * GIB, 4 * GIB),
        "second": Promise(4 * GIB, 8 * GIB),
    }
    assert promises(20 * GIB, [], 0) == {}


def test_the_space_of_snapshots_is_subtracted() -> None:
    promised = promises(10 * GIB, [SECOND], 3 * GIB)
    assert promised == {"second": Promise(4 * GIB, 3 * GIB)}
    assert promises(2 * GIB, [SECOND], 3 * GIB) == {"second": Promise(0, 0)}
