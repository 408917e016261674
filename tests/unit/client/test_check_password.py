"""PAM's question, answered by the API."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from served import Quiet
from simulator import Simulator, simulated
from werkzeug.serving import make_server

from sanstone.client.check_password import check

RIGHT = b"a long Password 1"
pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="the API believes root alone")


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array with an account that comes in by SSH alone, and one for HTTP alone."""
    with simulated(tmp_path) as simulator:
        for name in ("ssh", "http"):
            ways = [{"application": name, "authentication_methods": ["password"]}]
            body = {"name": f"by_{name}", "password": RIGHT.decode(), "applications": ways}
            simulator.do("POST", "security/accounts", body)
        where, app = f"unix://{tmp_path / 'api.sock'}", simulator.client.application
        server = make_server(where, 0, app, threaded=True, request_handler=Quiet)
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield simulator
        server.shutdown()
        thread.join()
        server.server_close()


def exit_status(array: Simulator, user: str, password: bytes, **more: str) -> int:
    """Ask as PAM does, and return the exit status."""
    environment = {
        "PAM_TYPE": "auth",
        "PAM_SERVICE": "sshd",
        "PAM_USER": user,
        "PAM_RHOST": "192.0.2.7",
        "SANSTONE_RUN": str(array.folder),
    }
    return check(environment | more, io.BytesIO(password + b"\0"))


def test_passwords(array: Simulator) -> None:
    assert exit_status(array, "by_ssh", RIGHT) == 0
    assert exit_status(array, "by_ssh", b"wrong") == 1
    assert exit_status(array, "nobody_at_all", RIGHT) == 1
    assert exit_status(array, "by_ssh", b"") == 1


def test_an_account_comes_in_only_where_it_may(array: Simulator) -> None:
    assert exit_status(array, "by_http", RIGHT) == 1
    assert exit_status(array, "by_ssh", RIGHT, PAM_SERVICE="login") == 1


def test_other_services_and_phases_get_no_answer(
    array: Simulator, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_status(array, "by_ssh", RIGHT, PAM_SERVICE="su") == 2
    assert exit_status(array, "by_ssh", RIGHT, PAM_TYPE="account") == 2
    assert "not for PAM's service 'su'" in capsys.readouterr().err


def test_failures_are_counted_by_where_they_come_from(
    array: Simulator, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(5):
        assert exit_status(array, "by_ssh", b"wrong") == 1
    assert exit_status(array, "by_ssh", RIGHT) == 2
    assert "Too many failed logins; try again in 1 s." in capsys.readouterr().err
    assert exit_status(array, "by_ssh", RIGHT, PAM_RHOST="192.0.2.8") == 0


def test_no_api_is_no_login(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"PAM_TYPE": "auth", "PAM_SERVICE": "sshd", "PAM_USER": "admin"}
    status = check(environment | {"SANSTONE_RUN": str(tmp_path)}, io.BytesIO(b"x\0"))
    assert status == 2 and "does not answer" in capsys.readouterr().err
