"""The program: arguments, exit statuses, both ways to an array."""

from __future__ import annotations

import io
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from served import served
from simulator import LOGIN

from sanstone.shell import main, running
from sanstone.shell.errors import AWAY, Idle


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> object:
    """An array's address and a file with its password."""
    folder = tmp_path_factory.mktemp("array")
    with served(folder) as (_, array):
        password = folder / "password"
        password.write_text(f"{LOGIN[1]}\n")
        connection = array._way.connect()
        url = f"http://{connection.host}:{connection.port}"
        yield ["--url", url, "--password-file", str(password)]


def status(monkeypatch: pytest.MonkeyPatch, *argv: str) -> int | str | None:
    monkeypatch.setattr(sys, "argv", ["sanstone-shell", *argv])
    with pytest.raises(SystemExit) as caught:
        main.main()
    return caught.value.code


@pytest.mark.parametrize("argv", [["-c", "disk show"], ["disk", "show"]])
def test_a_single_line_runs(
    address: list[str],
    argv: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status(monkeypatch, *address, *argv) == 0
    assert "1.0.1" in capsys.readouterr().out


def test_a_line_from_sshd(
    address: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SSH_ORIGINAL_COMMAND", "version")
    assert status(monkeypatch, *address, "-c", main.FORCED) == 0
    assert capsys.readouterr().out.startswith("Sanstone")


def test_a_failure_sets_the_exit_status(
    address: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(monkeypatch, *address, "-c", "disk shw") == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == 'Error: "shw" is not a recognized command. Did you mean "show"?\n'


def test_lines_of_another_program(
    address: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("version\nfoo\nrows 3\n"))
    assert status(monkeypatch, *address) == 1
    assert capsys.readouterr().out.startswith("Sanstone")


def test_a_wrong_password(
    address: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    wrong = tmp_path / "password"
    wrong.write_text("wrong")
    arguments = [*address[:2], "--password-file", str(wrong)]
    assert status(monkeypatch, *arguments, "version") == main.UNREACHABLE
    assert capsys.readouterr().err == "Error: not authorized for that command\n"


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (["--url", "ftp://x", "--password-file", "/dev/null"], "not of the form https://"),
        (["--url", "https://127.0.0.1:1", "--password-file", "/dev/null"], "does not answer"),
        (["--url", "https://x", "--password-file", "/nowhere"], "No such file"),
    ],
)
def test_no_array(
    argv: list[str],
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status(monkeypatch, *argv, "version") == main.UNREACHABLE
    assert text in capsys.readouterr().err


def test_times_are_those_of_the_arrays_zone(
    address: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def time_of_jobs(zone: str) -> datetime:
        assert status(monkeypatch, *address, f"cluster identity modify -timezone {zone}") == 0
        capsys.readouterr()
        line = 'set -showseparator ","; job show -fields start-time -start-time >01/01/1970'
        assert status(monkeypatch, *address, line) == 0
        return datetime.strptime(capsys.readouterr().out.split(",")[-2], "%m/%d/%Y %H:%M:%S")

    assert time_of_jobs("Asia/Tokyo") - time_of_jobs("Etc/UTC") == timedelta(hours=9)


def test_without_an_address_the_arrays_own_socket_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SANSTONE_RUN", str(tmp_path))
    assert status(monkeypatch, "version") == main.UNREACHABLE
    assert "does not answer: No such file or directory" in capsys.readouterr().err


def test_a_question_that_nobody_answers_is_a_failure(
    address: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(_session: object, _line: str) -> int:
        raise Idle

    monkeypatch.setattr(running, "run", nobody)
    assert status(monkeypatch, *address, "-c", "vserver delete svm1") == 1
    assert AWAY in capsys.readouterr().err
