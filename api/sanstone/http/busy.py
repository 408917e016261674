"""Errors of refused transactions: nothing was changed, and the client may retry.

A damaged database is none that a client can mend. The reconciler finds it out and has it replaced
(`reconcile.damage`), and answers say so until then.
"""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DatabaseError

from sanstone.core import errors
from sanstone.core.database import store
from sanstone.core.database.turns import NoTurn

_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
SOON, LATER = 5.0, 60.0
"""Seconds after which to retry: when other writers are done, and when space has been freed."""


def refusal(error: NoTurn | DatabaseError) -> errors.ApiError | None:
    """Return the error for a transaction that could not begin or commit, None for other faults."""
    if isinstance(error, NoTurn):
        text = "The array is busy with other changes, and left this one out. Try again."
        return errors.again(503, text, SOON)
    if store.is_damage(error):
        text = (
            "The array's configuration is damaged. Hosts are served on. The array takes it back "
            "from its aggregates within minutes; the console tells where it cannot."
        )
        return errors.again(503, text, LATER)
    # The lower byte is the primary error code, the upper ones extend it (sqlite.org/rescode.html).
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    if code in _LOCKED:
        return errors.again(503, "The array's database is in use; nothing was changed.", SOON)
    if code == sqlite3.SQLITE_FULL:
        text = "The array's system disk is full; nothing was changed."
        return errors.again(507, text, LATER)
    return None
