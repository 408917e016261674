"""A machine to install on, and a medium to install from."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest
from machine import Machine, medium
from migrated_database import upgrade

from sanstone import migrate, setup
from sanstone.core.database import store
from sanstone.install import installer, patience, state
from sanstone.install.answers import Answers
from sanstone.install.installer import Medium


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for missing disks."""
    monkeypatch.setattr(patience, "PATIENCE", 0.0)


@pytest.fixture(autouse=True)
def migrated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """New databases are copies of one that the migrations made."""
    monkeypatch.setattr(migrate, "upgrade", upgrade)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with four empty disks; the state's group is one that the test may give files to."""
    monkeypatch.setenv("SANSTONE_STATE", "")
    for name in ("USER", "GROUP"):
        monkeypatch.setattr(setup, name, pwd.getpwuid(os.getuid()).pw_name)
    return Machine(tmp_path)


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that takes no time to begin."""

    def begin(_host: object, folder: Path, choices: Answers, _copy: object) -> str:
        (folder / store.FILE).write_text(choices.host_name)
        return ""

    monkeypatch.setattr(state, "begin", begin)


@pytest.fixture
def medium_folder(tmp_path: Path) -> Path:
    """The folder of a medium."""
    return medium(tmp_path / "medium")


@pytest.fixture
def content(medium_folder: Path) -> Medium:
    """The content of the medium."""
    return installer.read_medium(medium_folder)
