"""The agent that is started over SSH: commands, connections, machines that cannot be reached."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from standing_clock import Clock

from lab.agent import TIMED_OUT, GuestTimeout
from lab.paths import LAB_SOURCE
from lab.secure_shell import SecureShell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SecureShell]:
    """A shell whose agent runs here: `ssh` is a script that notes its calls."""
    source = LAB_SOURCE / "guest/common/usr/lib/sanstone-lab/agent.py"
    agent = tmp_path / "agent.py"
    agent.write_text(source.read_text().replace("/root", str(tmp_path)))
    ssh = tmp_path / "ssh"
    started = tmp_path / "started"
    ssh.write_text(f"#!/bin/sh\necho >> {started}\nexec {sys.executable} {agent} --standard-io\n")
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    shell = SecureShell("nowhere")
    yield shell
    shell.forget()


def sh(script: str) -> list[str]:
    return ["sh", "-c", script]


def test_commands_share_a_connection(shell: SecureShell, tmp_path: Path) -> None:
    result = shell.execute(sh("cat; echo wrong >&2; exit 3"), b"\0input\n")
    assert (result.status, result.stdout, result.stderr) == (3, b"\0input\n", b"wrong\n")
    assert shell.execute(sh("exit 4")).status == 4
    assert (tmp_path / "started").read_text() == "\n"


def test_commands_run_side_by_side(shell: SecureShell, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as beside:
        first = beside.submit(shell.execute, sh(f"cat {pipe}"))
        assert shell.execute(sh(f"echo there > {pipe}")).status == 0
        assert first.result().out == "there\n"


def test_a_command_that_takes_too_long_is_ended(shell: SecureShell) -> None:
    assert shell.execute(["sleep", "infinity"], timeout=0.1).status == TIMED_OUT
    assert shell.execute(sh("echo next")).out == "next\n"


def test_an_unreachable_machine_is_tried_until_it_answers(
    shell: SecureShell, tmp_path: Path
) -> None:
    ssh = tmp_path / "ssh"
    agent = ssh.read_text()
    ssh.write_text(f"#!/bin/sh\ncat > {ssh} <<'SCRIPT'\n{agent}SCRIPT\nexit 255\n")
    assert shell.execute(sh("echo here")).out == "here\n"


def test_a_machine_that_never_answers_is_an_error_with_its_reason(
    shell: SecureShell,
    tmp_path: Path,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "sleep", clock.sleep)
    (tmp_path / "ssh").write_text("#!/bin/sh\necho no route >&2\nexit 255\n")
    with pytest.raises(GuestTimeout, match="no route"):
        shell.execute(["true"], timeout=0.1, grace=0)


def test_after_a_power_cut_there_are_new_connections(shell: SecureShell, tmp_path: Path) -> None:
    shell.execute(["true"])
    shell.forget()
    assert shell.execute(["true"]).status == 0
    assert (tmp_path / "started").read_text() == "\n\n"
