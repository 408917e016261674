"""The API admits a number of requests at once; the others get an answer at once."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, g
from werkzeug.test import create_environ

from image.repository import REPOSITORY
from sanstone.core import errors
from sanstone.http import admission
from sanstone.http.admission import Admission

FLOOD, ADMINISTRATOR = "192.0.2.1", "192.0.2.2"


class Answer:
    """An answer under way: its status is known, and some of it is still to be sent."""

    def __init__(self, application: Admission, address: str) -> None:
        environ = create_environ("/api/cluster", headers={"X-Forwarded-For": address})
        environ["REMOTE_ADDR"] = ""
        self._answer = application(environ, self._start)
        next(self._answer)

    def _start(self, status: str, headers: Any, _error: Any = None) -> Any:
        self.status, self.headers = status[:3], dict(headers)

    def send(self) -> None:
        """Send the rest."""
        assert list(self._answer) == [b"the rest"]

    def give_up(self) -> None:
        """Be cut off."""
        self._answer.close()


@pytest.fixture
def application() -> Admission:
    """Four requests at once, the last two of them for those who have none under way."""

    def inner(_environ: Any, start: Any) -> Iterator[bytes]:
        start("200 OK", [])
        return iter([b"begun", b"the rest"])

    return Admission(inner, most=4, others=2)


def test_a_surplus_request_is_refused_at_once(application: Admission) -> None:
    admitted = [Answer(application, FLOOD) for _ in range(2)]
    surplus = Answer(application, FLOOD)
    assert [each.status for each in admitted] == ["200", "200"]
    assert (surplus.status, surplus.headers["Retry-After"]) == ("503", "5")


@pytest.mark.parametrize("end", [Answer.send, Answer.give_up])
def test_an_answer_that_was_sent_leaves_its_place(application: Admission, end: Any) -> None:
    admitted = [Answer(application, FLOOD) for _ in range(2)]
    end(admitted[0])
    assert Answer(application, FLOOD).status == "200"
    assert Answer(application, FLOOD).status == "503"


def test_a_finished_answer_holds_no_place() -> None:
    """Most answers are of one piece, which clients take at their own pace."""

    def inner(_environ: Any, start: Any) -> list[bytes]:
        start("200 OK", [])
        return [b"all of it"]

    application = Admission(inner, most=1, others=0)
    assert [Answer(application, FLOOD).status for _ in range(3)] == ["200"] * 3


def test_a_flooding_client_does_not_keep_others_out(application: Admission) -> None:
    flood = [Answer(application, FLOOD) for _ in range(9)]
    others = [Answer(application, f"192.0.2.{host}") for host in (2, 3, 4)]
    assert [each.status for each in flood] == ["200"] * 2 + ["503"] * 7
    assert [each.status for each in others] == ["200", "200", "503"]


def test_a_failed_request_leaves_its_place() -> None:
    def broken(_environ: Any, _start: Any) -> Any:
        raise ZeroDivisionError

    application = Admission(broken, most=1, others=0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            Answer(application, FLOOD)


def test_a_worker_has_a_thread_that_refuses() -> None:
    settings = runpy.run_path(str(REPOSITORY / "overlay/usr/share/sanstone/gunicorn.conf.py"))
    assert settings["threads"] > admission.MOST


@pytest.fixture
def two_callers(monkeypatch: pytest.MonkeyPatch) -> Flask:
    """An application that has one reader at a time, and lets none wait. The path is who calls."""
    monkeypatch.setattr(admission, "READERS", 1)
    monkeypatch.setattr(admission, "ROOM", 0)
    app = Flask("two callers", static_folder=None)

    @app.before_request
    def _identify() -> None:
        g.actor = SimpleNamespace(account="admin", address=ADMINISTRATOR)

    admission.install(app)
    statuses: list[int] = []

    def ask(method: str) -> None:
        statuses.append(app.test_client().open("/quick", method=method).status_code)

    @app.get("/long")
    def _long() -> list[int]:
        for method in ("GET", "POST"):
            thread = Thread(target=ask, args=(method,))
            thread.start()
            thread.join()
        return statuses

    @app.route("/quick", methods=["GET", "POST"])
    def _quick() -> str:
        return ""

    @app.errorhandler(errors.ApiError)
    def _refusal(error: errors.ApiError) -> tuple[str, int]:
        return error.message, error.status

    return app


def test_of_requests_that_read_only_some_are_worked_on_at_once(two_callers: Flask) -> None:
    client = two_callers.test_client()
    assert client.get("/long").get_json() == [503, 200], "a change waits for its turn elsewhere"
    assert client.get("/quick").status_code == 200, "the place was left"
