"""`make image`: what Buildroot is called with, and what is refused before it is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
BUILDROOT = """
all:
	@env > $(O)/environment
	@echo "No packages here." >&2; false
defconfig:
	@:
"""
GIVEN = {"OPTIONS": "options", "SIGNING_KEY": "key.pem", "SIGNING_CERTIFICATE": "certificate.pem"}
CHECK_PACKAGE = "import sys; print(sys.argv)"


@pytest.fixture
def buildroot(tmp_path: Path) -> Path:
    """A Buildroot that builds nothing, and beside it what `make image` is given."""
    (tmp_path / "Makefile").write_text(BUILDROOT)
    (tmp_path / "utils").mkdir()
    (tmp_path / "utils/check-package").write_text(CHECK_PACKAGE)
    (tmp_path / "options").write_text("BR2_JLEVEL=2\n")
    certify(tmp_path, "key.pem", "certificate.pem")
    return tmp_path


def certify(folder: Path, key: str, certificate: str, *signer: str) -> None:
    """Make a key and its certificate of one day, self-signed unless `signer` says by whom."""
    argv = ["openssl", "req", "-x509", "-batch", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    argv += ["-subj", f"/CN={certificate}", "-keyout", key, "-out", certificate, *signer]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True)


def make(target: str, buildroot: Path) -> subprocess.CompletedProcess[str]:
    given = [f"{name}={buildroot / value}" for name, value in GIVEN.items()]
    built = ["-o", "webui/node_modules/.package-lock.json", "-o", "webui/dist/index.html"]
    argv = ["make", target, *built, f"BUILDROOT={buildroot}", f"BUILD={buildroot}", *given]
    clean = {name: value for name, value in os.environ.items() if name not in GIVEN}
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


def test_packages_are_checked_as_those_of_an_external_tree(buildroot: Path) -> None:
    said = make("check-packages", buildroot).stdout
    assert "'--br2-external'" in said
    for file in ("Config.in", "package/sanstone/sanstone.mk", "package/nvmetcli/nvmetcli.hash"):
        assert f"'{file}'" in said


def test_a_package_that_is_written_otherwise_is_told(buildroot: Path) -> None:
    (buildroot / "utils/check-package").write_text("raise SystemExit('a space too many')")
    done = make("check-packages", buildroot)
    assert "a space too many" in done.stderr
    assert done.returncode != 0


def test_a_certificate_that_another_vouches_for_is_refused_before_anything_is_built(
    buildroot: Path,
) -> None:
    signer = ("-CA", "certificate.pem", "-CAkey", "key.pem")
    certify(buildroot, "issued.key", "issued.pem", *signer)
    (buildroot / "issued.key").rename(buildroot / "key.pem")
    (buildroot / "issued.pem").rename(buildroot / "certificate.pem")
    done = make("image", buildroot)
    assert "SIGNING_CERTIFICATE must be self-signed" in done.stderr
    assert done.returncode != 0
    assert not (buildroot / "environment").exists()


def test_a_key_without_its_certificate_is_refused_before_anything_is_built(
    buildroot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(GIVEN, "SIGNING_CERTIFICATE")
    assert "SIGNING_CERTIFICATE: is missing beside SIGNING_KEY" in make("image", buildroot).stderr
    assert not (buildroot / "environment").exists()
