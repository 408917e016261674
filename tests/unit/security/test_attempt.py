"""The tries of a source: it pays for hashes and guesses, and not for remembered passwords."""

from __future__ import annotations

from contextlib import suppress

import pytest
from logins_by_password import HERE, THERE, Check, count, waits
from sqlalchemy import Engine
from standing_clock import Clock

from sanstone.core.errors import ApiError
from sanstone.model.security import Account, Failures
from sanstone.security import authentication
from sanstone.security.directory import Login
from sanstone.security.failures import FREE_FAILURES


def test_ever_new_names_are_refused_without_a_hash_or_a_write(
    toys: Engine, check: Check, hashed: list[str]
) -> None:
    most = int(authentication.HASHES[0])
    for number in range(most):
        assert not check(f"nobody{number}", "wrong")
    for number in range(100):
        assert waits(check, f"another{number}", "wrong") == 2
    assert (len(hashed), count(toys, Failures)) == (most, most)


def test_failures_are_forgiven_in_time(check: Check, clock: Clock, hashed: list[str]) -> None:
    for number in range(int(authentication.HASHES[0])):
        assert not check(f"nobody{number}", "wrong")
    clock.now += waits(check, "viewer")
    assert check("viewer")
    assert not check("nobody", "wrong"), "what was right cost nothing"


def test_a_flood_of_names_concerns_neither_another_source_nor_what_was_proved_before(
    check: Check, hashed: list[str]
) -> None:
    assert check()
    for number in range(int(authentication.HASHES[0])):
        assert not check(f"nobody{number}", "wrong")
    for _ in range(1000):
        assert check()
    assert waits(check, "viewer")
    assert check("viewer", address=THERE)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", HERE, True),
    ],
)
def test_addresses_that_count_as_one_source(
    check: Check, first: str, second: str, same: bool
) -> None:
    for _ in range(FREE_FAILURES):
        assert not check(password="wrong", address=first)
    if same:
        assert waits(check, address=second)
    else:
        assert check(address=second)


def test_a_former_user_gets_in_while_somebody_guesses_at_the_same_address(
    check: Check, clock: Clock
) -> None:
    """A guess every two seconds, for an hour, against an administrator's script."""
    assert check()
    refusals = 0
    for number in range(1800):
        try:
            assert not check(password=f"guess {number}")
        except ApiError:
            refusals += 1
        clock.now += 1.0
        assert check(), number
        clock.now += 1.0
    assert refusals == 0, "one success forgets the failures"


def test_a_guesser_learns_no_faster_from_what_is_remembered(
    check: Check, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does the flood of guesses keep the owner of the address out when it ends."""
    assert check()
    compared: set[str] = set()
    recognised = authentication._recognised

    def recognise(accounts: list[Account], password: str, source: str) -> Login | None:
        compared.add(password)
        return recognised(accounts, password, source)

    monkeypatch.setattr(authentication, "_recognised", recognise)
    for number in range(1000):
        with suppress(ApiError):
            assert not check(password=f"guess {number}")
        clock.now += 0.01
    burst, rate = authentication.GUESSES
    assert len(compared) <= burst + 10 * rate
    assert waits(check)
    clock.now += 2
    assert check()
