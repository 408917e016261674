"""Authentication by name and password, and its limits on guessing.

A name alone means the array's account of that name, or else the one SVM account with this password;
`svm\\name`, or a header that names the SVM, selects one. A password is stored as its argon2id hash,
and comparing with that takes a tenth of a second and 64 MiB. Anyone can request this, so the
following limits bound its cost, and keep legitimate users able to log in meanwhile.

**A source** is an IPv4 address, an IPv6 network of 64 bits, or a browser that has logged in before
as the same account (`browsers`).

**No hash is needed** for a password that a source has proved before (`remembered`): a program that
logs in with each request, or the web interface (its sessions need no password), is not affected by
a flood of logins.

**Hashes** are computed one at a time in each of two processes (`gate`), every second one for
sources from which somebody has logged in before. A source with failing logins is limited to HASHES
of them: 40 at once and one a second, for all names, over both processes. A login that is refused by
this limit costs neither a hash nor a write.

**Guesses** at an account from a source are limited to GUESSES: 80 at once and one a second, whether
or not a hash is computed: a guess that is compared with remembered passwords alone counts too.
After five failures in a row no hash is computed for this account and source for a second, doubling
up to half a minute; one success resets this. So in the long run a source can make 2,900 guesses a
day at an account that has no remembered password there, and 86,000 at an account that uses the
source. The fifth failure and all after it are logged as events.

**Directories.** The password of an account with the method `nsswitch` is that of a user of the
directory (see `directory`), and so are those of the members of a group that is an account: they
log in under names that no account has. All of the above is true of them, too; their failures are
counted under the digest of their name.

**A second factor** is required once the password is right, and not before (see `second_factor`): a
right password without its code resets no counter.

**Certificates and identity providers** vouch for a name. It stands for its account as that of a
login does, and lets in where the method `certificate` or `oidc` is the account's; it opens no
account that is locked, or locked out from anywhere, and its refusal is the same whether or not
there is such an account. There is no limit on guesses, since nobody can guess a certificate, and
the web server lets no request pass with one that it cannot verify; guesses at users of a provider
are the provider's matter (see `oidc`).

**The same address.** A guesser behind the same address as an administrator (NAT) cannot be
distinguished until the password is checked, so a rule that always admits one lets the other guess
without limit. The browser's cookie distinguishes them. A program is admitted by its remembered
password while the guesser leaves one guess a second unused, and otherwise in proportion to its
share of the attempts; a forgotten script with an old password, a common case, uses few of them. SSH
with a key, the console and another address always remain open.

**Nothing is disclosed.** An unknown name has counters like any other, under a digest, and a locked
account takes as long to refuse as any other: neither the answer nor its time reveals who has an
account. Failures are counted in the database, so that all processes share them. Guesses at many
names or from many addresses do not fill a table, since the number of counters is limited to those
that wait or failed last. Accounts of the same name have separate counters: logins to one neither
lock another nor reset its failures. The rules of a role may also lock an account after failures
from anywhere (see `passwords`); the last administrator that is not locked out is never locked this
way.
"""

from __future__ import annotations

import logging
import os
from functools import cache

from sqlalchemy import Engine

from sanstone.core.database.store import reading
from sanstone.model.security import HTTP, NSSWITCH, OIDC, PASSWORD, Account
from sanstone.security import failures, oidc, password_hashes, remembered
from sanstone.security.accounts import locked_out
from sanstone.security.asking import Unreachable
from sanstone.security.attempt import Attempt, Credentials, candidates_of, looked_up
from sanstone.security.budget import Budget
from sanstone.security.directory import Directories, Login
from sanstone.security.gate import hashing
from sanstone.security.oidc import IdentityProvider
from sanstone.security.outcomes import Admitted, Barred, CodeRequired, Outcome, TooEarly, Wrong
from sanstone.security.remembered import Remembered

LONGEST_NAME = 256
"""Characters of a login name, its SVM included."""
LONGEST_PASSWORD = 4096
"""Characters that are hashed; an account that was imported with its hash may have any."""
HASHES = (20.0, 0.5)
GUESSES = (40.0, 0.5)
"""Per process: so many at once, and per second. The burst covers a script that uses an account for
the first time, or as many people behind one address."""
# Created before the workers are forked, so that they share it.
_remembered = Remembered()
log = logging.getLogger(__name__)


class Authenticator:
    """Checks names and passwords against the database."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._hashes, self._guesses = Budget(*HASHES), Budget(*GUESSES)
        self._directories = Directories(database)
        self.provider = IdentityProvider(database)

    def check(
        self,
        name: str,
        password: str,
        address: str,
        svm: str = "",
        application: str = HTTP,
        cookie: str = "",
        code: str = "",
    ) -> Login | None:
        """Return the login of a name and password, or None when it is refused.

        The arguments are those of `Credentials`. Raises ApiError when nothing was checked: 429 for
        too many failures or guesses, 503 while the gate is occupied; and as `second_factor.prove`
        does, once the password is right.
        """
        credentials = Credentials(name, password, address, svm, application, cookie, code)
        if len(name) > LONGEST_NAME or len(password) > LONGEST_PASSWORD:
            return None
        attempt = looked_up(self._database, credentials)
        return self._outcome(attempt).settle(self._database, attempt)

    def check_provider(self, cookie: str, state: str, code: str, address: str) -> Login:
        """Return the account of a login by the identity provider.

        Raises ApiError as its `prove` does, and 401 for a user without an account.
        """
        user = self.provider.prove(cookie, state, code, address)
        login = self.vouched(user, OIDC)
        if login is None:
            raise oidc.stranger(user)
        return login

    def vouched(self, name: str, method: str, svm: str = "") -> Login | None:
        """Return the login of a name that a method has vouched for, or None.

        `svm` is as in `check`. Several accounts of the name are none.
        """
        with reading(self._database) as session:
            mine = [a for a in candidates_of(session, name, svm) if a.may_use(HTTP, method)]
            if len(mine) != 1 or mine[0].locked or locked_out(session, mine[0]):
                return None
            session.expunge_all()
        return Login(mine[0], mine[0].name, method)

    def admits(self, login: Login) -> bool:
        """Return whether who logged in before still may, as far as others have a say in it."""
        if login.method == OIDC and not self.provider.admits():
            return False
        return not login.account.of_directory or self._directories.admits(login)

    def _outcome(self, attempt: Attempt) -> Outcome:
        """Return how an attempt ends. Raises ApiError as `check` does when nothing was checked."""
        login = self._check_remembered(attempt)
        if login is None and attempt.wait:
            return TooEarly(attempt.wait)
        login = login or self._check_thoroughly(attempt)
        if login is None:
            looked_at = [
                account
                for account in attempt.tried
                # A password that nobody has looked at was not wrong.
                if not (account.of_directory and self._directories.silent)
            ]
            return Wrong(looked_at)
        account, application = login.account, attempt.credentials.application
        method = NSSWITCH if account.of_directory else PASSWORD
        if account.locked or not account.may_use(application, method):
            return Barred(login)
        return (CodeRequired if account.asks_code(application) else Admitted)(login)

    def _check_remembered(self, attempt: Attempt) -> Login | None:
        """Return the login of this remembered password, or count a guess."""
        if wait := min(self._guesses.wait(each) for each in attempt.guesses):
            raise failures.too_many(wait)
        credentials, source = attempt.credentials, attempt.source
        accounts = [*attempt.unlocked, *attempt.groups]
        login = _recognised(accounts, credentials.password, source)
        if login is None:
            theirs = [account for account in accounts if account.of_directory]
            login = self._directories.recognised(
                theirs, credentials.name, credentials.password, source
            )
        if login is None:
            for each in attempt.guesses:
                self._guesses.take(each)
        return login

    def _check_thoroughly(self, attempt: Attempt) -> Login | None:
        """Return the account that a hash or the directory knows by this password."""
        credentials, source = attempt.credentials, attempt.source
        login = self._check_hashes(attempt.tried, credentials.password, source)
        if login is None:
            accounts = [*attempt.tried, *attempt.groups]
            login = self._ask_directory(accounts, credentials.name, credentials.password, source)
        for each in attempt.guesses if login else ():
            self._guesses.give_back(each)
        return login

    def _check_hashes(self, accounts: list[Account], password: str, source: str) -> Login | None:
        """Return the one account with a hash of this password."""
        hashes = [account for account in accounts if account.password]
        self._require_hashes(source)
        with hashing.place(source):
            # The request before may have been for the same account, or a guesser's.
            if login := _recognised(hashes, password, source):
                return login
            self._require_hashes(source)
            self._hashes.take(source, max(1, len(hashes)))
            if not hashes:
                # The same work as for a known name, so that the time taken reveals nothing.
                password_hashes.verify_password(_unknown_name_hash(), password)
                return None
            right = [a for a in hashes if password_hashes.verify_password(a.password, password)]
            if len(right) != 1:
                return None
            self._hashes.give_back(source, len(hashes))
            hashing.know(source)
            # Before the place is left, or the next request would cost the same hash again.
            _remembered.add(_digest(right[0], hashes, password, source))
        return Login(right[0], right[0].name)

    def _ask_directory(
        self, accounts: list[Account], name: str, password: str, source: str
    ) -> Login | None:
        """Return the account that a user of the directory has.

        It is queried whether or not there is such an account. Where it does not answer a login
        fails as any other does, and an event tells why.
        """
        theirs = [account for account in accounts if account.of_directory]
        try:
            login = self._directories.check(theirs, name, password, source)
        except Unreachable as error:
            log.warning("the directory does not answer: %s", error)
            return None
        if login:
            self._hashes.give_back(source)
        return login

    def _require_hashes(self, source: str) -> None:
        if wait := self._hashes.wait(source):
            raise failures.too_many(wait)


@cache
def _unknown_name_hash() -> str:
    """Return a hash that no password has; computed on first use, since hashing is slow."""
    return password_hashes.hash_password(os.urandom(16).hex())


def _recognised(accounts: list[Account], password: str, source: str) -> Login | None:
    """Return the candidate with this remembered password."""
    usable = [account for account in accounts if account.password]
    for account in usable:
        if _digest(account, usable, password, source) in _remembered:
            return Login(account, account.name)
    return None


def _digest(account: Account, candidates: list[Account], password: str, source: str) -> bytes:
    """Return the digest of a password that matches one account and no other candidate."""
    hashes = sorted(f"{each.uuid} {each.password}" for each in candidates)
    return remembered.digest(account.uuid, password, source, *hashes)
