"""Sessions of the web interface, as a browser has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from standing_clock import Clock
from toy_api import LOGIN, VIEWER, Toys, answer, refusal_message
from werkzeug.test import TestResponse

from sanstone.core.database.store import reading, writing
from sanstone.http.sessions import BROWSER, COOKIE, HEADER, POLL
from sanstone.model.activity import WebSession
from sanstone.model.security import Account, Failures
from sanstone.security import activity, password_hashes, sessions

PATH = "security/session"
HTTPS = "https://array.example"


class Browser:
    """A browser: it keeps the cookie, and sends the header that its page has it send."""

    def __init__(self, api: Toys) -> None:
        self.api = api
        self.token = ""

    def log_in(self, login: tuple[str, str] = LOGIN) -> TestResponse:
        """Log in, and keep the token of the answer."""
        body = {"name": login[0], "password": login[1]}
        response = self.call("POST", PATH, body)
        self.token = response.get_json().get("csrf_token", "")
        return response

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> TestResponse:
        """Send a request as a page's script does."""
        headers = {"Sec-Fetch-Mode": "cors"} | ({HEADER: self.token} if self.token else {})
        options = {"auth": None, "headers": headers, "base_url": HTTPS} | more
        return self.api.call(method, path, body, **options)


@pytest.fixture
def browser(api: Toys, clock: Clock) -> Browser:
    """A browser that is not logged in."""
    return Browser(api)


def test_a_login_returns_privileges_and_a_cookie(browser: Browser) -> None:
    response = browser.log_in(VIEWER)
    session_record = answer(response, 201)
    assert session_record["account"] == {"name": "viewer", "role": {"name": "readonly"}}
    assert session_record["privileges"] == [{"path": "/api", "access": "readonly"}]
    assert (session_record["idle_timeout"], session_record["password_expired"]) == ("PT30M", False)
    for name, cookie in zip((COOKIE, BROWSER), response.headers.getlist("Set-Cookie"), strict=True):
        for part in (f"{name}=", "Secure", "HttpOnly", "SameSite=Strict", "Path=/"):
            assert part in cookie
        assert "Domain" not in cookie
        assert ("Max-Age" in cookie) is (name == BROWSER), "it ends with the browser"
    assert response.headers["Cache-Control"] == "no-store"
    assert browser.call("GET", "svm/svms").status_code == 200


def test_a_page_that_is_loaded_again_finds_its_session(browser: Browser) -> None:
    browser.log_in()
    browser.token, token = "", browser.token
    assert answer(browser.call("GET", PATH), 200)["csrf_token"] == token


@pytest.mark.parametrize("login", [("admin", "wrong"), ("nobody", LOGIN[1]), ("", "")])
def test_a_wrong_password_gives_no_session(browser: Browser, login: tuple[str, str]) -> None:
    response = browser.log_in(login)
    refusal_message(response, 401, "6691623")
    assert "Set-Cookie" not in response.headers
    # A browser would show a window of its own.
    assert "WWW-Authenticate" not in response.headers
    with reading(browser.api.database) as session:
        assert session.scalars(select(Failures)).one().count == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "2"),
        (b"[]", "2"),
        (b'{"name": "admin"}', "2"),
        (b'{"password": "x"}', "2"),
        (b'{"name": 7, "password": "x"}', "262197"),
        (b'{"name": "admin", "password": "x\\u0000"}', "262197"),
        (b'{"name": "admin", "password": "x", "more": 1}', "262179"),
    ],
)
def test_a_bad_form_is_refused(browser: Browser, body: bytes, code: str) -> None:
    response = browser.call("POST", PATH, body, content_type="application/json")
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, code)


def test_a_form_of_another_sites_page_is_refused(browser: Browser) -> None:
    body = b'{"name": "admin", "password": "pass-word 7"}'
    assert browser.call("POST", PATH, body, content_type="text/plain").status_code == 400


@pytest.mark.parametrize("token", ["", "0" * 64, "ü"])
def test_a_change_without_the_token_is_refused(browser: Browser, token: str) -> None:
    browser.log_in()
    headers = {HEADER: token} if token else {}
    response = browser.call("POST", "svm/svms", {"name": "x"}, headers=headers)
    refusal_message(response, 403, "6")
    assert browser.call("DELETE", PATH, headers=headers).status_code == 403
    assert browser.call("GET", "svm/svms", headers=headers).status_code == 200


def test_a_change_with_the_token_counts_for_the_account(browser: Browser) -> None:
    browser.log_in()
    assert browser.call("POST", "svm/svms", {"name": "x"}).status_code == 202
    browser.log_in(VIEWER)
    refusal_message(browser.call("POST", "svm/svms", {"name": "y"}), 403, "6")


def test_the_token_of_one_session_is_not_that_of_another(browser: Browser) -> None:
    browser.log_in()
    first = browser.token
    browser.log_in()
    assert browser.token != first
    refusal_message(
        browser.call("POST", "svm/svms", {"name": "x"}, headers={HEADER: first}), 403, "6"
    )


def test_logging_out_ends_the_session_for_good(browser: Browser) -> None:
    response = browser.log_in()
    cookie = response.headers["Set-Cookie"].partition(";")[0]
    first = browser.call("DELETE", PATH)
    assert first.status_code == 200
    assert f"{COOKIE}=;" in first.headers["Set-Cookie"]
    second = browser.call("GET", "svm/svms", headers={"Cookie": cookie})
    assert second.status_code == 401


def test_a_session_ends_after_half_an_hour_without_a_request(
    browser: Browser, clock: Clock
) -> None:
    browser.log_in()
    for _ in range(4):
        clock.now += sessions.IDLE - 1
        assert browser.call("GET", "svm/svms").status_code == 200
    clock.now += sessions.IDLE + 1
    assert browser.call("GET", "svm/svms").status_code == 401


def test_looking_for_changes_does_not_keep_a_session_alive(browser: Browser, clock: Clock) -> None:
    browser.log_in()
    headers = {POLL: "true"}
    for _ in range(3):
        clock.now += sessions.IDLE / 3
        assert browser.call("GET", "svm/svms", headers=headers).status_code == 200
    clock.now += 1
    assert browser.call("GET", "svm/svms", headers=headers).status_code == 401
    assert browser.call("GET", "svm/svms").status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "value"), [("GET", "svm/svms", "false"), ("POST", "svm/svms", "true")]
)
def test_other_requests_keep_a_session_alive(
    browser: Browser, clock: Clock, method: str, path: str, value: str
) -> None:
    browser.log_in()
    clock.now += sessions.IDLE - 1
    headers = {POLL: value, HEADER: browser.token}
    body = {"name": "x"} if method == "POST" else None
    assert browser.call(method, path, body, headers=headers).status_code < 300
    clock.now += sessions.IDLE - 1
    assert browser.call("GET", "svm/svms").status_code == 200


def test_no_session_lasts_longer_than_half_a_day(browser: Browser, clock: Clock) -> None:
    browser.log_in()
    end = clock.now + sessions.LONGEST
    while clock.now + 1000 < end:
        clock.now += 1000
        assert browser.call("GET", "svm/svms").status_code == 200
    clock.now += 1000
    assert browser.call("GET", "svm/svms").status_code == 401


@pytest.mark.parametrize(
    "change",
    [
        lambda account: setattr(account, "locked", True),
        lambda account: setattr(account, "applications", []),
        lambda account: setattr(account, "password", password_hashes.hash_password("another")),
    ],
)
def test_a_changed_account_ends_its_sessions(
    browser: Browser, change: Callable[[Account], None]
) -> None:
    browser.log_in(VIEWER)
    with writing(browser.api.database) as session:
        change(session.query(Account).filter_by(name="viewer").one())
    assert browser.call("GET", "svm/svms").status_code == 401


def test_a_copied_database_gives_no_session_away(browser: Browser) -> None:
    token = browser.log_in().headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    with reading(activity.engine()) as session:
        stored = session.scalars(select(WebSession.token)).one()
    assert stored != token
    other = Toys(browser.api.client.application.test_client(), browser.api.database)
    forged = other.call("GET", "svm/svms", auth=None, headers={"Cookie": f"{COOKIE}={stored}"})
    assert forged.status_code == 401


def test_an_account_has_a_bounded_number_of_sessions(browser: Browser, clock: Clock) -> None:
    for _ in range(sessions.MOST + 3):
        browser.log_in()
        clock.now += 1
    with reading(activity.engine()) as session:
        assert len(session.scalars(select(WebSession)).all()) == sessions.MOST


def test_a_program_with_a_password_needs_no_token(api: Toys) -> None:
    assert api.call("POST", "svm/svms", {"name": "x"}).status_code == 202
    record = api.get(PATH)
    assert record["account"]["name"] == "admin"
    assert "csrf_token" not in record


def test_a_known_browser_logs_in_whatever_others_do_at_its_address(
    browser: Browser,
) -> None:
    browser.log_in()
    assert browser.call("DELETE", PATH).status_code == 200
    stranger = Browser(Toys(browser.api.client.application.test_client(), browser.api.database))
    guesses = [stranger.log_in(("admin", f"guess {number}")).status_code for number in range(50)]
    assert guesses == [401] * 5 + [429] * 45
    refusal_message(stranger.log_in(), 429, "65538")
    assert browser.log_in().status_code == 201


@pytest.mark.parametrize("field", ["name", "password"])
def test_an_oversized_login_is_refused_at_once(browser: Browser, field: str) -> None:
    body = {"name": "admin", "password": "x"} | {field: "x" * 500_000}
    refusal_message(browser.call("POST", PATH, body), 400, "262197", field)
    with reading(browser.api.database) as session:
        assert session.scalars(select(Failures)).all() == []
