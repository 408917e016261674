"""The generator that puts installer and rescue menu on the kernel's consoles."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from image.repository import REPOSITORY

OVERLAY = REPOSITORY / "overlay/usr/lib/systemd"
GENERATOR = OVERLAY / "system-generators/sanstone-consoles"
UNITS = OVERLAY / "system"


def generate(tmp_path: Path, consoles: str, command_line: str) -> dict[str, str]:
    """Return the links that the generator makes, with their targets."""
    (tmp_path / "consoles").write_text(consoles)
    (tmp_path / "command-line").write_text(command_line)
    folders = [tmp_path / name for name in ("normal", "early", "late")]
    for folder in folders:
        folder.mkdir()
    environment = {
        "SYSTEMD_UNITS": str(UNITS),
        "PROC_CMDLINE": str(tmp_path / "command-line"),
        "ACTIVE_CONSOLES": str(tmp_path / "consoles"),
    }
    subprocess.run([GENERATOR, *folders], check=True, env={**os.environ, **environment})
    links = [path for path in tmp_path.rglob("*") if path.is_symlink()]
    assert all(link.exists() for link in links)
    return {str(link.relative_to(tmp_path)): link.readlink().name for link in links}


def test_each_console_has_both(tmp_path: Path) -> None:
    assert generate(tmp_path, "tty0 ttyS0\n", "quiet\n") == {
        f"normal/{target}.wants/{unit}@{console}.service": f"{unit}@.service"
        for target, unit in (
            ("sanstone-install.target", "installer"),
            ("sanstone-rescue.target", "rescue-menu"),
        )
        for console in ("tty1", "ttyS0")
    }


@pytest.mark.parametrize("word", ["sanstone.install=LABEL=A:/a.json", "sanstone.install=x quiet"])
def test_answers_make_a_boot_install(tmp_path: Path, word: str) -> None:
    units = generate(tmp_path, "ttyS0\n", f"quiet {word}\n")
    assert units["early/default.target"] == "sanstone-install.target"


def test_no_service_of_these_is_confined() -> None:
    """`sanstone-.service.d` confines every service whose name begins like that."""
    services = {
        path.name
        for path in UNITS.glob("*.service")
        if "/usr/bin/sanstone-install" in path.read_text()
        or "/usr/bin/sanstone-rescue" in path.read_text()
    }
    assert services == {
        "installer@.service",
        "rescue-menu@.service",
        "unattended-installer.service",
    }
