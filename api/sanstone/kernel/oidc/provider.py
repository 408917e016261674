"""Ask an identity provider: for its endpoints and keys, and whom a code is for.

By https alone, without following a redirection, and within a time that a provider cannot stretch by
sending a byte now and then. Of its complaints only the codes of RFC 6749 are passed on: other text
may repeat a secret of the request.
"""

from __future__ import annotations

import base64
import http.client
import json
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from threading import Timer
from typing import Any, NamedTuple
from urllib.parse import quote_plus, urlencode, urlsplit

from sanstone.kernel.oidc import id_token
from sanstone.kernel.oidc.id_token import Expected, Rejected, UnknownKey
from sanstone.kernel.oidc.question import Discovery, Endpoints, Identity, Redemption
from sanstone.kernel.tls import Trust, explained
from sanstone.kernel.web.client import Connection

PATIENCE = 9.0
"""Seconds for all that one question asks."""
STEP = 4.0
"""Seconds for connecting, and for each wait for what a provider sends."""
LONGEST = 512 * 1024
"""Bytes of an answer."""
KEYS_REREAD = 30.0
"""Seconds within which keys are not read again because of a token signed by another."""
_WELL_KNOWN = "/.well-known/openid-configuration"
_CODE = re.compile(r"[a-z_]{1,64}")


class Unanswered(Exception):
    """A provider does not answer; the text says why."""


class _Answer(NamedTuple):
    status: int
    content: Any
    """Its JSON, None for other content."""


class _Keys(NamedTuple):
    read: float
    keys: Sequence[Any]


class Provider:
    """Answers questions, and keeps the keys that it has read."""

    def __init__(self) -> None:
        self._keys: dict[tuple[str, tuple[str, ...]], _Keys] = {}

    def endpoints(self, question: Discovery) -> Endpoints:
        """Return where an issuer's endpoints are."""
        url = question.issuer.rstrip("/") + _WELL_KNOWN
        try:
            web = _Web(question.authorities)
            answer = web.ask(url)
            if answer.status != 200 or not isinstance(answer.content, dict):
                raise Unanswered(f"{url}: it answered {answer.status}, and no configuration")
            issuer = answer.content.get("issuer")
            if issuer != question.issuer:
                text = f'"{issuer[:200]}"' if isinstance(issuer, str) else "none"
                raise Unanswered(f"{url}: the issuer there is {text}, to the letter")
            names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
            return Endpoints(*(_endpoint(url, answer.content, name) for name in names))
        except Unanswered as error:
            return Endpoints(error=str(error))

    def identity(self, question: Redemption) -> Identity:
        """Return the identity of a code's user."""
        expected = Expected(question.issuer, question.client_id, question.nonce, question.claim)
        try:
            web = _Web(question.authorities)
            token = _redeemed(web, question)
            keys = self._published(web, question, question.keys_kept)
            try:
                return Identity(id_token.user_of(token, keys, expected, time.time()))
            except UnknownKey:
                keys = self._published(web, question, KEYS_REREAD)
                return Identity(id_token.user_of(token, keys, expected, time.time()))
        except Rejected as error:
            return Identity(refusal=f"its ID token is not accepted: {error}")
        except _Refused as error:
            return Identity(refusal=str(error))
        except Unanswered as error:
            return Identity(error=str(error))

    def _published(self, web: _Web, question: Redemption, age: float) -> Sequence[Any]:
        """Return a provider's keys, read so many seconds ago at most. Raises Unanswered."""
        place = question.keys, question.authorities
        kept, now = self._keys.get(place), time.monotonic()
        if kept and now < kept.read + age:
            return kept.keys
        answer = web.ask(question.keys)
        keys = answer.content.get("keys") if isinstance(answer.content, dict) else None
        if answer.status != 200 or not isinstance(keys, list):
            raise Unanswered(f"{question.keys}: it answered {answer.status}, and no keys")
        # An array has one provider: those of one before it are of no use.
        self._keys = {place: _Keys(now, keys)}
        return keys


def _endpoint(url: str, configuration: Mapping[str, Any], name: str) -> str:
    """Return an endpoint of the configuration at a URL. Raises Unanswered."""
    endpoint = configuration.get(name)
    if not isinstance(endpoint, str) or not endpoint.startswith("https://"):
        raise Unanswered(f"{url}: {name} there is no URL of https")
    return endpoint


class _Refused(Exception):
    """A provider does not take a code; the text says why."""


def _redeemed(web: _Web, question: Redemption) -> str:
    """Return the ID token for a code. Raises Unanswered, _Refused."""
    form = {
        "grant_type": "authorization_code",
        "code": question.code,
        "redirect_uri": question.redirect_uri,
        "code_verifier": question.verifier,
    }
    headers = {}
    if question.client_secret:
        # Both are encoded before they are joined (RFC 6749, 2.3.1).
        login = f"{quote_plus(question.client_id)}:{quote_plus(question.client_secret)}"
        headers["Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"
    else:
        form["client_id"] = question.client_id
    answer = web.ask(question.token, urlencode(form), headers)
    content = answer.content if isinstance(answer.content, dict) else {}
    if answer.status == 200 and isinstance(token := content.get("id_token"), str):
        return token
    if answer.status == 200:
        raise _Refused(f"{question.token}: there is no id_token in its answer")
    if answer.status in (400, 401, 403):
        code = content.get("error")
        known = isinstance(code, str) and _CODE.fullmatch(code)
        reason = code if known else f"it answered {answer.status}"
        raise _Refused(f"{question.token}: {reason}")
    raise Unanswered(f"{question.token}: it answered {answer.status}")


class _Web:
    """Asks web servers, all together for `PATIENCE`."""

    def __init__(self, authorities: tuple[str, ...]) -> None:
        self._end = time.monotonic() + PATIENCE
        self._authorities = authorities

    @property
    def _late(self) -> bool:
        return time.monotonic() >= self._end

    def ask(
        self, url: str, form: str | None = None, headers: Mapping[str, str] | None = None
    ) -> _Answer:
        """GET a URL, or POST a form there, and return the answer. Raises Unanswered."""
        sent = {"Accept": "application/json", "User-Agent": "sanstone"} | dict(headers or {})
        if form is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            with self._connected(url) as connection:
                parts = urlsplit(url)
                path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request("POST" if form is not None else "GET", path, form, sent)
                response = connection.getresponse()
                body = response.read(LONGEST + 1)
            # A connection that was shut down for its time looks like one whose answer is complete.
            if self._late:
                raise TimeoutError
        except OSError as error:
            # It shows in many ways that we have shut a connection down.
            reason = explained(TimeoutError() if self._late else error)
            raise Unanswered(f"{url}: {reason}") from error
        except (http.client.HTTPException, ValueError) as error:
            reason = "it did not answer in time" if self._late else "its answer is not understood"
            raise Unanswered(f"{url}: {reason}") from error
        if len(body) > LONGEST:
            raise Unanswered(f"{url}: its answer is too long")
        try:
            return _Answer(response.status, json.loads(body))
        except (ValueError, RecursionError):
            return _Answer(response.status, None)

    @contextmanager
    def _connected(self, url: str) -> Iterator[Connection]:
        """Connect to a server, and shut that down at the end of the time. Raises OSError."""
        remaining = self._end - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        parts = urlsplit(url)
        context = Trust(self._authorities).context()
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        connection = Connection(
            parts.hostname or "", parts.port or 443, min(STEP, remaining), context
        )
        with closing(connection):
            connection.connect()
            # Of TCP's connection: TLS would want to say farewell, and may be in use just now.
            end = Timer(max(0.0, self._end - time.monotonic()), _shut, (connection.sock,))
            end.daemon = True
            end.start()
            try:
                yield connection
            finally:
                end.cancel()


def _shut(connection: socket.socket) -> None:
    # It may have ended by itself.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
