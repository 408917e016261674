"""The kernel's options, by the kconfig of an archive."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from source_archives import archive

from image import kernel
from image.buildroot import Failed

# kconfig, as far as it goes: CONFIG_GONE is an option that it does not know.
MAKEFILE = """
%_defconfig:
	@test $(ARCH) = x86
	@cat arch/x86/configs/$@ > .config
olddefconfig:
	@sh scripts/kconfig/conf
"""
SOURCES = {
    "Makefile": MAKEFILE,
    "arch/x86/configs/x86_64_defconfig": "CONFIG_A=y\n",
    "scripts/kconfig/conf": "sed -i /CONFIG_GONE/d .config\n",
}


def obtained(tmp_path: Path, *fragments: str, defconfig: str = "x86_64") -> dict[str, str]:
    files = []
    for number, text in enumerate(fragments):
        files.append(tmp_path / f"{number}.fragment")
        files[-1].write_text(text)
    return kernel.obtained(archive(tmp_path / "linux.tar.gz", SOURCES), defconfig, files)


def test_fragments_come_after_the_defconfig(tmp_path: Path) -> None:
    fragments = ("CONFIG_B=m\nCONFIG_GONE=y", "CONFIG_C=y\n")
    assert obtained(tmp_path, *fragments) == {"CONFIG_A": "y", "CONFIG_B": "m", "CONFIG_C": "y"}


def test_a_defconfig_that_the_kernel_has_not(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="other_defconfig: exit status 2"):
        obtained(tmp_path, defconfig="other")


def test_tools_that_the_machine_lacks_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "flex" else name)
    assert kernel.lacking_tools() == ["flex"]
