"""Changes that may cut the user off: they are kept only if the user still answers after them.

The array says in a dry run whether a change touches the connection by which the user has come. Such
a change is conditional on a confirmation of its job. Where nobody answers, as after a lost
connection, the array takes it back by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from sanstone.shell.collection import Collection
from sanstone.shell.session import Session

WITHIN = 60
"""Seconds in which the user must answer."""
WARNING = (
    "This change may cut off the connection that you use. "
    f"It is taken back unless you confirm it within {WITHIN} seconds."
)
QUESTION = f"Applied. Type yes within {WITHIN} seconds to keep it: "
KEPT, TAKEN_BACK = "The change is kept.", "The change is taken back."
Answer = TypeVar("Answer")


def make(
    session: Session,
    collection: Collection,
    options: Mapping[str, str],
    change: Callable[[Mapping[str, str]], Answer],
) -> Answer | None:
    """Make a change, which gets the options of its request. Return None if it is taken back."""
    guarded = (
        collection.resource.confirmable
        and session.settings.confirmations
        and not session.settings.dry_run
    )
    if not guarded or not _may_cut_off(session, options, change):
        return change(options)
    session.write([WARNING])
    answer = change({**options, "confirm_within": str(WITHIN)})
    job = f"cluster/jobs/{session.array.job}"
    if session.ask_within(QUESTION, WITHIN):
        session.array.modify(job, {}, {"action": "confirm"})
        session.write([KEPT])
        return answer
    if session.array.get(job, {"fields": "state"})["state"] == "paused":
        session.array.modify(job, {}, {"action": "cancel"})
    session.write([TAKEN_BACK])
    session.undone = True
    return None


def _may_cut_off(
    session: Session,
    options: Mapping[str, str],
    change: Callable[[Mapping[str, str]], object],
) -> bool:
    """Return whether the array says so; it does nothing."""
    session.array.dry_run = True
    try:
        change(options)
    finally:
        session.array.dry_run = False
    rehearsal = session.array.tried
    return bool(rehearsal["own_connection"]) and not rehearsal["refusals"]
