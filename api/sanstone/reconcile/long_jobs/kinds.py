"""The kinds of long jobs, and the systemd template with the sandbox for the process of each.

A process that creates pools needs no network, and one that downloads a package no volume group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Engine

from sanstone.kernel.host import Host
from sanstone.model.support import BUNDLE_CREATION
from sanstone.reconcile.long_jobs import (
    aggregate_release,
    aggregate_removal,
    disk_erasure,
    node_power,
    package_download,
    pool_work,
    raid_creation,
    system_update,
    thin_deletion,
)
from sanstone.reconcile.long_jobs.work import Work
from sanstone.rules.cluster.node import POWER

STORAGE, UPDATE, SUPPORT = "sanstone-task", "sanstone-update", "sanstone-support"
"""Templates: for work on disks and pools, for updates and restarts of the system, and for support
bundles, which look at everything and change nothing."""


class Kind(NamedTuple):
    """A kind: its template, and the class that reads an order (raises HostError if malformed)."""

    service: str
    begin: Callable[[Host, Engine, dict[str, Any]], Work]


Kinds = Mapping[str, Kind]
KINDS: Kinds = {
    raid_creation.KIND: Kind(STORAGE, raid_creation.RaidCreation),
    pool_work.CREATE: Kind(STORAGE, pool_work.PoolCreation),
    pool_work.ACTIVATE: Kind(STORAGE, pool_work.PoolActivation),
    aggregate_release.KIND: Kind(STORAGE, aggregate_release.AggregateRelease),
    aggregate_removal.KIND: Kind(STORAGE, aggregate_removal.AggregateRemoval),
    disk_erasure.KIND: Kind(STORAGE, disk_erasure.DiskErasure),
    thin_deletion.KIND: Kind(STORAGE, thin_deletion.ThinDeletion),
    POWER: Kind(UPDATE, node_power.NodePower),
    package_download.KIND: Kind(UPDATE, package_download.PackageDownload),
    system_update.VALIDATE: Kind(UPDATE, system_update.PackageValidation),
    system_update.UPDATE: Kind(UPDATE, system_update.SystemUpdate),
}


_ELSEWHERE = {BUNDLE_CREATION: SUPPORT}
"""Templates of the kinds that only their own program knows (`sanstone.support`)."""


def service(kind: str) -> str:
    """Return the template of a kind. The process of an unknown kind fails and says so."""
    return KINDS[kind].service if kind in KINDS else _ELSEWHERE.get(kind, STORAGE)
