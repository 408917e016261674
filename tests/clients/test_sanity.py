"""What Ansible itself checks of a collection: documentation against arguments, imports, style."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from collection import SOURCE
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
    place = tmp_path / "ansible_collections/sanstone/array"
    left_out = shutil.ignore_patterns("generate", "__pycache__", ".*_cache")
    shutil.copytree(SOURCE, place, ignore=left_out)
    binaries = Path(sys.executable).parent
    command = [str(binaries / "ansible-test"), "sanity", "--color", "no", "--python"]
    command.append(f"{sys.version_info.major}.{sys.version_info.minor}")
    for check in CHECKS:
        command += ["--test", check]
    environment = os.environ | {"HOME": str(HOME), "PATH": f"{binaries}:{os.environ['PATH']}"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
