"""Activity on the array: tables of the second database (see `security.activity`)."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import JSON, Integer
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class ActivityBase(DeclarativeBase):
    """Base of the tables of the second database."""

    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}


class AuditMessage(ActivityBase):
    """One record. `timestamp` is in seconds since 1970; `svm` is a name, '' for none."""

    __tablename__ = "audit_message"

    index: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    timestamp: Mapped[float] = mapped_column(default=time.time)
    user: Mapped[str]
    role: Mapped[str]
    svm: Mapped[str]
    location: Mapped[str]
    application: Mapped[str]
    input: Mapped[str]
    state: Mapped[str]
    message: Mapped[str]

    __table_args__ = {"sqlite_autoincrement": True}


class WebSession(ActivityBase):
    """One session; times are in seconds since 1970. `password` is a digest of the stored hash."""

    __tablename__ = "session"

    token: Mapped[str] = mapped_column(primary_key=True)
    account: Mapped[str] = mapped_column(index=True)
    password: Mapped[str]
    began: Mapped[float]
    used: Mapped[float]


class SessionUser(ActivityBase):
    """Who began a session as a member of a group's account, by the session's token.

    It is a table of its own so that the sessions of a release that has none go on.
    """

    __tablename__ = "session_user"

    token: Mapped[str] = mapped_column(primary_key=True)
    user: Mapped[str]


class FinishedLogin(ActivityBase):
    """The `state` of a login by the identity provider that came to its end.

    It is kept until the login would be over anyway, in seconds since 1970 (see `security.oidc`).
    """

    __tablename__ = "finished_login"

    state: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[float]
