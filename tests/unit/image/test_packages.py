"""Packages for Buildroot: each is whole, without a Buildroot to ask."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import kconfiglib
import pytest

from image import options
from image.buildroot import TREE
from image.repository import REPOSITORY
from image.requested import FRAGMENTS

PATCHES = "BR2_GLOBAL_PATCH_DIR"
PACKAGES = sorted(path for path in (REPOSITORY / "package").iterdir() if path.is_dir())
DEFCONFIGS = sorted((REPOSITORY / "configs").glob("*_defconfig"))
# The defconfig alone, and with each file that `make image KERNEL=` puts after it.
LINES = [(), *((file,) for file in sorted((REPOSITORY / "configs").glob("*.config")))]
CONFIGURATIONS = [(defconfig, *line) for defconfig in DEFCONFIGS for line in LINES]
of_each_configuration = pytest.mark.parametrize(
    "configuration", CONFIGURATIONS, ids=lambda files: " ".join(file.name for file in files)
)
OURS = {f"BR2_PACKAGE_{path.name.upper().replace('-', '_')}" for path in PACKAGES}


def menu(tree: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the options that `tree` defines; Buildroot's, which it depends on, need not be there.

    Raises kconfiglib.KconfigError for a file that Kconfig cannot read.
    """
    monkeypatch.setenv("BR2_EXTERNAL_SANSTONE_PATH", str(tree))
    read = kconfiglib.Kconfig(str(tree / "Config.in"), warn_to_stderr=False)
    assert not read.warnings
    return {symbol.name for symbol in read.unique_defined_syms}


def test_the_menu_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert menu(REPOSITORY, monkeypatch) == OURS


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("depends on BR2_INIT_SYSTEMD", "depnds on BR2_INIT_SYSTEMD", "couldn't parse 'depnds on"),
        ("comment ", "if BR2_INIT_SYSTEMD\n\ncomment ", "expected 'endif'"),
        ('comment "sanstone needs', "comment sanstone needs", "unknown tokens"),
    ],
)
def test_a_menu_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, why: str
) -> None:
    shutil.copy(REPOSITORY / "Config.in", tmp_path)
    shutil.copytree(REPOSITORY / "package", tmp_path / "package")
    file = tmp_path / "package/sanstone/Config.in"
    file.write_text(file.read_text().replace(right, wrong))
    with pytest.raises(kconfiglib.KconfigError, match=why):
        menu(tmp_path, monkeypatch)


@pytest.mark.parametrize("defconfig", DEFCONFIGS, ids=lambda path: path.name)
def test_a_defconfigs_packages_are_in_the_menu(
    monkeypatch: pytest.MonkeyPatch, defconfig: Path
) -> None:
    defined = menu(REPOSITORY, monkeypatch)
    symbols = {each.symbol for each in options.requests([defconfig])}
    ours = {name for name in symbols if name.startswith(tuple(OURS))}
    assert ours
    assert ours <= defined


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_package_is_whole(package: Path) -> None:
    recipe = (package / f"{package.name}.mk").read_text()
    prefix = package.name.upper().replace("-", "_")
    assert "\n\thelp\n" in (package / "Config.in").read_text()
    assert re.search(rf"^{prefix}_LICENSE = \S", recipe, re.MULTILINE)
    assert re.search(rf"^{prefix}_LICENSE_FILES = \S", recipe, re.MULTILINE)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_downloads_have_a_hash_of_their_version(package: Path) -> None:
    recipe = (package / f"{package.name}.mk").read_text()
    if "_SITE_METHOD = local" in recipe:
        return
    version = re.search(r"_VERSION = (\S+)", recipe)
    assert version
    hashes = (package / f"{package.name}.hash").read_text()
    assert re.search(rf"^sha256  [0-9a-f]{{64}}  {package.name}[-_]{version[1]}\.", hashes, re.M)


def requested_values(configuration: Iterable[Path]) -> dict[str, str]:
    return {each.symbol: each.value.strip('"') for each in options.requests(configuration)}


def paths_in(files: str) -> list[Path]:
    return [Path(name.replace(TREE, str(REPOSITORY))) for name in files.split()]


def line_of_linux(configuration: Iterable[Path]) -> str:
    return requested_values(configuration)["BR2_LINUX_KERNEL_CUSTOM_VERSION_VALUE"].rpartition(".")[
        0
    ]


@of_each_configuration
def test_a_configuration_names_files_that_exist(configuration: tuple[Path, ...]) -> None:
    for symbol, value in requested_values(configuration).items():
        if TREE in value:
            assert [path for path in paths_in(value) if not path.exists()] == [], symbol


@of_each_configuration
def test_the_kernel_of_a_configuration_has_its_hash(configuration: tuple[Path, ...]) -> None:
    version = requested_values(configuration)["BR2_LINUX_KERNEL_CUSTOM_VERSION_VALUE"]
    for package in ("linux", "linux-headers"):
        files = [path / package for path in paths_in(requested_values(configuration)[PATCHES])]
        hashes = "".join(file.read_text() for path in files for file in path.glob("*.hash"))
        assert f"  linux-{version}.tar." in hashes


@of_each_configuration
def test_headers_are_those_of_the_kernel(configuration: tuple[Path, ...]) -> None:
    prefix = "BR2_PACKAGE_HOST_LINUX_HEADERS_CUSTOM_"
    symbols = {symbol for symbol, value in requested_values(configuration).items() if value == "y"}
    line = line_of_linux(configuration).replace(".", "_")
    assert {symbol for symbol in symbols if symbol.startswith(prefix)} == {f"{prefix}{line}"}


@of_each_configuration
def test_no_two_fragments_disagree(configuration: tuple[Path, ...]) -> None:
    fragments = paths_in(requested_values(configuration)[FRAGMENTS])
    mentions = [each.symbol for file in fragments for each in options.requests([file])]
    assert sorted(mentions) == sorted(set(mentions))


@pytest.mark.parametrize("defconfig", DEFCONFIGS, ids=lambda path: path.name)
@pytest.mark.parametrize("symbol", [FRAGMENTS, PATCHES])
def test_lines_of_linux_differ_in_their_own_files_alone(defconfig: Path, symbol: str) -> None:
    configurations = [(defconfig, *line) for line in LINES]
    of_any_line = {
        requested_values(each)[symbol].replace(f"/{line_of_linux(each)}", "/<line>")
        for each in configurations
    }
    assert len(of_any_line) == 1
    assert "/<line>" in of_any_line.pop()


@pytest.mark.parametrize("defconfig", DEFCONFIGS, ids=lambda path: path.name)
def test_all_fragments_and_patches_are_used(defconfig: Path) -> None:
    values = [requested_values((defconfig, *line)) for line in LINES]
    paths = {path for each in values for path in paths_in(f"{each[FRAGMENTS]} {each[PATCHES]}")}
    assert {*(REPOSITORY / "board/common/kernel").iterdir()} <= paths
    assert {*(REPOSITORY / "board/common/patches").iterdir()} <= paths


def test_a_system_disk_is_found_before_there_are_modules() -> None:
    text = (REPOSITORY / "board/common/kernel/storage.fragment").read_text()
    controllers = text.split("# Disk controllers")[1].split("\n\n")[0]
    drivers = ("MEGARAID_SAS", "MPT3SAS", "MPI3MR", "SMARTPQI", "HPSA", "AACRAID", "PVSCSI", "VMD")
    for driver in drivers:
        assert f"{driver}=y\n" in controllers
