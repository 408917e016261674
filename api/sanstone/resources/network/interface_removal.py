"""The removal of an interface of either kind, with its endpoints."""

from __future__ import annotations

from sqlalchemy import select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.model.network import Interface
from sanstone.model.san import PortsetInterface


def remove(change: Change, row: Interface) -> None:
    """Delete an interface that is in no portset. Hosts keep their other paths. Raises ApiError."""
    in_portset = select(PortsetInterface.portset_uuid).filter_by(interface_uuid=row.uuid)
    if change.session.scalar(in_portset):
        raise errors.conflict(f'Interface "{row.name}" is in a portset; take it out first.')
    for endpoint in list(row.endpoints):
        change.delete(endpoint)
    change.delete(row)
