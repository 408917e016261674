"""Which tokens are believed."""

from __future__ import annotations

from typing import Any

import pytest
from Cryptodome.PublicKey import RSA
from identity_provider import curve_key, encoded, published, rsa_key, signed

from sanstone.kernel.oidc import id_token
from sanstone.kernel.oidc.id_token import Expected, Rejected, UnknownKey

NOW = 1_800_000_000.0
EXPECTED = Expected("https://idp.example", "array", "the nonce", "preferred_username")
CLAIMS: dict[str, Any] = {
    "iss": "https://idp.example",
    "sub": "4711",
    "aud": "array",
    "exp": NOW + 300,
    "iat": NOW,
    "nonce": "the nonce",
    "preferred_username": "ann",
}
KEYS = [published(rsa_key(), "ours"), published(curve_key(), "curve")]


def user(token: str, keys: list[Any] | None = None, claim: str = "preferred_username") -> str:
    """Return the user of a token."""
    return id_token.user_of(token, keys or KEYS, EXPECTED._replace(claim=claim), NOW)


def reason(token: str, keys: list[Any] | None = None, claim: str = "preferred_username") -> str:
    """Return why a token is not believed."""
    with pytest.raises(Rejected) as caught:
        user(token, keys, claim)
    return str(caught.value)


def ours(**claims: Any) -> str:
    """Return a token with other claims; those that are None are left out."""
    payload = {name: value for name, value in (CLAIMS | claims).items() if value is not None}
    return signed(payload, "RS256", rsa_key(), kid="ours")


def test_a_token_signed_by_a_published_key_is_accepted() -> None:
    assert user(ours()) == "ann"
    assert user(signed(CLAIMS, "PS256", rsa_key(), kid="ours")) == "ann"
    assert user(signed(CLAIMS, "ES256", curve_key(), kid="curve")) == "ann"
    assert user(signed(CLAIMS, "ES256", curve_key())) == "ann", "there is one key of this type"
    assert user(ours(aud=["array", "other"], azp="array")) == "ann"
    assert user(ours(exp=NOW - 30, iat=NOW + 30)) == "ann", "clocks differ"
    assert user(ours(), claim="sub") == "4711"
    assert user(ours(email="ann@example.org"), claim="email") == "ann@example.org"


def test_a_signature_that_needs_no_private_key_is_none() -> None:
    public = rsa_key().public_key().export_key()
    for token in (
        signed(CLAIMS, "none", None),
        signed(CLAIMS, "None", None, kid="ours"),
        signed(CLAIMS, "HS256", public, kid="ours"),
        signed(CLAIMS, "HS256", b"", kid="ours"),
        signed(CLAIMS, "RS512", None, kid="ours"),
    ):
        assert "not signed by one of" in reason(token)


def test_another_key_does_not_sign_for_the_provider() -> None:
    other = rsa_key(1)
    assert reason(signed(CLAIMS, "RS256", other, kid="ours")) == "its signature is wrong"
    embedded = signed(CLAIMS, "RS256", other, kid="ours", jwk=published(other, "ours"))
    assert reason(embedded) == "its signature is wrong"
    # A key is of the type and the algorithm that it was published for.
    curve = signed(CLAIMS, "ES256", curve_key(), kid="ours")
    for token, keys in (
        (signed(CLAIMS, "RS256", other, kid="new"), KEYS),
        (curve, KEYS),
        (ours(), [published(rsa_key(), "ours", alg="PS256")]),
        (ours(), [published(rsa_key(), "ours", use="enc")]),
        (ours(), [None, 7, {}, {"kty": "RSA", "kid": ["ours"]}]),
    ):
        with pytest.raises(UnknownKey):
            user(token, keys)
    two = [published(rsa_key(), "ours"), published(other, "ours")]
    assert "more than one key" in reason(ours(), two)


@pytest.mark.parametrize(
    "kid",
    [
        *("../../../../dev/null", "/proc/self/environ", "https://evil.example/keys", "ours\0", ""),
        *("' OR '1'='1", ["ours"], {"kid": "ours"}, 7, True, "a" * 60_000),
    ],
)
def test_the_name_of_a_key_is_nothing_but_a_name(kid: Any) -> None:
    other = rsa_key(1)
    with pytest.raises(Rejected):
        user(signed(CLAIMS, "RS256", other, kid=kid))
    with pytest.raises(Rejected):
        user(signed(CLAIMS, "HS256", b"", kid=kid))
    with pytest.raises(Rejected):
        user(signed(CLAIMS, "RS256", other, kid="ours", jku=kid, x5u=kid, jwk=kid))


def test_a_provider_may_publish_many_keys() -> None:
    others = [published(rsa_key(1), f"key {number}") for number in range(20_000)]
    assert user(ours(), [*others, *KEYS]) == "ann"
    same = [published(rsa_key(1), "ours") for _ in range(20_000)]
    assert "more than one key" in reason(ours(), [*same, *KEYS])


def test_a_changed_token_is_refused() -> None:
    header, _, signature = ours().split(".")
    evil = encoded(CLAIMS | {"preferred_username": "admin"})
    assert reason(f"{header}.{evil}.{signature}") == "its signature is wrong"
    assert reason(f"{header}.{evil}.") == "its signature is wrong"
    for token in ("", "a.b", "a.b.c.d", "!.!.!", f"{header}.{header[:-1]}!.{signature}", "é.é.é"):
        assert "no signed JSON Web Token" in reason(token)
    assert "no signed JSON Web Token" in reason("a" * (id_token.LONGEST + 1))
    listed = f"{encoded(b'[]')}.{evil}.{signature}"
    assert "no signed JSON Web Token" in reason(listed)
    assert "extension" in reason(signed(CLAIMS, "RS256", rsa_key(), kid="ours", crit=["b64"]))


def test_weak_keys_and_broken_ones_are_none() -> None:
    weak = RSA.generate(1024)
    token = signed(CLAIMS, "RS256", weak, kid="weak")
    assert "too short" in reason(token, [published(weak, "weak")])
    for bits in (16_384, 1_000_000):
        assert "too long" in reason(ours(), [KEYS[0] | {"n": encoded(2 ** (bits - 1) + 1)}])
    for numbers in ({"n": 7}, {"n": "!"}, {"e": encoded(1)}, {"e": encoded(2)}, {"n": "AQ" * 4000}):
        assert reason(ours(), [KEYS[0] | numbers])
    without = {name: value for name, value in KEYS[0].items() if name != "n"}
    assert reason(ours(), [without]) == "its signature is wrong"
    elsewhere = KEYS[1] | {"x": encoded(b"\1" * 32)}
    assert reason(signed(CLAIMS, "ES256", curve_key(), kid="curve"), [elsewhere])
    assert "curve" in reason(
        signed(CLAIMS, "ES256", curve_key(), kid="curve"), [KEYS[1] | {"crv": "P-384"}]
    )


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"iss": "https://idp.example/"}, "another issuer"),
        ({"iss": None}, "another issuer"),
        ({"aud": "other"}, "another client_id"),
        ({"aud": None}, "another client_id"),
        ({"aud": []}, "another client_id"),
        ({"aud": ["array", "other"]}, "given to another client_id"),
        ({"aud": ["array", "other"], "azp": "other"}, "given to another client_id"),
        ({"azp": "other"}, "given to another client_id"),
        ({"exp": NOW - 61}, "expired"),
        ({"exp": None}, "exp is no time"),
        ({"exp": True}, "exp is no time"),
        ({"exp": float("nan")}, "exp is no time"),
        ({"exp": float("inf")}, "exp is no time"),
        ({"exp": 10**400}, "exp is no time"),
        ({"exp": "4000000000"}, "exp is no time"),
        ({"iat": None}, "iat is no time"),
        ({"iat": NOW + 61}, "of the future"),
        ({"nbf": NOW + 61}, "of the future"),
        ({"nonce": "another"}, "another login"),
        ({"nonce": None}, "another login"),
        ({"nonce": 7}, "another login"),
        ({"preferred_username": None}, "no claim preferred_username"),
        ({"preferred_username": ["admin"]}, "no claim preferred_username"),
        ({"preferred_username": ""}, "no claim preferred_username"),
        ({"preferred_username": "a" * 256}, "no name"),
        ({"preferred_username": "admin\n"}, "no name"),
    ],
)
def test_a_token_for_somebody_else_or_of_another_time(claims: dict[str, Any], why: str) -> None:
    assert why in reason(ours(**claims))


def test_an_address_that_the_provider_has_not_verified_is_nobodys() -> None:
    for verified in (False, "true", None):
        token = signed(
            CLAIMS | {"email": "admin@example.org", "email_verified": verified},
            "RS256",
            rsa_key(),
            kid="ours",
        )
        assert "not verified" in reason(token, claim="email")
