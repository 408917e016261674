"""The archive of our collection, by ansible-galaxy as a user installs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from collection import COLLECTIONS, SOURCE


def run(home: Path, program: str, *arguments: str) -> str:
    """Run a program of Ansible's, which installs below `home`; return its output."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name(program)), *arguments],
        env=os.environ | {"ANSIBLE_HOME": str(home), "ANSIBLE_COLLECTIONS_PATH": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_installs_unchanged_with_the_documentation_of_each_module(
    tmp_path: Path,
) -> None:
    archive = str(COLLECTIONS / "sanstone-array.tar.gz")
    run(tmp_path, "ansible-galaxy", "collection", "install", "--no-deps", archive)
    output = run(tmp_path, "ansible-galaxy", "collection", "verify", "--offline", "sanstone.array")
    assert "Successfully verified" in output
    documented = json.loads(run(tmp_path, "ansible-doc", "--list", "--json", "sanstone.array"))
    modules = {path.stem for path in (SOURCE / "plugins/modules").glob("*.py")}
    assert documented.keys() == {f"sanstone.array.{name}" for name in modules}
