"""`cluster/software`: which release the array runs, and bringing it to another.

PATCH of `version` has the package of that release (see `cluster/software/packages`) written to the
system slot that does not run, and the array reboots into it; hosts are served until then. A system
that does not come up serving is left again by the next boot, and `state` says so. The release that
the other slot holds needs no package and is not written again, if that slot served before: that is
the way back.

Releases are Sanstone's; `cluster` shows the ONTAP release of this REST API. An update writes for a
minute or two and cannot be stopped half-way: `action` is refused.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from sanstone import __version__
from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Items, Reader, Resource, constant
from sanstone.core.declaration.types import Boolean, Choice, Duration, Integer, Text, Timestamp
from sanstone.core.long_jobs import LongJob
from sanstone.model.cluster import Cluster
from sanstone.model.nodes import Node, this_node
from sanstone.model.software import (
    DOWNLOAD,
    FAILURE,
    REBOOTING,
    SUCCESS,
    UPDATE,
    VALIDATE,
    SoftwareTask,
)
from sanstone.resources.cluster.software_image import is_held, require_slots
from sanstone.resources.cluster.software_package import NO_PACKAGE, is_stored
from sanstone.rules.cluster import software_task

IN_PROGRESS, COMPLETED, FAILED = "in_progress", "completed", "failed"
STATES = (
    *(IN_PROGRESS, "waiting", "paused_by_user", "paused_on_error", COMPLETED),
    *("canceled", FAILED, "pause_pending", "cancel_pending"),
)
_STATE_OF = {SUCCESS: COMPLETED, FAILURE: FAILED}


def require_idle(session: Session) -> None:
    """Raise ApiError while other work on the software is under way."""
    for task in software_task.unfinished(session):
        # ONTAP's words for a download, which the collection netapp.ontap looks for.
        what = "Software get operation" if task.action == DOWNLOAD else f"Software {task.action}"
        raise errors.conflict(f"{what} already in progress.")


def _state(task: SoftwareTask) -> str:
    return _STATE_OF.get(task.state, IN_PROGRESS)


def _of(action: str, read: Any) -> Any:
    """Return a getter for something of the newest order of a kind, absent while there is none."""

    def get(_row: Cluster, reader: Reader) -> Any:
        task = software_task.latest(reader.session, action)
        return read(task, reader) if task else None

    return get


def _elapsed(task: SoftwareTask, _reader: Reader) -> int:
    return int((task.end_time or time.time()) - task.start_time)


def _progress(task: SoftwareTask, reader: Reader) -> str:
    """Return in words how an update goes: RAUC's own while it writes."""
    if task.state == REBOOTING:
        return f"Release {task.version} is written. The array reboots into it."
    job = reader.session.get(LongJob, task.uuid)
    written = job is not None and job.percent is not None
    return task.message or (f"{job.percent}% {job.message}" if job and written else "Waiting.")


_NODE_NAME = Field("node.name", Text(64), "The node.", get=lambda _, r: this_node(r.session).name)
_STATE = Field("state", Choice(*STATES), "How it goes.", get=lambda row, _: _state(row))
_ELAPSED = Field("elapsed_duration", Duration(), "Seconds so far.", get=_elapsed)


class SoftwareResource(Resource[Cluster]):
    """The software."""

    path = SoftwareTask.kind
    doc = (
        "The release that the array runs. Giving another `version`, whose package was downloaded, "
        "writes it to the other system slot and reboots into it. Giving the one to which the array "
        "`can_go_back`, by `cluster/software/images`, reboots into it as it is. A package that is "
        "older than what has served here is refused, unless the rescue entry of a medium has it "
        "accepted."
    )
    model = Cluster
    keys = ()
    shared = True
    single = True
    asynchronous = True
    methods = frozenset({"GET", "PATCH"})
    options = (
        Field("validate_only", Boolean(), "Whether only to look at the package.", default=False),
        Field("skip_warnings", Boolean(), "Without effect: there are none.", default=False),
        Field("stabilize_minutes", Integer(1, 60), "Without effect: there is one node."),
        Field("nodes_to_update", Text(1024), "Names of the nodes, with commas: the one."),
    )
    fields = (
        Field("version", Text(64, 1), "Release.", access=MODIFY, get=constant(__version__)),
        Field(
            "action",
            Choice("pause", "resume", "cancel"),
            "Refused: an update cannot be stopped half-way.",
            access=MODIFY,
            get=constant(None),
        ),
        Items(
            "nodes",
            (
                Field("name", Text(64), "Name of the node."),
                Field("version", Text(), "Its release.", get=constant(__version__)),
            ),
            "The node.",
            get=lambda _row, reader: _nodes(reader),
        ),
        Field(
            "state",
            Choice(*STATES),
            "How the last update goes, or went; absent while there was none.",
            get=_of(UPDATE, lambda task, _: _state(task)),
        ),
        Field(
            "pending_version",
            Text(),
            "Release that is being installed.",
            get=_of(UPDATE, lambda t, _: t.version if _state(t) == IN_PROGRESS else None),
        ),
        Field("elapsed_duration", Duration(), "Seconds it took so far.", get=_of(UPDATE, _elapsed)),
        Items(
            "status_details",
            (
                Field("name", Text(), "Name of the step.", get=constant("do-update")),
                _STATE,
                Field("start_time", Timestamp(), "When it began."),
                Field("end_time", Timestamp(), "When it ended."),
                Field("issue.message", Text(), "How it goes, in words.", get=_progress),
                Field("issue.code", Integer(), "0, or the error's code.", attribute="code"),
                _NODE_NAME,
            ),
            "The last update.",
            get=_of(UPDATE, lambda task, _: [task]),
        ),
        Items(
            "update_details",
            (
                Field("phase", Text(), "Part that is updated.", get=constant("System image")),
                _STATE,
                _ELAPSED,
                _NODE_NAME,
            ),
            "The last update by its parts; there is one.",
            get=_of(UPDATE, lambda task, _: [task]),
        ),
        Items(
            "validation_results",
            (
                Field("update_check", Text(), "What was looked at.", get=constant("Package")),
                Field(
                    "status",
                    Choice("error", "ok"),
                    "Whether it may be installed.",
                    get=lambda row, _: "error" if row.state == FAILURE else "ok",
                ),
                Field("issue.message", Text(), "The problem, in words.", attribute="message"),
            ),
            "What the last validation found.",
            get=lambda _row, reader: _validation(reader),
        ),
    )

    def update(self, change: Change, row: Cluster, values: dict[str, Any]) -> None:
        """Order an update, or a validation."""
        session = change.session
        if "action" in values:
            running = [t for t in software_task.unfinished(session) if t.action == UPDATE]
            text = "No update is in progress."
            if running:
                text = "The update cannot be paused, resumed or canceled; it ends by itself."
            raise errors.conflict(text, "action")
        if "version" not in values:
            raise errors.missing("version")
        node = this_node(session)
        for name in (values["nodes_to_update"] or node.name).split(","):
            if name != node.name:
                raise errors.unknown_reference(f'node "{name}"', "nodes_to_update", errors.UNKNOWN)
        if values["version"] == __version__:
            return  # As ONTAP does by default: a node at that release is skipped.
        require_slots(session)
        require_idle(session)
        if not is_held(session, values["version"]) and not is_stored(session, values["version"]):
            text = f'Package "{values["version"]}"'
            raise errors.unknown_reference(text, "version", NO_PACKAGE)
        action = VALIDATE if values["validate_only"] else UPDATE
        if action == UPDATE:
            change.touch(node.owner)  # Its hosts notice the restart.
        change.add(SoftwareTask(action=action, version=values["version"], from_version=__version__))


def _nodes(reader: Reader) -> Sequence[Node]:
    return [this_node(reader.session)]


def _validation(reader: Reader) -> Sequence[SoftwareTask]:
    task = software_task.latest(reader.session, VALIDATE)
    return [task] if task and task.state in (SUCCESS, FAILURE) else []
