"""An identity provider on a socket of this machine, by https, under a test's control."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from Cryptodome.Hash import HMAC, SHA256
from Cryptodome.PublicKey import ECC, RSA
from Cryptodome.Signature import DSS, pkcs1_15, pss
from standing_clock import now
from tls_material import material

from sanstone.security.certificates import KeyAndText

CLIENT, SECRET = "array 1", "a secret: +/%"


@cache
def rsa_key(number: int = 0) -> RSA.RsaKey:
    """Return an RSA key, one for each number."""
    return RSA.generate(2048)


@cache
def curve_key() -> ECC.EccKey:
    """Return the key of the curve P-256."""
    return ECC.generate(curve="P-256")


def encoded(content: bytes | int | Mapping[str, Any]) -> str:
    """Return bytes, a number, or an object as JSON, in base64url without padding."""
    if isinstance(content, int):
        content = content.to_bytes((content.bit_length() + 7) // 8)
    elif not isinstance(content, bytes):
        content = json.dumps(content).encode()
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def published(key: RSA.RsaKey | ECC.EccKey, name: str, **more: Any) -> dict[str, Any]:
    """Return a key as a provider publishes it (RFC 7517)."""
    if isinstance(key, RSA.RsaKey):
        numbers = {"kty": "RSA", "n": encoded(key.n), "e": encoded(key.e)}
    else:
        point = key.pointQ
        x, y = (encoded(int(number).to_bytes(32)) for number in (point.x, point.y))
        numbers = {"kty": "EC", "crv": "P-256", "x": x, "y": y}
    return numbers | {"kid": name, "use": "sig"} | more


def signed(claims: Mapping[str, Any], algorithm: str, key: Any, **header: Any) -> str:
    """Return a token; the key of HS256 is bytes, and `none` needs none."""
    content = f"{encoded({'alg': algorithm, 'typ': 'JWT'} | header)}.{encoded(claims)}"
    digest = SHA256.new(content.encode())
    match algorithm:
        case "RS256":
            signature = pkcs1_15.new(key).sign(digest)
        case "PS256":
            signature = pss.new(key).sign(digest)
        case "ES256":
            signature = DSS.new(key, "fips-186-3").sign(digest)
        case "HS256":
            signature = HMAC.new(key, content.encode(), SHA256).digest()
        case _:
            signature = b""
    return f"{content}.{encoded(signature)}"


@dataclass
class Provider:
    """A provider. `grants` are the claims of the codes that it has given; each is good once.

    `answers` replace the content of a path, with its status; `requests` are those that came: their
    path, form and Authorization.
    """

    issuer: str = ""
    keys: list[dict[str, Any]] = field(default_factory=list)
    grants: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: dict[str, tuple[int, Any]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str], str]] = field(default_factory=list)
    signs_by: int = 0

    def rotate(self, number: int) -> None:
        """Sign by another key, and publish that alone."""
        self.signs_by = number
        self.keys = [published(rsa_key(number), f"key {number}")]

    def claims(self, user: str, nonce: str) -> dict[str, Any]:
        """Return the provider's claims of a user."""
        moment = int(now())
        times = {"iat": moment, "exp": moment + 300}
        identity = {"sub": f"id of {user}", "preferred_username": user, "nonce": nonce}
        return {"iss": self.issuer, "aud": CLIENT} | times | identity

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, Any]:
        """Return the status and content for a request."""
        if path in self.answers:
            return self.answers[path]
        match path:
            case "/.well-known/openid-configuration":
                names = {
                    "authorization_endpoint": "authorize",
                    "token_endpoint": "token",
                    "jwks_uri": "keys",
                }
                places = {name: f"{self.issuer}/{place}" for name, place in names.items()}
                return 200, {"issuer": self.issuer} | places
            case "/keys":
                return 200, {"keys": self.keys}
            case "/token":
                claims = self.grants.pop(form["code"], None)
                if claims is None:
                    return 400, {"error": "invalid_grant", "error_description": form["code"]}
                key, name = rsa_key(self.signs_by), f"key {self.signs_by}"
                return 200, {"id_token": signed(claims, "RS256", key, kid=name)}
        return 404, {}


@contextmanager
def identity_provider(certificate: KeyAndText | None = None) -> Iterator[Provider]:
    """Give a provider, whose certificate `tls_material`'s authority has signed, or another."""
    provider = Provider()
    provider.rotate(0)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer({name: texts[0] for name, texts in parse_qs(body).items()})

        def _answer(self, form: dict[str, str]) -> None:
            provider.requests.append((self.path, form, self.headers.get("Authorization", "")))
            status, content = provider.answer(self.path, form)
            body = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Location", f"{provider.issuer}/keys")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = (
            material().server_context(certificate).wrap_socket(server.socket, server_side=True)
        )
        provider.issuer = f"https://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
