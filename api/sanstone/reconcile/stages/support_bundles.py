"""Support bundles: has a long job create each, and deletes the files of those that are gone."""

from __future__ import annotations

from sanstone.core import places
from sanstone.core.database.statements import every
from sanstone.core.long_jobs import LongJob, of_kinds
from sanstone.model.support import BUNDLE_CREATION, CREATING, SupportBundle
from sanstone.reconcile.results import BundlesCreated
from sanstone.reconcile.stages import long_jobs
from sanstone.reconcile.turn import Turn


def reconcile(turn: Turn) -> BundlesCreated:
    """Run the orders, delete files that nobody wants any more, and observe which are lost."""
    rows = turn.session.scalars(every(SupportBundle)).all()
    due = {row.uuid: row for row in of_kinds(turn.session, [BUNDLE_CREATION])}
    for row in rows:
        if row.state == CREATING:
            due.setdefault(row.uuid, _order(row))
    for order in due.values():
        with turn.attempt(order.owner):
            long_jobs.ensure_done(turn, order)
    files, folder = turn.host.files, str(places.support_directory())
    there = files.listdir(folder) if files.is_dir(folder) else []
    file_names = {places.support_bundle(row.uuid).name for row in rows}
    for name in there:
        # A file that is being written has another name until it is complete.
        if name not in file_names and (name.endswith(places.BUNDLE_SUFFIX) or not due):
            files.unlink(f"{folder}/{name}")
            turn.did(f"delete support bundle {name}")
    turn.seen[SupportBundle.kind] = {
        row.uuid: {"lost": True}
        for row in rows
        if row.state != CREATING and places.support_bundle(row.uuid).name not in there
    }
    return BundlesCreated(turn.outcomes)


def _order(row: SupportBundle) -> LongJob:
    return LongJob(
        uuid=row.uuid,
        kind=BUNDLE_CREATION,
        owner=row.owner,
        message="The support bundle is created",
        data={"bundle": row.uuid},
        cancelable=True,
    )
