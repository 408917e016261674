"""Restart the machine, or shut it down, as `PATCH cluster/nodes` ordered."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine

from sanstone.core import events, long_jobs
from sanstone.core.database.store import writing
from sanstone.core.jobs import SUCCESS
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.long_jobs.work import Progress
from sanstone.rules.cluster.node import POWER, REBOOT, SHUTDOWN

_COMMANDS = {REBOOT: "reboot", SHUTDOWN: "poweroff"}
_MESSAGES = {REBOOT: "The node restarts as ordered.", SHUTDOWN: "The node shuts down."}


class NodePower:
    """An order to restart or to shut down."""

    stoppable = True

    def __init__(self, host: Host, database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is none."""
        self.host, self.database = host, database
        self.action = str(data.get("action"))
        if self.action not in _COMMANDS:
            raise HostError(f"there is no order {self.action!r} for the node")

    def run(self) -> None:
        """Record the order as done, then have it done. Raises HostError.

        In this order: an order that is still open after the boot would restart the machine again.
        """
        with writing(self.database) as session:
            for row in long_jobs.of_kinds(session, [POWER]):
                row.state = SUCCESS
            events.emit(session, events.NOTICE, "node.power", _MESSAGES[self.action])
        self.host.commands.run(["systemctl", _COMMANDS[self.action]])

    def progress(self) -> Progress:
        """Return unknown progress."""
        return Progress()
