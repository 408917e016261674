"""`make image`: the call of Buildroot, and the refusals before it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import fake_buildroot
import pytest

from image import versions
from image.buildroot import Tree
from image.repository import REQUIREMENTS

REPOSITORY = Path(__file__).parents[3]
FILES = {"OPTIONS": "options", "SIGNING_KEY": "key.pem", "SIGNING_CERTIFICATE": "certificate.pem"}
TAG = "2026.05.1"


@pytest.fixture
def buildroot(tmp_path: Path) -> Path:
    """A Buildroot that builds nothing, and beside it the files for `make image`."""
    fake = fake_buildroot.make(tmp_path)
    pins = [line.split("==") for line in REQUIREMENTS.read_text().splitlines() if "==" in line]
    packages: dict[str, dict[str, Any]] = {
        versions.package_name(name): {"version": version} for name, version in pins
    }
    linux = {"source": "linux-6.tar.xz", "uris": ["https+https://a.test"]}
    packages["linux"] = {"version": "6", "downloads": [linux], "hashes": ["linux.hash"]}
    (tmp_path / "linux.hash").write_text("sha256  00  linux-6.tar.xz\n")
    fake.tell(packages)
    (tmp_path / "options").write_text("BR2_JLEVEL=2\n")
    certify(tmp_path, "key.pem", "certificate.pem")
    return tmp_path


def certify(folder: Path, key: str, certificate: str, *signer: str) -> None:
    """Make a key and its certificate of one day, signed by itself or by `signer`."""
    argv = ["openssl", "req", "-x509", "-batch", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    argv += ["-subj", f"/CN={certificate}", "-keyout", key, "-out", certificate, *signer]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True)


def make(
    target: str, buildroot: Path, *options: str, kernel: str = ""
) -> subprocess.CompletedProcess[str]:
    variables = [f"{name}={buildroot / value}" for name, value in FILES.items()]
    built = ["-o", "webui/node_modules/.package-lock.json", "-o", "webui/dist/index.html"]
    built += [] if options or target == "check-machine" else ["-o", "check-machine"]
    argv = [
        "make",
        "--no-print-directory",
        target,
        *options,
        *built,
        f"BUILDROOT={buildroot}",
        f"BUILD={buildroot}",
        f"KERNEL={kernel}",
        *variables,
    ]
    clean = {name: value for name, value in os.environ.items() if name not in FILES}
    return subprocess.run(argv, cwd=REPOSITORY, env=clean, capture_output=True, text=True)


def test_packages_do_not_see_what_make_was_given(buildroot: Path) -> None:
    """A variable of the command line is one of the environment of all that make starts."""
    assert "No packages here." in make("image", buildroot).stderr
    lines = (buildroot / "environment").read_text().splitlines()
    environment = {name: value for name, _, value in (line.partition("=") for line in lines)}
    assert "BR2_JLEVEL=2" in (buildroot / "defconfig").read_text()
    assert environment.keys() & {"OPTIONS", "BUILDROOT"} == set()
    assert environment["SIGNING_KEY"] == str(buildroot / "key.pem")
    assert environment["SIGNING_CERTIFICATE"] == str(buildroot / "certificate.pem")


def test_another_line_of_linux_comes_after_the_defconfig_and_before_options(
    buildroot: Path,
) -> None:
    (buildroot / "options").write_text('BR2_LINUX_KERNEL_CUSTOM_VERSION_VALUE="6.18.56"\n')
    make("image", buildroot, kernel="next")
    defconfig = (buildroot / "defconfig").read_text()
    versions = re.findall(r'^BR2_LINUX_KERNEL_CUSTOM_VERSION_VALUE="(.*)"', defconfig, re.MULTILINE)
    assert [version.rpartition(".")[0] for version in versions] == ["6.12", "6.18", "6.18"]
    assert versions[-1] == "6.18.56"


def test_a_line_of_linux_that_is_not_there_is_refused(buildroot: Path) -> None:
    process = make("image", buildroot, kernel="newest")
    assert "configs/newest.config" in process.stderr
    assert process.returncode != 0
    assert not (buildroot / "environment").exists()


def test_packages_are_checked_as_those_of_an_external_tree(buildroot: Path) -> None:
    output = make("check-packages", buildroot).stdout
    assert "'--br2-external'" in output
    for file in ("Config.in", "package/sanstone/sanstone.mk", "package/nvmetcli/nvmetcli.hash"):
        assert f"'{file}'" in output


def test_a_package_in_another_style_is_reported(buildroot: Path) -> None:
    (buildroot / "utils/check-package").write_text("raise SystemExit('a space too many')")
    process = make("check-packages", buildroot)
    assert "a space too many" in process.stderr
    assert process.returncode != 0


def test_unobtainable_options_are_reported_before_any_build(buildroot: Path) -> None:
    (buildroot / "options").write_text("BR2_GONE=y\n")
    process = make("image", buildroot)
    assert "options:1: BR2_GONE: asked for y, obtained not set" in process.stderr
    assert process.returncode != 0
    assert not (buildroot / "environment").exists()


def test_a_machine_is_looked_at_before_anything_is_fetched(buildroot: Path) -> None:
    process = make("image", buildroot, "--dry-run")
    lines = process.stdout.splitlines()
    (check_line,) = [number for number, line in enumerate(lines) if "image.machine" in line]
    assert [line for line in lines[:check_line] if not line.startswith("mkdir")] == []


def test_a_certificate_that_another_vouches_for_is_refused(buildroot: Path) -> None:
    signer = ("-CA", "certificate.pem", "-CAkey", "key.pem")
    certify(buildroot, "issued.key", "issued.pem", *signer)
    (buildroot / "issued.key").rename(buildroot / "key.pem")
    (buildroot / "issued.pem").rename(buildroot / "certificate.pem")
    process = make("check-machine", buildroot)
    assert "SIGNING_CERTIFICATE must be self-signed" in process.stderr
    assert process.returncode != 0


def test_a_key_without_its_certificate_is_refused(
    buildroot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(FILES, "SIGNING_CERTIFICATE")
    process = make("check-machine", buildroot)
    assert "SIGNING_CERTIFICATE: is missing beside SIGNING_KEY" in process.stderr


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """A repository of Buildroot's, with one release."""
    folder = tmp_path / "upstream"
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.test"]
    folder.mkdir()
    (folder / "Makefile").write_text("all:\n")
    for words in (
        ["init", "--quiet"],
        ["add", "."],
        ["commit", "--quiet", "--message", "Release"],
        ["tag", "--annotate", "--message", "Release", TAG],
    ):
        subprocess.run([*git, *words], check=True)
    return folder


def fetch(upstream: Path, build: Path, commit: str) -> subprocess.CompletedProcess[str]:
    """Have make get the pinned Buildroot, which must be at `commit`."""
    variables = [f"BUILDROOT_VERSION={TAG}", f"BUILDROOT_COMMIT={commit}", f"BUILD={build}"]
    variables.append(f"BUILDROOT_REPOSITORY=file://{upstream}")
    argv = ["make", f"{build}/buildroot-{TAG}/Makefile", *variables]
    return subprocess.run(argv, cwd=REPOSITORY, capture_output=True, text=True)


def test_buildroot_is_fetched_by_its_tag(upstream: Path, tmp_path: Path) -> None:
    argv = ["git", "-C", str(upstream), "rev-parse", "HEAD"]
    head = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()
    assert fetch(upstream, tmp_path / "build", head).returncode == 0
    tree = tmp_path / f"build/buildroot-{TAG}"
    assert (tree / "Makefile").read_text() == "all:\n"
    assert Tree(tree, tmp_path).commit() == head


def test_a_tag_of_another_commit_is_refused(upstream: Path, tmp_path: Path) -> None:
    process = fetch(upstream, tmp_path / "build", "cb857ba4")
    assert process.returncode != 0
    assert "and not cb857ba4, which is pinned" in process.stderr
    assert not (tmp_path / f"build/buildroot-{TAG}").exists()


def test_a_repository_without_the_tag_is_refused(upstream: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "-C", str(upstream), "tag", "--delete", TAG], check=True)
    assert fetch(upstream, tmp_path / "build", "cb857ba4").returncode != 0
    assert not (tmp_path / f"build/buildroot-{TAG}").exists()
