"""The tasks that the array does in the background, and how the last run of each went.

A task is a thread of the reconciler's, or a process of its own, that works again and again beside
turns and requests. Each is declared here, so that one that never ran is shown, too. Its last result
stands in a file of `folder()`, which root writes (`reconcile.tasks.recorder`) and everybody reads;
a boot empties it. A process that waits for questions, as the one that answers SNMP does, has no
runs and is no task.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from sanstone.core import places

TURNS = 5.0
"""Seconds between turns of the reconciler that look at the machine. Such a turn wakes its tasks."""
NEVER, ON_TIME, LATE = "never", "on_time", "late"


@dataclass(frozen=True)
class Task:
    """A task. It runs every `period` seconds, and a run takes up to `longest` seconds."""

    name: str
    doc: str
    period: float = TURNS
    longest: float = 60.0


@dataclass(frozen=True)
class Run:
    """A run that ended. `began` is in seconds since 1970, `duration` in seconds.

    `error` is why it could not do all that was due, '' where it could.
    """

    began: float
    duration: float
    error: str = ""


SNAPSHOT_SCHEDULES = Task("snapshot_schedules", "Take and delete snapshots by their policies.")
UNCOMMITTED_SNAPSHOTS = Task(
    "uncommitted_snapshots", "Delete the snapshots of groups that nobody commits in time."
)
SPARES = Task("spares", "Have spare disks take the place of those that failed.")
VOLUME_SPACE = Task("volume_space", "Have volumes grow and shrink, and their snapshots go, by use.")
CONFIGURATION = Task("configuration", "Copy the configuration to the aggregates.", longest=600.0)
EVENTS = Task("events", "Tell syslog, mail and web servers of events.", longest=600.0)
DISKS = Task("disks", "Read what disks and shelves say of themselves.", longest=600.0)
SENSORS = Task("sensors", "Read the management controller's sensors and log.", longest=300.0)
ERRORS = Task("errors", "Read errors of the hardware and the kernel.")
PATH_MTUS = Task("path_mtus", "Ask hosts how large packets pass.", longest=600.0)
ISNS = Task("isns", "Register iSCSI targets at iSNS servers.", longest=300.0)
FABRICS = Task("fabrics", "Ask Fibre Channel fabrics for their switches and zones.", longest=600.0)
NAMES = Task("names", "Look up the names of SNMP trap hosts.", longest=300.0)
SAMPLES = Task("samples", "Count what hosts do.", period=15.0)
MEASURES = Task("measures", "Count what snapshots hold.", longest=3600.0)
ALL = (
    *(SNAPSHOT_SCHEDULES, UNCOMMITTED_SNAPSHOTS, SPARES, VOLUME_SPACE, CONFIGURATION, EVENTS),
    *(DISKS, SENSORS, ERRORS, PATH_MTUS, ISNS, FABRICS, NAMES, SAMPLES, MEASURES),
)


def folder() -> Path:
    """Return the folder of the records."""
    return places.run_directory() / "tasks"


def file(task: Task) -> Path:
    """Return the file with the record of a task's last run."""
    return folder() / f"{task.name}.json"


def packed(run: Run) -> bytes:
    """Return the content of a record."""
    return json.dumps(asdict(run)).encode()


def last_run(task: Task) -> Run | None:
    """Return the last run of a task that ended, None where none did since the boot."""
    try:
        return Run(**json.loads(file(task).read_bytes()))
    except FileNotFoundError:
        return None


def state(task: Task, run: Run | None, now: float) -> str:
    """Return NEVER, ON_TIME or LATE; `run` is the last one.

    It is late where the next run would have ended by now, with a start in time and its longest
    duration. So a run that hangs shows, too.
    """
    if run is None:
        return NEVER
    due = run.began + run.duration + 2 * task.period + task.longest
    return LATE if now > due else ON_TIME
