"""Rules for passwords: complexity, expiry, and when failed logins lock an account.

The rules are ONTAP's `security login role config`: one set per role, with ONTAP's names and
defaults. A password that violates a rule is refused with ONTAP's code; the message about a password
used before is ONTAP's too, since its Ansible module reads it as "nothing to be changed".
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.model.security import PasswordRules
from sanstone.security import password_hashes

DAY = 86_400.0
LONGEST = 128
HAS_NAME, TOO_SHORT, LETTERS_AND_DIGITS, TOO_FEW, USED_BEFORE, TOO_LONG, TOO_SOON = (
    "7077918",
    "7077919",
    "7077920",
    "7077921",
    "7077924",
    "7077940",
    "7077922",
)


def defaults(owner_uuid: str, role: str) -> PasswordRules:
    """Return the default rules, for a role without rules; the row is in no session."""
    columns = PasswordRules.__table__.columns
    plain = {c.name: c.default.arg for c in columns if c.default and not c.primary_key}
    return PasswordRules(owner_uuid=owner_uuid, role=role, **plain)


def rules(session: Session, owner_uuid: str, role: str) -> PasswordRules:
    """Return the rules for accounts with a role."""
    return session.get(PasswordRules, (owner_uuid, role)) or defaults(owner_uuid, role)


def all_rules(session: Session) -> dict[tuple[str, str], PasswordRules]:
    """Return all rules that are set, by owner and role."""
    return {(row.owner_uuid, row.role): row for row in session.scalars(select(PasswordRules))}


def check(rule: PasswordRules, name: str, password: str, target: str = "password") -> None:
    """Raise ApiError when a password violates the rules."""
    for broken, code, text in (
        (name.lower() in password.lower(), HAS_NAME, "must not contain the user name"),
        (
            len(password) < rule.minimum_length,
            TOO_SHORT,
            f"must have at least {rule.minimum_length} characters",
        ),
        (len(password) > LONGEST, TOO_LONG, f"must have at most {LONGEST} characters"),
        (
            rule.letters_and_digits
            and not (_count(password, "alpha") and _count(password, "digit")),
            LETTERS_AND_DIGITS,
            "must have both letters and numbers",
        ),
        (_special(password) < rule.special, TOO_FEW, f"needs {rule.special} special characters"),
        (_count(password, "lower") < rule.lowercase, TOO_FEW, f"needs {rule.lowercase} lower-case"),
        (_count(password, "upper") < rule.uppercase, TOO_FEW, f"needs {rule.uppercase} upper-case"),
        (_count(password, "digit") < rule.digits, TOO_FEW, f"needs {rule.digits} digits"),
    ):
        if broken:
            raise errors.invalid(f"The password {text}.", target, code)


def check_unused(rule: PasswordRules, hashes: list[Any], password: str) -> None:
    """Raise ApiError when a password was used recently; `hashes` begin with the newest."""
    forbidden = hashes[: max(1, rule.remembered)]
    if any(password_hashes.verify_password(hashed, password) for hashed in forbidden):
        before = f"last {rule.remembered} passwords" if rule.remembered > 1 else "the old password"
        text = f"New password must be different from {before}."
        raise errors.invalid(text, "password", USED_BEFORE)


def check_delay(rule: PasswordRules, changed: float) -> None:
    """Raise ApiError when its owner changed the password too recently."""
    if time.time() < changed + rule.change_delay_days * DAY:
        text = f"A password can be changed again after {rule.change_delay_days} days."
        raise errors.conflict(text, "password", TOO_SOON)


def _count(password: str, kind: str) -> int:
    return sum(1 for character in password if getattr(character, f"is{kind}")())


def _special(password: str) -> int:
    return sum(1 for character in password if not character.isalnum())
