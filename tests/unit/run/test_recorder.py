"""pytest's record of a suite, and the tests to run again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from lab import paths
from run import record
from run.outcome import Outcome, read

GOOD = """
import pytest

def test_passes():
    pass

def test_fails():
    assert "this" == "that"

@pytest.mark.skip(reason="shows what its record says")
def test_skipped():
    pass
"""
COMPLAINING = """
import pytest

@pytest.fixture(scope="module", autouse=True)
def healthy():
    yield
    assert not "complaints"

def test_first():
    pass

def test_last():
    pass
"""


def outcome(folder: Path, *options: str, only: Sequence[str] | None = None) -> Outcome:
    """Run the tests in `folder` and return their record."""
    file = folder / "record"
    file.unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(paths.REPOSITORY / "tests")}
    environment[record.RECORD] = str(file)
    environment.pop(record.ONLY, None)
    if only is not None:
        (folder / "only").write_text(json.dumps(only))
        environment[record.ONLY] = str(folder / "only")
    # Each plugin that is installed takes its time to load.
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    plugins = [
        "-p",
        "run.recorder",
        "-p",
        "xdist",
        "-p",
        "pytest_timeout",
        "-p",
        "no:cacheprovider",
    ]
    subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "--rootdir", str(folder), *options, str(folder)],
        env=environment,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return read(file)


@pytest.mark.parametrize("workers", [(), ("--numprocesses", "1")])
def test_results_of_tests_are_recorded(workers: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "test_good.py").write_text(GOOD)
    result = outcome(tmp_path, *workers)
    assert result.passed == {"test_good.py::test_passes"}
    assert result.skipped == {"test_good.py::test_skipped"}
    [failure] = result.failed.values()
    assert failure.again == "test_good.py::test_fails"
    assert "this" in failure.text
    assert not result.faults
    again = outcome(tmp_path, *workers, only=[failure.again])
    assert again.counts == (0, 1, 0)


def test_a_module_with_a_failed_fixture_runs_again(tmp_path: Path) -> None:
    (tmp_path / "test_complaining.py").write_text(COMPLAINING)
    (tmp_path / "test_good.py").write_text(GOOD)
    result = outcome(tmp_path, "--deselect", "test_good.py::test_fails")
    [failure] = result.failed.values()
    assert failure.again == "test_complaining.py"
    again = outcome(tmp_path, only=[failure.again])
    assert again.passed == {"test_complaining.py::test_first"}
    assert list(again.failed) == ["test_complaining.py::test_last"]


def test_a_file_that_cannot_be_read_fails_for_good(tmp_path: Path) -> None:
    (tmp_path / "test_good.py").write_text(GOOD)
    (tmp_path / "test_broken.py").write_text("import nothing_of_that_name")
    result = outcome(tmp_path)
    assert result.failed["test_broken.py"].again == ""
    assert "nothing_of_that_name" in result.failed["test_broken.py"].text


@pytest.mark.parametrize("option", ["--maxfail=1", "--session-timeout=0.001"])
def test_a_session_that_ends_early_is_marked(option: str, tmp_path: Path) -> None:
    (tmp_path / "test_good.py").write_text(GOOD)
    assert any("early" in each for each in outcome(tmp_path, option).faults)


def test_a_process_that_dies_is_missed(tmp_path: Path) -> None:
    (tmp_path / "test_dies.py").write_text("import os\n\ndef test_dies(): os._exit(0)\n")
    assert outcome(tmp_path).faults == ["did not come to its end", "ran no test"]


def test_a_worker_that_dies_is_a_failure_of_its_test(tmp_path: Path) -> None:
    (tmp_path / "test_dies.py").write_text("import os\n\ndef test_dies(): os._exit(0)\n")
    result = outcome(tmp_path, "--numprocesses", "1")
    assert [each.again for each in result.failed.values()] == ["test_dies.py::test_dies"]
