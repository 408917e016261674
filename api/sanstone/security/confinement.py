"""Confine a request to one SVM: objects of other SVMs do not exist for it.

A request is confined when its account belongs to an SVM, or when a header names an SVM. Every query
for rows narrows them; `narrow` does it for objects that a body refers to. The session of a request
carries the SVM's UUID, so that no code on the way can omit it. For an account, other SVMs do not
exist; for a header they do, since its sender may see them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from sanstone.core.database.session_value import SessionValue
from sanstone.core.declaration import visibility

SVMS = "svm/svms"


@dataclass(frozen=True)
class _Confinement:
    """The SVM that a session is confined to, '' for none, and whether by its account."""

    svm_uuid: str = ""
    by_account: bool = False


_confinement = SessionValue(lambda _: _Confinement())


def confine(session: Session, svm_uuid: str, *, account: bool = False) -> None:
    """Confine a session to an SVM, because of the `account` or of a header."""
    by_account = account or _confinement.of(session).by_account
    _confinement.set(session, _Confinement(svm_uuid, by_account))
    visibility.narrow_by(session, narrow)


def confined(session: Session) -> str:
    """Return the UUID of the SVM that the session is confined to, '' for none."""
    return _confinement.of(session).svm_uuid


def svm_of(row: Any) -> str:
    """Return the UUID of the SVM that a row belongs to, '' when it belongs to none."""
    if getattr(row, "kind", "") == SVMS:
        return str(row.uuid)
    return getattr(row, "svm_uuid", "") or ""


def common_svm(session: Session, rows: Iterable[Any]) -> str:
    """Return the UUID of the SVM that rows belong to, '' for none or for several."""
    uuids = {svm_of(row) for row in rows}
    return uuids.pop() or confined(session) if len(uuids) == 1 else ""


def svm_column(model: Any) -> Any:
    """Return the column with the UUID of the SVM that rows belong to, None where there is none."""
    if getattr(model, "kind", "") == SVMS:
        return model.uuid
    return model.svm_uuid if "svm_uuid" in model.__table__.c else None


def narrow(session: Session, model: Any, query: Select[Any]) -> Select[Any]:
    """Return a query for rows of `model` without those of other SVMs."""
    svm_uuid = confined(session)
    if not svm_uuid:
        return query
    if getattr(model, "kind", "") == SVMS:
        return query.where(model.uuid == svm_uuid) if _confinement.of(session).by_account else query
    if "svm_uuid" in model.__table__.c:
        return query.where(model.svm_uuid == svm_uuid)
    return query
