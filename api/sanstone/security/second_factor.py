"""The second factor of a login: a code of an authenticator app, or an emergency code.

An account asks for it by application (`Account.asks_code`); its profile (`Totp`) has the secret. An
account that asks for a code and has no profile that is enabled does not get in: turning off a
profile, as after a phone was lost, opens nothing.

**A code counts once**, in all processes and after a restart: the profile keeps the step of the last
one, and no code of that step or before it is taken any more. An emergency code is deleted when it
is used.

**Guessing.** Only who has the first factor, a password or a key of SSH, gets as far as this. Wrong
codes are counted as wrong passwords are, with the same delays, events and limits of the role, but
from all addresses together: many addresses give no more guesses, and nobody is kept waiting by who
does not have the first factor. At a guess in 30 s, with three codes of a million right at a time, a
day of guessing succeeds with a probability of 1 in 100, and each guess is an event. A code is
judged and counted in one transaction, so that guesses at the same time are counted, too.
"""

from __future__ import annotations

import hmac
import time

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from sanstone.core import errors, events
from sanstone.core.database.store import reading, writing
from sanstone.model.security import ANYWHERE, Account, Totp
from sanstone.security import failures, totp
from sanstone.security.accounts import profile_of

FIELD = "verification_code"
"""The field of a login for the code: the target of refusals for want of a right one."""
LONGEST = 32
"""Characters of a code, with what people put between its digits."""
CODES = "codes"
"""The source of wrong codes among the counters of failures: it is no address."""


def prove(database: Engine, account: Account, code: str, source: str, address: str) -> None:
    """Take a code of an account that has proved the first factor, and forget its failures.

    `source` is where the first factor was proved, `address` what events say. Raises ApiError: 401
    without a code or for a wrong or used one, 403 where there is no profile, 429 after too many
    wrong ones.
    """
    digits = "".join(code.split())
    if not digits:
        with reading(database) as session:
            _require_profile(session, account)
        raise needed()
    with writing(database) as session:
        profile = _require_profile(session, account)
        if wait := failures.wait(session, account.uuid, CODES, ANYWHERE):
            raise failures.too_many(wait)
        accepted = _accept(session, profile, account, digits)
        if accepted:
            failures.forget(session, account.uuid, source, CODES)
        else:
            failures.count(session, account.uuid, account.name, CODES, address)
            failures.lock_out(session, account)
    if not accepted:
        raise _refused("The code is wrong, or was used already.")


def needed() -> errors.ApiError:
    """Return the error for a request without a code (401)."""
    text = (
        "This account needs a verification code, too: log in by POST of /api/security/session, "
        f"with {FIELD}."
    )
    return _refused(text)


def _require_profile(session: Session, account: Account) -> Totp:
    profile = profile_of(session, account)
    if profile is None or not profile.enabled:
        text = (
            "This account needs a verification code, too, but has no TOTP profile that is enabled: "
            "an administrator has to create one."
        )
        raise errors.ApiError(403, errors.FORBIDDEN, text)
    return profile


def _refused(text: str) -> errors.ApiError:
    return errors.ApiError(401, errors.NOT_AUTHENTICATED, text, FIELD)


def _accept(session: Session, profile: Totp, account: Account, digits: str) -> bool:
    """Return whether a code is right and unused, and have it count no more."""
    if len(digits) == totp.EMERGENCY_DIGITS:
        return _accept_emergency(session, profile, account, digits)
    step = totp.matching_step(profile.secret_key or "", digits, time.time())
    if step is None or step <= profile.last_step:
        return False
    profile.last_step = step
    return True


def _accept_emergency(session: Session, profile: Totp, account: Account, digits: str) -> bool:
    digest = totp.emergency_digest(account.uuid, digits)
    remaining = [each for each in profile.emergency_codes if not hmac.compare_digest(each, digest)]
    if len(remaining) == len(profile.emergency_codes):
        return False
    profile.emergency_codes = remaining
    text = f"{account.name} logs in by an emergency code; {len(remaining)} are left."
    events.emit(session, events.NOTICE, "security.login.emergency", text)
    return True
