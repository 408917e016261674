"""User-mode Linux: its changes to the product, limits that it needs, commands in it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lab import commands, uml, uml_console
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


RUNNER = """
import subprocess, sys
from lab import uml
pipe = int(sys.argv[1])
subprocess.run(uml.isolated([sys.executable, "-c", sys.argv[2], sys.argv[1]]), pass_fds=[pipe])
"""
TESTS = """
import os, signal, subprocess, sys
pipe = int(sys.argv[1])
subprocess.Popen(["sleep", "infinity"], start_new_session=True, pass_fds=[pipe])
os.write(pipe, b"on")
signal.pause()
"""
"""What runs isolated: a machine in a session of its own, as `lab.process` starts it."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_machines_end_with_the_runner_that_a_signal_ends(number: signal.Signals) -> None:
    if not uml.is_possible():
        pytest.skip("no namespaces can be made here")
    reader, pipe = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(pipe), TESTS],
        pass_fds=[pipe],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as runner:
        os.close(pipe)
        assert os.read(reader, 2) == b"on"
        runner.send_signal(number)
    # Its end: no process has the other end any more.
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_a_disk_is_pulled_once_nothing_has_it_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [MonitorError(f"remove ubd15: {uml.OPEN}")] * 2
    commands: list[str] = []

    def execute(_: Path, command: str) -> str:
        commands.append(command)
        if command.startswith("remove") and refusals:
            raise refusals.pop()
        return ""

    monkeypatch.setattr(uml_console, "execute", execute)
    machine = uml.Machine(tmp_path, Hardware("array", 1, 512))
    machine.plug_in_disk(tmp_path / "disk.raw", "SERIAL")
    machine.pull_disk("SERIAL")
    assert commands[1:] == ["remove ubd15"] * 3
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
