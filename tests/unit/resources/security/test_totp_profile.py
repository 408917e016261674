"""Profiles for codes, and the accounts that need a code."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import LOGIN, Array
from logins import ACCOUNTS, HTTP, PASSWORD, account, as_, role, status
from standing_clock import now

from sanstone.core.database.store import reading
from sanstone.http.sessions import HEADER
from sanstone.model.security import Totp
from sanstone.security import totp

PROFILES = "security/login/totps"
SESSION = "/api/security/session"
HTTPS = "https://array.example"
ASKING = [{**HTTP[0], "second_authentication_method": "totp"}]
ONCE = {"secret_key", "install_url", "verification_code", "emergency_codes"}


def enrol(api: Array, name: str) -> dict[str, Any]:
    """Create a profile, and return the facts that are shown once."""
    return api.make(PROFILES, {"account": {"name": name}})


def code_of(profile: dict[str, Any], ahead: int = 0) -> str:
    """Return an app's code."""
    return totp.code_of(profile["secret_key"], totp.step_at(now()) + ahead)


def log_in(api: Array, name: str, password: str = PASSWORD, **more: str) -> Any:
    """Log in to the web interface."""
    body = {"name": name, "password": password, **more}
    return api.client.post(SESSION, json=body, base_url=HTTPS)


def test_a_secret_is_shown_once(api: Array) -> None:
    account(api, "joe")
    answer = api.call("POST", PROFILES, {"account.name": "joe", "comment": "a phone"})
    assert answer.status_code == 201
    [record] = answer.get_json()["records"]
    assert record.keys() > ONCE, "without fields in the query"
    assert record["install_url"].startswith("otpauth://totp/array1:joe?secret=")
    assert record["secret_key"] in record["install_url"]
    assert record["verification_code"] in {code_of(record, -1), code_of(record)}
    [profile_record] = api.records(f"{PROFILES}?fields=**")
    assert not profile_record.keys() & ONCE
    assert (profile_record["enabled"], profile_record["comment"]) == (True, "a phone")
    assert profile_record["sha_fingerprint"] == record["sha_fingerprint"]
    messages = api.records("security/audit/messages?fields=**")
    jobs = api.records("cluster/jobs?fields=**")
    assert record["secret_key"] not in str([messages, jobs])
    api.refuse("POST", PROFILES, "1", {"account.name": "joe"})
    api.refuse("POST", PROFILES, "1261218", {"account.name": "nobody"})
    api.refuse("GET", f"{PROFILES}/{profile_record['owner']['uuid']}/nobody", "4")


def test_the_web_interface_requires_a_code_and_basic_authentication_is_refused(api: Array) -> None:
    path = account(api, "joe")
    api.patch(path, {"applications": ASKING})
    assert api.get(path)["applications"][0]["second_authentication_method"] == "totp"
    assert "TOTP profile" in log_in(api, "joe").get_json()["error"]["message"]
    profile = enrol(api, "joe")
    response = as_(api, "joe", "GET", "cluster")
    assert response.status_code == 401
    assert "/api/security/session" in response.get_json()["error"]["message"]
    assert status(api, "joe", "GET", "cluster", password="wrong") == 401
    for more in ({}, {"verification_code": "1"}):
        error = log_in(api, "joe", **more).get_json()["error"]
        assert error["target"] == "verification_code"
    wrong = log_in(api, "joe", "wrong", verification_code=code_of(profile)).get_json()["error"]
    assert wrong == log_in(api, "nobody", "wrong").get_json()["error"], "it reveals nothing"
    login = log_in(api, "joe", verification_code=code_of(profile))
    assert login.status_code == 201
    assert api.client.get("/api/cluster", base_url=HTTPS).status_code == 200
    api.client.delete(SESSION, headers={HEADER: login.get_json()["csrf_token"]}, base_url=HTTPS)
    by_emergency = log_in(api, "joe", verification_code=profile["emergency_codes"][2])
    assert by_emergency.status_code == 201
    text = "x" * 33
    assert log_in(api, "joe", verification_code=text).status_code == 400


def test_a_session_from_before_the_code_was_required_ends(api: Array) -> None:
    path = account(api, "joe")
    enrol(api, "joe")
    assert log_in(api, "joe").status_code == 201
    api.patch(path, {"applications": ASKING})
    assert api.client.get("/api/cluster", base_url=HTTPS).status_code == 401


def test_a_profile_is_disabled_enabled_and_deleted(api: Array) -> None:
    path = account(api, "joe", applications=ASKING)
    profile = enrol(api, "joe")
    mine = f"{PROFILES}/{profile['owner']['uuid']}/joe"
    api.patch(mine, {"enabled": False})
    assert log_in(api, "joe", verification_code=code_of(profile)).status_code == 403
    api.patch(mine, {"enabled": True, "comment": "found again"})
    assert log_in(api, "joe", verification_code=code_of(profile)).status_code == 201
    api.delete(mine)
    another = enrol(api, "joe")
    assert another["secret_key"] != profile["secret_key"]
    assert log_in(api, "joe", verification_code=code_of(another)).status_code == 201
    api.delete(path)
    with reading(api.database) as session:
        assert session.query(Totp).count() == 0


def test_the_last_administrator_keeps_the_profile_that_it_needs(api: Array) -> None:
    [admin] = [
        f"{ACCOUNTS}/{r['owner']['uuid']}/admin" for r in api.records(f"{ACCOUNTS}?fields=*")
    ]
    api.refuse("PATCH", admin, "7077896", {"applications": ASKING})
    profile = enrol(api, "admin")
    api.patch(admin, {"applications": ASKING})
    assert api.call("GET", "cluster").status_code == 401
    session = log_in(api, *LOGIN, verification_code=code_of(profile)).get_json()
    mine = f"/api/{PROFILES}/{profile['owner']['uuid']}/admin"
    headers = {HEADER: session["csrf_token"]}
    for method, body in (("PATCH", {"enabled": False}), ("DELETE", None)):
        answer = api.client.open(mine, method=method, json=body, headers=headers, base_url=HTTPS)
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (409, "7077896")


def test_nobody_creates_a_profile_for_a_mightier_account(api: Array) -> None:
    role(api, "helper", security__login__totps="all", cluster="readonly")
    account(api, "helper", "helper")
    account(api, "joe")
    assert status(api, "helper", "POST", PROFILES, {"account.name": "joe"}) == 403
    assert status(api, "helper", "POST", PROFILES, {"account.name": "helper"}) == 201
    assert status(api, "joe", "POST", PROFILES, {"account.name": "joe"}) == 403


@pytest.mark.parametrize(
    "entry",
    [
        {"application": "console", "authentication_methods": ["password"]},
        {"application": "ontapi", "authentication_methods": ["password"]},
        {"application": "http", "authentication_methods": ["password", "certificate"]},
        {
            "application": "http",
            "authentication_methods": ["nsswitch"],
            "is_ns_switch_group": True,
        },
    ],
)
def test_logins_that_cannot_ask_for_a_code_are_refused_one(
    api: Array, entry: dict[str, Any]
) -> None:
    entry |= {"second_authentication_method": "totp"}
    error = api.refuse("POST", ACCOUNTS, "5636176", {"name": "joe", "applications": [entry]})
    assert error["target"] == "applications.second_authentication_method"
