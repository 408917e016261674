"""Events of the configuration, of software and of jobs."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.events import ALERT, ERROR, NOTICE
from sanstone.rules.cluster.event_kinds.event_kind import EventKind

KINDS: Sequence[EventKind] = (
    EventKind(
        "configuration",
        ALERT,
        "The configuration was replaced by a copy, or a newer copy was found on an aggregate.",
        "Compare the configuration with what you expect: the event tells where it comes from.",
        pattern="configuration.*",
    ),
    EventKind(
        "software.failed",
        ERROR,
        "A package of software could not be downloaded, checked or installed. The array runs the "
        "release that it ran.",
        "Remove the cause that the event tells and try again.",
        pattern="software.*.failed",
    ),
    EventKind(
        "software.update",
        ALERT,
        "An update proceeds, is complete, or fell back to the release before.",
        "After a fallback look at what the event tells; hosts are served as before the update.",
        pattern="software.update.*",
    ),
    EventKind(
        "software.slot.given.up",
        ALERT,
        "A release did not start, and the other one runs.",
        "Install the update again, or another release.",
    ),
    EventKind(
        "job.revert.failed",
        ERROR,
        "A change failed and could not be taken back, since a later change builds on it.",
        "Look at the objects that the event names, and change them by hand.",
    ),
    EventKind(
        "job.unconfirmed",
        NOTICE,
        "A change of the network was not confirmed in time, and was taken back: its author may "
        "have been cut off by it.",
        "Look at what the request would have done, and make it again if it is right.",
    ),
)
