"""Verification that the database belongs to the machine.

A missing, empty or foreign database must never be applied over a live configuration. So each turn
first verifies that the file is still the one that was opened. The first turn also verifies that the
file contains the array's row and the machine's node, and that no target of another array, by its
serial number, is live in the kernel.
"""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import Engine, select

from sanstone.core.database.store import reading
from sanstone.core.names import AUTHORITY
from sanstone.kernel.host import Host
from sanstone.model.cluster import Cluster
from sanstone.model.nodes import Node
from sanstone.reconcile.served_endpoint import fabrics

_SERIAL = re.compile(rf"iqn\.{re.escape(AUTHORITY)}:sn\.([0-9a-f]{{32}}):")


class WrongDatabase(Exception):
    """The database must not be applied to the machine; the text says why."""


class Identity:
    """Remembers the database with which the reconciler started."""

    def __init__(self, host: Host, database: Engine, file: Path, node_uuid: str) -> None:
        self._host, self._database, self._file = host, database, file
        self._node_uuid = node_uuid
        self._inode = 0
        self._serial = ""

    def check(self) -> None:
        """Raise WrongDatabase if the database is not the one that belongs to the machine."""
        try:
            inode = self._file.stat().st_ino
        except FileNotFoundError as error:
            raise WrongDatabase(f"{self._file} is missing; the live targets stay.") from error
        if self._inode not in (0, inode):
            raise WrongDatabase(f"{self._file} was replaced while it was in use.")
        if self._inode == 0:
            self._serial = self._read()
            self._refuse_foreign_targets()
            self._inode = inode

    def _read(self) -> str:
        """Return the serial number of the array. Raises WrongDatabase."""
        with reading(self._database) as session:
            serial = session.scalar(select(Cluster.serial_number))
            is_ours = session.get(Node, self._node_uuid) is not None
        if not serial:
            raise WrongDatabase(f"{self._file} holds no array; the live targets stay.")
        if not is_ours:
            text = f"{self._file} knows no node {self._node_uuid or 'of this machine'}"
            raise WrongDatabase(f"{text}; the live targets stay.")
        return serial

    def _refuse_foreign_targets(self) -> None:
        """Raise WrongDatabase if a live target belongs to another array."""
        files = self._host.files
        paths = [fabric.path for fabric in fabrics() if files.exists(fabric.path)]
        for name in (name for path in paths for name in files.listdir(path)):
            match = _SERIAL.match(name)
            if match and match[1] != self._serial:
                text = f"Target {name} is live and belongs to another array than {self._serial}."
                raise WrongDatabase(text)
