"""User-mode Linux: what it changes in the product, limits that it needs, commands in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from standing_clock import Clock

from lab import commands, uml, uml_console
from lab.agent import TIMED_OUT, GuestTimeout
from lab.monitor import MonitorError
from lab.paths import LAB_SOURCE, REPOSITORY
from lab.qemu import Hardware


def test_disks_are_looked_for_where_the_init_looks() -> None:
    init = (LAB_SOURCE / "uml.d" / "init").read_text()
    [searched] = re.findall(r"sed -i 's/([^/]*)/&\|ubd/'", init)
    source = (REPOSITORY / "api/sanstone/kernel/storage/block.py").read_text()
    assert source.count(searched) == 1


def test_a_disk_is_free_once_the_machine_that_has_it_is_gone(tmp_path: Path) -> None:
    disk = tmp_path / "disk.raw"
    disk.touch()
    holds = "import fcntl, sys; fcntl.lockf(f := open(sys.argv[1], 'rb+'), fcntl.LOCK_EX); "
    holds += "print(); input()"
    with subprocess.Popen(
        [sys.executable, "-c", holds, disk], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as machine:
        assert machine.stdout
        machine.stdout.readline()
        assert not uml._is_free(disk)
        machine.kill()
    assert uml._is_free(disk)


def test_a_disk_is_pulled_once_nothing_has_it_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [MonitorError(f"remove ubd15: {uml.OPEN}")] * 2
    asked: list[str] = []

    def execute(_: Path, command: str) -> str:
        asked.append(command)
        if command.startswith("remove") and refusals:
            raise refusals.pop()
        return ""

    monkeypatch.setattr(uml_console, "execute", execute)
    machine = uml.Machine(tmp_path, Hardware("array", 1, 512))
    machine.plug_in_disk(tmp_path / "disk.raw", "SERIAL")
    machine.pull_disk("SERIAL")
    assert asked[1:] == ["remove ubd15"] * 3
    assert machine._plugged == {}


@pytest.mark.parametrize(
    ("allowed", "user", "changed"),
    [
        (65530, 0, [["sysctl", "--quiet", "--write", "vm.max_map_count=1048576"]]),
        (65530, 1000, [["sudo", "sysctl", "--quiet", "--write", "vm.max_map_count=1048576"]]),
        (1048576, 0, []),
    ],
)
def test_the_limit_of_mappings_is_raised_where_it_is_low(
    allowed: int,
    user: int,
    changed: list[list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit = tmp_path / "max_map_count"
    limit.write_text(f"{allowed}\n")
    ran: list[list[str]] = []
    monkeypatch.setattr(uml, "MAPPINGS", limit)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(commands, "run", ran.append)
    uml.allow_many_devices()
    assert ran == changed


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[uml.SecureShell]:
    """One whose agent runs here: `ssh` is a script, which notes that it was called."""
    source = LAB_SOURCE / "guest/common/usr/lib/sanstone-lab/agent.py"
    agent = tmp_path / "agent.py"
    agent.write_text(source.read_text().replace("/root", str(tmp_path)))
    ssh = tmp_path / "ssh"
    started = tmp_path / "started"
    ssh.write_text(f"#!/bin/sh\necho >> {started}\nexec {sys.executable} {agent} --standard-io\n")
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    shell = uml.SecureShell("nowhere")
    yield shell
    shell.forget()


def sh(script: str) -> list[str]:
    return ["sh", "-c", script]


def test_commands_share_a_connection(shell: uml.SecureShell, tmp_path: Path) -> None:
    told = shell.execute(sh("cat; echo wrong >&2; exit 3"), b"\0input\n")
    assert (told.status, told.stdout, told.stderr) == (3, b"\0input\n", b"wrong\n")
    assert shell.execute(sh("exit 4")).status == 4
    assert (tmp_path / "started").read_text() == "\n"


def test_commands_run_side_by_side(shell: uml.SecureShell, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as beside:
        first = beside.submit(shell.execute, sh(f"cat {pipe}"))
        assert shell.execute(sh(f"echo there > {pipe}")).status == 0
        assert first.result().out == "there\n"


def test_a_command_that_takes_too_long_is_ended(shell: uml.SecureShell) -> None:
    assert shell.execute(["sleep", "infinity"], timeout=0.1).status == TIMED_OUT
    assert shell.execute(sh("echo next")).out == "next\n"


def test_a_machine_that_cannot_be_reached_is_asked_until_it_can(
    shell: uml.SecureShell, tmp_path: Path
) -> None:
    ssh = tmp_path / "ssh"
    agent = ssh.read_text()
    ssh.write_text(f"#!/bin/sh\ncat > {ssh} <<'SCRIPT'\n{agent}SCRIPT\nexit 255\n")
    assert shell.execute(sh("echo here")).out == "here\n"


def test_a_machine_that_is_never_reached_is_told_of_with_the_reason(
    shell: uml.SecureShell,
    tmp_path: Path,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "sleep", clock.sleep)
    (tmp_path / "ssh").write_text("#!/bin/sh\necho no route >&2\nexit 255\n")
    with pytest.raises(GuestTimeout, match="no route"):
        shell.execute(["true"], timeout=0.1, grace=0)


def test_after_a_power_cut_there_are_new_connections(
    shell: uml.SecureShell, tmp_path: Path
) -> None:
    shell.execute(["true"])
    shell.forget()
    assert shell.execute(["true"]).status == 0
    assert (tmp_path / "started").read_text() == "\n\n"
