"""Failed logins: who has to wait for how long, what the array keeps of it, and what it reports."""

from __future__ import annotations

import threading
from uuid import uuid4

import pytest
from logins_by_password import HERE, THERE, Check, count, waits
from sqlalchemy import Engine, select
from standing_clock import Clock

from sanstone.core.database.store import reading, writing
from sanstone.core.errors import ApiError
from sanstone.core.events import Event
from sanstone.model.security import Account, Failures, PasswordRules
from sanstone.model.svm import Svm
from sanstone.security import failures, password_hashes
from sanstone.security.authentication import Authenticator
from sanstone.security.failures import FREE_FAILURES, LONGEST_DELAY


@pytest.mark.parametrize("rule", [None, 3])
def test_guessing_does_not_reveal_which_names_exist(
    toys: Engine, check: Check, hashed: list[str], rule: int | None
) -> None:
    """Neither after guesses at other names nor once the account is locked."""
    with writing(toys) as session:
        session.add(PasswordRules(role="readonly", most_failures=rule or 0))
    for _ in range(FREE_FAILURES):
        check("nobody", "wrong")

    def worked(name: str) -> list[int]:
        counts = []
        for address in [HERE] * (FREE_FAILURES + 2) + [THERE]:
            before = len(hashed)
            try:
                assert not check(name, "wrong", address)
            except ApiError as refused:
                assert (refused.status, refused.retry_after) == (429, 1)
            counts.append(len(hashed) - before)
        return counts

    assert worked("somebody") == worked("viewer")


def test_after_five_failures_even_the_right_password_has_to_wait(
    check: Check, clock: Clock, hashed: list[str]
) -> None:
    for _ in range(FREE_FAILURES):
        assert not check(password="wrong")
    hash_count = len(hashed)
    assert waits(check) == 1
    assert len(hashed) == hash_count, "a throttled guess is not even looked at"
    clock.now += 1.01
    assert check()


def test_four_failures_cost_nothing(check: Check) -> None:
    for _ in range(FREE_FAILURES - 1):
        assert not check(password="wrong")
    assert check()


def test_a_success_forgets_failures(toys: Engine, check: Check) -> None:
    for _ in range(3):
        for _ in range(FREE_FAILURES - 1):
            assert not check(password="wrong")
        assert check()
        assert count(toys, Failures) == 0


def test_the_delay_doubles_up_to_half_a_minute(toys: Engine, check: Check, clock: Clock) -> None:
    delays = []
    for _ in range(FREE_FAILURES + 12):
        assert not check(password="wrong")
        with reading(toys) as session:
            counter = session.scalars(select(Failures).filter_by(address=HERE)).one()
            delay = max(0.0, counter.locked_until - clock.now)
        delays.append(delay)
        clock.now += delay + 0.01
    doubling = [1, 2, 4, 8, 16]
    expected = [0] * (FREE_FAILURES - 1) + doubling + [LONGEST_DELAY] * 8
    assert [round(delay) for delay in delays] == expected


def test_the_longest_delay_stays_however_many_failures(
    toys: Engine, check: Check, clock: Clock
) -> None:
    """A client with an old password, forgotten in a corner, fails for months."""
    with writing(toys) as session:
        admin = session.query(Account).filter_by(name="admin").one().uuid
        session.add(Failures(account=admin, address=HERE, count=5000, locked_until=0.0))
    assert not check(password="wrong")
    assert waits(check) == LONGEST_DELAY
    clock.now += LONGEST_DELAY + 1
    assert check()


def test_other_accounts_and_addresses_do_not_wait(check: Check) -> None:
    for _ in range(FREE_FAILURES):
        assert not check(password="wrong")
    assert check(address=THERE), "the same account from elsewhere"
    assert check("viewer"), "another account from the same place"


def test_guessing_names_fills_no_table(
    toys: Engine, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "MOST_COUNTERS", 5)
    for number in range(20):
        assert not check(f"nobody{number}", "wrong")
    assert count(toys, Failures) == 5


def test_a_name_that_there_is_not_is_stored_nowhere(toys: Engine, check: Check) -> None:
    """It may be a password that was typed into the wrong field."""
    for _ in range(FREE_FAILURES):
        assert not check("my old password", "wrong")
    with reading(toys) as session:
        stored = [row.account for row in session.scalars(select(Failures))]
        messages = [row.message for row in session.scalars(select(Event))]
    assert not any("my old password" in text for text in [*stored, *messages])
    assert messages == [f"5 failed logins in a row as an unknown name from {HERE}."]


def test_guessing_from_many_addresses_fills_no_table(
    toys: Engine, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "MOST_COUNTERS", 5)
    for _ in range(FREE_FAILURES):
        assert not check(password="wrong")
    for number in range(20):
        assert not check(password="wrong", address=f"10.0.1.{number}")
    assert count(toys, Failures) == 5
    assert waits(check), "a waiting client is not forgotten"


def test_a_full_table_of_old_failures_lets_nobody_guess_on(
    check: Check, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "MOST_COUNTERS", 5)
    for number in range(6):
        for _ in range(FREE_FAILURES + 1):
            assert not check(f"nobody{number}", "wrong")
            clock.now += LONGEST_DELAY
    for number in range(FREE_FAILURES):
        assert not check(password="wrong")
        assert not check(f"another{number % 2}", "wrong")
    assert waits(check), "its counter was not given up for those of others"


def test_an_account_of_the_same_name_forgets_and_locks_nothing(toys: Engine, check: Check) -> None:
    other = str(uuid4())
    with writing(toys) as session:
        session.add(Svm(uuid=other, name="svm1", number=1))
        hashed = password_hashes.hash_password("other")
        session.add(Account(name="admin", owner_uuid=other, role="vsadmin", password=hashed))
        session.add(PasswordRules(owner_uuid=other, role="vsadmin", most_failures=2))
    tenant = Authenticator(toys)
    for number in range(FREE_FAILURES):
        assert not check(password="wrong")
        assert tenant.check(r"svm1\admin", "other", HERE), number
    assert waits(check), "whatever somebody did as another account of this name"
    for _ in range(2):
        assert not tenant.check(r"svm1\admin", "wrong", THERE)
    assert not tenant.check(r"svm1\admin", "other", THERE), "locked"
    assert check(address=THERE)


def test_failures_never_lock_all_administrators(toys: Engine, check: Check) -> None:
    with writing(toys) as session:
        session.query(Account).filter_by(name="viewer").one().role = "admin"
        session.add(PasswordRules(role="admin", most_failures=2))
    for name in ("admin", "viewer"):
        for _ in range(3):
            assert not check(name, "wrong")
    assert not check("admin")
    assert check("viewer")


def test_workers_share_thecount(toys: Engine, hashed: list[str]) -> None:
    for _ in range(FREE_FAILURES):
        assert Authenticator(toys).check("admin", "wrong", HERE) is None
    with pytest.raises(ApiError, match="Too many failed logins"):
        Authenticator(toys).check("admin", "right", HERE)


def test_failures_in_a_row_become_an_event_without_the_password(toys: Engine, check: Check) -> None:
    for _ in range(FREE_FAILURES):
        check(password="my old password")
    with reading(toys) as session:
        event = session.scalars(select(Event)).one()
        assert event.name == "security.login.failed"
        assert event.message == f"5 failed logins in a row as admin from {HERE}."


def test_many_successes_at_once_after_a_failure(toys: Engine, check: Check) -> None:
    assert not check(password="wrong")
    outcomes: list[bool] = []
    threads = [threading.Thread(target=lambda: outcomes.append(check())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [True] * 8
    assert count(toys, Failures) == 0
