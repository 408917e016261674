"""Ansible's own checks of a collection: documentation against arguments, imports, style."""

from __future__ import annotations

import ast
from importlib.metadata import distribution
from pathlib import Path

import collection_tests
import pytest
from conftest import REPOSITORY

HOME = REPOSITORY / "output" / "sanity"
"""Where ansible-test keeps the virtual environments of its checks, from run to run."""
BOOTSTRAP = """\
import shutil
import sysconfig
from pathlib import Path

for part in {parts}:
    shutil.copytree(part, Path(sysconfig.get_path("purelib"), Path(part).name))
"""
"""In the place of pip's installer, which ansible-test of core 2.19 would download.

Each virtual environment gets a copy of the pip that is here: that is quicker than to install it.
"""
CHECKS = (
    "ansible-doc",
    "compile",
    "empty-init",
    "ignores",
    "no-smart-quotes",
    "pep8",
    "runtime-metadata",
    "shebang",
    "use-argspec-type-path",
    "validate-modules",
    "yamllint",
)
"""All that find something here but `import`."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the collection, and the installer of the checks."""
    installer = HOME / ".ansible/test/cache/get_pip_24_2.py"
    installer.parent.mkdir(parents=True, exist_ok=True)
    pip = distribution("pip")
    metadata = next(file for file in pip.files or () if file.name == "METADATA").parent
    parts = [str(pip.locate_file(part)) for part in ("pip", metadata)]
    installer.write_text(BOOTSTRAP.format(parts=parts))
    return collection_tests.copied(tmp_path_factory.mktemp("collection"))


def test_ansible_finds_nothing_wrong(place: Path) -> None:
    checks = [argument for check in CHECKS for argument in ("--test", check)]
    collection_tests.run(place, HOME, "sanity", *checks)


def test_each_part_can_be_imported_without_its_optional_packages(place: Path) -> None:
    """This takes longer than all other checks, so it has one of those that import the same.

    Each module is loaded by `validate-modules`, too, where nothing is lacking.
    """
    files = [file.relative_to(place) for file in (place / "plugins").rglob("*.py")]
    of_each = {imports(place / file): file for file in sorted(files, reverse=True)}
    collection_tests.run(place, HOME, "sanity", "--test", "import", *map(str, of_each.values()))


def imports(file: Path) -> tuple[str, ...]:
    """Return the kind of plugin that a file is, its statements that import something, sorted."""
    tree = ast.parse(file.read_text())
    statements = (n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom))
    return file.parent.name, *sorted(map(ast.unparse, statements))
