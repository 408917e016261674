"""What the reconciler saw: facts about the machine and the state of each wanted object.

Wanted state is never written here and observed state never elsewhere. A row says, for one `kind`
(a resource's path, such as `storage/disks`) and `key`, what was last seen and, in `error`, what
keeps the object from being as wanted ('' when nothing does).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core.bulk_loading import listed
from sanstone.core.store import Base


class Observed(Base):
    """One observed object."""

    __tablename__ = "observed"

    kind: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)
    error: Mapped[str] = mapped_column(default="")


class Seen(NamedTuple):
    """What is known of one object; see `Observed`. Plain, because there may be many thousands."""

    key: str
    data: dict[str, Any]
    error: str


def load(session: Session, kind: str, keys: Sequence[str] | None = None) -> dict[str, Seen]:
    """Return what is known of all objects of a kind, or of those with `keys`, by key."""
    query = select(Observed.key, Observed.data, Observed.error).where(Observed.kind == kind)
    if keys is not None:
        query = query.where(Observed.key.in_(listed(keys)))
    return {row.key: Seen(*row) for row in session.execute(query)}


def load_one(session: Session, kind: str, key: str) -> Seen | None:
    """Return what is known of one object, None for nothing."""
    query = select(Observed.key, Observed.data, Observed.error)
    row = session.execute(query.where(Observed.kind == kind, Observed.key == key)).one_or_none()
    return Seen(*row) if row else None


def record(session: Session, seen: Mapping[str, Mapping[str, dict[str, Any]]]) -> None:
    """Make the rows of each kind in `seen` say exactly that; only what differs is written."""
    query = select(Observed.kind, Observed.key, Observed.data).where(Observed.kind.in_(seen))
    known = {(row.kind, row.key): row.data for row in session.execute(query)}
    wanted = {(kind, key): data for kind, rows in seen.items() for key, data in rows.items()}
    for identity in known.keys() - wanted.keys():
        session.delete(session.get_one(Observed, identity))
    for identity, data in wanted.items():
        if identity not in known:
            session.add(Observed(kind=identity[0], key=identity[1], data=data))
        elif known[identity] != data:
            session.get_one(Observed, identity).data = data


def record_errors(session: Session, errors: dict[tuple[str, str], str]) -> None:
    """Set the error of each (kind, key) named, and clear every other.

    A row that stood only for an error, of something that was never seen, goes with it.
    """
    for row in session.scalars(select(Observed).where(Observed.error != "")):
        row.error = errors.get((row.kind, row.key), "")
        if not row.error and not row.data:
            session.delete(row)
    for (kind, key), error in errors.items():
        known = session.get(Observed, (kind, key))
        if known is None:
            session.add(Observed(kind=kind, key=key, error=error))
        elif known.error != error:
            known.error = error
