"""`cluster/jobs`: the state of asynchronous requests.

Clients poll a job right after the request: `state` is one of the five values that all of them know,
and `message` is always present, since some read it without checking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sanstone.core import confirmations, errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Field, Items, Reader, Reference, Resource
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text, Timestamp, Uuid
from sanstone.core.jobs import FAILURE, PAUSED, QUEUED, RUNNING, SUCCESS, Job
from sanstone.core.long_jobs import LongJob, unfinished
from sanstone.model.svm import Svm
from sanstone.rules.cluster.node import node_fields

REQUEST = Text(8190)
"""Longest request line that nginx and gunicorn accept."""
REASON = Text(4096)
PAUSE, RESUME, CANCEL, CONFIRM = "pause", "resume", "cancel", "confirm"
TERMINAL, NOT_PAUSED, NO_PAUSE, NO_CANCEL = "458762", "458776", "458783", "458784"
"""ONTAP's codes: the job has ended, is not paused, cannot be paused, cannot be cancelled."""


def _error(value: Callable[[Job], str]) -> Callable[[Job, Reader], str | None]:
    """Return a getter for a part of the error, absent unless the job failed with it."""
    return lambda row, _reader: (value(row) or None) if row.state == FAILURE else None


def _arguments(row: Job, _reader: Reader) -> list[dict[str, str]]:
    """Return the parts of the error's message."""
    return errors.listed(row.arguments) if row.state == FAILURE else []


def _steps(row: Job, reader: Reader) -> Sequence[LongJob]:
    """Return the long jobs that a job waits for."""
    return unfinished(reader.session, row.touched) if row.state == RUNNING else ()


def _message(row: Job, reader: Reader) -> str:
    """Return the cause of its failure, else the progress of its long job, else its state."""
    if row.state == PAUSED:
        return f"In effect; taken back unless it is confirmed within {row.confirm_within} s."
    return row.message or "; ".join(step.progress for step in _steps(row, reader)) or row.state


def _percent(row: Job, reader: Reader) -> int | None:
    """Return the progress of a job, of several long jobs their mean; None if it is unknown."""
    if row.state == SUCCESS:
        return 100
    known = [step.percent for step in _steps(row, reader) if step.percent is not None]
    return sum(known) // len(known) if known else None


def _is_cancelable(row: Job, reader: Reader) -> bool:
    if row.state == PAUSED:
        return True
    steps = _steps(row, reader)
    return bool(steps) and all(step.cancelable for step in steps)


def _objects(row: Job, _reader: Reader) -> list[dict[str, str]]:
    """Return the objects that the change is about, with those that it changes besides."""
    owners = (owner.partition(":") for owner in row.touched)
    return [{"path": path, "key": key} for path, _, key in owners]


class JobResource(Resource[Any]):
    """Jobs."""

    path = "cluster/jobs"
    doc = "A job tells how far a change has come and, when it failed, why."
    model = Job
    methods = frozenset({"GET", "PATCH"})
    order = ("id",)
    options = (
        Field(
            "action",
            Choice(CANCEL, CONFIRM, PAUSE, RESUME),
            "With PATCH: `cancel` ends a job that takes long, or is to be confirmed, and takes its "
            "change back. `confirm` keeps a change that is in effect and came with "
            "`confirm_within`. No job can be paused on request.",
        ),
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the job."),
        Field("description", REQUEST, "The request that started it."),
        Field(
            "state",
            Choice(QUEUED, RUNNING, PAUSED, SUCCESS, FAILURE),
            "How far it has come; a paused one is in effect and to be confirmed.",
        ),
        Field(
            "message",
            REASON,
            "What happened: how far it is, or why it failed.",
            get=_message,
        ),
        Field(
            "progress.percent",
            Integer(0, 100),
            "How far it has come; absent while nobody can tell.",
            get=_percent,
        ),
        Field("cancelable", Boolean(), "Whether it can be cancelled now.", get=_is_cancelable),
        Field(
            "confirm_until",
            Timestamp(),
            "When its change is taken back unless it is confirmed; shown while that is open.",
            get=lambda row, _: row.confirm_until if row.state == PAUSED else None,
        ),
        Field(
            "confirm_left",
            Integer(0, confirmations.LONGEST),
            "Seconds that are left for that.",
            get=lambda row, _: confirmations.seconds_left(row) if row.state == PAUSED else None,
        ),
        Items(
            "objects",
            (
                Field("path", Text(), "Resource of the object.", get=lambda o, _: o["path"]),
                Field(
                    "key", Text(), "Key of the object, mostly its UUID.", get=lambda o, _: o["key"]
                ),
            ),
            "Objects that the change is about.",
            get=_objects,
        ),
        Field("code", Integer(), "0, or the error's code."),
        Field("error.code", Text(), "The error's code.", get=_error(lambda job: str(job.code))),
        Field("error.message", REASON, "Why it failed.", get=_error(lambda job: job.message)),
        Field("error.target", Text(), "The field meant.", get=_error(lambda job: job.target)),
        Items(
            "error.arguments",
            (
                Field("code", Text(), "Its place, from 0.", get=lambda a, _: a["code"]),
                Field("message", REASON, "The part itself.", get=lambda a, _: a["message"]),
            ),
            "Parts of the message as they stand in it, for who translates the rest.",
            get=_arguments,
        ),
        Field("start_time", Timestamp(), "When it was started."),
        Field("end_time", Timestamp(), "When it ended."),
        *node_fields(),
        Reference(
            "svm",
            Svm,
            "The SVM that the request was about.",
            get=lambda row, reader: reader.row(Svm, row.about_svm),
        ),
    )

    def update(self, change: Change, row: Job, values: dict[str, Any]) -> None:
        """Perform the `action`. Raises ApiError."""
        action = values.get("action")
        if action is None:
            raise errors.invalid("Say by action what the job shall do.", "action")
        if row.state in (SUCCESS, FAILURE):
            text = f"The job has ended already. {row.message}".strip()
            raise errors.conflict(text, "action", TERMINAL)
        if action == RESUME:
            raise errors.conflict("The job is not paused.", "action", NOT_PAUSED)
        if action == PAUSE:
            raise errors.conflict("This job cannot be paused.", "action", NO_PAUSE)
        if row.state == PAUSED:
            act = confirmations.confirm if action == CONFIRM else confirmations.give_up
            act(row)
            return
        if action == CONFIRM:
            text = (
                "The change is not in effect yet; confirm it then."
                if row.confirm_within
                else "This change needs no confirmation."
            )
            raise errors.conflict(text, "action", NOT_PAUSED)
        steps = unfinished(change.session, row.touched)
        if not steps or not all(step.cancelable for step in steps):
            raise errors.conflict("This job cannot be cancelled.", "action", NO_CANCEL)
        for step in steps:
            step.cancel = True
