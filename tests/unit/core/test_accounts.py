"""Who gets in, who is kept waiting, and what is remembered."""

from __future__ import annotations

import threading
from collections.abc import Callable
from uuid import uuid4

import pytest
from sqlalchemy import Engine, delete, func, select

from sanstone.core import accounts, secrets
from sanstone.core.accounts import FREE_FAILURES, LONGEST_DELAY, Account, Authenticator, Failures
from sanstone.core.events import Event
from sanstone.core.passwords import PasswordRules
from sanstone.core.store import reading, writing
from sanstone.resources.svm import Svm

HERE, THERE = "10.0.0.1", "10.0.0.2"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def time(self) -> float:
        """Return the seconds since 1970."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which delays are counted."""
    made = Clock()
    monkeypatch.setattr(accounts, "time", made)
    return made


@pytest.fixture
def hashed(toys: Engine, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stored hashes that passwords were compared with; there are accounts admin and viewer."""
    with writing(toys) as session:
        session.add(Account(name="admin", password=secrets.hash_password("right")))
        session.add(
            Account(name="viewer", password=secrets.hash_password("right"), role="readonly")
        )
    compared: list[str] = []
    verify = secrets.verify_password

    def counted(stored: str, password: str) -> bool:
        compared.append(stored)
        return verify(stored, password)

    monkeypatch.setattr(secrets, "verify_password", counted)
    return compared


Check = Callable[..., bool]


@pytest.fixture
def check(toys: Engine, hashed: list[str]) -> Check:
    """Check a name and a password from an address with one process's authenticator."""
    authenticator = Authenticator(toys)

    def checked(name: str = "admin", password: str = "right", address: str = HERE) -> bool:
        account = authenticator.check(name, password, address)
        assert account is None or account.name == name
        return account is not None

    return checked


def _count(database: Engine, table: type) -> int:
    with reading(database) as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_the_right_password_gets_in_and_brings_the_role(toys: Engine, hashed: list[str]) -> None:
    account = Authenticator(toys).check("viewer", "right", HERE)
    assert account
    assert account.role == "readonly"


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("admin", "wrong"),
        ("admin", ""),
        ("admin", "right "),
        ("nobody", "right"),
        ("ADMIN", "right"),
    ],
)
def test_anything_else_does_not(check: Check, name: str, password: str) -> None:
    assert not check(name, password)


def test_a_password_found_right_is_not_hashed_again(check: Check, hashed: list[str]) -> None:
    assert check()
    assert check()
    assert len(hashed) == 1
    assert not check(password="wrong")
    assert len(hashed) == 2


def test_a_changed_password_is_not_remembered(
    toys: Engine, check: Check, hashed: list[str]
) -> None:
    assert check()
    with writing(toys) as session:
        session.query(Account).filter_by(name="admin").one().password = secrets.hash_password("new")
    assert not check(password="right")
    assert check(password="new")


def test_a_deleted_account_is_not_remembered(toys: Engine, check: Check) -> None:
    assert check()
    with writing(toys) as session:
        session.execute(delete(Account).filter_by(name="admin"))
    assert not check()


def test_memory_is_bounded(
    check: Check, hashed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "_MEMORY_SIZE", 1)
    for name in ("admin", "viewer", "admin"):
        assert check(name)
    assert len(hashed) == 3


def test_an_unknown_name_costs_the_same_work(check: Check, hashed: list[str]) -> None:
    check("admin", "wrong")
    check("nobody", "wrong")
    assert len(hashed) == 2


@pytest.mark.parametrize("rule", [None, 3])
def test_guessing_does_not_tell_names_that_there_are_from_others(
    toys: Engine, check: Check, hashed: list[str], rule: int | None
) -> None:
    """Neither after guesses at other names nor once the account is locked."""
    with writing(toys) as session:
        session.add(PasswordRules(role="readonly", most_failures=rule or 0))
    for _ in range(FREE_FAILURES + 2):
        check("nobody", "wrong")

    def worked(name: str) -> list[int]:
        done = []
        for address in [HERE] * (FREE_FAILURES + 2) + [THERE]:
            before = len(hashed)
            assert not check(name, "wrong", address)
            done.append(len(hashed) - before)
        return done

    assert worked("somebody") == worked("viewer")


def test_after_five_failures_even_the_right_password_has_to_wait(
    check: Check, clock: Clock, hashed: list[str]
) -> None:
    for _ in range(FREE_FAILURES):
        assert not check(password="wrong")
    done = len(hashed)
    assert not check()
    assert len(hashed) == done, "a throttled guess is not even looked at"
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
        assert _count(toys, Failures) == 0


def test_the_delay_doubles_up_to_five_minutes(toys: Engine, check: Check, clock: Clock) -> None:
    delays = []
    for _ in range(FREE_FAILURES + 12):
        assert not check(password="wrong")
        with reading(toys) as session:
            counter = session.scalars(select(Failures).filter_by(address=HERE)).one()
            delay = max(0.0, counter.locked_until - clock.now)
        delays.append(delay)
        clock.now += delay + 0.01
    doubling = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    expected = [0] * (FREE_FAILURES - 1) + doubling + [LONGEST_DELAY] * 4
    assert [round(delay) for delay in delays] == expected


def test_the_longest_delay_stays_however_many_failures(
    toys: Engine, check: Check, clock: Clock
) -> None:
    """A client with an old password, forgotten in a corner, fails for months."""
    with writing(toys) as session:
        admin = session.query(Account).filter_by(name="admin").one().uuid
        session.add(Failures(account=admin, address=HERE, count=5000, locked_until=0.0))
    assert not check(password="wrong")
    assert not check()
    clock.now += LONGEST_DELAY + 1
    assert check()


def test_others_do_not_wait(check: Check) -> None:
    for _ in range(FREE_FAILURES):
        assert not check(password="wrong")
    assert check(address=THERE), "the same account from elsewhere"
    assert check("viewer"), "another account from the same place"


def test_guessing_names_fills_no_table(
    toys: Engine, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MOST_COUNTERS", 5)
    for number in range(20):
        assert not check(f"nobody{number}", "wrong")
    assert _count(toys, Failures) == 5


def test_a_name_that_there_is_not_is_stored_nowhere(toys: Engine, check: Check) -> None:
    """It may be a password that was typed into the wrong field."""
    for _ in range(FREE_FAILURES):
        assert not check("my old password", "wrong")
    with reading(toys) as session:
        stored = [row.account for row in session.scalars(select(Failures))]
        told = [row.message for row in session.scalars(select(Event))]
    assert not any("my old password" in text for text in [*stored, *told])
    assert told == [f"5 failed logins in a row as an unknown name from {HERE}."]


def test_guessing_from_many_addresses_fills_no_table(
    toys: Engine, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MOST_COUNTERS", 5)
    for _ in range(FREE_FAILURES):
        assert not check(password="wrong")
    for number in range(20):
        assert not check(password="wrong", address=f"10.0.1.{number}")
    assert _count(toys, Failures) == 5
    assert not check(), "whoever waits is not forgotten"


def test_a_full_table_of_old_failures_lets_nobody_guess_on(
    check: Check, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MOST_COUNTERS", 5)
    for number in range(6):
        for _ in range(FREE_FAILURES + 1):
            assert not check(f"nobody{number}", "wrong")
            clock.now += LONGEST_DELAY
    for number in range(FREE_FAILURES):
        assert not check(password="wrong")
        assert not check(f"another{number % 2}", "wrong")
    assert not check(), "its counter was not given up for those of others"


def test_an_account_of_the_same_name_forgets_and_locks_nothing(toys: Engine, check: Check) -> None:
    other = str(uuid4())
    with writing(toys) as session:
        session.add(Svm(uuid=other, name="svm1", number=1))
        hashed = secrets.hash_password("other")
        session.add(Account(name="admin", owner_uuid=other, role="vsadmin", password=hashed))
        session.add(PasswordRules(owner_uuid=other, role="vsadmin", most_failures=2))
    tenant = Authenticator(toys)
    for number in range(FREE_FAILURES):
        assert not check(password="wrong")
        assert tenant.check(r"svm1\admin", "other", HERE), number
    assert not check(), "throttled, whatever somebody did as another account of this name"
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


def test_workers_share_the_count(toys: Engine, hashed: list[str]) -> None:
    for _ in range(FREE_FAILURES):
        assert Authenticator(toys).check("admin", "wrong", HERE) is None
    assert Authenticator(toys).check("admin", "right", HERE) is None


def test_failures_in_a_row_become_an_event_without_the_password(toys: Engine, check: Check) -> None:
    for _ in range(FREE_FAILURES):
        check(password="my old password")
    with reading(toys) as session:
        event = session.scalars(select(Event)).one()
        assert event.name == "security.login.failed"
        assert event.message == f"5 failed logins in a row as admin from {HERE}."


def test_many_successes_at_once_after_a_failure(toys: Engine, check: Check) -> None:
    assert not check(password="wrong")
    found: list[bool] = []
    threads = [threading.Thread(target=lambda: found.append(check())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8
    assert _count(toys, Failures) == 0
