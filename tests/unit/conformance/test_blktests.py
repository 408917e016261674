"""blktests' output gives each case's result; lines about cases that did not run are left out."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any, cast

import pytest

from conformance import blktests
from conformance.accounted import FAILED, PASSED, SKIPPED, Line
from lab.agent import TIMED_OUT, Result
from lab.station import Host

PRINTED = """\
nvme/002 (tr=tcp) (create many subsystems and test discovery) [not run]
    nvme_trtype=tcp is not supported in this test
nvme/003 (tr=tcp) (test if we're sending keep-alives to a discovery controller)
nvme/003 (tr=tcp) (test if we're sending keep-alives to a discovery controller) [passed]
    runtime    ...  10.904s
nvme/006 (tr=tcp bd=device) (create an NVMeOF target)
nvme/006 (tr=tcp bd=device) (create an NVMeOF target)        [passed]
    runtime    ...  0.404s
nvme/006 (tr=tcp bd=file) (create an NVMeOF target)          [failed]
    runtime    ...  0.398s
    --- tests/nvme/006.out	2026-11-26 16:00:00.000000000 +0000
    +++ results/nodev_tr_tcp_bd_file/nvme/006.out.bad	2026-11-26 16:10:00.000000000 +0000
    @@ -1,2 +1,3 @@
     Running nvme/006
    +nvme/007 (tr=tcp) (a line of the output) [passed] in the middle
     Test complete
nvme/046 (test ioctl (as a user)) [passed]
"""


def test_how_cases_end() -> None:
    assert blktests.outcomes(PRINTED, "tcp") == {
        "tcp.002": SKIPPED,
        "tcp.003": PASSED,
        "tcp.006.device": PASSED,
        "tcp.006.file": FAILED,
        "tcp.046": PASSED,
    }


def test_lines_about_other_transports_are_left_out() -> None:
    lines = [Line(FAILED, pattern) for pattern in ("tcp.060", "fc.060", "*.025", "[!l]*.002")]
    kept_lines = blktests.lines_about(lines, ["loop", "fc"])
    assert [line.pattern for line in kept_lines] == ["fc.060", "*.025", "[!l]*.002"]
    assert [line.pattern for line in blktests.lines_about(lines, ["loop"])] == ["*.025"]


def test_a_folder_that_is_no_tree_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="check"):
        blktests.pack(tmp_path)


class Machine:
    """Stands for a host in which the group ends with a status."""

    def __init__(self, status: int) -> None:
        self.status, self.stdin = status, b""

    def run(self, _: str, *, stdin: bytes = b"") -> str:
        self.stdin += stdin
        return ""

    def attempt(self, script: str, **_: Any) -> Result:
        if "./check" in script:
            return Result(self.status, PRINTED.encode(), b"")
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as tar:
            member = tarfile.TarInfo("nodev_tr_tcp/nvme/003.full")
            member.size = 4
            tar.addfile(member, io.BytesIO(b"told"))
        return Result(0, archive.getvalue(), b"")


def test_the_output_of_cases_is_kept(tmp_path: Path) -> None:
    machine = Machine(status=1)
    results = blktests.run(cast(Host, machine), b"tree", "tcp", tmp_path / "tcp")
    assert results["tcp.006.file"] == FAILED
    assert machine.stdin.startswith(b"tree") and b"NVMET_TRTYPES=tcp\n" in machine.stdin
    assert (tmp_path / "tcp/printed").read_text() == PRINTED
    assert (tmp_path / "tcp/nodev_tr_tcp/nvme/003.full").read_text() == "told"


def test_a_suite_that_does_not_end_is_an_error(tmp_path: Path) -> None:
    machine = Machine(status=TIMED_OUT)
    with pytest.raises(blktests.Broken, match=r"nvme/046"):
        blktests.run(cast(Host, machine), b"", "tcp", tmp_path)
