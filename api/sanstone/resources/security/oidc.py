"""`security/authentication/cluster/oidc`: the identity provider by which accounts log in.

There is one at most, for the web interface. It must speak OpenID Connect with the authorization
code flow, and sign its ID tokens by RS256, PS256 or ES256; the array uses PKCE. Its certificate
must be signed by an authority that the image has, or that is installed as `server_ca`.

At the provider the array is registered as a web application (a confidential client, or a public one
without `client_secret`), with the `redirect_uri` that is shown here. The provider is queried for
its endpoints when it is set up here, unless they are given.

A user logs in where an account has the user's name, as `remote_user_claim` tells it, and the method
`oidc` for the application `http` (`security/accounts`). Accounts with a password of the array's own
log in whatever becomes of the provider.

Who can set the provider could log in as any of these accounts: so nobody sets one up, or changes
it, with a role that allows less than theirs.

ONTAP has the same resource, and its endpoints must be given. It maps roles of the provider to its
own, where the array has accounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from marshmallow import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Reader, Resource
from sanstone.core.declaration.types import Boolean, ListOf, Password, RemoteHost, Text
from sanstone.model.cluster import seconds
from sanstone.model.oidc import OidcProvider
from sanstone.model.security import HTTP, OIDC, Account
from sanstone.resources.cluster.schedule import Interval
from sanstone.rules.destinations import DestinationUrl
from sanstone.security import accounts, oidc, roles
from sanstone.security.directory import authorities

ENDPOINTS = ("authorization_endpoint", "token_endpoint", "provider_jwks_uri")
SHORTEST_REFRESH = 300
_FIELDS = (
    "provider",
    "issuer",
    "client_id",
    "client_secret",
    *ENDPOINTS,
    "end_session_endpoint",
    "access_token_issuer",
    "jwks_refresh_interval",
    "remote_user_claim",
    "scopes",
    "redirect_ipaddress",
    "skip_uri_validation",
    "enabled",
)


class HttpsUrl(DestinationUrl):
    """The address of a server's page, by https alone, without a fragment."""

    good = ("https://login.example.org/realms/storage",)

    def __init__(self) -> None:
        super().__init__()
        self.bad += ("http://login.example.org/", "https://login.example.org/#a")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if urlsplit(text).scheme != "https" or "#" in text:
            raise ValidationError("This must be a URL of https, without a fragment.")
        return text


class IssuerUrl(HttpsUrl):
    """The URL that names a provider: without a query (OpenID Connect Core 1.0, 2)."""

    def __init__(self) -> None:
        super().__init__()
        self.bad += ("https://login.example.org/?a=b",)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if "?" in text:
            raise ValidationError("An issuer's URL has no query.")
        return text


class RefreshInterval(Interval):
    """An ISO 8601 duration of five minutes or more."""

    good = ("PT5M", "PT1H", "P1D")

    def __init__(self) -> None:
        super().__init__()
        self.bad += ("PT1M",)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if seconds(text) < SHORTEST_REFRESH:
            raise ValidationError("This must be an ISO 8601 duration of five minutes or more.")
        return text


class OidcResource(Resource[OidcProvider]):
    """The array's use of an identity provider."""

    path = OidcProvider.kind
    doc = (
        "The identity provider (OpenID Connect) by which accounts of the method `oidc` log in to "
        "the web interface, such as Microsoft Entra ID, AD FS or Keycloak."
    )
    model = OidcProvider
    single = True
    keys = ()
    order = ()
    prepares = True
    fields = (
        Field(
            "provider",
            Text(64, 1),
            "What the login page calls the provider; the host of the issuer unless given.",
            access=WRITE,
        ),
        Field(
            "issuer",
            IssuerUrl(),
            "The provider's own URL, to the letter: "
            "`https://login.microsoftonline.com/<tenant id>/v2.0` of Microsoft Entra ID, "
            "`https://<host>/adfs` of AD FS, `https://<host>/realms/<realm>` of Keycloak, "
            "`https://accounts.google.com` of Google.",
            access=CREATE,
            required=True,
        ),
        Field(
            "client_id",
            Text(255, 1),
            "What the provider calls the array, as it was registered there.",
            access=CREATE,
            required=True,
        ),
        Field(
            "client_secret",
            Password(1),
            "The secret that the provider has given the array; taken, never shown. A public client "
            "has none.",
            access=WRITE,
            secret=True,
        ),
        Field(
            "authorization_endpoint",
            HttpsUrl(),
            "Where browsers log in; the provider says it unless given, as the other two.",
            access=CREATE,
        ),
        Field(
            "token_endpoint", HttpsUrl(), "Where the array redeems a login's code.", access=CREATE
        ),
        Field(
            "provider_jwks_uri",
            HttpsUrl(),
            "Where the provider publishes the keys by which it signs.",
            access=CREATE,
        ),
        Field(
            "end_session_endpoint",
            HttpsUrl(),
            "Where the browser of who logs out here is sent, to log out of the provider, too. "
            "Unless it is given, only the session here ends.",
            access=WRITE,
            get=lambda row, _: row.end_session_endpoint or None,
        ),
        Field(
            "access_token_issuer",
            IssuerUrl(),
            "The issuer of access tokens, where it is another. It is shown, and has no effect: the "
            "array reads none.",
            access=WRITE,
            get=lambda row, _: row.access_token_issuer or None,
        ),
        Field(
            "jwks_refresh_interval",
            RefreshInterval(),
            "ISO 8601; how long these keys are good. They are read again before, when something is "
            "signed by a key that is not among them.",
            access=WRITE,
            default="PT1H",
        ),
        Field(
            "remote_user_claim",
            Text(64, 1, r"[A-Za-z0-9_.:/-]+", "the name of a claim"),
            "The claim of the ID token that is the account's name: `preferred_username` of Entra "
            "ID and Keycloak, `upn` of AD FS, `email` of Google, or `sub`, which never changes. "
            "Take none that users may choose for themselves. A mail address that the provider says "
            "is not verified is not taken.",
            access=WRITE,
            default="preferred_username",
        ),
        Field(
            "scopes",
            ListOf(Text(64, 1, r"[!#-\[\]-~]+", "a scope such as profile"), 16),
            "What the array asks for besides `openid`, for the ID token to have this claim.",
            access=WRITE,
            default=["profile", "email"],
        ),
        Field(
            "redirect_ipaddress",
            RemoteHost(),
            "The array's own name or address, as users' browsers reach it.",
            access=WRITE,
            required=True,
        ),
        Field(
            "redirect_uri",
            Text(),
            "Where the provider sends browsers back to, which is to be registered there.",
        ),
        Field(
            "skip_uri_validation",
            Boolean(),
            "Whether the provider is set up here without asking it anything; all three endpoints "
            "must be given then.",
            access=CREATE,
            default=False,
        ),
        Field(
            "enabled",
            Boolean(),
            "Whether one can log in by it. Sessions that it began are over while it is not.",
            access=WRITE,
            default=True,
        ),
    )

    def prepare(self, session: Session, values: dict[str, Any]) -> dict[str, Any]:
        """Ask the provider for its endpoints. Raises ApiError."""
        lacking = [name for name in ENDPOINTS if name not in values]
        if values["skip_uri_validation"]:
            if lacking:
                raise errors.missing(lacking[0])
            return {}
        if session.scalar(select(OidcProvider.uuid)):
            return {}
        metadata = oidc.discovered(values["issuer"], authorities(session))
        endpoints = dict(
            zip(ENDPOINTS, (metadata.authorization, metadata.token, metadata.keys), strict=True)
        )
        error = metadata.error
        try:
            parsed = {name: HttpsUrl().parse(url) for name, url in endpoints.items() if not error}
        except ValidationError as refused:
            error = f"its endpoints are none: {' '.join(refused.messages)}"
        if error:
            text = f"The identity provider cannot be used: {error}"
            raise errors.invalid(text, "issuer", arguments=(error,))
        return {name: parsed[name] for name in lacking}

    def create(self, change: Change, values: dict[str, Any]) -> OidcProvider:
        """Give the array a provider."""
        if change.session.scalar(select(OidcProvider.uuid)):
            text = "An identity provider already exists; change or delete it."
            raise errors.conflict(text, "issuer", errors.EXISTS)
        _require_power(change.session)
        row = OidcProvider(provider=urlsplit(values["issuer"]).hostname)
        _set(row, values)
        change.add(row)
        return row

    def rows(self, reader: Reader) -> Sequence[OidcProvider]:
        """Return the provider if there is one."""
        return reader.session.scalars(select(OidcProvider)).all()

    def update(self, change: Change, row: OidcProvider, values: dict[str, Any]) -> None:
        """Change what does not make it another provider."""
        _require_power(change.session)
        _set(row, values)

    def delete(self, change: Change, row: OidcProvider, options: dict[str, Any]) -> None:
        """Delete the provider; who has an account by it cannot log in any more."""
        change.delete(row)


def _set(row: OidcProvider, values: dict[str, Any]) -> None:
    for name in _FIELDS:
        if name in values:
            setattr(row, name, values[name])


def _require_power(session: Session) -> None:
    """Raise ApiError where an account that logs in by the provider may do more than the sender."""
    for account in session.scalars(select(Account).order_by(Account.name)):
        if account.may_use(HTTP, OIDC):
            theirs = roles.privileges(session, account.owner_uuid, account.role) or {}
            accounts.require_power(session, theirs, f'Account "{account.name}"')
