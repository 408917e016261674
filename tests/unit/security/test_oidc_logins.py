"""Logins by an identity provider, from the login page's question to the session's end."""

from __future__ import annotations

import hashlib
import socket
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import toy
from identity_provider import CLIENT, SECRET, Provider, identity_provider
from sqlalchemy import Engine, select
from standing_clock import Clock
from tls_material import material
from werkzeug.test import Client, TestResponse

from sanstone.core import places
from sanstone.core.database.store import reading, writing
from sanstone.core.events import Event
from sanstone.http import app
from sanstone.http.oidc import COOKIE, LOGIN, PATH
from sanstone.http.sessions import HEADER
from sanstone.http.sessions import PATH as SESSION
from sanstone.kernel.oidc import server
from sanstone.model.activity import AuditMessage
from sanstone.model.oidc import OidcProvider
from sanstone.model.security import ANYWHERE, OIDC, SERVER_CA, Account, Certificate, Failures
from sanstone.security import activity, asking, oidc, password_hashes

HTTPS = "https://array.example"
ADMIN = ("admin", "admin's own")
BY_PROVIDER = {"application": "http", "authentication_methods": [OIDC]}


@pytest.fixture(scope="module")
def providers() -> Iterator[Provider]:
    """A provider for all tests."""
    with identity_provider() as provider:
        yield provider


@pytest.fixture
def array(toys: Engine, providers: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Array]:
    """An array with a provider, which a process of it asks, and accounts."""
    monkeypatch.setattr(app, "RESOURCES", toy.RESOURCES)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(places.run_directory() / oidc.SOCKET))
    listening.listen()
    thread = Thread(target=server.serve, args=(listening,))
    thread.start()
    with writing(toys) as session:
        session.add(
            OidcProvider(
                provider="Our provider",
                issuer=providers.issuer,
                client_id=CLIENT,
                client_secret=SECRET,
                authorization_endpoint=f"{providers.issuer}/authorize",
                token_endpoint=f"{providers.issuer}/token",
                provider_jwks_uri=f"{providers.issuer}/keys",
                jwks_refresh_interval="PT1H",
                remote_user_claim="preferred_username",
                scopes=["profile"],
                redirect_ipaddress="array.example",
            )
        )
        session.add(
            Certificate(
                name="provider",
                type=SERVER_CA,
                common_name="An authority",
                ca="An authority",
                serial_number="1",
                expiry_time=0.0,
                key_size=256,
                public_certificate=material().authority.text,
                private_key="",
            )
        )
        for name, more in (("ann", {}), ("lou", {"locked": True})):
            session.add(Account(name=name, role="admin", applications=[BY_PROVIDER], **more))
        session.add(Account(name=ADMIN[0], password=password_hashes.hash_password(ADMIN[1])))
    application = app.create_app()
    yield Array(application.test_client(), toys, providers)
    application.extensions["sanstone"].dispose()
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()


class Array:
    """A browser before the array, and its way to the provider and back."""

    def __init__(self, client: Client, database: Engine, provider: Provider) -> None:
        self.client, self.database, self.provider = client, database, provider

    def begin(self, **more: Any) -> dict[str, str]:
        """Follow the login page's link, and return the parameters for the provider."""
        answer = self.client.get(LOGIN, base_url=HTTPS, **more)
        assert answer.status_code == 302
        assert answer.headers["Cache-Control"] == "no-store"
        place = urlsplit(answer.headers["Location"])
        assert f"{place.scheme}://{place.netloc}{place.path}" == self.provider.issuer + "/authorize"
        return {name: texts[0] for name, texts in parse_qs(place.query).items()}

    def granted(self, request: dict[str, str], user: str, **claims: Any) -> dict[str, str]:
        """Return the provider's parameters to the browser after the user's login."""
        code = f"code for {user}"
        self.provider.grants[code] = self.provider.claims(user, request["nonce"]) | claims
        return {"code": code, "state": request["state"]}

    def finish(self, body: dict[str, Any], **more: Any) -> TestResponse:
        """Send the provider's parameters to the array."""
        return self.client.post(SESSION, json=body, base_url=HTTPS, **more)

    def log_in(self, user: str, **claims: Any) -> TestResponse:
        """Log in by the provider."""
        return self.finish(self.granted(self.begin(), user, **claims))

    def is_in(self) -> bool:
        """Return whether the browser has a session."""
        return self.client.get("/api/svm/svms", base_url=HTTPS).status_code == 200

    def change(self, kind: Any, changed: Callable[[Any], None], **which: Any) -> None:
        """Change a row."""
        with writing(self.database) as session:
            changed(session.scalars(select(kind).filter_by(**which)).one())

    def audited(self) -> list[tuple[str, str, str]]:
        """Return user, state and message of the audit log's records of logins."""
        with reading(activity.engine()) as session:
            rows = session.scalars(select(AuditMessage)).all()
            return [(r.user, r.state, r.message) for r in rows if SESSION in r.input]


def test_a_user_of_the_provider_gets_the_session_that_a_password_gives(array: Array) -> None:
    record = array.client.get(PATH, base_url=HTTPS).get_json()
    assert record == {"enabled": True, "provider": "Our provider", "login_url": HTTPS + LOGIN}
    request = array.begin(headers={"Host": "evil.example"})
    assert request["redirect_uri"] == f"{HTTPS}/login/oidc", "whatever the browser called the array"
    assert request["scope"] == "openid profile"
    assert request["response_type"] == "code"
    request = array.begin()
    set_cookie = array.client.get_cookie(COOKIE, "array.example")
    assert set_cookie
    assert (set_cookie.secure, set_cookie.http_only, set_cookie.same_site) == (True, True, "Strict")
    answer = array.finish(array.granted(request, "ann"))
    assert answer.status_code == 201
    assert answer.get_json()["account"] == {"name": "ann", "role": {"name": "admin"}}
    assert array.is_in()
    verifier = next(
        form["code_verifier"]
        for path, form, _ in reversed(array.provider.requests)
        if path == "/token"
    )
    digest = hashlib.sha256(verifier.encode()).digest()
    assert request["code_challenge"] == urlsafe_b64encode(digest).decode().rstrip("=")
    assert request["code_challenge_method"] == "S256"
    assert array.audited() == [("ann", "success", "")]


def test_a_login_is_its_browsers_and_ends_once(array: Array) -> None:
    request = array.begin()
    stolen = array.granted(request, "ann")
    other = app.create_app().test_client()
    assert other.post(SESSION, json=stolen, base_url=HTTPS).status_code == 401
    wrong = stolen | {"state": "0" * 64}
    for state in ("0" * 64, "", "é"):
        assert array.finish(stolen | {"state": state}).status_code == 401
    count = len(array.provider.requests)
    assert array.finish(wrong).status_code == 401
    assert len(array.provider.requests) == count, "the provider gets no request"
    assert array.finish(stolen).status_code == 201
    array.provider.grants[stolen["code"]] = array.provider.claims("ann", request["nonce"])
    again = array.finish(stolen)
    assert again.status_code == 401
    assert "is over" in again.get_json()["error"]["message"]
    array.begin()
    assert array.finish(stolen).status_code == 401, "it is another login's"


def test_a_login_that_takes_too_long_or_is_forged(array: Array, clock: Clock) -> None:
    granted = array.granted(array.begin(), "ann")
    clock.now += oidc.LASTS + 1
    assert array.finish(granted).status_code == 401
    array.begin()
    cookie = array.client.get_cookie(COOKIE, "array.example")
    assert cookie
    secret, until, signature = cookie.value.split(".")
    for forged in (
        f"{secret}.{int(until) + 9}.{signature}",
        f"{secret}.{until}.{'0' * 64}",
        f"{secret}.{until}",
        "..",
        "",
    ):
        array.client.set_cookie(COOKIE, forged, domain="array.example", secure=True)
        assert array.finish(granted).status_code == 401, forged


def test_a_user_without_an_account_sees_the_providers_name_for_them(
    array: Array,
) -> None:
    with writing(array.database) as session:
        uuid = session.scalars(select(Account.uuid).filter_by(name="ann")).one()
        session.add(Failures(account=uuid, address=ANYWHERE, count=9, locked_until=2.0**40))
    for user in ("eve", "admin", "lou", "ann", "svm1\\ann", "Ann"):
        answer = array.log_in(user)
        assert answer.status_code == 401, user
        assert f'you are "{user}"' in answer.get_json()["error"]["message"]
        assert not array.is_in()
    records = array.audited()
    assert [(user, state) for user, state, _ in records][:1] == [("", "error")]
    assert "eve" in records[0][2]


def test_claims_of_another_login_are_refused(array: Array) -> None:
    for claims, why in (
        ({"nonce": "another"}, "another login"),
        ({"aud": "other"}, "another client_id"),
        ({"exp": 1}, "expired"),
    ):
        answer = array.log_in("ann", **claims)
        assert answer.status_code == 401
        assert why in answer.get_json()["error"]["message"]
    granted = array.granted(array.begin(), "ann")
    answer = array.finish(granted | {"code": "of somebody else"})
    assert "invalid_grant" in answer.get_json()["error"]["message"]
    for body in ({"code": "a"}, {"state": "a"}, granted | {"name": "a"}, granted | {"code": 7}):
        assert array.finish(body).status_code == 400, body
    assert not array.is_in()


def test_no_password_opens_such_an_account(array: Array) -> None:
    array.change(
        Account,
        lambda row: setattr(row, "password", password_hashes.hash_password("a passw0rd")),
        name="ann",
    )
    body = {"name": "ann", "password": "a passw0rd"}
    assert array.client.post(SESSION, json=body, base_url=HTTPS).status_code == 401
    assert array.client.get("/api/svm/svms", auth=("ann", "a passw0rd")).status_code == 401
    assert array.log_in("ann").status_code == 201


def test_a_session_ends_with_the_method_the_account_and_the_provider(array: Array) -> None:
    def provider(*, enabled: bool) -> None:
        array.change(OidcProvider, lambda row: setattr(row, "enabled", enabled))

    def account(name: str, value: Any) -> None:
        array.change(Account, lambda row: setattr(row, name, value), name="ann")

    by_password = {"application": "http", "authentication_methods": ["password"]}
    array.log_in("ann")
    assert array.is_in()
    changes: list[tuple[Callable[[], None], Callable[[], None]]] = [
        (lambda: account("locked", True), lambda: account("locked", False)),
        (
            lambda: account("applications", [by_password]),
            lambda: account("applications", [BY_PROVIDER]),
        ),
        (lambda: provider(enabled=False), lambda: provider(enabled=True)),
    ]
    for change, back in changes:
        change()
        assert not array.is_in()
        back()
        assert array.is_in()
    provider(enabled=False)
    assert array.client.get(PATH, base_url=HTTPS).get_json() == {"enabled": False}
    answer = array.client.get(LOGIN, base_url=HTTPS)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert array.finish({"code": "a", "state": "b"}).status_code == 404


def test_a_logout_leads_to_the_providers_logout(array: Array) -> None:
    def log_out(token: str) -> Any:
        headers = {HEADER: token}
        return array.client.delete(SESSION, base_url=HTTPS, headers=headers).get_json()

    end = f"{array.provider.issuer}/end?of=it"
    assert log_out(array.log_in("ann").get_json()["csrf_token"]) == {}
    array.change(OidcProvider, lambda row: setattr(row, "end_session_endpoint", end))
    token = array.log_in("ann").get_json()["csrf_token"]
    assert log_out(token) == {"logout_url": f"{end}&client_id=array+1"}
    body = dict(zip(("name", "password"), ADMIN, strict=True))
    by_password = array.client.post(SESSION, json=body, base_url=HTTPS)
    assert log_out(by_password.get_json()["csrf_token"]) == {}


def test_a_dead_provider_gets_few_requests_and_passwords_still_work(
    array: Array, clock: Clock
) -> None:
    array.change(OidcProvider, lambda row: setattr(row, "token_endpoint", "https://127.0.0.1:1/t"))
    for _ in range(2):
        answer = array.log_in("ann")
        assert answer.status_code == 503
        assert "does not answer" in answer.get_json()["error"]["message"]
    with reading(array.database) as session:
        messages = session.scalars(select(Event.message).filter_by(name=oidc.EVENT)).all()
    assert len(messages) == 1
    assert "127.0.0.1:1" in messages[0]
    body = dict(zip(("name", "password"), ADMIN, strict=True))
    assert array.client.post(SESSION, json=body, base_url=HTTPS).status_code == 201
    token = f"{array.provider.issuer}/token"
    array.change(OidcProvider, lambda row: setattr(row, "token_endpoint", token))
    clock.now += asking.SILENCE + 1
    assert array.log_in("ann").status_code == 201


def test_codes_are_guessed_no_faster_than_there_is_budget(array: Array) -> None:
    statuses = [array.log_in("nobody", aud="other").status_code for _ in range(14)]
    assert statuses[0] == 401
    assert statuses[-1] == 429
