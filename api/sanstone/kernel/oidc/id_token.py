"""The check of an ID token: what a provider says of a user, signed (OpenID Connect Core 1.0, 2).

It is a JSON Web Token with one signature (RFC 7519, RFC 7515). The algorithm is the token's word,
so only those are taken that need the provider's private key: neither `none` nor HMAC, for which a
public key would do as the secret. What the token says of a key (`jwk`, `x5u`) is not looked at: the
keys are those that the provider publishes (RFC 7517).
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from Cryptodome.Hash import SHA256
from Cryptodome.PublicKey import ECC, RSA
from Cryptodome.Signature import DSS, pkcs1_15, pss

LEEWAY = 60.0
"""Seconds by which the provider's clock may be another."""
LONGEST = 64 * 1024
"""Characters of a token; those of a user who is in hundreds of groups have some thousands."""
SHORTEST_MODULUS, LONGEST_MODULUS = 2048, 8192
"""Bits of RSA keys: fewer are weak (RFC 7518, 3.3), and more take long to compute with."""
LONGEST_NAME = 255
LATEST = 2**53
"""Seconds since 1970; whole numbers are exact up to here."""


class Rejected(Exception):
    """A token is not believed; the text says why, and has nothing of the token's secrets."""


class UnknownKey(Rejected):
    """No known key has the name of the one that signed: the provider may have new ones."""


class Expected(NamedTuple):
    """The required claims of a token. `claim` is the one that names the user."""

    issuer: str
    client_id: str
    nonce: str
    claim: str


def user_of(token: str, keys: Sequence[Any], expected: Expected, now: float) -> str:
    """Return the name of the user whom a token is about. Raises Rejected.

    `keys` are the provider's, in the form of RFC 7517.
    """
    parts = token.split(".") if len(token) <= LONGEST else []
    if len(parts) != 3:
        raise Rejected("it is no signed JSON Web Token")
    header, claims = _object(parts[0]), _object(parts[1])
    _check_signature(header, f"{parts[0]}.{parts[1]}".encode(), _decoded(parts[2]), keys)
    _check_claims(claims, expected, now)
    return _user(claims, expected.claim)


def _check_signature(
    header: Mapping[str, Any], signed: bytes, signature: bytes, keys: Sequence[Any]
) -> None:
    name = header.get("alg")
    algorithm = _ALGORITHMS.get(name) if isinstance(name, str) else None
    if algorithm is None:
        raise Rejected(f"it is not signed by one of {', '.join(_ALGORITHMS)}")
    if "crit" in header:
        raise Rejected("it asks for an extension that the array does not know")
    named = header.get("kid")
    fitting = [
        key
        for key in keys
        if isinstance(key, dict)
        and key.get("kty") == algorithm.key_type
        and key.get("use", "sig") == "sig"
        and key.get("alg", name) == name
        and (named is None or key.get("kid") == named)
    ]
    if not fitting:
        raise UnknownKey("the provider publishes no key that fits its signature")
    if len(fitting) > 1:
        raise Rejected("the provider publishes more than one key that could have signed it")
    try:
        algorithm.verify(fitting[0], signed, signature)
    except (ValueError, TypeError, KeyError) as error:
        raise Rejected("its signature is wrong") from error


def _check_claims(claims: Mapping[str, Any], expected: Expected, now: float) -> None:
    """Raise Rejected unless a token is for us, of this login, and of now (3.1.3.7)."""
    if claims.get("iss") != expected.issuer:
        raise Rejected("it is of another issuer")
    audience, party = claims.get("aud"), claims.get("azp")
    listed = audience if isinstance(audience, list) else [audience]
    if expected.client_id not in listed:
        raise Rejected("it is for another client_id")
    if party != expected.client_id and (party is not None or len(listed) > 1):
        raise Rejected("it was given to another client_id")
    if _moment(claims, "exp") <= now - LEEWAY:
        raise Rejected("it has expired; the array's clock may be wrong")
    started = [_moment(claims, "iat")] + ([_moment(claims, "nbf")] if "nbf" in claims else [])
    if max(started) > now + LEEWAY:
        raise Rejected("it is of the future; the array's clock may be wrong")
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(
        nonce.encode("utf-8", "surrogatepass"), expected.nonce.encode()
    ):
        raise Rejected("it is of another login")


def _user(claims: Mapping[str, Any], claim: str) -> str:
    user = claims.get(claim)
    if not isinstance(user, str) or not user:
        raise Rejected(f"it has no claim {claim}, which is to name the user")
    if len(user) > LONGEST_NAME or not user.isprintable():
        raise Rejected(f"its claim {claim} is no name")
    # A user may have typed somebody else's address there.
    if claim == "email" and claims.get("email_verified", True) is not True:
        raise Rejected("the provider has not verified the user's mail address")
    return user


def _moment(claims: Mapping[str, Any], name: str) -> float:
    value = claims.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        # No comparison with NaN is true.
        moment: float = value
        if abs(moment) < LATEST:
            return moment
    raise Rejected(f"its claim {name} is no time")


def _object(part: str) -> Mapping[str, Any]:
    try:
        value = json.loads(_decoded(part))
    except (ValueError, RecursionError) as error:
        raise Rejected("it is no signed JSON Web Token") from error
    if not isinstance(value, dict):
        raise Rejected("it is no signed JSON Web Token")
    return value


def _decoded(text: str) -> bytes:
    """Return the bytes of base64url without padding (RFC 7515, 2). Raises Rejected."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise Rejected("it is no signed JSON Web Token") from error


def _number(key: Mapping[str, Any], name: str) -> int:
    return int.from_bytes(_decoded(key[name]))


def _rsa(key: Mapping[str, Any]) -> RSA.RsaKey:
    """Return an RSA key. Raises ValueError, KeyError, TypeError."""
    modulus, exponent = _number(key, "n"), _number(key, "e")
    if not SHORTEST_MODULUS <= modulus.bit_length() <= LONGEST_MODULUS:
        raise Rejected("the provider's key is too short, or too long")
    if not exponent % 2 or not 3 <= exponent < 2**32:
        raise Rejected("the provider's key is none")
    return RSA.construct((modulus, exponent))


def _verify_rs256(key: Mapping[str, Any], signed: bytes, signature: bytes) -> None:
    pkcs1_15.new(_rsa(key)).verify(SHA256.new(signed), signature)


def _verify_ps256(key: Mapping[str, Any], signed: bytes, signature: bytes) -> None:
    pss.new(_rsa(key)).verify(SHA256.new(signed), signature)


def _verify_es256(key: Mapping[str, Any], signed: bytes, signature: bytes) -> None:
    if key.get("crv") != "P-256":
        raise Rejected("the provider's key is of another curve")
    point = ECC.construct(curve="P-256", point_x=_number(key, "x"), point_y=_number(key, "y"))
    # Both numbers one after the other, as JSON Web Signatures have them (RFC 7518, 3.4).
    DSS.new(point, "fips-186-3", encoding="binary").verify(SHA256.new(signed), signature)


class _Algorithm(NamedTuple):
    """The type of its keys, and what raises an error for a signature that is wrong."""

    key_type: str
    verify: Callable[[Mapping[str, Any], bytes, bytes], None]


_ALGORITHMS = {
    "RS256": _Algorithm("RSA", _verify_rs256),
    "ES256": _Algorithm("EC", _verify_es256),
    "PS256": _Algorithm("RSA", _verify_ps256),
}
