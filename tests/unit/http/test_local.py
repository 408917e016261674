"""Callers on this machine are who the kernel says they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from served import Quiet
from simulator import LOGIN, Simulator, simulated
from sqlalchemy import select
from standing_clock import now
from werkzeug.serving import make_server

from sanstone.client.connection import Way, local
from sanstone.client.errors import NotAuthenticated
from sanstone.client.rest import Array
from sanstone.core.database.store import reading
from sanstone.model.security import Account, Totp
from sanstone.security import logins, totp


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array that serves both of its sockets."""
    with simulated(tmp_path) as simulator:
        app, servers = simulator.client.application, []
        for name in ("api.sock", "shell.sock"):
            where = f"unix://{tmp_path / name}"
            servers.append(make_server(where, 0, app, threaded=True, request_handler=Quiet))
        threads = [Thread(target=server.serve_forever, daemon=True) for server in servers]
        for thread in threads:
            thread.start()
        yield simulator
        for server, thread in zip(servers, threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()


def client(array: Simulator, name: str, **headers: str) -> Array:
    """Return a client of one of the sockets."""
    way = local(str(array.folder / name))
    header_names = {key.replace("_", "-"): text for key, text in headers.items()}
    return Array(Way(way.connect, header_names))


def am(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Make the user who runs the tests that of an account."""
    real = logins.user_id

    def user_id(account: Account) -> int:
        return os.getuid() if account.name == name else real(account)

    monkeypatch.setattr(logins, "user_id", user_id)


def test_the_shells_socket_needs_no_password(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    am(monkeypatch, LOGIN[0])
    shell = client(array, "shell.sock")
    assert shell.get("security/session")["account"]["name"] == LOGIN[0]
    assert shell.create("svm/svms", {"name": "svm1"})["name"] == "svm1"
    shell.close()


def am_viewer(array: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be an account that may only look, and by SSH alone."""
    body = {
        "name": "viewer",
        "role": "readonly",
        "password": "a long Password 1",
        "applications": [{"application": "ssh", "authentication_methods": ["password"]}],
    }
    array.do("POST", "security/accounts", body)
    am(monkeypatch, "viewer")


def test_a_user_without_an_account_gets_nothing(array: Simulator) -> None:
    shell = client(array, "shell.sock")
    with pytest.raises(NotAuthenticated):
        shell.get("cluster")
    shell.close()


def test_no_header_makes_one_another_account(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    am_viewer(array, monkeypatch)
    shell = client(array, "shell.sock", Authorization="Basic YWRtaW46YSBwYXNzd29yZA==")
    assert shell.get("security/session")["account"]["name"] == "viewer"
    shell.close()


def test_a_locked_account_is_out_at_once(array: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    am_viewer(array, monkeypatch)
    shell = client(array, "shell.sock")
    shell.get("cluster")
    owner = array.get("security/accounts?name=viewer&fields=owner")["records"][0]["owner"]
    array.do("PATCH", f"security/accounts/{owner['uuid']}/viewer", {"locked": True})
    with pytest.raises(NotAuthenticated):
        shell.get("cluster")
    shell.close()


@pytest.fixture
def secret(array: Simulator, monkeypatch: pytest.MonkeyPatch) -> str:
    """The secret key of the caller's account, whose `ssh` asks for codes."""
    am_viewer(array, monkeypatch)
    array.do("POST", "security/login/totps", {"account.name": "viewer"})
    with reading(array.database) as session:
        key = session.scalars(select(Totp.secret_key)).one()
    entry = {
        "application": "ssh",
        "authentication_methods": ["password"],
        "second_authentication_method": "totp",
    }
    owner = array.get("security/accounts?name=viewer&fields=owner")["records"][0]["owner"]
    array.do("PATCH", f"security/accounts/{owner['uuid']}/viewer", {"applications": [entry]})
    return str(key)


def code_of(secret: str, ahead: int = 0) -> str:
    """Return an app's code."""
    return totp.code_of(secret, totp.step_at(now()) + ahead)


def test_without_a_code_the_shell_reaches_nothing(array: Simulator, secret: str) -> None:
    shell = client(array, "shell.sock")
    for path in ("cluster", "security/session", "security/accounts"):
        with pytest.raises(NotAuthenticated) as error:
            shell.get(path)
        assert error.value.target == "verification_code"
    with pytest.raises(NotAuthenticated):
        own = {"name": "viewer", "password": "another Password 2"}
        shell.create("security/authentication/password", own)
    shell.close()


def test_the_shell_prompts_for_a_code_and_goes_on(array: Simulator, secret: str) -> None:
    codes, prompts = ["000000", code_of(secret)], []

    def ask(why: str) -> str:
        prompts.append(why)
        return codes.pop(0)

    with Array(local(str(array.folder / "shell.sock")), ask) as shell:
        assert shell.get("security/session")["account"]["name"] == "viewer"
        assert prompts == ["", "The code is wrong, or was used already."]
        shell.get("cluster")
        assert not codes, "once for all calls"
        cookie = shell._session["Cookie"]
        shell.log_out()
    again = client(array, "shell.sock", Cookie=cookie)
    with pytest.raises(NotAuthenticated):
        again.get("cluster")
    again.close()


def test_without_a_code_the_shell_gives_the_reason(array: Simulator, secret: str) -> None:
    prompts: list[str] = []

    def ask(why: str) -> str:
        prompts.append(why)
        return "000000"

    with Array(local(str(array.folder / "shell.sock")), ask) as shell:
        with pytest.raises(NotAuthenticated, match="wrong, or was used"):
            shell.get("cluster")
        assert len(prompts) == 3
        with (
            shell.without_asking(),
            pytest.raises(NotAuthenticated, match="needs a verification code"),
        ):
            shell.get("cluster")
        assert len(prompts) == 3


def test_the_apis_socket_trusts_nobody_without_a_password(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    am(monkeypatch, LOGIN[0])
    other = client(array, "api.sock")
    with pytest.raises(NotAuthenticated):
        other.get("cluster")
    other.close()


def test_the_shells_changes_are_in_the_audit_log(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    am(monkeypatch, LOGIN[0])
    shell = client(array, "shell.sock", X_Forwarded_For="192.0.2.7")
    shell.create("svm/svms", {"name": "svm1"})
    shell.close()
    query = "security/audit/messages?input=POST*svms*&fields=application,location,user"
    (entry,) = array.get(query)["records"]
    assert (entry["application"], entry["location"], entry["user"]) == ("ssh", "192.0.2.7", "admin")
