"""Requests to an identity provider, and the results that follow from its answers."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from socket import socket
from typing import Any

import pytest
from identity_provider import CLIENT, SECRET, Provider, identity_provider
from receivers import listening
from standing_clock import Clock
from tls_material import ended, material, signed

from sanstone.kernel.oidc import provider as asking
from sanstone.kernel.oidc.question import (
    Discovery,
    Identity,
    Redemption,
    of_line,
    to_line,
)
from sanstone.kernel.web import destination
from sanstone.kernel.web.destination import require_elsewhere
from sanstone.security import certificates
from sanstone.security.certificates import CertificateSpecification

# As imported: it is off for other tests, whose servers are on this machine.
REQUIRED = require_elsewhere
CONFIGURATION = "/.well-known/openid-configuration"


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider."""
    with identity_provider() as server:
        yield server


def redemption(provider: Provider, **more: Any) -> Redemption:
    """Return a question about a code."""
    question = Redemption(
        issuer=provider.issuer,
        authorities=(material().authority.text,),
        token=f"{provider.issuer}/token",
        keys=f"{provider.issuer}/keys",
        keys_kept=3600,
        client_id=CLIENT,
        claim="preferred_username",
        redirect_uri="https://array.example/login/oidc",
        client_secret=SECRET,
        code="a code",
        verifier="the verifier",
        nonce="the nonce",
    )
    return replace(question, **more)


def test_where_an_issuers_endpoints_are(provider: Provider) -> None:
    client, authorities = asking.Provider(), (material().authority.text,)
    endpoints = client.endpoints(Discovery(provider.issuer, authorities))
    assert endpoints.error == ""
    assert endpoints.token == f"{provider.issuer}/token"
    configuration = {"issuer": provider.issuer, "token_endpoint": "https://a/"}
    for content, why in (
        ((200, {"issuer": f"{provider.issuer}/"}), "to the letter"),
        ((200, configuration | {"authorization_endpoint": "http://a/"}), "authorization_endpoint"),
        ((200, b"<html>"), "no configuration"),
        ((302, b""), "answered 302"),
        ((200, b" " * (asking.LONGEST + 1)), "too long"),
        ((500, b"[" * 100_000), "answered 500"),
    ):
        provider.answers[CONFIGURATION] = content
        assert why in client.endpoints(Discovery(provider.issuer, authorities)).error
    assert "certificate" in client.endpoints(Discovery(provider.issuer, ())).error
    assert (
        "certificate"
        in client.endpoints(
            Discovery(provider.issuer.replace("127.0.0.1", "localhost"), authorities)
        ).error
    )
    assert "refused" in client.endpoints(Discovery("https://127.0.0.1:1", ())).error


def test_a_code_gives_its_user_once(provider: Provider) -> None:
    client = asking.Provider()
    provider.grants["a code"] = provider.claims("ann", "the nonce")
    assert client.identity(redemption(provider)) == Identity("ann")
    path, form, login = provider.requests[0]
    assert path == "/token"
    assert form["code_verifier"] == "the verifier"
    assert form["redirect_uri"] == "https://array.example/login/oidc"
    assert "client_id" not in form
    credentials = base64.b64decode(login.removeprefix("Basic ")).decode()
    assert credentials == "array+1:a+secret%3A+%2B%2F%25"
    again = client.identity(redemption(provider))
    assert again.refusal.endswith("/token: invalid_grant"), "and not what else it says"
    provider.grants["a code"] = provider.claims("ann", "the nonce")
    client.identity(redemption(provider, client_secret=""))
    path, form, login = provider.requests[-1]
    assert (form["client_id"], login) == (CLIENT, "")
    provider.grants["a code"] = provider.claims("ann", "of another login")
    assert "another login" in client.identity(redemption(provider)).refusal


def test_keys_are_kept_and_read_again_when_one_is_unknown(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = asking.Provider()

    def ask() -> Identity:
        provider.grants["a code"] = provider.claims("ann", "the nonce")
        return client.identity(redemption(provider))

    def read() -> int:
        return [path for path, _, _ in provider.requests].count("/keys")

    assert ask() == ask() == Identity("ann")
    assert read() == 1
    provider.rotate(1)
    assert "no key that fits" in ask().refusal, "they were read a moment ago"
    monkeypatch.setattr(asking, "KEYS_REREAD", 0.0)
    assert ask() == Identity("ann")
    assert read() == 2
    provider.signs_by = 0
    assert "no key that fits" in ask().refusal
    assert read() == 3, "once for each login"


def test_an_error_of_the_provider_is_a_refusal(provider: Provider) -> None:
    client = asking.Provider()
    for content, refusal, error in (
        ((200, {"access_token": "a"}), "no id_token", ""),
        ((401, {"error": "invalid_client"}), "invalid_client", ""),
        ((400, {"error": "Your code was: a code"}), "answered 400", ""),
        ((400, b""), "answered 400", ""),
        ((503, b""), "", "answered 503"),
        ((307, b""), "", "answered 307"),
    ):
        provider.answers["/token"] = content
        answer = client.identity(redemption(provider))
        assert refusal in answer.refusal
        assert bool(answer.refusal) is bool(refusal)
        assert error in answer.error
        assert bool(answer.error) is bool(error)
        assert "a code" not in answer.refusal + answer.error
    del provider.answers["/token"]
    provider.answers["/keys"] = (200, {"keys": "none"})
    provider.grants["a code"] = provider.claims("ann", "the nonce")
    assert "no keys" in client.identity(redemption(provider)).error


def test_keys_without_end_are_none(provider: Provider) -> None:
    client = asking.Provider()
    key = {"kty": "RSA", "kid": "key 0", "n": "A" * asking.LONGEST}
    for content in (b"[" * (asking.LONGEST + 1), {"keys": [key]}):
        provider.answers["/keys"] = (200, content)
        provider.grants["a code"] = provider.claims("ann", "the nonce")
        assert "too long" in client.identity(redemption(provider)).error
    provider.answers["/keys"] = (200, b"[" * asking.LONGEST)
    provider.grants["a code"] = provider.claims("ann", "the nonce")
    assert "no keys" in client.identity(redemption(provider)).error, "deeper than any are"


def test_a_certificate_that_is_over_or_for_another_name_is_not_believed(tmp_path: Path) -> None:
    authority = material().authority
    for certificate in (
        ended(authority, "a provider", ("IP:127.0.0.1",), tmp_path),
        signed(authority, "a provider", ("DNS:login.example.org", "IP:127.0.0.2")),
        certificates.self_signed(CertificateSpecification((("CN", "127.0.0.1"),)), 2),
    ):
        with identity_provider(certificate) as other:
            client, authorities = asking.Provider(), (authority.text,)
            assert "certificate" in client.endpoints(Discovery(other.issuer, authorities)).error
            assert other.requests == []


def test_a_provider_does_not_lead_to_the_array(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the endpoints that it names, after it has itself been somewhere else."""
    monkeypatch.setattr(destination, "require_elsewhere", REQUIRED)
    answer = asking.Provider().identity(redemption(provider, token="https://127.0.0.1/t"))
    assert "127.0.0.1 is an address to which the array does not connect" in answer.error


class Alarm:
    """Takes the place of a timer; it rings when a test has its time come."""

    def __init__(self, clock: Clock, seconds: float, act: Callable[[socket], None], args: Any):
        self._clock, self._seconds = clock, seconds
        self._act: Callable[[], None] = partial(act, *args)
        self.daemon = False

    def start(self) -> None:
        """Begin to run."""

    def cancel(self) -> None:
        """End before its time."""

    def ring(self) -> None:
        """Let its time come."""
        self._clock.now += self._seconds
        self._act()


def test_a_provider_that_sends_a_byte_now_and_then_holds_nobody_up(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    alarms: list[Alarm] = []
    ended: list[bool] = []

    def alarm(*arguments: Any) -> Alarm:
        alarms.append(Alarm(clock, *arguments))
        return alarms[-1]

    monkeypatch.setattr(asking, "Timer", alarm)

    def drip(plain: socket) -> None:
        with material().server_context().wrap_socket(plain, server_side=True) as connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nA: ")
            # The client asks when it has set its alarm.
            connection.recv(1000)
            connection.sendall(b"a")
            alarms[0].ring()
            try:
                while True:
                    connection.sendall(b"a" * 1000)
            except OSError:
                ended.append(True)

    with listening(drip) as (host, port):
        question = Discovery(f"https://{host}:{port}", (material().authority.text,))
        assert "did not answer in time" in asking.Provider().endpoints(question).error
    assert ended == [True]


def test_questions_and_answers_travel_as_they_are(provider: Provider) -> None:
    for message in (redemption(provider), Discovery("https://a", ("b",)), Identity("ann")):
        assert of_line(to_line(message)) == message
        assert SECRET not in repr(message)
    for line in (b"", b"[]", b"{}", b'{"Redemption": {}}', b'{"Other": {}}', b'{"Identity": 7}'):
        with pytest.raises(ValueError, match=r"neither|Expecting|unpack"):
            of_line(line)
