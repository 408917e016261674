"""`make check-image` on an output folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from image import __main__ as check
from image import versions
from image.programs import calls

FRAGMENT = check.REPOSITORY / "board/common/kernel/targets.fragment"
REQUIREMENTS = check.REPOSITORY / "api/requirements.txt"


@pytest.fixture(scope="module")
def called() -> set[str]:
    """The programs that the product runs."""
    sources = (check.REPOSITORY / "api/sanstone").rglob("*.py")
    return {program for file in sources for _line, program in calls(file.read_text())}


@pytest.fixture
def output(tmp_path: Path, called: set[str]) -> Path:
    """An output folder in which all that is asked for was obtained."""
    named = f"{check.TREE}/{FRAGMENT.relative_to(check.REPOSITORY)}"
    (tmp_path / "asked").write_text(f'BR2_A=y\n{check.FRAGMENTS}="{named}"\n')
    (tmp_path / ".config").write_text((tmp_path / "asked").read_text())
    kernel = tmp_path / "build" / "linux-6.12.91"
    kernel.mkdir(parents=True)
    (kernel / ".config").write_text(FRAGMENT.read_text())
    headers = tmp_path / "build" / "linux-headers-6.12.91"
    headers.mkdir()
    (headers / ".config").write_text("")
    pins = [line.split("==") for line in REQUIREMENTS.read_text().splitlines() if "==" in line]
    names = {versions.package_name(name): {"version": version} for name, version in pins}
    (tmp_path / "info.json").write_text(json.dumps(names))
    programs = tmp_path / "target" / "usr" / "bin"
    programs.mkdir(parents=True)
    for program in called:
        (programs / program).touch()
    return tmp_path


def run(output: Path) -> int:
    return check.main([str(output), str(output / "asked")])


def test_all_obtained(output: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(output) == 0
    assert "as requested" in capsys.readouterr().out


def test_an_option_of_the_kernel_that_was_dropped(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = FRAGMENT.read_text().splitlines()
    number = lines.index("CONFIG_NVME_TARGET_TCP=m") + 1
    config = output / "build" / "linux-6.12.91" / ".config"
    config.write_text(config.read_text().replace("CONFIG_NVME_TARGET_TCP=m\n", ""))
    assert run(output) == 1
    said = capsys.readouterr().err
    assert f"{FRAGMENT}:{number}: CONFIG_NVME_TARGET_TCP: asked for m, obtained not set" in said


def test_an_option_of_buildroot_that_was_dropped(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = output / ".config"
    config.write_text(config.read_text().replace("BR2_A=y\n", "# BR2_A is not set\n"))
    assert run(output) == 1
    assert "asked:1: BR2_A: asked for y, obtained not set" in capsys.readouterr().err


def test_a_package_that_the_product_selects_and_did_not_get(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (output / ".config").open("a") as config:
        config.write("BR2_PACKAGE_NVMETCLI=y\n")
    assert run(output) == 1
    assert "nvmetcli/Config.in:4: BR2_PACKAGE_PYTHON_CONFIGSHELL_FB" in capsys.readouterr().err


@pytest.mark.parametrize("applet", [False, True])
def test_a_program_that_nothing_brings(
    output: Path, capsys: pytest.CaptureFixture[str], applet: bool
) -> None:
    program = output / "target/usr/bin/mdadm"
    program.unlink()
    if applet:
        program.with_name("busybox").touch()
        program.symlink_to("busybox")
    assert run(output) == 1
    said = capsys.readouterr().err
    assert "api/sanstone/kernel/storage/md.py:" in said
    assert "the image has no mdadm" in said


def test_a_kernel_that_is_not_configured_yet(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (output / "build" / "linux-6.12.91" / ".config").unlink()
    assert run(output) == 1
    assert "0 configured kernels, not one" in capsys.readouterr().err
