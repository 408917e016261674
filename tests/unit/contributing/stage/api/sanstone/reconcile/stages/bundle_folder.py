"""The folder of support bundles: whether it is there."""

from __future__ import annotations

from sanstone.core import places
from sanstone.model.support import SupportBundle
from sanstone.reconcile.results import BundleFolderSeen, BundlesCreated
from sanstone.reconcile.turn import Turn


def observe(turn: Turn, _bundles: BundlesCreated) -> BundleFolderSeen:
    """Report a missing folder to the turn, if there are bundles."""
    bundle_count = turn.session.query(SupportBundle).count()
    if bundle_count and not turn.host.files.is_dir(str(places.support_directory())):
        turn.did("miss the folder of support bundles")
    return BundleFolderSeen(turn.outcomes)
