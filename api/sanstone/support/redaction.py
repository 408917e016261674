"""Secrets never get into a support bundle, by whatever way a part may have come to one.

Parts are collected by allow-lists that have no secret. This is the second line: every secret that
the database holds is looked for in each part, and what looks like a key or a hash.
"""

from __future__ import annotations

import json
import re

from sqlalchemy import Engine, String, select, type_coerce

from sanstone.core import secrets
from sanstone.core.database.store import Base, Secret, reading

REMOVED = "(secret removed)"
SHORTEST = 4
"""Characters of a secret that is looked for: shorter ones are parts of other words."""
_SHAPES = (
    re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
        r"(?:.{0,16384}?-----END [A-Z ]*PRIVATE KEY-----|.{0,16384})",
        re.DOTALL,
    ),
    re.compile(r"\$argon2[a-z]*\$[\w$,=+/.-]+"),
    re.compile(r"\$(?:y|6|5|2[aby]|1)\$[\w./$=,-]{8,}"),
    re.compile(r"DHHC-1:\d\d:[A-Za-z0-9+/=]+:?"),
    re.compile(r"(?i)(?<=authorization: basic )[A-Za-z0-9+/=]+"),
)


class Redactor:
    """Replaces secrets in texts."""

    def __init__(self, database: Engine) -> None:
        """Read all secrets of the database. Raises KeyUnavailable."""
        known = set()
        with reading(database) as session:
            for table in Base.metadata.sorted_tables:
                for column in table.columns:
                    if isinstance(column.type, Secret):
                        sealed = select(type_coerce(column, String)).distinct()
                        known |= {_opened(each) for each in session.scalars(sealed) if each}
        lines = {line for each in known for line in (each, *each.split("\n"))}
        forms = {form for each in lines for form in _forms(each) if len(each) >= SHORTEST}
        ordered = sorted(forms, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def clean(self, text: str) -> str:
        """Return the text without secrets."""
        # Shapes first: the known first line of a key would hide where the rest of it begins.
        for shape in _SHAPES:
            text = shape.sub(REMOVED, text)
        if self._known:
            text = self._known.sub(REMOVED, text)
        return text


def _opened(sealed: str) -> str:
    try:
        return secrets.decrypt(sealed)
    except ValueError:
        # Another array's, which nobody here has ever read.
        return ""


def _forms(secret: str) -> set[str]:
    """Return how a secret may be written: as it is, or in JSON."""
    return {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
