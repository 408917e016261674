"""`private/cli/system/timeout`: how long a shell stays in which nobody types.

It is where ONTAP's clients look for it: its API has no other place for what only the command
`system timeout` shows. A shell reads it when it begins (`security/session`), so that those that are
open keep the time that they began with.
"""

from __future__ import annotations

from typing import Any

from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Resource
from sanstone.core.declaration.types import Integer
from sanstone.model.cluster import Cluster

TIMEOUT = Integer(0, 35_791)
"""Minutes; in milliseconds they fit into 31 bits; 0 for ever."""


class ShellTimeoutResource(Resource[Cluster]):
    """The time after which a shell ends."""

    path = "private/cli/system/timeout"
    doc = "How long a shell stays in which nobody types."
    model = Cluster
    single = True
    keys = ()
    methods = frozenset({"GET", "PATCH"})
    fields = (
        Field(
            "timeout",
            TIMEOUT,
            "Minutes without any key after which a shell at a terminal ends; 0: never. For shells "
            "that begin afterwards.",
            access=MODIFY,
            attribute="shell_timeout",
        ),
    )

    def update(self, change: Change, row: Cluster, values: dict[str, Any]) -> None:
        """Set the time."""
        row.shell_timeout = values.get("timeout", row.shell_timeout)
        change.add(row)
