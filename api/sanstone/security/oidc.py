"""Logins to the web interface by an identity provider (OpenID Connect, authorization code).

The browser goes to the provider, logs in there, and comes back to the page `CALLBACK` with a code,
which the page sends to the array. `sanstone-oidc` (`kernel.oidc`) redeems it and checks what the
provider has signed of the user; the array has an account of that name, or not. The way back is the
configuration's, whatever name or address a browser has used for the array.

**A login is its browser's.** It begins with a random secret, which the browser keeps in a cookie
that no script can read, signed by the array and good for a few minutes. From it follow, each by a
digest that only the array can compute: `state`, without which a code is not looked at, so that no
other page can log a browser in; `nonce`, which the provider's answer has to repeat; and the
verifier of PKCE (RFC 7636), without which nobody can use a code that was seen on its way. So the
beginning costs the array nothing that anybody could fill up.

**A login ends once.** The `state` that came back is kept until its time is over, in all processes,
and is taken no second time.

**What it costs.** A code is checked only in a login that began here, and as often for each source
as its budget allows; the questions to the provider are as those to directories (`asking`).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets as chance
import time
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from sqlalchemy import Engine, delete, select
from sqlalchemy.orm import Session

from sanstone.core import errors, secrets
from sanstone.core.database.store import reading, writing
from sanstone.kernel.oidc.question import (
    Discovery,
    Endpoints,
    Identity,
    Redemption,
    of_line,
    to_line,
)
from sanstone.model.activity import FinishedLogin
from sanstone.model.cluster import seconds
from sanstone.model.oidc import OidcProvider
from sanstone.security import activity, asking, budget, failures
from sanstone.security.asking import Asking, Unasked, Unreachable
from sanstone.security.budget import Budget
from sanstone.security.directory import authorities

SOCKET = "oidc.sock"
EVENT = "security.oidc.failed"
LASTS = 600.0
"""Seconds from the beginning of a login to its end, in which somebody finds their phone."""
AT_ONCE = 4
"""Threads of a process that ask at a time."""
CODES = (10.0, 0.2)
"""Codes of a source, per process: so many at once, and per second."""
LONGEST_CODE = 4096
"""Characters of a code; providers that keep nothing themselves have it all in there."""


@dataclass(frozen=True)
class LoginStart:
    """The start of a login: where the browser goes, and the cookie that it keeps."""

    url: str
    cookie: str


@dataclass(frozen=True)
class Shown:
    """The public facts of the provider: its name, and where a login by it begins."""

    provider: str
    redirect_uri: str


def configured(session: Session) -> OidcProvider | None:
    """Return the array's provider, None where there is none or it is disabled."""
    return session.scalar(select(OidcProvider).filter_by(enabled=True))


def discovered(issuer: str, believed: Sequence[str]) -> Endpoints:
    """Return an issuer's endpoints; their `error` says why they are unknown."""
    try:
        answer = of_line(asking.put(SOCKET, to_line(Discovery(issuer, tuple(believed)))))
    except (Unasked, ValueError) as error:
        return Endpoints(error=_unasked(error))
    return answer if isinstance(answer, Endpoints) else Endpoints(error=_unasked())


class IdentityProvider:
    """Logs users in by the array's provider."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        text = "Nobody can log in by the identity provider"
        self._asking = Asking(database, AT_ONCE, EVENT, text)
        self._codes = Budget(*CODES)

    def shown(self) -> Shown | None:
        """Return the public facts of the provider, None where there is none."""
        with reading(self._database) as session:
            row = configured(session)
            return Shown(row.provider, row.redirect_uri) if row else None

    def admits(self) -> bool:
        """Return whether who has logged in by the provider still may."""
        with reading(self._database) as session:
            return session.scalar(select(OidcProvider.uuid).filter_by(enabled=True)) is not None

    def farewell(self) -> str:
        """Return where the browser of who has logged in by the provider logs out of that, '' for
        nowhere (OpenID Connect RP-Initiated Logout 1.0, 2).
        """
        with reading(self._database) as session:
            row = configured(session)
            if row is None or not row.end_session_endpoint:
                return ""
            return _with(row.end_session_endpoint, {"client_id": row.client_id})

    def begin(self) -> LoginStart:
        """Begin a login. Raises ApiError, 404, where there is no provider."""
        with reading(self._database) as session:
            row = configured(session)
            if row is None:
                raise _none()
            login = _Login.new()
            parameters = {
                "response_type": "code",
                "client_id": row.client_id,
                "redirect_uri": row.redirect_uri,
                "scope": " ".join(("openid", *row.scopes)),
                "state": login.state,
                "nonce": login.nonce,
                "code_challenge": login.challenge,
                "code_challenge_method": "S256",
            }
            url = _with(row.authorization_endpoint, parameters)
        return LoginStart(url, login.cookie)

    def prove(self, cookie: str, state: str, code: str, address: str) -> str:
        """Return the name of the user of a login, and end that.

        Raises ApiError: 401 for a login that did not begin in this browser, that is over, or that
        has no accepted code or answer; 404 without a provider; 429 for too many codes; 503 where
        the provider does not answer.
        """
        with reading(self._database) as session:
            row = configured(session)
            if row is None:
                raise _none()
            believed = tuple(authorities(session))
            session.expunge_all()
        login = _Login.of_cookie(cookie)
        if login is None or not hmac.compare_digest(login.state.encode(), _bytes(state)):
            raise _over()
        source = budget.source(address)
        if wait := self._codes.wait(source):
            raise failures.too_many(wait)
        self._codes.take(source)
        _finish(login)
        question = Redemption(
            issuer=row.issuer,
            authorities=believed,
            token=row.token_endpoint,
            keys=row.provider_jwks_uri,
            keys_kept=seconds(row.jwks_refresh_interval),
            client_id=row.client_id,
            claim=row.remote_user_claim,
            redirect_uri=row.redirect_uri,
            client_secret=row.client_secret or "",
            code=code,
            verifier=login.verifier,
            nonce=login.nonce,
        )
        try:
            identity = self._asking.ask(lambda: _ask(question))
        except Unreachable as error:
            text = "The identity provider does not answer. Log in with a password, or try later."
            raise errors.again(503, text, asking.SILENCE) from error
        if identity.refusal:
            text = f"The login by the identity provider failed: {identity.refusal}"
            arguments = (identity.refusal,)
            raise errors.ApiError(401, errors.NOT_AUTHENTICATED, text, arguments=arguments)
        self._codes.give_back(source)
        return identity.user


def stranger(user: str) -> errors.ApiError:
    """Return the error for a user of the provider without an account (401)."""
    text = (
        f'The identity provider says that you are "{user}", and the array has no account of this '
        "name that may log in by it."
    )
    return errors.ApiError(401, errors.NOT_AUTHENTICATED, text, arguments=(user,))


def _with(url: str, parameters: dict[str, str]) -> str:
    """Return a URL with further parameters."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}"


def _ask(question: Redemption) -> Identity:
    try:
        answer = of_line(asking.put(SOCKET, to_line(question)))
    except (Unasked, ValueError) as error:
        return Identity(error=_unasked(error))
    return answer if isinstance(answer, Identity) else Identity(error=_unasked())


def _unasked(error: Exception | None = None) -> str:
    reason = f": {error}" if error else ""
    return f"The process that asks identity providers does not answer{reason}."


@dataclass(frozen=True)
class _Login:
    """A login between its beginning and its end; only the browser keeps anything of it."""

    secret: str
    until: int
    """Seconds since 1970."""

    @classmethod
    def new(cls) -> _Login:
        return cls(chance.token_hex(16), int(time.time() + LASTS))

    @classmethod
    def of_cookie(cls, cookie: str) -> _Login | None:
        """Return the login of a cookie, None for a forged or old one."""
        content, _, signature = cookie.rpartition(".")
        secret, _, until = content.partition(".")
        known = hmac.compare_digest(_digest("cookie", content).encode(), _bytes(signature))
        if not known or int(until) <= time.time():
            return None
        return cls(secret, int(until))

    @property
    def cookie(self) -> str:
        content = f"{self.secret}.{self.until}"
        return f"{content}.{_digest('cookie', content)}"

    @property
    def state(self) -> str:
        return _digest("state", self.secret)

    @property
    def nonce(self) -> str:
        return _digest("nonce", self.secret)

    @property
    def verifier(self) -> str:
        return _digest("verifier", self.secret)

    @property
    def challenge(self) -> str:
        """Return the verifier's digest, as PKCE wants it (RFC 7636, 4.2)."""
        return (
            urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).decode().rstrip("=")
        )


def _digest(purpose: str, text: str) -> str:
    return secrets.digest(f"oidc {purpose}\0{text}")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _finish(login: _Login) -> None:
    """Have a login come to its end no second time. Raises ApiError."""
    now = time.time()
    with writing(activity.engine()) as session:
        session.execute(delete(FinishedLogin).where(FinishedLogin.until < now))
        if session.get(FinishedLogin, login.state):
            raise _over()
        session.add(FinishedLogin(state=login.state, until=login.until))


def _over() -> errors.ApiError:
    text = "This login did not begin in this browser, took too long, or is over. Begin it again."
    return errors.ApiError(401, errors.NOT_AUTHENTICATED, text)


def _none() -> errors.ApiError:
    return errors.ApiError(404, errors.UNKNOWN, "The array has no identity provider.")
