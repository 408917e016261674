"""Contents of thin volumes that come from others: snapshots and clones.

dm-thin makes a new volume from another by one message, `create_snap <new> <origin>`; both share
their blocks until either is written to, and neither depends on the other afterwards
(Documentation/admin-guide/device-mapper/thin-provisioning.rst). An origin that is active must be
suspended meanwhile, or what hosts write could land in both.

Several are made as of one moment by suspending all of their devices before the first message and
resuming them after the last. Whoever dies in between leaves devices suspended: `dm.ensure_device`
resumes them, and hosts only waited.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from sanstone.kernel.host import Host, HostError, RequestError
from sanstone.kernel.storage import dm


class Copy(NamedTuple):
    """A new thin volume and where its content comes from."""

    pool: str
    """The device-mapper name of the pool."""
    thin_id: int
    source_id: int
    source_device: str
    """UUID of the exported device that the source is, '' for a source that is never exported."""


def take(host: Host, copies: Sequence[Copy], probe: str) -> None:
    """Make new volumes of their sources, all as of one moment, unless that was done before.

    They are made in their order, so when the last one is there all are. Some without the last were
    left by an attempt that did not come to its end: they are of another moment, and are made again.
    `probe` is the UUID for a device that looks whether a volume is there; it is gone at the end.
    Raises HostError; every device runs again then.
    """
    with _suspended(host, {copy.source_device for copy in copies}):
        for number, copy in enumerate(copies):
            if not _make(host, copy):
                if number == 0 and dm.volume(host, copy.pool, copies[-1].thin_id, probe):
                    return
                host.mapper.message(copy.pool, f"delete {copy.thin_id}")
                _make(host, copy)


def ensure(host: Host, copy: Copy) -> None:
    """Make one new volume of its source; one that is there already is taken for done.

    Hosts may have written to it since. Raises HostError: ENODATA where there is no such source.
    """
    with _suspended(host, {copy.source_device}):
        _make(host, copy)


def _make(host: Host, copy: Copy) -> bool:
    """Return whether the volume was made, and was not there before."""
    try:
        host.mapper.message(copy.pool, f"create_snap {copy.thin_id} {copy.source_id}")
    except RequestError as error:
        if error.errno != errno.EEXIST:
            raise
        return False
    return True


@contextmanager
def _suspended(host: Host, uuids: Iterable[str]) -> Iterator[None]:
    """Suspend exported devices, whole: each layer before what lies under it."""
    stopped: list[str] = []
    try:
        for uuid in sorted(set(uuids) - {""}):
            for name in dm.stack(host, uuid):
                state = host.mapper.state(name)
                if state and state.live:
                    stopped.append(name)
                    host.mapper.suspend(name)
        yield
    finally:
        _resume(host, stopped)


def _resume(host: Host, stopped: Sequence[str]) -> None:
    """Resume all devices, those after one that cannot be resumed too. Raises HostError."""
    failures = []
    for name in reversed(stopped):
        try:
            host.mapper.resume(name)
        except HostError as error:
            failures.append(error)
    if failures:
        raise failures[0]
