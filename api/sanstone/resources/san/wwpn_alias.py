"""`network/fc/wwpn-aliases`: names for the WWPNs of initiators, for people."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.host_types import Alias, Wwpn
from sanstone.core.declaration.resource import CREATE, Field, Resource
from sanstone.model.san import WwpnAlias
from sanstone.resources.cluster.svm import svm_reference

TAKEN, UNKNOWN = "1254317", "5374046"


class WwpnAliasResource(Resource[WwpnAlias]):
    """Aliases of WWPNs."""

    path = WwpnAlias.kind
    doc = "Aliases are names for the WWPNs of Fibre Channel initiators, each within its SVM."
    model = WwpnAlias
    keys = ("svm.uuid", "alias")
    order = ("svm_uuid", "alias")
    methods = frozenset({"GET", "POST", "DELETE"})
    searched = ("alias", "wwpn")
    unknown_code = UNKNOWN
    fields = (
        svm_reference(always=True),
        Field(
            "alias",
            Alias(),
            "Name within the SVM.",
            access=CREATE,
            required=True,
        ),
        Field("wwpn", Wwpn(), "WWPN that it stands for.", access=CREATE, required=True),
    )

    def select(self) -> Select[Any]:
        """Return the aliases with their SVMs."""
        return select(WwpnAlias).options(joinedload(WwpnAlias.svm))

    def create(self, change: Change, values: dict[str, Any]) -> WwpnAlias:
        """Add an alias."""
        svm, alias = values["svm"], values["alias"]
        if change.session.get(WwpnAlias, (svm.uuid, alias)):
            text = f'Alias "{alias}" already exists in SVM "{svm.name}".'
            raise errors.conflict(text, "alias", TAKEN)
        row = WwpnAlias(svm_uuid=svm.uuid, alias=alias, wwpn=values["wwpn"])
        change.add(row)
        return row

    def delete(self, change: Change, row: WwpnAlias, options: dict[str, Any]) -> None:
        """Delete an alias; igroups keep the WWPN that they were given by it."""
        change.delete(row)
