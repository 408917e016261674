"""How an attempt to log in ends: an outcome, which writes what follows from it.

Whether a password is right is found by `authentication`; each class here is one answer to that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from sanstone.core.database.store import writing
from sanstone.model.security import HTTP, Account
from sanstone.security import failures, second_factor
from sanstone.security.attempt import Attempt, known_as
from sanstone.security.directory import Login


class Outcome(ABC):
    """How an attempt ends."""

    @abstractmethod
    def settle(self, database: Engine, attempt: Attempt) -> Login | None:
        """Record the outcome, and return who is let in, None for nobody. Raises ApiError."""


@dataclass(frozen=True)
class TooEarly(Outcome):
    """Nothing was looked at: after failures in a row, so many seconds are to pass first."""

    seconds: float

    def settle(self, database: Engine, attempt: Attempt) -> Login | None:
        """Raise ApiError, 429."""
        raise failures.too_many(self.seconds)


@dataclass(frozen=True)
class Wrong(Outcome):
    """No account has this password. `looked_at` are those that it was compared for."""

    looked_at: Sequence[Account]

    def settle(self, database: Engine, attempt: Attempt) -> Login | None:
        """Count a failure, and lock out the accounts that have too many of them."""
        with writing(database) as session:
            for key in attempt.counters.keys() - attempt.throttled:
                name, address = attempt.counters[key], attempt.credentials.address
                failures.count(session, key, name, attempt.source, address)
            for account in self.looked_at:
                failures.lock_out(session, account)
        return None


@dataclass(frozen=True)
class _Right(Outcome):
    """The password is right."""

    login: Login

    def _forget_failures(self, database: Engine, attempt: Attempt) -> None:
        mine = known_as(self.login)
        if mine in attempt.failed:
            with writing(database) as session:
                failures.forget(session, mine, attempt.source)


@dataclass(frozen=True)
class Barred(_Right):
    """The account is locked, or has no such access."""

    def settle(self, database: Engine, attempt: Attempt) -> Login | None:
        """Forget its failures, and let nobody in."""
        self._forget_failures(database, attempt)
        return None


@dataclass(frozen=True)
class CodeRequired(_Right):
    """The account needs a second factor, too."""

    def settle(self, database: Engine, attempt: Attempt) -> Login | None:
        """Take the code of a web login. Raises ApiError as `second_factor.prove` does."""
        credentials = attempt.credentials
        # The shell asks for that of sshd's logins.
        if credentials.application == HTTP:
            account = self.login.account
            second_factor.prove(
                database, account, credentials.code, attempt.source, credentials.address
            )
        return self.login


@dataclass(frozen=True)
class Admitted(_Right):
    """It is an account that may come in."""

    def settle(self, database: Engine, attempt: Attempt) -> Login | None:
        """Forget its failures, and let it in."""
        self._forget_failures(database, attempt)
        return self.login
