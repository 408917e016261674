"""A second run does not share a rack."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lab import rack_lock
from lab.rack_lock import RackInUse

HOLDER = """
import pathlib, signal, sys
from lab import rack_lock
lock = rack_lock.take(pathlib.Path(sys.argv[1]))
print("taken", flush=True)
signal.pause()
"""


def test_a_second_run_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    rack = tmp_path / "lab" / "tests"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, rack],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as first:
        assert first.stdout
        assert first.stdout.readline() == b"taken\n"
        with pytest.raises(RackInUse, match=r"uses the rack tests: .*/lab/tests\.lock"):
            rack_lock.take(rack)
        rack_lock.take(rack.with_name("others")).close()
        first.send_signal(signal.SIGKILL)
    rack_lock.take(rack).close()


def test_machines_that_stay_on_do_not_keep_the_rack(tmp_path: Path) -> None:
    with (
        rack_lock.take(tmp_path / "tests") as lock,
        subprocess.Popen(["cat"], stdin=subprocess.PIPE) as machine,
    ):
        lock.close()
        rack_lock.take(tmp_path / "tests").close()
        assert machine.poll() is None
