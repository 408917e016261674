"""The cache of all checkouts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lab import cache, debian, paths
from lab.layer import Layer


def published(folder: Path, name: str = "made") -> Path:
    """Return a file that was published in `folder`."""
    partial = folder / "partial"
    partial.write_text(f"what {name} holds")
    cache.publish(partial, folder / name)
    return folder / name


def test_a_published_file_is_used(tmp_path: Path) -> None:
    file = published(tmp_path)
    assert cache.is_intact(file)
    assert file.read_text() == "what made holds"
    assert not (tmp_path / "partial").exists()


@pytest.mark.parametrize("content", ["", "what made holds and more"])
def test_a_changed_file_is_not_used(content: str, tmp_path: Path) -> None:
    file = published(tmp_path)
    file.write_text(content)
    assert not cache.is_intact(file)


def test_an_unpublished_file_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "made").write_text("by hand")
    assert not cache.is_intact(tmp_path / "made")
    assert not cache.is_intact(tmp_path / "missing")


def test_the_newest_are_kept(tmp_path: Path) -> None:
    for age, name in enumerate("abcd"):
        os.utime(published(tmp_path, name), (1000 - age, 1000 - age))
    (tmp_path / "e").mkdir()
    os.utime(tmp_path / "e", (1, 1))
    cache.drop_old([tmp_path / name for name in "abcde"], kept=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.sha256", "b", "b.sha256"]


def test_fewer_than_those_kept_stay(tmp_path: Path) -> None:
    cache.drop_old([published(tmp_path, "a"), published(tmp_path, "b")])
    assert cache.is_intact(tmp_path / "a")
    assert cache.is_intact(tmp_path / "b")


def waits(process: int) -> bool:
    """Return whether a process waits for a lock (proc(5))."""
    locks = Path("/proc/locks").read_text().splitlines()
    return any("->" in line and f" {process} " in line for line in locks)


def test_two_processes_build_one_after_the_other(tmp_path: Path) -> None:
    """The other one says that it waits no longer when the first one lets it in."""
    program = (
        "import sys; from pathlib import Path; from lab import cache\n"
        "print('begun', flush=True)\n"
        "with cache.locked('one', Path(sys.argv[1])): print('in', flush=True)"
    )
    environment = {**os.environ, "PYTHONPATH": str(paths.LAB_SOURCE.parent)}
    with cache.locked("one", tmp_path):
        other = subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert other.stdout
        assert other.stdout.readline() == "begun\n"
        while not waits(other.pid):
            assert other.poll() is None
    output, _ = other.communicate()
    assert output == "in\n"


def test_layers_of_debian_are_those_of_all_checkouts() -> None:
    assert not debian.LAYERS.is_relative_to(paths.REPOSITORY)
    assert Layer("product", "key").squashfs.is_relative_to(paths.REPOSITORY)
