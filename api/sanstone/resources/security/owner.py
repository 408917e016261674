"""The owner of an account, a role or a certificate: the array, or an SVM.

ONTAP shows the array as an owner like an SVM, with its name and UUID. A request that names no owner
means the array; one that is confined to an SVM means the SVM.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core.database.session_value import SessionValue
from sanstone.core.declaration.resource import CREATE, Access, Field, Reader, Reference
from sanstone.core.declaration.types import Choice
from sanstone.model.cluster import Cluster
from sanstone.model.svm import Svm
from sanstone.resources.cluster.svm import UNKNOWN
from sanstone.security import confinement


@dataclass(frozen=True)
class ArrayOwner:
    """The array as an owner."""

    name: str
    uuid: str


def array_owner(session: Session) -> ArrayOwner:
    """Return the array as an owner, which is looked up once per session."""
    return _array_owner.of(session)


def _look_up(session: Session) -> ArrayOwner:
    cluster = session.scalars(select(Cluster)).one()
    return ArrayOwner(cluster.name, cluster.uuid)


_array_owner = SessionValue(_look_up)


class OwnerReference(Reference):
    """A reference to an SVM, or to the array."""

    def find(self, session: Session, identity: dict[str, str], values: dict[str, Any]) -> Any:
        """Return the owner that `identity` refers to. Raises ApiError."""
        array = array_owner(session)
        means_array = all(getattr(array, key) == text for key, text in identity.items())
        if means_array and not confinement.confined(session):
            return array
        return super().find(session, identity, values)


def owner_of(row: Any, reader: Reader) -> Any:
    """Return the owner of a row that has `owner_uuid`, which is '' for the array."""
    if row.owner_uuid:
        return reader.row(Svm, row.owner_uuid)
    return array_owner(reader.session)


def owner_reference(access: Access = CREATE) -> Reference:
    """Return the field `owner`."""
    return OwnerReference(
        "owner",
        Svm,
        "The SVM that owns it, or the array.",
        access=access,
        get=owner_of,
        unknown_code=UNKNOWN,
        always=True,
    )


def owner_fields() -> tuple[Reference, Field]:
    """Return the fields of an object's owner."""
    return (
        owner_reference(),
        Field(
            "scope",
            Choice("cluster", "svm"),
            "Whether the array or an SVM owns it.",
            get=lambda row, _: "svm" if row.owner_uuid else "cluster",
        ),
    )


def owner_uuid(owner: Any) -> str:
    """Return the `owner_uuid` for the owner in a request, if any."""
    return owner.uuid if isinstance(owner, Svm) else ""
