"""Confining a request to one SVM: what is another's does not exist for it.

A request is confined when its account is an SVM's, or when a header names an SVM. Rows are
narrowed by whoever looks for them; `narrow` is for looking for what a body refers to. The session
of a request carries the SVM's UUID, so that nothing on the way can forget it. Other SVMs do not
exist for an account; for a header they do, since whoever sends it may know of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select
from sqlalchemy.orm import Session

from sanstone.core import visibility
from sanstone.core.session_value import SessionValue

SVMS = "svm/svms"


@dataclass(frozen=True)
class _Confinement:
    """The SVM that a session is confined to, '' for none, and whether an account is the reason."""

    svm_uuid: str = ""
    by_account: bool = False


_confinement = SessionValue(lambda _: _Confinement())


def confine(session: Session, svm_uuid: str, *, account: bool = False) -> None:
    """Confine what the session looks for to an SVM, because of the `account` or of a header."""
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
    """Return the UUID of the SVM that a request for rows is about, '' for none or for several."""
    found = {svm_of(row) for row in rows}
    return found.pop() or confined(session) if len(found) == 1 else ""


def narrow(session: Session, model: Any, query: Select[Any]) -> Select[Any]:
    """Return a query for rows of `model` that finds none of another SVM."""
    svm_uuid = confined(session)
    if not svm_uuid:
        return query
    if getattr(model, "kind", "") == SVMS:
        return query.where(model.uuid == svm_uuid) if _confinement.of(session).by_account else query
    if "svm_uuid" in model.__table__.c:
        return query.where(model.svm_uuid == svm_uuid)
    return query
