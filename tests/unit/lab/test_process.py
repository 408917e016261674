"""Programs in the background."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from lab import process
from lab.process import Background
from lab.rack import free_port, is_free

LISTENER = """
import socket, sys, time
memory = b"1" * (1 << 29)
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
time.sleep(600)
"""
"""Has, as a machine does, much memory to give back before it closes its sockets."""


def answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_ports_are_free_when_it_is_killed(tmp_path: Path) -> None:
    port = free_port()
    listener = Background(tmp_path / "listener", str(tmp_path))
    argv = [sys.executable, "-c", LISTENER, str(port), str(tmp_path)]
    listener.start(argv, lambda: answers(port))

    listener.kill()

    assert is_free(port)
    assert listener.identity is None


def test_a_processs_wait_for_a_processor_is_that_of_its_worst_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    emulator = Background(tmp_path / "emulator", Path(sys.executable).name)
    assert emulator.starved == 0
    (tmp_path / "emulator.pid").write_text(str(os.getpid()))
    monkeypatch.setattr(process, "PROCESSES", tmp_path / "proc")
    for thread, counted in {1: "9000000000 1500000000 7", 2: "0 400500000000 1"}.items():
        folder = tmp_path / f"proc/{os.getpid()}/task/{thread}"
        folder.mkdir(parents=True)
        (folder / "schedstat").write_text(f"{counted}\n")
    assert emulator.starved == 400.5
