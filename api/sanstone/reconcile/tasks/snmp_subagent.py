"""`sanstone-snmp-subagent`: tells the SNMP agent the objects of SANSTONE-MIB.

It has the API's user, since it reads the database, and hears nobody but the agent, which speaks to
the network in a process of its own without the database. Its values are at most some seconds old: a
walk asks for one object after the other, and reads the database once.
"""

from __future__ import annotations

import logging
import signal
import sys
import time

from sqlalchemy import Engine

from sanstone.core import places
from sanstone.core.database import store
from sanstone.core.database.store import reading
from sanstone.kernel.snmp.agent_connection import AgentConnection
from sanstone.kernel.snmp.agentx import Binding, Oid, Range, Value
from sanstone.reconcile.snmp_objects import MODULE, Snapshot

PERIOD = 0.5
"""Seconds between looks whether the agent listens."""
FRESH = 10.0
"""Seconds for which values are reused."""
log = logging.getLogger("sanstone.snmp")


class CurrentObjects:
    """The objects, read anew on a request when they are no longer fresh."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._snapshot: Snapshot | None = None
        self._stale = 0.0

    def get(self, name: Oid) -> Value:
        """Return an object's value, or that there is none."""
        return self._current().get(name)

    def after(self, requested: Range) -> Binding | None:
        """Return the first object of a range, None for no such."""
        return self._current().after(requested)

    def _current(self) -> Snapshot:
        if self._snapshot is None or time.monotonic() >= self._stale:
            with reading(self._database) as session:
                self._snapshot = Snapshot(session)
            self._stale = time.monotonic() + FRESH
        return self._snapshot


def _connected() -> AgentConnection:
    """Return a connection, as soon as the agent listens, which is some moments after its start."""
    while True:
        try:
            return AgentConnection(str(places.snmp_agent()), "Sanstone")
        except (FileNotFoundError, ConnectionRefusedError):
            time.sleep(PERIOD)


def main() -> None:
    """Tell until the agent ends or a signal stops the process; systemd starts it with the agent."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit())
    objects = CurrentObjects(store.engine(store.path()))
    try:
        with _connected() as agent:
            agent.register(MODULE)
            agent.serve(objects)
    except OSError as error:
        log.error("the SNMP agent: %s", error)
        sys.exit(1)
