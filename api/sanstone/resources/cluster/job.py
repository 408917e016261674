"""`cluster/jobs`: what asynchronous requests became of.

Clients poll a job right after the request: `state` is one of the five words that all of them
know, and `message` is always there, since some read it without asking whether it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sanstone.core.jobs import FAILURE, QUEUED, RUNNING, SUCCESS, Job
from sanstone.core.resource import Field, Reader, Reference, Resource
from sanstone.core.types import Choice, Integer, Text, Timestamp, Uuid
from sanstone.model.svm import Svm
from sanstone.resources.cluster.node import node_fields

REQUEST = Text(8190)
"""As long as nginx and gunicorn take a request's line."""
REASON = Text(4096)


def _error(value: Callable[[Job], str]) -> Callable[[Job, Reader], str | None]:
    """Return a getter for a part of the error, absent unless the job failed and has it."""
    return lambda row, _reader: (value(row) or None) if row.state == FAILURE else None


class JobResource(Resource[Any]):
    """Jobs."""

    path = "cluster/jobs"
    doc = "A job tells how far a change has come and, when it failed, why."
    model = Job
    methods = frozenset({"GET"})
    order = ("id",)
    fields = (
        Field("uuid", Uuid(), "Identity of the job."),
        Field("description", REQUEST, "The request that started it."),
        Field("state", Choice(QUEUED, RUNNING, SUCCESS, FAILURE), "How far it has come."),
        Field(
            "message",
            REASON,
            "What happened: its state, or why it failed.",
            get=lambda row, _: row.message or row.state,
        ),
        Field("code", Integer(), "0, or the error's code."),
        Field("error.code", Text(), "The error's code.", get=_error(lambda job: str(job.code))),
        Field("error.message", REASON, "Why it failed.", get=_error(lambda job: job.message)),
        Field("error.target", Text(), "The field meant.", get=_error(lambda job: job.target)),
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
