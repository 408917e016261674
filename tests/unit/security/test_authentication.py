"""Logins by password: who gets in, and what the array remembers of it."""

from __future__ import annotations

import threading

import pytest
from logins_by_password import HERE, Check, count
from sqlalchemy import Engine, delete

from sanstone.core.database.store import writing
from sanstone.core.errors import ApiError
from sanstone.model.security import Account, Failures
from sanstone.security import authentication, password_hashes
from sanstone.security.authentication import Authenticator
from sanstone.security.gate import Gate, hashing


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


@pytest.mark.parametrize("part", ["name", "password"])
def test_impossible_credentials_are_refused_at_once(
    toys: Engine, check: Check, hashed: list[str], part: str
) -> None:
    assert not check(**{part: "x" * 4 * 1024 * 1024})
    assert (hashed, count(toys, Failures)) == ([], 0)


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
    assert (hashed, count(toys, Failures)) == ([], 0)
    assert check()
