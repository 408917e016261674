"""Verification that the database belongs to the machine.

A missing, empty or foreign database must never be applied over a live configuration. So each turn
first verifies that the file is still the one that was opened. The first turn also verifies that the
file contains the array's row, and that no target of another array, by its serial number, is live in
the kernel.
"""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import Engine, select

from sanstone.core.database.store import reading
from sanstone.core.names import AUTHORITY
from sanstone.kernel.host import Host
from sanstone.model.cluster import Cluster
from sanstone.reconcile.served_endpoint import fabrics
from sanstone.rules.cluster.node import the_node

_SERIAL = re.compile(rf"iqn\.{re.escape(AUTHORITY)}:sn\.([0-9a-f]{{32}}):")


class WrongDatabase(Exception):
    """The database must not be applied to the machine; the text says why."""


def own_node(database: Engine) -> str:
    """Return the UUID of the machine's node."""
    with reading(database) as session:
        return the_node(session).uuid


class Identity:
    """Remembers the database with which the reconciler started."""

    def __init__(self, host: Host, database: Engine, file: Path) -> None:
        self._host, self._database, self._file = host, database, file
        self._inode = 0
        self._serial = self._node_uuid = ""

    def check(self) -> str:
        """Return the UUID of the machine's node.

        Raises WrongDatabase if the database is not the one that belongs to the machine.
        """
        try:
            inode = self._file.stat().st_ino
        except FileNotFoundError as error:
            raise WrongDatabase(f"{self._file} is missing; the live targets stay.") from error
        if self._inode not in (0, inode):
            raise WrongDatabase(f"{self._file} was replaced while it was in use.")
        if self._inode == 0:
            self._serial, self._node_uuid = self._read()
            self._refuse_foreign_targets()
            self._inode = inode
        return self._node_uuid

    def _read(self) -> tuple[str, str]:
        """Return the serial number of the array and the UUID of its node. Raises WrongDatabase."""
        with reading(self._database) as session:
            query = select(Cluster.serial_number, Cluster.node_uuid)
            row = session.execute(query).tuples().one_or_none()
        if row is None or not row[0]:
            raise WrongDatabase(f"{self._file} holds no array; the live targets stay.")
        return row

    def _refuse_foreign_targets(self) -> None:
        """Raise WrongDatabase if a live target belongs to another array."""
        files = self._host.files
        paths = [fabric.path for fabric in fabrics() if files.exists(fabric.path)]
        for name in (name for path in paths for name in files.listdir(path)):
            match = _SERIAL.match(name)
            if match and match[1] != self._serial:
                text = f"Target {name} is live and belongs to another array than {self._serial}."
                raise WrongDatabase(text)
