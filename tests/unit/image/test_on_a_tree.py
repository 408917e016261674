"""The checks before a build, on a tree of Buildroot."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import fake_buildroot
import pytest
from source_archives import archive, hash_line

from image import kernel, on_a_tree, repository, versions
from image.buildroot import Tree
from image.findings import Findings
from image.repository import REQUIREMENTS

PATCH = "--- a/Create.c\n+++ b/Create.c\n@@ -1 +1 @@\n-two\n+three\n"
CONFIG = """BR2_A=y
BR2_LINUX_KERNEL_DEFCONFIG="x86_64"
BR2_LINUX_KERNEL_CONFIG_FRAGMENT_FILES="$(BR2_EXTERNAL_SANSTONE_PATH)/a.fragment"
"""
LINUX = {
    "Makefile": "%_defconfig:\n\t@touch .config\nolddefconfig:\n\t@sed -i /GONE/d .config\n",
}
TLSHD = {
    "configure.ac": "PKG_CHECK_MODULES([TLS], [gnutls >= 3.3])\n",
    "src/a.c": "gnutls_init();\n",
}
GNUTLS = {"lib/gnutls.h": "int gnutls_init(void);\n"}
SOURCES = {"linux": LINUX, "mdadm": {"Create.c": "two\n"}, "tlshd": TLSHD, "gnutls": GNUTLS}


class Bench:
    """A repository, and a Buildroot in which all that it asks for can be obtained."""

    def __init__(self, folder: Path) -> None:
        self.repository = folder / "ours"
        self.fake = fake_buildroot.make(folder / "buildroot")
        self.tree = Tree(self.fake.folder, folder / "output")
        (self.repository / "package/tlshd").mkdir(parents=True)
        self.write("config", CONFIG)
        self.write("package/tlshd/Config.in", "config BR2_PACKAGE_TLSHD\n")
        self.write("a.fragment", "CONFIG_A=y\n")
        self.patch = self.write("0001.patch", PATCH)
        for name, texts in SOURCES.items():
            self.provide(name, texts)
        self.tell()

    def write(self, name: str, text: str) -> Path:
        file = self.repository / name
        file.write_text(text)
        return file

    def provide(self, name: str, texts: Mapping[str, str]) -> Path:
        """Put an archive where Buildroot downloads it to, and its hash where it looks for it."""
        file = archive(self.fake.downloads / name / f"{name}-1.tar.gz", texts)
        (self.fake.folder / f"{name}.hash").write_text(hash_line(file))
        return file

    def tell(self, **others: Mapping[str, Any]) -> None:
        """Have Buildroot list the packages, with these facts of `others`."""
        packages: dict[str, dict[str, Any]] = {
            name: {
                "version": "1",
                "downloads": [{"source": f"{name}-1.tar.gz", "uris": ["https+https://a.test"]}],
                "hashes": [f"{name}.hash"],
            }
            for name in SOURCES
        }
        packages["gnutls"]["version"] = "3.8"
        packages["mdadm"]["patches"] = [str(self.patch)]
        packages["tlshd"] |= {
            "package_dir": str(self.repository / "package/tlshd"),
            "dependencies": ["gnutls", "host-pkgconf", "toolchain"],
        }
        for pin in REQUIREMENTS.read_text().splitlines():
            name, _, version = pin.partition("==")
            if version:
                packages[versions.package_name(name)] = {"version": version}
        for name, differing in others.items():
            packages[name] |= differing
        self.fake.tell(packages)

    def look(self) -> on_a_tree.Looked:
        return on_a_tree.check(self.tree, [self.repository / "config"], Findings())

    def findings(self) -> Findings:
        return self.look().findings


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.delenv("BR2_DL_DIR", raising=False)
    monkeypatch.setattr(repository, "REPOSITORY", tmp_path / "ours")
    monkeypatch.setattr(kernel, "lacking_tools", list)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    return Bench(tmp_path)


def test_an_image_with_all_options_has_no_findings(bench: Bench) -> None:
    looked = bench.look()
    assert looked.findings == Findings()
    assert looked.kernel == {"CONFIG_A": "y"}
    assert looked.tried.kernel == "linux 1"
    assert looked.tried.patches == {"0001.patch": "mdadm 1"}
    assert looked.tried.libraries == {"tlshd": {"gnutls 3.8": "1 names"}}


def test_an_option_that_is_lost(bench: Bench) -> None:
    file = bench.write("config", CONFIG + "BR2_GONE=y\n")
    assert bench.findings().wrong == [f"{file}:4: BR2_GONE: asked for y, obtained not set"]


def test_an_option_of_the_kernel_that_is_lost(bench: Bench) -> None:
    file = bench.write("a.fragment", "CONFIG_A=y\nCONFIG_GONE=m\n")
    assert bench.findings().wrong == [f"{file}:2: CONFIG_GONE: asked for m, obtained not set"]


def test_a_patch_that_does_not_apply(bench: Bench) -> None:
    bench.provide("mdadm", {"Create.c": "other\n"})
    (line,) = bench.findings().wrong
    assert line.startswith("0001.patch: does not apply to mdadm-1.tar.gz")


def test_a_name_that_a_library_has_not(bench: Bench) -> None:
    bench.provide("gnutls", {"lib/gnutls.h": ""})
    (line,) = bench.findings().wrong
    assert line == "tlshd 1: src/a.c uses gnutls_init, which is in no header of gnutls 3.8"


def test_a_library_that_is_too_old(bench: Bench) -> None:
    bench.tell(gnutls={"version": "3.2"})
    assert "configure.ac asks for gnutls >= 3.3, Buildroot has 3.2" in bench.findings().wrong[0]


def test_a_dependency_that_is_not_built(bench: Bench) -> None:
    bench.tell(tlshd={"dependencies": ["gnutls", "keyutils"]})
    assert bench.findings().wrong == ["tlshd: depends on keyutils, which is not built"]


def test_an_archive_without_a_hash(bench: Bench) -> None:
    bench.tell(mdadm={"hashes": []})
    assert bench.findings().wrong == ["mdadm 1: no hash of mdadm-1.tar.gz in any file"]


def test_an_archive_with_another_hash_is_not_looked_into(bench: Bench) -> None:
    (bench.fake.folder / "mdadm.hash").write_text("sha256  00  mdadm-1.tar.gz\n")
    looked = bench.look()
    assert len(looked.findings.wrong) == 1
    assert looked.tried.patches == {}


def test_a_python_package_of_another_version(bench: Bench) -> None:
    bench.tell(**{"python-flask": {"version": "0.1"}})
    (line,) = bench.findings().wrong
    assert line.endswith("the image has 0.1")


def test_a_recipe_that_is_written_otherwise(bench: Bench) -> None:
    tool = bench.fake.folder / "utils/check-package"
    tool.write_text("raise SystemExit('a space too many')")
    (line,) = bench.findings().wrong
    assert line.endswith("exit status 1\na space too many")


def test_a_check_that_could_not_run_is_reported_with_its_remedy(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(kernel, "lacking_tools", lambda: ["flex"])
    (bench.fake.downloads / "gnutls/gnutls-1.tar.gz").unlink()
    findings = bench.findings()
    assert findings.wrong == []
    assert findings.unseen == [
        "check-package needs python3-magic python3-flake8",
        f"gnutls-1.tar.gz is not in {bench.fake.downloads}/gnutls: "
        f"make -C {bench.tree.output} gnutls-source",
        "the kernel's kconfig needs flex",
    ]
