"""A tree of Buildroot, and the packages that it would build."""

from __future__ import annotations

import subprocess
from pathlib import Path

import fake_buildroot
import pytest
from fake_buildroot import FakeBuildroot

from image import buildroot
from image.buildroot import Failed, Tree
from image.repository import REPOSITORY


@pytest.fixture(autouse=True)
def own_downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BR2_DL_DIR", raising=False)


@pytest.fixture
def fake(tmp_path: Path) -> FakeBuildroot:
    return fake_buildroot.make(tmp_path / "buildroot")


@pytest.fixture
def tree(tmp_path: Path, fake: FakeBuildroot) -> Tree:
    return Tree(fake.folder, tmp_path / "output/check")


def test_all_files_configure_buildroot_in_their_order(tmp_path: Path, tree: Tree) -> None:
    for name, text in {"ours": "BR2_A=y\nBR2_GONE=y\n", "options": "BR2_B=2\n"}.items():
        (tmp_path / name).write_text(text)
    obtained = tree.configure([tmp_path / "ours", tmp_path / "options"])
    assert (obtained["BR2_A"], obtained["BR2_B"]) == ("y", "2")
    assert "BR2_GONE" not in obtained


def test_packages_for_the_target_are_listed(tree: Tree, fake: FakeBuildroot) -> None:
    fake.tell(
        {
            "host-m4": {"type": "host"},
            "udev": {"virtual": True},
            "mdadm": {
                "version": "4.6",
                "dl_dir": "mdadm",
                "downloads": [{"source": "mdadm-4.6.tar.gz", "uris": ["https+https://a.test"]}],
                "hashes": ["package/mdadm/mdadm.hash"],
                "patches": ["/ours/0001.patch"],
                "dependencies": ["udev"],
            },
            "sanstone": {
                "version": "0.1.0",
                "package_dir": str(REPOSITORY / "package/sanstone"),
                "downloads": [{"source": "sanstone-0.1.0.tar.gz", "uris": ["file+file:///mirror"]}],
            },
        }
    )
    fake.tell_methods({"MDADM_SITE_METHOD": "https", "SANSTONE_SITE_METHOD": "local"})
    packages = tree.packages()
    assert packages.keys() == {"mdadm", "sanstone"}
    mdadm = packages["mdadm"]
    assert (mdadm.version, mdadm.archives) == ("4.6", ("mdadm-4.6.tar.gz",))
    assert mdadm.hash_files == (fake.folder / "package/mdadm/mdadm.hash",)
    assert mdadm.patches == (Path("/ours/0001.patch"),)
    assert (mdadm.is_ours, packages["sanstone"].is_ours) == (False, True)
    assert packages["sanstone"].archives == ()


def test_makes_error_is_reported(tree: Tree, fake: FakeBuildroot) -> None:
    (fake.folder / "info.json").unlink()
    with pytest.raises(Failed, match=r"show-info: exit status 2\n.*info\.json"):
        tree.packages()


def test_a_program_that_is_not_installed_is_named() -> None:
    with pytest.raises(Failed, match="no-such-program is not installed"):
        buildroot.run(["no-such-program"])


def test_variables_of_make_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKEFLAGS", "OPTIONS=x")
    assert "MAKEFLAGS" not in buildroot.run(["env"])


def test_downloads_are_where_buildroot_puts_them(
    tree: Tree, fake: FakeBuildroot, monkeypatch: pytest.MonkeyPatch
) -> None:
    obtained = {"BR2_DL_DIR": '"$(TOPDIR)/dl"'}
    assert tree.downloads(obtained) == fake.downloads
    monkeypatch.setenv("BR2_DL_DIR", "/elsewhere")
    assert tree.downloads(obtained) == Path("/elsewhere")


def test_the_commit_is_that_of_an_unchanged_clone(tree: Tree, fake: FakeBuildroot) -> None:
    assert tree.commit() is None
    git = ["git", "-C", str(fake.folder), "-c", "user.name=a", "-c", "user.email=a@b.test"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    assert tree.commit() == head.stdout.strip()
    (fake.folder / "Makefile").write_text("changed:\n")
    assert tree.commit() is None
