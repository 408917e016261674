"""What Ansible itself checks of a collection: documentation against arguments, imports, style."""

from __future__ import annotations

from pathlib import Path

import collection_tests
from conftest import REPOSITORY

HOME = REPOSITORY / "output" / "sanity"
"""Where ansible-test keeps the virtual environments of its checks, from run to run."""
BOOTSTRAP = """\
import subprocess
import sys

subprocess.run([sys.executable, "-m", "ensurepip", "--upgrade"], check=True)
"""
"""In the place of pip's installer, which ansible-test of core 2.19 would download."""
CHECKS = (
    "ansible-doc",
    "compile",
    "empty-init",
    "ignores",
    "import",
    "no-smart-quotes",
    "pep8",
    "runtime-metadata",
    "shebang",
    "use-argspec-type-path",
    "validate-modules",
    "yamllint",
)


def test_ansible_finds_nothing_wrong(tmp_path: Path) -> None:
    installer = HOME / ".ansible/test/cache/get_pip_24_2.py"
    installer.parent.mkdir(parents=True, exist_ok=True)
    installer.write_text(BOOTSTRAP)
    checks = [argument for check in CHECKS for argument in ("--test", check)]
    collection_tests.run(collection_tests.copied(tmp_path), HOME, "sanity", *checks)
