"""Thin volumes with the content of others: snapshots and clones.

dm-thin creates a volume from another by one message, `create_snap <new> <origin>`; both share their
blocks until either is written to, and neither depends on the other afterwards
(Documentation/admin-guide/device-mapper/thin-provisioning.rst). An active origin must be suspended
meanwhile, or writes of hosts could end up in both.

For several volumes of the same moment, all of their devices are suspended before the first message
and resumed after the last. A crash in between leaves devices suspended: `over_thin.ensure` resumes
them, and hosts only had to wait.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import NamedTuple

from sanstone.kernel.host import Host, RequestError
from sanstone.kernel.storage import thin
from sanstone.kernel.storage.stack import over_thin


class Copy(NamedTuple):
    """A new thin volume and the source of its content."""

    pool: str
    """The device-mapper name of the pool."""
    thin_id: int
    source_id: int
    source_device: str
    """UUID of the source's exported device, '' for a source that is never exported."""


def take(host: Host, copies: Sequence[Copy], probe: str) -> None:
    """Create volumes from their sources, all of the same moment, unless that was done before.

    They are created in order, so if the last one exists all do. Some without the last are from an
    interrupted attempt: they are of another moment, and are created again. `probe` is the UUID of a
    temporary device that checks whether a volume exists. Raises HostError; all devices are resumed
    then.
    """
    with over_thin.suspended(host, {copy.source_device for copy in copies} - {""}):
        for number, copy in enumerate(copies):
            if not _make(host, copy):
                if number == 0 and thin.volume(host, copy.pool, copies[-1].thin_id, probe):
                    return
                host.mapper.message(copy.pool, f"delete {copy.thin_id}")
                _make(host, copy)


def ensure(host: Host, copy: Copy) -> None:
    """Create one volume from its source, unless it exists.

    Hosts may have written to an existing one. Raises HostError: ENODATA for a missing source.
    """
    with over_thin.suspended(host, {copy.source_device} - {""}):
        _make(host, copy)


def _make(host: Host, copy: Copy) -> bool:
    """Create a volume; return False if it existed."""
    try:
        host.mapper.message(copy.pool, f"create_snap {copy.thin_id} {copy.source_id}")
    except RequestError as error:
        if error.errno != errno.EEXIST:
            raise
        return False
    return True
