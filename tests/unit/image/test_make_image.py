"""`make image`: what Buildroot is called with."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
BUILDROOT = """
all:
	@env > $(O)/environment
	@echo "No packages here." >&2; false
defconfig:
	@:
"""
GIVEN = {"OPTIONS": "options", "SIGNING_KEY": "key.pem", "SIGNING_CERTIFICATE": "certificate.pem"}


def test_packages_do_not_see_what_make_was_given(tmp_path: Path) -> None:
    """A variable of the command line is one of the environment of all that make starts."""
    (tmp_path / "Makefile").write_text(BUILDROOT)
    (tmp_path / "options").write_text("BR2_JLEVEL=2\n")
    given = [f"{name}={tmp_path / value}" for name, value in GIVEN.items()]
    installed = ["-o", "webui/node_modules/.package-lock.json"]
    argv = ["make", "image", *installed, f"BUILDROOT={tmp_path}", f"BUILD={tmp_path}", *given]
    clean = {name: value for name, value in os.environ.items() if name not in GIVEN}
    done = subprocess.run(argv, cwd=REPOSITORY, env=clean, capture_output=True, text=True)
    assert "No packages here." in done.stderr
    lines = (tmp_path / "environment").read_text().splitlines()
    environment = {name: value for name, _, value in (line.partition("=") for line in lines)}
    assert "BR2_JLEVEL=2" in (tmp_path / "defconfig").read_text()
    assert environment.keys() & {"OPTIONS", "BUILDROOT"} == set()
    assert environment["SIGNING_KEY"] == str(tmp_path / "key.pem")
    assert environment["SIGNING_CERTIFICATE"] == str(tmp_path / "certificate.pem")
