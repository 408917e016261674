"""Who may call, and for what."""

from __future__ import annotations

import base64
import json

import pytest
from toy_api import LOGIN, VIEWER, Toys, refusal_message

from sanstone.core.database.store import reading, writing
from sanstone.model.security import Account, Failures

DENIED = {"error": {"message": "not authorized for that command", "code": "6691623"}}


def _basic(text: bytes) -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(text).decode()}"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        _basic(b"admin:wrong"),
        _basic(b"nobody:a password"),
        _basic(b"admin"),
        _basic(b":"),
        _basic(b""),
        _basic(b"\xff\xfe:\xff"),
        {"Authorization": "Basic !!!"},
        {"Authorization": "Basic"},
        {"Authorization": "Bearer abc"},
        {"Authorization": ""},
    ],
)
@pytest.mark.parametrize("path", ["svm/svms", "no/such/thing", "toys/room/"])
def test_without_a_valid_login_nothing_is_shown(
    api: Toys, headers: dict[str, str], path: str
) -> None:
    response = api.call("GET", path, auth=None, headers=headers)
    assert response.status_code == 401
    assert json.loads(response.data) == DENIED
    assert response.headers["WWW-Authenticate"].startswith("Basic ")
    assert response.mimetype == "application/hal+json"


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST", "PATCH", "DELETE"])
def test_every_method_needs_a_login(api: Toys, method: str) -> None:
    assert api.call(method, "svm/svms", auth=None).status_code == 401


def test_a_password_may_hold_any_character(api: Toys) -> None:
    from sanstone.security import password_hashes

    with writing(api.database) as session:
        account = session.query(Account).filter_by(name="admin").one()
        account.password = password_hashes.hash_password("Öffne: dich")
    response = api.call("GET", "svm/svms", auth=None, headers=_basic("admin:Öffne: dich".encode()))
    assert response.status_code == 200


@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["svm/svms", "toys/shelves/x", "toys/room", "no/such/thing"])
def test_readonly_may_not_change_anything(api: Toys, method: str, path: str) -> None:
    refusal_message(api.call(method, path, {"name": "x"}, auth=VIEWER), 403, "6")


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_readonly_may_look_at_everything(api: Toys, method: str) -> None:
    assert api.call(method, "svm/svms", auth=VIEWER).status_code == 200


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 202)]
)
def test_a_page_of_another_site_may_not_change_anything(api: Toys, site: str, status: int) -> None:
    """A browser that once asked for the password sends it along with another site's form too."""
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    form = {"headers": headers, "content_type": "text/plain"}
    assert api.call("POST", "svm/svms", b'{"name": "x"}', **form).status_code == status
    assert api.call("GET", "svm/svms", headers=headers).status_code == 200


def test_a_role_that_there_is_not_allows_nothing(api: Toys) -> None:
    with writing(api.database) as session:
        session.query(Account).filter_by(name="admin").one().role = "vsadmin"
    refusal_message(api.call("GET", "svm/svms"), 403, "6")


def _failing_from(api: Toys, address: str, peer: str) -> None:
    api.call(
        "GET",
        "svm/svms",
        auth=("admin", "wrong"),
        headers={"X-Forwarded-For": address},
        environ_overrides={"REMOTE_ADDR": peer},
    )


def _failures(api: Toys) -> dict[str, int]:
    with reading(api.database) as session:
        return {row.address: row.count for row in session.query(Failures)}


def test_failures_are_counted_for_the_address_that_the_proxy_names(api: Toys) -> None:
    for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2"):
        _failing_from(api, address, peer="")
    assert _failures(api) == {"10.0.0.1": 2, "10.0.0.2": 1}


def test_a_peer_with_an_address_of_its_own_is_not_believed_another(api: Toys) -> None:
    _failing_from(api, "10.0.0.1", peer="10.0.0.9")
    assert _failures(api) == {"10.0.0.9": 1}


def test_a_client_cannot_choose_the_address_that_it_fails_from(api: Toys) -> None:
    for number in range(8):
        headers = {"X-Real-IP": f"10.0.0.{number}", "Forwarded": f"for=10.0.0.{number}"}
        api.call("GET", "svm/svms", auth=("admin", "wrong"), headers=headers)
    assert api.call("GET", "svm/svms").status_code == 429


def test_a_throttled_client_gets_the_time_to_retry_and_nothing_of_the_account(
    api: Toys,
) -> None:
    answers = []
    for name in ("admin", "nobody"):
        for _ in range(5):
            api.call("GET", "svm/svms", auth=(name, "wrong"))
        response = api.call("GET", "svm/svms", auth=(name, LOGIN[1]))
        refusal_message(response, 429, "65538")
        answers.append((response.headers["Retry-After"], response.data))
    assert answers[0] == answers[1]
    assert answers[0][0] == "1"


def test_the_description_of_the_api_is_public_and_built_once(
    api: Toys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise AssertionError("anybody could have it built again and again")

    monkeypatch.setattr(api.client.application.json, "dumps", refuse)
    assert api.call("GET", "openapi.json", auth=None).status_code == 200
    assert api.call("GET", "declarations.json", auth=None).status_code == 200
