"""Numbers of the array; each is given once."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.model.cluster import Cluster


def take_number(session: Session) -> int:
    """Take the array's next number for an SVM or endpoint; numbers are never used twice."""
    cluster = session.scalars(select(Cluster)).one()
    cluster.next_number += 1
    return cluster.next_number - 1
