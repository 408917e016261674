"""The array's identity provider: accepted once it answers; and the accounts that log in by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from simulator import Simulator, simulated

from sanstone.kernel.oidc.question import Endpoints
from sanstone.security import oidc

PATH = "security/authentication/cluster/oidc"
ISSUER = "https://idp.example.org/realm"
SETTINGS = {"issuer": ISSUER, "client_id": "array", "redirect_ipaddress": "array.example.org"}
THEIRS = ("https://idp.example.org/authorize", "https://idp.example.org/token")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    """An array for all tests."""
    with simulated(tmp_path_factory.mktemp("array")) as simulator:
        yield simulator


@pytest.fixture
def queried_issuers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The issuers that got requests; only one answers as it should."""
    issuers: list[str] = []

    def discovered(issuer: str, authorities: Sequence[str]) -> Endpoints:
        issuers.append(issuer)
        if issuer == "https://odd.example.org":
            return Endpoints(*THEIRS, "https://user:secret@idp.example.org/keys")
        if issuer != ISSUER:
            return Endpoints(error=f"{issuer}: it cannot be reached")
        return Endpoints(*THEIRS, "https://idp.example.org/keys")

    monkeypatch.setattr(oidc, "discovered", discovered)
    return issuers


@pytest.fixture
def array(shared: Simulator) -> Iterator[Simulator]:
    """The array, which has no provider."""
    yield shared
    shared.call("DELETE", PATH)
    shared.settle()


def call(array: Simulator, method: str, body: Any = None) -> tuple[int, str, str]:
    """Return the status, and the error's code and target if any."""
    answer = array.call(method, PATH, body)
    array.settle()
    error = answer.get_json().get("error", {})
    return answer.status_code, error.get("code", ""), error.get("target", "")


def test_endpoints_are_read_from_the_provider_before_it_is_accepted(
    array: Simulator, queried_issuers: list[str]
) -> None:
    assert call(array, "GET")[0] == 404
    for issuer in ("https://dead.example.org", "https://odd.example.org"):
        assert call(array, "POST", SETTINGS | {"issuer": issuer})[::2] == (400, "issuer")
    assert call(array, "GET")[0] == 404
    array.make(PATH, SETTINGS | {"client_secret": "a secret"})
    record = array.get(PATH)
    assert (record["authorization_endpoint"], record["token_endpoint"]) == THEIRS
    assert record["provider"] == "idp.example.org"
    assert record["redirect_uri"] == "https://array.example.org/login/oidc"
    assert (record["remote_user_claim"], record["enabled"]) == ("preferred_username", True)
    assert "a secret" not in str(record)
    count = len(queried_issuers)
    assert call(array, "POST", SETTINGS)[:2] == (409, "1")
    assert len(queried_issuers) == count
    assert call(array, "PATCH", {"redirect_ipaddress": "fd00::7"})[0] in (200, 202)
    assert array.get(PATH)["redirect_uri"] == "https://[fd00::7]/login/oidc"
    # Another issuer is another provider.
    assert call(array, "PATCH", {"issuer": "https://other.example.org"})[0] == 400


def test_a_provider_with_all_endpoints_is_accepted_without_a_request(
    array: Simulator, queried_issuers: list[str]
) -> None:
    endpoints = dict(zip(("authorization_endpoint", "token_endpoint"), THEIRS, strict=True))
    unasked = SETTINGS | {"skip_uri_validation": True} | endpoints
    assert call(array, "POST", unasked)[::2] == (400, "provider_jwks_uri")
    array.make(PATH, unasked | {"provider_jwks_uri": "https://keys.example.org/"})
    assert queried_issuers == []
    assert array.get(PATH)["provider_jwks_uri"] == "https://keys.example.org/"


def test_given_endpoints_override_the_providers(
    array: Simulator, queried_issuers: list[str]
) -> None:
    array.make(PATH, SETTINGS | {"token_endpoint": "https://inside.example.org/token"})
    record = array.get(PATH)
    assert record["token_endpoint"] == "https://inside.example.org/token"
    assert record["authorization_endpoint"] == THEIRS[0]


def test_which_accounts_log_in_by_it(array: Simulator) -> None:
    def refusal_code(body: dict[str, Any]) -> str:
        answer = array.call("POST", "security/accounts", body)
        return str(answer.get_json().get("error", {}).get("code", ""))

    http = {"application": "http", "authentication_methods": ["oidc"]}
    ssh = {"application": "ssh", "authentication_methods": ["publickey"]}
    array.make("svm/svms", {"name": "svm1"})
    for body in (
        {"name": "ann", "applications": [http | {"application": "ssh"}]},
        {"name": "ann", "applications": [http | {"second_authentication_method": "totp"}]},
        {"name": "ann", "applications": [http], "owner.name": "svm1"},
        {"name": "ann", "applications": [http | {"is_ns_switch_group": True}]},
        {"name": "ann@example.org", "applications": [http, ssh]},
    ):
        assert refusal_code(body) == "5636176", body
    array.make("security/accounts", {"name": "ann@example.org", "applications": [http]})
    record = array.get("security/accounts?name=ann@example.org")["records"][0]
    place = f"security/accounts/{record['owner']['uuid']}/ann@example.org"
    answer = array.call("PATCH", place, {"applications": [http, ssh]})
    assert answer.get_json()["error"]["code"] == "5636176"
    array.make("security/accounts", {"name": "joe", "applications": [http, ssh]})


def test_nobody_names_a_provider_for_accounts_that_may_do_more(
    array: Simulator, queried_issuers: list[str]
) -> None:
    path = f"/api/{PATH}"
    privileges = [{"path": path, "access": "all"}]
    array.make("security/roles", {"name": "namer", "privileges": privileges})
    lesser = ("lesser", "a passw0rd")
    by_password = [{"application": "http", "authentication_methods": ["password"]}]
    account = dict(zip(("name", "password"), lesser, strict=True))
    array.make("security/accounts", account | {"role": "namer", "applications": by_password})

    def status(method: str, body: Any) -> int:
        answer = array.client.open(path, method=method, json=body, auth=lesser)
        array.settle()
        return answer.status_code

    by_provider = [{"application": "http", "authentication_methods": ["oidc"]}]
    array.make("security/accounts", {"name": "chief", "applications": by_provider})
    assert status("POST", SETTINGS) == 403
    array.make(PATH, SETTINGS)
    for change in ({"remote_user_claim": "nickname"}, {"client_secret": "mine"}):
        assert status("PATCH", change) == 403
