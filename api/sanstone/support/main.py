"""`sanstone-support <uuid>`: make the bundle that a long job orders, in its service's sandbox."""

from __future__ import annotations

from sanstone.model.support import BUNDLE_CREATION
from sanstone.reconcile.long_jobs import task
from sanstone.reconcile.long_jobs.kinds import SUPPORT, Kind, Kinds
from sanstone.support.bundle import BundleCreation

KINDS: Kinds = {BUNDLE_CREATION: Kind(SUPPORT, BundleCreation)}


def main() -> None:
    """Run the long job that the only argument names."""
    task.main(KINDS)
