"""Which revisions of the database a bundle says that it knows."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from image import revisions
from image.repository import REPOSITORY

MIGRATIONS = REPOSITORY / "api/sanstone/migrations"


def write(folder: Path, name: str, revision: str, down: str | None) -> None:
    text = f"revision = {revision!r}\ndown_revision = {down!r}\nbranch_labels = None\n"
    (folder / f"{name}.py").write_text(text)


def test_revisions_are_those_of_alembic_oldest_first() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    revision_ids = [each.revision for each in script.walk_revisions()]
    assert revisions.in_order(MIGRATIONS / "versions") == revision_ids[::-1]


def test_the_names_of_files_do_not_matter(tmp_path: Path) -> None:
    write(tmp_path, "c", "1a", None)
    write(tmp_path, "a", "2b", "1a")
    write(tmp_path, "b", "3c", "2b")
    (tmp_path / "__init__.py").write_text('"""Migrations."""\n')
    assert revisions.in_order(tmp_path) == ["1a", "2b", "3c"]


def test_two_that_follow_the_same_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "a", "1a", None)
    write(tmp_path, "b", "2b", "1a")
    write(tmp_path, "c", "3c", "1a")
    with pytest.raises(ValueError, match="2 of 3 migrations are in line"):
        revisions.in_order(tmp_path)


def test_a_file_without_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("revision = '1a'\n")
    with pytest.raises(ValueError, match=r"a\.py names no revision"):
        revisions.in_order(tmp_path)
