"""`security/accounts`: accounts with their applications and roles.

The array always keeps an administrator: the last account of the role `admin` that can log in is
neither deleted, nor locked, nor given another role. And nobody can grant more than they have:
neither the role of a new or changed account, nor another's new password, may allow more than the
sender of the request may do.

An account of the method `nsswitch` has the name and the password of a user of the directory, and no
password of its own. With `is_ns_switch_group` it has the name of a group of the directory: each of
its members may log in, with the account's role. Their names may have blanks and letters of any
script, as in Active Directory, unless they are to be users of the system, too.

An account of the method `certificate` is named by the common name of a certificate that an
authority of type `client_ca` (`security/certificates`) has signed; one of the method `oidc` by what
the identity provider says of a user (`security/authentication/cluster/oidc`). Its name may be a
mail address, unless it is to be a user of the system, too.

Logins through `http` and `ssh` may ask for a code, too (`second_authentication_method`), for which
the account needs a profile (`security/login/totps`). ONTAP asks for codes by SSH alone. A program
cannot send one with each request: with HTTP Basic such an account is refused, and it logs in by
`security/session`, as the web interface does.

Accounts log in through `http` (this API and the web interface), `ssh` and `console`; ONTAP's other
applications are accepted, since clients send them, and have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from marshmallow import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import (
    CREATE,
    WRITE,
    Field,
    Items,
    Reader,
    Resource,
    constant,
)
from sanstone.core.declaration.types import Boolean, Choice, Text, Type
from sanstone.model.security import (
    ADMIN,
    CERTIFICATE,
    CONSOLE,
    HTTP,
    NSSWITCH,
    OIDC,
    PASSWORD,
    PUBLIC_KEY,
    SSH,
    TOTP,
    VSADMIN,
    Account,
    PasswordRules,
    Privilege,
    Role,
)
from sanstone.model.svm import Svm
from sanstone.resources.cluster.svm import WITH_SVM
from sanstone.resources.security.owner import owner_fields, owner_uuid
from sanstone.resources.security.publickey import delete_keys
from sanstone.resources.security.totp_profile import delete_profiles
from sanstone.rules.security.logins import ACCOUNT_NAME, NAME_HINT
from sanstone.security import accounts, passwords, roles
from sanstone.security.gate import hashing

ROLE_UNKNOWN, BAD_NAME, RESERVED, LAST_DELETED, LAST_LOCKED, UNFIT, BAD_APPLICATION = (
    "1261215",
    "7077897",
    "5636121",
    "5636098",
    "7077896",
    "5636176",
    "5636178",
)
RESERVED_NAMES = frozenset(
    {"root", "sanstone", "diag", "autosupport", "www-data", "nobody", "sshd"}
)
NONE = "none"
METHODS = {
    "http": {PASSWORD, NSSWITCH, CERTIFICATE, OIDC},
    "ssh": {PASSWORD, PUBLIC_KEY, NSSWITCH},
    "console": {PASSWORD},
    "ontapi": {PASSWORD, NSSWITCH, CERTIFICATE},
    "service_processor": {PASSWORD},
}
"""Methods of authentication, by application."""
SECOND_METHODS = {"http": {NONE, TOTP}, "ssh": {NONE, TOTP}}
"""Second methods, by application; others have none."""
OF_GROUPS = ("http", "ontapi")
"""Applications of groups: sshd would have to know their members before they log in."""
_PUNCTUATION = r"!-%*-,/:-?\[-^`{-\x9f"
DIRECTORY_NAME = Text(
    64,
    3,
    rf"[^ -/:-@\[-^`{{-\x9f][^{_PUNCTUATION}]*[^ {_PUNCTUATION}]",
    "letters, digits, _ . - @ ( ) & ' and blanks, the first a letter, digit or _",
)
"""Such as Active Directory's. It does not allow the excluded characters either, or they have a
meaning where clients ask for an account by its name."""
DIRECTORY_NAME.good = ("Domain Admins", "Jörg (Büro)")


class Methods(Type):
    """A list of methods of authentication."""

    supported = (PASSWORD, PUBLIC_KEY, NSSWITCH, CERTIFICATE, OIDC)
    schema = {"type": "array", "items": {"type": "string", "enum": list(supported)}}
    good = ([PASSWORD], [PASSWORD, PUBLIC_KEY], [NSSWITCH], [PASSWORD, CERTIFICATE], [OIDC])
    bad = ({"a": 1}, [1], True, 7, "", "password", [], ["no_such"], [[PASSWORD]])

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> list[str]:
        known = isinstance(value, list) and all(v in self.supported for v in value)
        if not known or not value:
            raise ValidationError(f"This must be a list of {', '.join(self.supported)}.")
        return list(dict.fromkeys(value))


class _SvmAccounts:
    """Deletes an SVM's accounts, roles and rules with it."""

    table = Account.__tablename__

    def created(self, change: Change, svm: Svm) -> None:
        """Do nothing: a new SVM has no accounts."""

    def deleted(self, change: Change, svm: Svm) -> None:
        """Delete the SVM's accounts, roles and rules."""
        for account in change.session.scalars(select(Account).filter_by(owner_uuid=svm.uuid)):
            accounts.forget_failures(change.session, account)
        for model in (Account, Privilege, Role, PasswordRules):
            rows: Any = change.session.scalars(select(model).filter_by(owner_uuid=svm.uuid)).all()
            for row in rows:
                change.delete(row)


WITH_SVM.append(_SvmAccounts())


def _applications(row: Account, _reader: Reader) -> Iterable[dict[str, Any]]:
    return [entry | {"is_group": row.is_group} for entry in row.applications]


def _entry(name: str) -> Any:
    return lambda item, _reader: item[name]


class AccountResource(Resource[Account]):
    """Accounts."""

    path = "security/accounts"
    doc = "Accounts say who may log in, through what, and with which role."
    model = Account
    keys = ("owner.uuid", "name")
    spaced = frozenset({"name"})
    order = ("owner_uuid", "name")
    fields = (
        *owner_fields(),
        Field(
            "name",
            DIRECTORY_NAME,
            f"Name to log in with: {NAME_HINT}. The name of a group of the directory, or of a user "
            "there who comes through `http` and `ontapi` alone, may have other letters, blanks and "
            "( ) & ', too.",
            access=CREATE,
            required=True,
            code=BAD_NAME,
        ),
        Field(
            "role.name", Text(64, 1), "Role with the account's privileges.", WRITE, attribute="role"
        ),
        Field(
            "password",
            Text(passwords.LONGEST, 1),
            "Password; taken, never shown.",
            access=WRITE,
            secret=True,
        ),
        Field("comment", Text(255), "Comment.", access=WRITE, default=""),
        Field(
            "locked",
            Boolean(),
            "Whether it is kept out, by an administrator or after failed logins.",
            access=WRITE,
            get=lambda row, reader: row.locked or row.uuid in reader.once(accounts.all_locked_out),
        ),
        Items(
            "applications",
            (
                Field(
                    "application",
                    Choice(*METHODS, aliases={"service-processor": "service_processor"}),
                    "Way in.",
                    access=WRITE,
                    required=True,
                    get=_entry("application"),
                    code=BAD_APPLICATION,
                ),
                Field(
                    "authentication_methods",
                    Methods(),
                    "What proves who it is; any one suffices. `nsswitch` is the array's directory "
                    "(see `security/authentication/cluster/ldap`), which has the password then; "
                    "`certificate`, of `http` alone, is one of the client's with the account's "
                    "name as common name, signed by an authority of type `client_ca` "
                    "(see `security/certificates`); `oidc`, of `http` alone, is a login to the web "
                    "interface by the identity provider, for which the user has the account's name "
                    "(see `security/authentication/cluster/oidc`).",
                    access=WRITE,
                    required=True,
                    get=_entry("authentication_methods"),
                    code=UNFIT,
                ),
                Field(
                    "second_authentication_method",
                    Choice(NONE, TOTP),
                    "The second proof: `totp` is a code of an authenticator app, by "
                    "the account's profile in `security/login/totps`. `http` asks for it when one "
                    "logs in to the web interface, and refuses HTTP Basic; `ssh` asks in the "
                    "shell, at the console too. It does not go together with `certificate` or "
                    "`oidc`.",
                    access=WRITE,
                    get=lambda item, _reader: item.get("second_authentication_method", NONE),
                    code=UNFIT,
                ),
                Field("is_ldap_fastbind", Boolean(), "Never.", get=constant(False)),
                Field(
                    "is_ns_switch_group",
                    Boolean(),
                    "Whether the account is a group of the directory, whose members log in under "
                    "their own names; it is said of all applications or none, which are `http` and "
                    "`ontapi` with `nsswitch`.",
                    access=WRITE,
                    get=_entry("is_group"),
                ),
            ),
            "Ways in, each with what proves who it is.",
            access=WRITE,
            required=True,
            get=_applications,
            bare="application",
            maximum=16,
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Account:
        """Add an account; without a password it can use only methods that need none."""
        owner, name = owner_uuid(values.get("owner")), values["name"]
        if name.lower() in RESERVED_NAMES:
            raise errors.invalid(f'The name "{name}" is reserved.', "name", RESERVED)
        if change.session.scalar(select(Account).filter_by(owner_uuid=owner, name=name)):
            text = f'An account named "{name}" already exists.'
            raise errors.conflict(text, "name", errors.EXISTS)
        role = values.get("role.name", VSADMIN if owner else ADMIN)
        applications, is_group = _checked(name, values["applications"], owner)
        rule = passwords.rules(change.session, owner, role)
        row = Account(
            owner_uuid=owner,
            name=name,
            role=role,
            locked=values.get("locked", False),
            comment=values["comment"],
            applications=applications,
            is_group=is_group,
            must_change=rule.initial_change,
        )
        _require_power(change, owner, role)
        if "password" in values:
            require_own_password(name, applications)
            passwords.check(rule, name, values["password"])
            accounts.set_password(row, values["password"])
        change.add(row)
        return row

    def update(self, change: Change, row: Account, values: dict[str, Any]) -> None:
        """Change an account. A password that an administrator sets unlocks it."""
        session = change.session
        role = values.get("role.name", row.role)
        locked = values.get("locked", row.locked)
        applications, is_group = row.applications, row.is_group
        if "applications" in values:
            applications, is_group = _checked(row.name, values["applications"], row.owner_uuid)
        _require_power(change, row.owner_uuid, row.role)
        _require_power(change, row.owner_uuid, role)
        stays = role == row.role and not locked and _opens(session, row, applications)
        if not stays and accounts.only_administrator(session, [row.uuid]):
            text = f'Account "{row.name}" is the last that can administer the array.'
            raise errors.conflict(text, code=LAST_LOCKED)
        if "password" in values:
            require_own_password(row.name, applications)
            change_password(change, row, values["password"])
        if values.get("locked") is False:
            accounts.forget_failures(session, row)
        row.role, row.locked = role, locked
        row.applications, row.is_group = applications, is_group
        if row.of_directory:
            row.password, row.former, row.must_change = "", [], False
        row.comment = values.get("comment", row.comment)

    def delete(self, change: Change, row: Account, options: dict[str, Any]) -> None:
        """Delete an account."""
        _require_power(change, row.owner_uuid, row.role)
        if accounts.only_administrator(change.session, [row.uuid]):
            text = f'Account "{row.name}" is the last that can administer the array.'
            raise errors.conflict(text, code=LAST_DELETED)
        delete_keys(change, row.owner_uuid, row.name)
        delete_profiles(change, row.owner_uuid, row.name)
        accounts.forget_failures(change.session, row)
        change.delete(row)


def change_password(change: Change, row: Account, password: str) -> None:
    """Change an account's password, which its rules must allow. Raises ApiError."""
    rule = passwords.rules(change.session, row.owner_uuid, row.role)
    passwords.check(rule, row.name, password)
    # The gate is waited for once, since other writers wait for this transaction.
    with hashing.place():
        passwords.check_unused(rule, [row.password, *row.former] if row.password else [], password)
        accounts.set_password(row, password)
    actor = accounts.actor(change.session)
    # A password chosen by somebody else must be changed by its owner.
    row.must_change = rule.initial_change and actor is not None and actor.account != row.uuid


def require_own_password(name: str, applications: list[Any]) -> None:
    """Raise ApiError for an account with the directory's password."""
    if any(NSSWITCH in entry["authentication_methods"] for entry in applications):
        text = f'The password of "{name}" is that of the directory, and is changed there.'
        raise errors.conflict(text, "password", UNFIT)


def _opens(session: Session, row: Account, applications: list[Any]) -> bool:
    """Return whether an account with these applications can log in to administer the array."""
    profile = accounts.profile_of(session, row)
    has_code = profile is not None and profile.enabled
    return any(
        entry["application"] == HTTP
        and PASSWORD in entry["authentication_methods"]
        and (has_code or entry.get("second_authentication_method", NONE) == NONE)
        for entry in applications
    )


def _checked(
    account: str, applications: list[dict[str, Any]], owner: str
) -> tuple[list[dict[str, Any]], bool]:
    """Return the applications of an account's name in the stored form, and whether they are a
    group's. Raises ApiError.
    """
    if not applications:
        raise errors.invalid("An account needs an application.", "applications", UNFIT)
    stored: dict[str, dict[str, Any]] = {}
    for entry in applications:
        name, methods = entry["application"], entry["authentication_methods"]
        if not set(methods) <= METHODS[name]:
            text = f"Application {name} does not take {' and '.join(methods)}."
            raise errors.invalid(text, "applications.authentication_methods", UNFIT)
        if name in stored:
            text = f'Application "{name}" is given twice.'
            raise errors.invalid(text, "applications.application", errors.GIVEN_TWICE)
        second = entry.get("second_authentication_method", NONE)
        _check_second(name, methods, second)
        stored[name] = {
            "application": name,
            "authentication_methods": methods,
            "second_authentication_method": second,
        }
    methods_of_all = {
        method for entry in applications for method in entry["authentication_methods"]
    }
    if methods_of_all != {NSSWITCH} or not stored.keys() <= set(OF_GROUPS):
        _check_name(account)
    if "@" in account and not stored.keys().isdisjoint((SSH, CONSOLE)):
        text = f'"{account}" can be no user of the system, as {SSH} and {CONSOLE} need one.'
        raise errors.invalid(text, "applications.application", UNFIT)
    if OIDC in methods_of_all and owner:
        text = f"The identity provider is the array's: accounts of an SVM do not log in by {OIDC}."
        raise errors.invalid(text, "applications.authentication_methods", UNFIT)
    if NSSWITCH in methods_of_all:
        _check_directory(methods_of_all, owner)
    is_group = {bool(entry.get("is_ns_switch_group")) for entry in applications}
    if True in is_group and (
        len(is_group) > 1 or methods_of_all != {NSSWITCH} or not stored.keys() <= set(OF_GROUPS)
    ):
        text = f"A group logs in by {NSSWITCH} alone, and through {' and '.join(OF_GROUPS)} alone."
        raise errors.invalid(text, "applications.is_ns_switch_group", UNFIT)
    if True in is_group and any(
        entry["second_authentication_method"] != NONE for entry in stored.values()
    ):
        text = "The members of a group have no TOTP profiles."
        raise errors.invalid(text, "applications.second_authentication_method", UNFIT)
    return list(stored.values()), True in is_group


def _check_name(account: str) -> None:
    """Raise ApiError for a name that only users and groups of the directory may have."""
    try:
        ACCOUNT_NAME.parse(account)
    except ValidationError as error:
        text = (
            f'"{account}" can only be of the directory ({NSSWITCH}), with no other applications '
            f"than {' and '.join(OF_GROUPS)}. {' '.join(error.messages)}"
        )
        raise errors.invalid(text, "name", BAD_NAME) from error


def _check_second(application: str, methods: list[str], second: str) -> None:
    """Raise ApiError for a second method that an application cannot ask for."""
    target = "applications.second_authentication_method"
    if second not in SECOND_METHODS.get(application, {NONE}):
        raise errors.invalid(f"Application {application} asks for no code.", target, UNFIT)
    if second != NONE and CERTIFICATE in methods:
        text = f"A login by {CERTIFICATE} cannot require a code."
        raise errors.invalid(text, target, UNFIT)
    if second != NONE and OIDC in methods:
        text = "The identity provider asks for a second factor itself, of who logs in by it."
        raise errors.invalid(text, target, UNFIT)


def _check_directory(methods: set[str], owner: str) -> None:
    """Raise ApiError for methods that do not go together with the directory."""
    target = "applications.authentication_methods"
    if owner:
        text = f"The directory is the array's: accounts of an SVM do not log in by {NSSWITCH}."
        raise errors.invalid(text, target, UNFIT)
    if PASSWORD in methods:
        text = f"An account has a password of its own or that of the directory ({NSSWITCH})."
        raise errors.invalid(text, target, UNFIT)


def _require_power(change: Change, owner: str, role: str) -> None:
    """Raise ApiError when a role is unknown, or allows more than the sender's own."""
    theirs = roles.privileges(change.session, owner, role)
    if theirs is None:
        raise errors.unknown_reference(f'role "{role}"', "role.name", ROLE_UNKNOWN)
    accounts.require_power(change.session, theirs, f'The role "{role}"')
