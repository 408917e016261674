"""How much a source is granted, and that all of them together take little room."""

from __future__ import annotations

import pytest
from standing_clock import Clock

from sanstone.security.budget import Budget, source


def test_a_bucket_begins_full_and_fills_again(clock: Clock) -> None:
    budget = Budget(burst=2, rate=0.5)
    for _ in range(2):
        assert budget.wait("a") == 0
        budget.take("a")
    assert budget.wait("a") == 2
    assert budget.wait("b") == 0
    clock.now += 1
    assert budget.wait("a") == 1
    clock.now += 1
    assert budget.wait("a") == 0
    clock.now += 1000
    budget.take("a", 2)
    assert budget.wait("a") == 2, "it does not fill beyond its size"


def test_a_large_cost_may_overdraw_the_budget(clock: Clock) -> None:
    budget = Budget(burst=2, rate=1)
    budget.take("a", 5)
    assert budget.wait("a") == 4
    budget.give_back("a", 5)
    assert budget.wait("a") == 0
    budget.give_back("a", 5)
    budget.take("a", 2)
    assert budget.wait("a") == 1, "giving back does not fill beyond its size"


def test_only_the_last_are_kept(clock: Clock) -> None:
    budget = Budget(burst=1, rate=1, most=3)
    for key in "abcd":
        budget.take(key)
    assert [budget.wait(key) for key in "abcd"] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%e0M", "fe80::/64"),
        ("", ""),
        ("a.host.example", "a.host.example"),
    ],
)
def test_addresses_that_count_as_one_source(address: str, counted: str) -> None:
    assert source(address) == counted
