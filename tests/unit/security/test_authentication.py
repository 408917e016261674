"""Logins by password: who gets in, who has to wait, and the memory of both."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from uuid import uuid4

import pytest
from sqlalchemy import Engine, delete, func, select
from standing_clock import Clock

from sanstone.core.database.store import reading, writing
from sanstone.core.errors import ApiError
from sanstone.core.events import Event
from sanstone.model.security import Account, Failures, PasswordRules
from sanstone.model.svm import Svm
from sanstone.security import authentication, browsers, failures, password_hashes
from sanstone.security.authentication import Authenticator
from sanstone.security.directory import Login
from sanstone.security.failures import FREE_FAILURES, LONGEST_DELAY
from sanstone.security.gate import Gate, hashing

HERE, THERE = "10.0.0.1", "10.0.0.2"


@pytest.fixture
def hashed(toys: Engine, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stored hashes that passwords were compared with; there are accounts admin and viewer."""
    with writing(toys) as session:
        session.add(Account(name="admin", password=password_hashes.hash_password("right")))
        session.add(
            Account(name="viewer", password=password_hashes.hash_password("right"), role="readonly")
        )
    compared: list[str] = []
    verify = password_hashes.verify_password

    def counted(stored: str, password: str) -> bool:
        compared.append(stored)
        return verify(stored, password)

    monkeypatch.setattr(password_hashes, "verify_password", counted)
    return compared


Check = Callable[..., bool]


@pytest.fixture
def check(toys: Engine, hashed: list[str]) -> Check:
    """Check a name and a password from an address with one process's authenticator."""
    authenticator = Authenticator(toys)

    def checked(name: str = "admin", password: str = "right", address: str = HERE) -> bool:
        login = authenticator.check(name, password, address)
        assert login is None or (login.account.name, login.user) == (name, name)
        return login is not None

    return checked


def waits(check: Check, name: str = "admin", password: str = "right", address: str = HERE) -> int:
    """Assert that an attempt is refused unseen, and return the seconds after which to try again."""
    with pytest.raises(ApiError) as error:
        check(name, password, address)
    assert (error.value.status, error.value.code) == (429, "65538")
    return error.value.retry_after


def _count(database: Engine, table: type) -> int:
    with reading(database) as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_the_right_password_gets_in_and_brings_the_role(toys: Engine, hashed: list[str]) -> None:
    login = Authenticator(toys).check("viewer", "right", HERE)
    assert login
    assert login.account.role == "readonly"


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
        session.query(Account).filter_by(
            name="admin"
        ).one().password = password_hashes.hash_password("new")
    assert not check(password="right")
    assert check(password="new")


def test_a_deleted_account_is_not_remembered(toys: Engine, check: Check) -> None:
    assert check()
    with writing(toys) as session:
        session.execute(delete(Account).filter_by(name="admin"))
    assert not check()


def test_processes_share_their_successes(toys: Engine, check: Check, hashed: list[str]) -> None:
    assert check()
    assert Authenticator(toys).check("admin", "right", HERE)
    assert len(hashed) == 1


def test_an_unknown_name_costs_the_same_work(check: Check, hashed: list[str]) -> None:
    check("admin", "wrong")
    check("nobody", "wrong")
    assert len(hashed) == 2


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
        assert _count(toys, Failures) == 0


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
    assert _count(toys, Failures) == 5


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
    assert _count(toys, Failures) == 5
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


def test_workers_share_the_count(toys: Engine, hashed: list[str]) -> None:
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
    assert _count(toys, Failures) == 0


def test_ever_new_names_are_refused_without_a_hash_or_a_write(
    toys: Engine, check: Check, hashed: list[str]
) -> None:
    most = int(authentication.HASHES[0])
    for number in range(most):
        assert not check(f"nobody{number}", "wrong")
    for number in range(100):
        assert waits(check, f"another{number}", "wrong") == 2
    assert (len(hashed), _count(toys, Failures)) == (most, most)


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


def test_a_browser_that_was_here_before_does_not_share_its_address(
    toys: Engine, check: Check, hashed: list[str]
) -> None:
    browser = Authenticator(toys)
    login = browser.check("admin", "right", HERE)
    assert login
    cookie = browsers.cookie(login.account.uuid)
    for number in range(int(authentication.GUESSES[0])):
        with suppress(ApiError):
            browser.check("admin", f"wrong {number}", HERE)
    for number in range(int(authentication.HASHES[0])):
        with suppress(ApiError):
            browser.check(f"nobody{number}", "wrong", HERE)
    with pytest.raises(ApiError, match="Too many"):
        browser.check("admin", "right", HERE)
    assert browser.check("admin", "right", HERE, cookie=cookie)
    with pytest.raises(ApiError, match="Too many"):
        browser.check("viewer", "right", HERE, cookie=cookie)


def test_a_browser_may_guess_no_more_than_others(toys: Engine, check: Check) -> None:
    with reading(toys) as session:
        uuid = session.scalars(select(Account.uuid).filter_by(name="admin")).one()
    browser, cookie = Authenticator(toys), browsers.cookie(uuid)
    assert browsers.cookie(uuid, cookie) == cookie, "it does not become another source"
    for _ in range(FREE_FAILURES):
        assert not browser.check("admin", "wrong", HERE, cookie=cookie)
    with pytest.raises(ApiError, match="Too many"):
        browser.check("admin", "right", HERE, cookie=cookie)
    assert check(), "nor does it share its failures"
    forged = cookie.rpartition(".")[0] + "." + "0" * 64
    for bad in (forged, "", ".", "..", f"{uuid}.x.y", "\udfff.a.b"):
        assert browsers.account_of(bad) == "", bad


@pytest.mark.parametrize("part", ["name", "password"])
def test_impossible_credentials_are_refused_at_once(
    toys: Engine, check: Check, hashed: list[str], part: str
) -> None:
    assert not check(**{part: "x" * 4 * 1024 * 1024})
    assert (hashed, _count(toys, Failures)) == ([], 0)


def test_one_account_at_once_from_many_threads_costs_one_hash(
    check: Check, hashed: list[str]
) -> None:
    outcomes: list[bool] = []
    threads = [threading.Thread(target=lambda: outcomes.append(check())) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (outcomes, len(hashed)) == ([True] * 20, 1)


def test_where_somebody_has_logged_in_from_is_known_at_the_gate(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources: list[str] = []
    monkeypatch.setattr(hashing, "know", sources.append)
    assert not check(password="a wrong one")
    assert sources == []
    assert check()
    assert sources == [HERE]


def test_where_others_are_checked_a_login_is_to_be_tried_again(
    toys: Engine, check: Check, hashed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no wrong password, and nobody's failure."""
    gate = Gate(room=0)
    monkeypatch.setattr(authentication, "hashing", gate)
    monkeypatch.setattr(password_hashes, "hashing", gate)
    inside, leave = threading.Event(), threading.Event()

    def hash_long() -> None:
        with gate.place():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=hash_long)
    thread.start()
    inside.wait()
    with pytest.raises(ApiError) as error:
        check()
    leave.set()
    thread.join()
    assert (error.value.status, error.value.retry_after) == (503, 5)
    assert (hashed, _count(toys, Failures)) == ([], 0)
    assert check()
