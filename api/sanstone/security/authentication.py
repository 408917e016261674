"""Proving to be an account, and what guessing at passwords costs.

Whoever logs in by name alone is the array's account of that name, or else the one SVM account whose
password fits; `svm\\name`, or a header that names the SVM, says which is meant. A password is
stored as its argon2id hash, which takes a tenth of a second and 64 MiB to compare with. Anybody can
ask for that, so here is what it may cost, and who is let in meanwhile.

**A source** is an IPv4 address, an IPv6 network of 64 bits, or a browser that logged in before as
the account that is meant (`browsers`).

**Without a hash** goes what a source proved before (`remembered`): a program that logs in with each
request, or the web interface, whose sessions need no password, notice nothing of a flood of logins.

**Hashes** are computed one at a time in each of two processes (`gate`), and a source that fails is
granted HASHES of them: 40 at once and one a second, whatever the names, over both processes. What
is refused by this costs neither a hash nor a write.

**Guesses** at an account from a source are GUESSES: 80 at once and one a second, whatever becomes
of them: a guess that is compared with what is remembered alone is one too. After five failures in a
row the account is not hashed for the source for a second, doubling up to half a minute, and one
success forgets them. So in the long run an account of which nothing is remembered at a source is
guessed at from there 2,900 times a day, one that uses the source 86,000 times; each fifth failure
and all after it become events.

**The same address.** A guesser behind the address of an administrator (NAT) looks like them until
the password is checked, so whatever lets one in for sure lets the other guess without end. The
browser's cookie tells them apart. A program is let in by what is remembered as long as the guesser
leaves a guess a second unused, and else as often as its share of the attempts; a forgotten script
with an old password, a common case, uses few of them. SSH with a key, the console and another
address are ways in that nobody can take away.

**Nothing is told.** A name that there is not has counters like any other, known by a digest, and an
account that is locked takes as long to refuse as one that is not: neither the answer nor its time
tells who has an account. Failures are counted in the database, so that all processes share them.
Guessing names or from many addresses fills no table, since only so many counters are kept, those
that wait or failed last. Accounts of one name have counters of their own: what somebody does as one
of them neither locks another nor forgets its failures. The rules of a role may besides lock an
account after failures from anywhere (see `passwords`); the last administrator that is not kept out
is never locked like that.
"""

from __future__ import annotations

import math
import os
import time
from functools import cache

from sqlalchemy import Engine, delete, func, select
from sqlalchemy.orm import Session

from sanstone.core import errors, events, secrets
from sanstone.core.store import reading, writing
from sanstone.model.security import ANYWHERE, HTTP, PASSWORD, Account, Failures
from sanstone.model.svm import Svm
from sanstone.security import browsers, budget, password_hashes, passwords, remembered
from sanstone.security.accounts import only_administrator
from sanstone.security.budget import Budget
from sanstone.security.gate import hashing
from sanstone.security.remembered import Remembered

FREE_FAILURES = 5
LONGEST_DELAY = 30.0
FOREVER = 2.0**52
MOST_COUNTERS = 10_000
LONGEST_NAME = 256
"""Characters of a login name, its SVM included."""
LONGEST_PASSWORD = 4096
"""Characters that are hashed; an account that was brought along as a hash may have any."""
HASHES = (20.0, 0.5)
GUESSES = (40.0, 0.5)
"""Of each process: so many at once, and a second. At once there may come what a script starts with
an account for the first time, or as many people behind one address."""
# Made before the workers are forked, so that they share it.
_remembered = Remembered()


class Authenticator:
    """Checks names and passwords against the database."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._hashes, self._guesses = Budget(*HASHES), Budget(*GUESSES)

    def check(
        self,
        name: str,
        password: str,
        address: str,
        svm: str = "",
        application: str = HTTP,
        cookie: str = "",
    ) -> Account | None:
        """Return the account, or None for whatever keeps it out.

        `svm` is the name or UUID of the SVM that the request is about, '' when it names none;
        `application` is the way in, `cookie` the browser's. Raises ApiError where nothing was
        checked: 429 for too many failures or guesses, 503 where others are being checked.
        """
        if len(name) > LONGEST_NAME or len(password) > LONGEST_PASSWORD:
            return None
        with reading(self._database) as session:
            meant = _meant(session, name, svm)
            known = browsers.account_of(cookie) if cookie else ""
            if any(account.uuid == known for account in meant):
                source = browsers.source(cookie)
                meant = [account for account in meant if account.uuid == known]
            else:
                source = budget.source(address)
            counters = {account.uuid: account.name for account in meant}
            counters = counters or {_of_nobody(name, svm): "an unknown name"}
            near = Failures.address.in_((source, ANYWHERE))
            found = select(Failures).where(Failures.account.in_(counters), near)
            failures = session.scalars(found).all()
            session.expunge_all()
        now = time.time()
        waiting = {
            (row.account, row.address): row.locked_until - now
            for row in failures
            if row.locked_until > now
        }
        unlocked = [account for account in meant if (account.uuid, ANYWHERE) not in waiting]
        guesses = [f"{uuid} {source}" for uuid in counters]
        account = self._known(unlocked, password, source, guesses)
        throttled = {uuid for uuid in counters if (uuid, source) in waiting}
        tried = [account for account in unlocked if account.uuid not in throttled]
        if account is None:
            if throttled.issuperset(counters):
                raise _too_many(min(waiting[uuid, source] for uuid in throttled))
            account = self._proven(tried, password, source)
            for each in guesses if account else ():
                self._guesses.give_back(each)
        if account:
            if any(row.account == account.uuid for row in failures):
                with writing(self._database) as session:
                    # By a statement: another worker may have forgotten them in the meantime.
                    session.execute(delete(Failures).where(near, Failures.account == account.uuid))
            may = not account.locked and account.may_use(application, PASSWORD)
            return account if may else None
        with writing(self._database) as session:
            for key in counters.keys() - throttled:
                _count(session, key, counters[key], source, address)
            for tried_one in tried:
                _lock_out(session, tried_one)
        return None

    def _known(
        self, accounts: list[Account], password: str, source: str, guesses: list[str]
    ) -> Account | None:
        """Return the one account that the password is known to be of, and count a guess if none."""
        if wait := min(self._guesses.wait(each) for each in guesses):
            raise _too_many(wait)
        account = _recognised(accounts, password, source)
        if account is None:
            for each in guesses:
                self._guesses.take(each)
        return account

    def _proven(self, accounts: list[Account], password: str, source: str) -> Account | None:
        """Return the one account that the password is of, by hashing it."""
        hashes = [account for account in accounts if account.password]
        self._require_hashes(source)
        with hashing.place(source):
            # The request before may have been of the same account, or a guesser's.
            if account := _recognised(hashes, password, source):
                return account
            self._require_hashes(source)
            self._hashes.take(source, max(1, len(hashes)))
            if not hashes:
                # The same work as for a known name, so that the time taken tells nothing.
                password_hashes.verify_password(_hash_of_nobody(), password)
                return None
            right = [a for a in hashes if password_hashes.verify_password(a.password, password)]
        if len(right) != 1:
            return None
        self._hashes.give_back(source, len(hashes))
        _remembered.add(_digest(right[0], hashes, password, source))
        return right[0]

    def _require_hashes(self, source: str) -> None:
        if wait := self._hashes.wait(source):
            raise _too_many(wait)


@cache
def _hash_of_nobody() -> str:
    """Return a hash that no password has; made when first needed, since hashing is slow."""
    return password_hashes.hash_password(os.urandom(16).hex())


def _recognised(accounts: list[Account], password: str, source: str) -> Account | None:
    """Return the one account, of those that may be meant, that the password is known to be of."""
    usable = [account for account in accounts if account.password]
    for account in usable:
        if _digest(account, usable, password, source) in _remembered:
            return account
    return None


def _digest(account: Account, among: list[Account], password: str, source: str) -> bytes:
    """Return what stands for a password that is of an account, and of no other among some."""
    hashes = sorted(f"{each.uuid} {each.password}" for each in among)
    return remembered.digest(account.uuid, password, source, *hashes)


def _too_many(seconds: float) -> errors.ApiError:
    text = f"Too many failed logins; try again in {math.ceil(seconds)} s."
    return errors.again(429, text, seconds)


def _count(session: Session, account: str, name: str, source: str, address: str) -> None:
    row = _failed(session, account, source)
    beyond = row.count - FREE_FAILURES
    row.locked_until = time.time()
    if beyond >= 0:
        # Beyond 2^1023 a float overflows, and a forgotten client gets there in some days.
        row.locked_until += min(2.0 ** min(beyond, 20), LONGEST_DELAY)
        text = f"{row.count} failed logins in a row as {name} from {address}."
        events.emit(session, events.ALERT, "security.login.failed", text)
    if (session.scalar(select(func.count()).select_from(Failures)) or 0) > MOST_COUNTERS:
        least = select(Failures).where(Failures.address != ANYWHERE)
        least = least.order_by(Failures.locked_until, Failures.count).limit(1)
        session.delete(session.scalars(least).one())


def _lock_out(session: Session, account: Account) -> None:
    """Lock an account after as many failures as the rules of its role allow."""
    rule = passwords.rules(session, account.owner_uuid, account.role)
    if not rule.most_failures or only_administrator(session, [account.uuid]):
        return
    row = _failed(session, account.uuid, ANYWHERE)
    if row.count >= rule.most_failures:
        days = rule.lockout_days
        row.locked_until = time.time() + days * passwords.DAY if days else FOREVER
        text = f"Account {account.name} is locked after {row.count} failed logins in a row."
        events.emit(session, events.ALERT, "security.login.locked", text)


def _failed(session: Session, account: str, source: str) -> Failures:
    row = session.get(Failures, (account, source))
    if row is None:
        row = Failures(account=account, address=source, count=0, locked_until=0.0)
        session.add(row)
    row.count += 1
    return row


def _of_nobody(login: str, svm: str) -> str:
    """Return the key of the counter for a name that no account has."""
    owner, _, name = login.rpartition("\\")
    return secrets.digest(f"{owner or svm}\\{name}")


def _meant(session: Session, login: str, svm: str) -> list[Account]:
    """Return the accounts that a login name may mean; see the module's text."""
    owner, _, name = login.rpartition("\\")
    wanted = owner or svm
    found = session.scalars(select(Account).filter_by(name=name)).all()
    of_array = [account for account in found if not account.owner_uuid]
    if of_array and not owner:
        return of_array
    if not wanted:
        return list(found)
    named = select(Svm.uuid).where((Svm.name == wanted) | (Svm.uuid == wanted))
    uuids = set(session.scalars(named))
    return [account for account in found if account.owner_uuid in uuids]
