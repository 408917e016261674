"""The check of the machine that builds the image: programs, versions, space."""

from __future__ import annotations

import os
import shutil
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from image import machine

VERSIONS = {"make": "GNU Make 4.4.1", "gcc": "gcc (Debian 14.2.0-19) 14.2.0", "g++": "g++ 14.2.0"}
VERSIONS |= {"git": "git version 2.47.3", "patch": "GNU patch 2.8", "node": "v22.12.0"}
VERSIONS |= {"locale": "C\nC.utf8\nPOSIX"}
REAL_PROGRAMS = {"openssl", "sh", "install", "echo"}
"""Programs that signing.sh runs."""


class Bench:
    """A machine that has the space and, on its PATH, the programs that a build takes."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.output = folder / "output"
        self.output.mkdir()
        # Making a key takes seconds.
        (self.output / "signing").mkdir()
        (self.output / "signing/development.pem").touch()
        self.programs = folder / "bin"
        self.programs.mkdir()
        for name in (machine.PROGRAMS.keys() | {"locale"}) - REAL_PROGRAMS:
            self.say(Path(name).name, VERSIONS.get(name, ""))
        for name in REAL_PROGRAMS:
            (self.programs / name).symlink_to(shutil.which(name) or "")
        self.environment = {"PATH": str(self.programs), "FORCE_UNSAFE_CONFIGURE": "1"}
        monkeypatch.setenv("PATH", str(self.programs))
        monkeypatch.setattr(
            machine, "PROGRAMS", {Path(name).name: each for name, each in machine.PROGRAMS.items()}
        )
        for name in ("SIGNING_KEY", "SIGNING_CERTIFICATE"):
            monkeypatch.delenv(name, raising=False)
        self.has_free(100)

    def has_free(self, gigabytes: int) -> None:
        usage = namedtuple("usage", "free")
        self.monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage(gigabytes * 10**9))

    def say(self, program: str, text: str, status: int = 0) -> None:
        file = self.programs / program
        file.write_text(f"#!/bin/sh\necho '{text}'\nexit {status}\n")
        file.chmod(0o755)

    def lines(self) -> list[str]:
        return [lack.line for lack in machine.lacks(self.output, self.environment)]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def test_a_machine_that_lacks_nothing(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.lines() == []
    assert "DEVELOPMENT key" in capsys.readouterr().out


def test_all_lacks_are_reported_at_once_with_debians_packages(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("rsync", "bc", "find", "xargs"):
        (bench.programs / name).unlink()
    bench.say("git", "git version 1.9.1")
    monkeypatch.setenv("FORCE_UNSAFE_CONFIGURE", "1")
    monkeypatch.setattr(sys, "argv", ["image.machine", str(bench.output)])
    assert machine.main() == 1
    assert capsys.readouterr().err.splitlines() == [
        "rsync is not installed",
        "bc is not installed",
        "find is not installed",
        "xargs is not installed",
        "git is 1.9.1; Buildroot needs 2.0.0 or later",
        "on Debian: apt-get install bc findutils git rsync",
    ]


@pytest.mark.parametrize(
    ("version", "fits"),
    [("20.19.0", True), ("20.18.9", False), ("21.7.3", False), ("22.12.0", True), ("24.0", True)],
)
def test_versions_of_node(version: str, fits: bool) -> None:
    assert machine.in_range(version, "^20.19.0 || >=22.12.0") is fits


def test_a_range_that_is_not_understood() -> None:
    with pytest.raises(ValueError, match=r"no range of versions that is understood: ~1\.2"):
        machine.in_range("1.2.3", "~1.2")


def test_a_node_that_is_too_old(bench: Bench) -> None:
    bench.say("node", "v18.19.0")
    (line,) = bench.lines()
    assert line.startswith("node is 18.19.0; the web interface is built by ")


def test_a_perl_without_its_modules(bench: Bench) -> None:
    bench.say("perl", "", status=2)
    assert "perl has no module IPC::Cmd" in bench.lines()


@pytest.mark.parametrize("locales", ["C\nPOSIX", "en_GB.ISO-8859-1"])
def test_no_locale_of_utf_8(bench: Bench, locales: str) -> None:
    bench.say("locale", locales)
    assert bench.lines() == ["there is no locale of UTF-8"]


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("PATH", "/a b:/bin", "PATH has a space, a tab or the end of a line in it: /a b:/bin"),
        ("PATH", "/bin:.", "PATH has the working directory in it: /bin:."),
        ("LD_LIBRARY_PATH", ":/a", "LD_LIBRARY_PATH has the working directory in it: :/a"),
    ],
)
def test_variables_that_buildroot_cannot_bear(
    bench: Bench, name: str, value: str, line: str
) -> None:
    bench.environment[name] = value
    assert bench.lines() == [line]


@pytest.mark.parametrize(("user", "line_count"), [(0, 1), (1000, 0)])
def test_root(bench: Bench, monkeypatch: pytest.MonkeyPatch, user: int, line_count: int) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    del bench.environment["FORCE_UNSAFE_CONFIGURE"]
    assert len(bench.lines()) == line_count


def test_a_disk_that_is_too_small(bench: Bench) -> None:
    bench.has_free(10)
    assert bench.lines() == [f"{bench.output}: 10 GB are free; a build takes about 25"]
    (bench.output / "build").mkdir()
    assert bench.lines() == []


def test_a_path_with_a_space(tmp_path: Path, bench: Bench) -> None:
    bench.output = bench.output.rename(tmp_path / "my output")
    assert bench.lines() == [f"the path has a space or a colon in it: {bench.output}"]


def test_a_file_system_without_case(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda _self: True)
    assert f"{bench.output}: the file system takes a and A for the same" in bench.lines()


def test_a_key_without_its_certificate(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNING_KEY", "/key.pem")
    (line,) = bench.lines()
    assert line.startswith("no key to sign updates with: ")
    assert "SIGNING_CERTIFICATE: is missing beside SIGNING_KEY" in line
