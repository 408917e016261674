"""A code follows the password, counts once, and cannot be guessed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

import pytest
from sqlalchemy import Engine, select
from standing_clock import Clock

from sanstone.core.database.store import reading, writing
from sanstone.core.errors import ApiError
from sanstone.core.events import Event
from sanstone.model.security import SSH, Account, PasswordRules, Totp
from sanstone.security import password_hashes, totp
from sanstone.security.authentication import Authenticator
from sanstone.security.failures import FREE_FAILURES

HERE, THERE = "10.0.0.1", "10.0.0.2"
SECRET = totp.new_secret()
EMERGENCY = "12345678"
WRONG = "000000"
"""No code of the moments at which these tests ask."""
CODE = "verification_code"
ASKING = [
    {
        "application": name,
        "authentication_methods": ["password"],
        "second_authentication_method": "totp",
    }
    for name in ("http", SSH)
]
Check = Callable[..., str]


@pytest.fixture
def check(toys: Engine, clock: Clock) -> Check:
    """Log in as joe, who needs a code; return the result."""
    joe = Account(
        name="joe",
        role="readonly",
        password=password_hashes.hash_password("right"),
        applications=ASKING,
    )
    with writing(toys) as session:
        session.add(joe)
        session.flush()
        digests = [totp.emergency_digest(joe.uuid, EMERGENCY)]
        session.add(Totp(account="joe", secret_key=SECRET, emergency_codes=digests))

    def checked(code: str = "", password: str = "right", address: str = HERE, **more: str) -> str:
        # Each time as another process, which knows of the others by the database alone.
        try:
            login = Authenticator(toys).check("joe", password, address, code=code, **more)
        except ApiError as error:
            return f"{error.status} {error.target}".strip()
        return login.account.name if login else "nobody"

    return checked


def current(clock: Clock, ahead: int = 0) -> str:
    """Return the code of this moment, or of some steps ahead of it."""
    return totp.code_of(SECRET, totp.step_at(clock.now) + ahead)


def test_only_the_right_password_reveals_that_a_code_is_needed(check: Check, clock: Clock) -> None:
    assert check(password="wrong") == "nobody"
    assert check(current(clock), password="wrong") == "nobody"
    assert check() == f"401 {CODE}"
    assert check(" ") == f"401 {CODE}"
    assert check(current(clock)) == "joe"


def test_a_code_counts_once_and_none_before_it(check: Check, clock: Clock) -> None:
    assert check(current(clock)) == "joe"
    assert check(current(clock)) == f"401 {CODE}"
    assert check(current(clock, -1)) == f"401 {CODE}"
    assert check(current(clock, 1)) == "joe", "an app whose clock is fast"
    clock.now += totp.STEP
    assert check(current(clock)) == f"401 {CODE}", "it was used ahead of its time"
    clock.now += totp.STEP
    code = current(clock)
    assert check(f"{code[:3]} {code[3:]}") == "joe", "as apps show it"


def test_of_many_with_one_code_at_once_one_gets_in(check: Check, clock: Clock) -> None:
    ends: list[str] = []
    code = current(clock)
    threads = [Thread(target=lambda: ends.append(check(code))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ends) == [f"401 {CODE}"] * 3 + ["joe"]


def test_guesses_are_slowed_down_wherever_they_come_from(check: Check, clock: Clock) -> None:
    for number in range(FREE_FAILURES):
        assert check(WRONG, address=f"10.0.1.{number}") == f"401 {CODE}"
        assert check() == f"401 {CODE}", "the password alone forgets nothing"
    assert check(current(clock), address=THERE) == "429"
    clock.now += 1.01
    assert check(current(clock), address=THERE) == "joe"
    clock.now += totp.STEP
    assert check(WRONG) == f"401 {CODE}", "a login begins the count anew"
    assert check(current(clock)) == "joe"


def test_a_right_password_without_its_code_forgets_no_wrong_ones(check: Check) -> None:
    for _ in range(FREE_FAILURES - 1):
        assert check(password="wrong") == "nobody"
    assert check() == f"401 {CODE}"
    assert check(application=SSH) == "joe", "as sshd asks: the shell asks for the code"
    assert check(password="wrong") == "nobody"
    assert check(password="wrong") == "429"


def test_wrong_codes_lock_an_account_by_the_rules_of_its_role(
    toys: Engine, check: Check, clock: Clock
) -> None:
    with writing(toys) as session:
        session.add(PasswordRules(role="readonly", most_failures=3))
    for _ in range(3):
        assert check(WRONG) == f"401 {CODE}"
    assert check(current(clock), address=THERE) == "nobody"
    with reading(toys) as session:
        assert [event.name for event in session.scalars(select(Event))] == ["security.login.locked"]


def test_an_emergency_code_counts_once_and_is_an_event(toys: Engine, check: Check) -> None:
    assert check(EMERGENCY) == "joe"
    assert check(EMERGENCY) == f"401 {CODE}"
    with reading(toys) as session:
        message = session.scalars(select(Event.message)).one()
    assert message == "joe logs in by an emergency code; 0 are left."


@pytest.mark.parametrize("is_there", [True, False])
def test_without_an_enabled_profile_nobody_gets_in(
    toys: Engine, check: Check, clock: Clock, is_there: bool
) -> None:
    with writing(toys) as session:
        profile = session.scalars(select(Totp)).one()
        if is_there:
            profile.enabled = False
        else:
            session.delete(profile)
    for code in ("", current(clock), EMERGENCY):
        assert check(code) == "403", "no code would do"


def test_the_secret_is_not_in_the_database_as_it_is(toys: Engine, check: Check) -> None:
    with toys.connect() as connection:
        stored = connection.exec_driver_sql("SELECT * FROM totp").one()
    assert SECRET not in str(stored)
    assert EMERGENCY not in str(stored)
