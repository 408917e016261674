"""Accounts, their roles, passwords and keys, and certificates."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Iterable
from typing import Any, ClassVar

from sqlalchemy import UniqueConstraint, and_, select
from sqlalchemy.orm import Mapped, Session, foreign, mapped_column, relationship

from sanstone.core.database.change import Owned
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base, Identified, Secret
from sanstone.core.database.tracked import Columns, Tracked
from sanstone.model.cluster import Cluster
from sanstone.model.svm import Svm

ADMIN, VSADMIN = "admin", "vsadmin"
MOST_REMEMBERED = 25
"""Most former passwords that a rule can forbid, as in ONTAP."""
HTTP, SSH, CONSOLE = "http", "ssh", "console"
PASSWORD, PUBLIC_KEY, NSSWITCH = "password", "publickey", "nsswitch"
CERTIFICATE, OIDC = "certificate", "oidc"
"""Methods of authentication; `nsswitch`, as ONTAP calls it, is the array's directory, and `oidc`
its identity provider.
"""
TOTP = "totp"
"""The second method: a code besides (see `security.second_factor`)."""
ANYWHERE = "*"
SERVER, CLIENT, ROOT_CA, SERVER_CA = "server", "client", "root_ca", "server_ca"
CLIENT_CA = "client_ca"
"""Types of certificates."""


class _OfArrayOrSvm(Tracked):
    """Mixin of rows that belong to the SVM `owner_uuid`, or to the array for ''.

    `shown_as` is the path of their resource; its first key is the owner.
    """

    svm_column = "owner_uuid"
    shown_as: ClassVar[str]
    is_part: ClassVar[bool] = False
    """Whether the resource is there without the row too."""

    @property
    def further_keys(self) -> tuple[str, ...]:
        """Return the keys that follow the owner's."""
        return ()

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the resource."""
        owner_uuid: str = getattr(self, self.svm_column)
        keys = self._owner_key(session, owner_uuid), *self.further_keys
        yield Changed(self.shown_as, "/".join(keys), owner_uuid, None if self.is_part else deleted)

    def _owner_key(self, session: Session, owner_uuid: str) -> str:
        return owner_uuid or session.scalar(select(Cluster.uuid)) or ""


class Role(_OfArrayOrSvm, Base):
    """A role that an administrator created. `owner_uuid` is its SVM's, '' for the array."""

    __tablename__ = "role"
    shown_as = "security/roles"

    owner_uuid: Mapped[str] = mapped_column(primary_key=True, default="")
    name: Mapped[str] = mapped_column(primary_key=True)

    @property
    def further_keys(self) -> tuple[str, ...]:
        """Return the name."""
        return (self.name,)


class Privilege(_OfArrayOrSvm, Base):
    """The access of a role to a path."""

    __tablename__ = "role_privilege"
    shown_as = Role.shown_as
    is_part = True

    owner_uuid: Mapped[str] = mapped_column(primary_key=True, default="")
    role: Mapped[str] = mapped_column(primary_key=True)
    path: Mapped[str] = mapped_column(primary_key=True)
    access: Mapped[str]

    @property
    def further_keys(self) -> tuple[str, ...]:
        """Return the name of the role."""
        return (self.role,)


class PasswordRules(_OfArrayOrSvm, Base):
    """The rules for accounts with a role; 0 days or failures mean never."""

    __tablename__ = "password_rules"
    shown_as = "private/cli/security/login/role/config"
    is_part = True

    owner_uuid: Mapped[str] = mapped_column(primary_key=True, default="")
    role: Mapped[str] = mapped_column(primary_key=True)
    minimum_length: Mapped[int] = mapped_column(default=8)
    letters_and_digits: Mapped[bool] = mapped_column(default=True)
    special: Mapped[int] = mapped_column(default=0)
    lowercase: Mapped[int] = mapped_column(default=0)
    uppercase: Mapped[int] = mapped_column(default=0)
    digits: Mapped[int] = mapped_column(default=0)
    expiry_days: Mapped[int] = mapped_column(default=0)
    initial_change: Mapped[bool] = mapped_column(default=False)
    remembered: Mapped[int] = mapped_column(default=6)
    change_delay_days: Mapped[int] = mapped_column(default=0)
    most_failures: Mapped[int] = mapped_column(default=0)
    lockout_days: Mapped[int] = mapped_column(default=0)

    @property
    def further_keys(self) -> tuple[str, ...]:
        """Return the name of the role."""
        return (self.role,)

    def _owner_key(self, session: Session, owner_uuid: str) -> str:
        if owner_uuid:
            return session.scalar(select(Svm.name).filter_by(uuid=owner_uuid)) or ""
        return session.scalar(select(Cluster.name)) or ""


def _every_application() -> list[Any]:
    return [{"application": HTTP, "authentication_methods": [PASSWORD]}] + [
        {"application": name, "authentication_methods": [PASSWORD]} for name in (SSH, CONSOLE)
    ]


class Account(_OfArrayOrSvm, Identified, Base):
    """An account of the array, or of the SVM `owner_uuid`.

    `password` is the hash, '' while none is set; `former` are the hashes before it, newest first.
    `generated` is whether the array generated it and showed it on its console. `applications` each
    have the methods of authentication that they accept, and may have a second one, required
    besides. `is_group` is whether it stands for a group of the directory: its members log in under
    their own names.
    """

    __tablename__ = "account"
    __table_args__ = (UniqueConstraint("owner_uuid", "name"),)
    shown_as = "security/accounts"

    owner_uuid: Mapped[str] = mapped_column(default="")
    name: Mapped[str]
    password: Mapped[str] = mapped_column(default="")
    former: Mapped[list[Any]] = mapped_column(default=list)
    password_changed: Mapped[float] = mapped_column(default=time.time)
    must_change: Mapped[bool] = mapped_column(default=False)
    generated: Mapped[bool] = mapped_column(default=False)
    role: Mapped[str] = mapped_column(default=ADMIN)
    locked: Mapped[bool] = mapped_column(default=False)
    comment: Mapped[str] = mapped_column(default="")
    applications: Mapped[list[Any]] = mapped_column(default=_every_application)
    is_group: Mapped[bool] = mapped_column(default=False)
    rules: Mapped[PasswordRules | None] = relationship(
        primaryjoin=lambda: and_(
            foreign(Account.owner_uuid) == PasswordRules.owner_uuid,
            foreign(Account.role) == PasswordRules.role,
        ),
        viewonly=True,
        lazy="joined",
    )
    """Those of its role, None where none are set. They come with the account, since each request
    asks whether its password has expired."""

    @property
    def further_keys(self) -> tuple[str, ...]:
        """Return the name."""
        return (self.name,)

    def may_use(self, application: str, method: str) -> bool:
        """Return whether the account may log in through an application by a method."""
        return any(
            entry["application"] == application and method in entry["authentication_methods"]
            for entry in self.applications
        )

    def asks_code(self, application: str) -> bool:
        """Return whether a login through an application takes a code besides."""
        return any(
            entry["application"] == application
            and entry.get("second_authentication_method") == TOTP
            for entry in self.applications
        )

    @property
    def of_directory(self) -> bool:
        """Return whether its password is the directory's, and none of the array's."""
        return any(NSSWITCH in entry["authentication_methods"] for entry in self.applications)

    def administers(self) -> bool:
        """Return whether the account can log in and administer the array."""
        usable = bool(self.password) and not self.locked and self.may_use(HTTP, PASSWORD)
        return usable and self.role == ADMIN and not self.owner_uuid

    def readmit(self, password_hash: str) -> None:
        """Reset it to the initial administrator, with the password of this hash."""
        self.replace_password(password_hash)
        self.role, self.applications = ADMIN, _every_application()
        self.locked = self.must_change = self.is_group = False

    def replace_password(self, password_hash: str) -> None:
        """Replace the password by the one of this hash, and remember the old one."""
        if self.password:
            self.former = [self.password, *self.former][:MOST_REMEMBERED]
        self.password = password_hash
        self.password_changed = time.time()
        self.generated = False


class Failures(Base):
    """Failed logins in a row from a source, by an account's UUID, or an unknown name's digest.

    `address` is the source (see `authentication`); ANYWHERE counts those from all sources.
    `locked_until` is in seconds since 1970; for one that is not locked, the time of its last
    failure.
    """

    __tablename__ = "login_failure"

    account: Mapped[str] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int] = mapped_column(default=0)
    locked_until: Mapped[float] = mapped_column(default=0.0)


class PublicKey(_OfArrayOrSvm, Base):
    """A key of an account."""

    __tablename__ = "public_key"
    shown_as = "security/authentication/publickeys"

    owner_uuid: Mapped[str] = mapped_column(primary_key=True, default="")
    account: Mapped[str] = mapped_column(primary_key=True)
    index: Mapped[int] = mapped_column(primary_key=True)
    public_key: Mapped[str]
    comment: Mapped[str] = mapped_column(default="")

    @property
    def further_keys(self) -> tuple[str, ...]:
        """Return the account's name and the number."""
        return self.account, str(self.index)

    @property
    def sha_fingerprint(self) -> str:
        """Return the fingerprint in the form of `ssh-keygen -l`."""
        digest = hashlib.sha256(base64.b64decode(self.public_key.split()[1])).digest()
        return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


class Totp(_OfArrayOrSvm, Base):
    """The secret of an account's codes, and their state (see `security.second_factor`).

    `last_step` is the step of the last code that was taken; `emergency_codes` are the digests of
    those that are left.
    """

    __tablename__ = "totp"
    shown_as = "security/login/totps"

    owner_uuid: Mapped[str] = mapped_column(primary_key=True, default="")
    account: Mapped[str] = mapped_column(primary_key=True)
    secret_key: Mapped[str | None] = mapped_column(Secret)
    enabled: Mapped[bool] = mapped_column(default=True)
    comment: Mapped[str] = mapped_column(default="")
    last_step: Mapped[int] = mapped_column(default=0)
    emergency_codes: Mapped[list[Any]] = mapped_column(default=list)

    @property
    def further_keys(self) -> tuple[str, ...]:
        """Return the account's name."""
        return (self.account,)

    def is_shown(self, columns: Columns) -> bool:
        """Return whether more was changed than by a login."""
        return bool(columns.keys() - {"last_step", "emergency_codes"})


class LoginMessage(_OfArrayOrSvm, Base):
    """The messages of the array ('') or of an SVM; without a row there are none."""

    __tablename__ = "login_message"
    shown_as = "security/login/messages"
    is_part = True

    owner_uuid: Mapped[str] = mapped_column(primary_key=True, default="")
    banner: Mapped[str] = mapped_column(default="")
    message: Mapped[str] = mapped_column(default="")
    show_cluster_message: Mapped[bool] = mapped_column(default=True)


class Certificate(Owned, Identified, Base):
    """A certificate. `chain` holds it and then its intermediates, in PEM.

    `served` is true for the web server's.
    """

    __tablename__ = "certificate"
    kind = "security/certificates"

    name: Mapped[str] = mapped_column(unique=True)
    type: Mapped[str]
    common_name: Mapped[str]
    ca: Mapped[str]
    serial_number: Mapped[str]
    expiry_time: Mapped[float]
    subject_key_identifier: Mapped[str] = mapped_column(default="")
    authority_key_identifier: Mapped[str] = mapped_column(default="")
    names: Mapped[list[Any]] = mapped_column(default=list)
    hash_function: Mapped[str] = mapped_column(default="sha256")
    key_size: Mapped[int]
    public_certificate: Mapped[str]
    intermediates: Mapped[str] = mapped_column(default="")
    private_key: Mapped[str | None] = mapped_column(Secret)
    served: Mapped[bool] = mapped_column(default=False)
