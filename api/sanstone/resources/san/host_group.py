"""A group of hosts that an SVM serves: the common part of igroups and subsystems.

Both kinds of an SVM share one set of names, as in ONTAP.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import WRITE, Field, Resource
from sanstone.core.declaration.types import Boolean, Text
from sanstone.model.host_groups import HostGroup

Group = TypeVar("Group", bound=HostGroup)
DELETE_ON_UNMAP = Field(
    "delete_on_unmap",
    Boolean(),
    "Whether it is deleted with its last map.",
    access=WRITE,
    default=False,
)
DESCRIBED = ("name", "os_type", "comment", DELETE_ON_UNMAP.name)
"""The fields that both kinds have; each kind says whether a request may change them."""


def name_type(maximum: int) -> Text:
    """Return the type of the name of a group, which has up to `maximum` characters."""
    return Text(maximum, 1, r"[A-Za-z0-9_.:-]+", "letters, digits, _ . : -")


class HostGroupResource(Resource[Group]):
    """Base of the resources of igroups and subsystems.

    `names_taken` are ONTAP's error codes for a name that one of the kind has.
    """

    names_taken: ClassVar[Mapping[type[HostGroup], str]]

    def check_name(self, session: Session, svm_uuid: str, name: str) -> None:
        """Raise ApiError when an igroup or a subsystem of the SVM has a name."""
        kind: Any
        for kind, code in self.names_taken.items():
            if session.scalar(select(kind.uuid).filter_by(svm_uuid=svm_uuid, name=name)):
                noun = kind.__tablename__.capitalize()
                raise errors.conflict(f'{noun} "{name}" already exists in the SVM.', "name", code)

    def row(self, values: dict[str, Any], **own: Any) -> Group:
        """Return the row of a new group; `own` are columns that only its kind has."""
        model: Any = self.model
        described = {name: values[name] for name in DESCRIBED}
        group: Group = model(svm_uuid=values["svm"].uuid, **described, **own)
        return group

    def update(self, change: Change, row: Group, values: dict[str, Any]) -> None:
        """Change what describes a group."""
        if values.get("name", row.name) != row.name:
            self.check_name(change.session, row.svm_uuid, values["name"])
        for name in DESCRIBED:
            if name in values:
                setattr(row, name, values[name])
