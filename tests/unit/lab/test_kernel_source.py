"""Options of the kernels that the lab builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import commands, kernel_source, paths


@pytest.fixture
def kconfig(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A kernel that has four options, but never takes CONFIG_LOST."""
    config = tmp_path / "work/.config"

    def run(argv: commands.Argv) -> str:
        if argv[-1] == "defconfig":
            config.write_text("CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=m\n")
        else:
            # Kconfig takes the last of several lines about an option.
            lines = (line.partition("=") for line in config.read_text().splitlines())
            answers = {name: value for name, _, value in lines if name != "CONFIG_LOST"}
            on = [f"{name}={value}\n" for name, value in answers.items() if value not in ("n", "")]
            config.write_text("".join(on))
        return ""

    monkeypatch.setattr(commands, "run", run)
    return config


def configure(folder: Path, *texts: str) -> None:
    files = [folder / f"options{number}" for number, _ in enumerate(texts)]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    kernel_source.configure(folder, ["make"], "work", files)


def test_the_last_answer_counts(kconfig: Path, tmp_path: Path) -> None:
    configure(tmp_path, "# A comment\nCONFIG_B=y\nCONFIG_C=y\n", "# CONFIG_C is not set\n")
    assert kconfig.read_text() == "CONFIG_A=y\nCONFIG_B=y\n"


@pytest.mark.parametrize("answer", ["y", "m", '"text"'])
def test_an_option_that_is_not_obtained(kconfig: Path, tmp_path: Path, answer: str) -> None:
    with pytest.raises(kernel_source.OptionsRefused, match=f"not taken: CONFIG_LOST={answer}"):
        configure(tmp_path, f"CONFIG_LOST={answer}\n")


def test_an_option_that_is_not_there_is_off(kconfig: Path, tmp_path: Path) -> None:
    configure(tmp_path, "CONFIG_LOST=n\n")


def test_the_patches_of_its_line_come_between_those_of_all_lines_and_the_labs() -> None:
    patches = kernel_source.patches(of_user_mode=True)
    folders = [str(patch.parent.relative_to(paths.REPOSITORY)) for patch in patches]
    assert list(dict.fromkeys(folders)) == [
        "board/common/patches/common/linux",
        f"board/common/patches/{kernel_source.LINE}/linux",
        "tests/lab/uml.d",
    ]
    assert patches[: -folders.count("tests/lab/uml.d")] == kernel_source.patches(of_user_mode=False)


def test_the_products_driver_is_built_wherever_device_mapper_is(tmp_path: Path) -> None:
    makefile = tmp_path / "Makefile"
    makefile.write_text("obj-$(CONFIG_BLK_DEV_DM) += dm-mod.o\n")
    kernel_source._add_driver(tmp_path)
    assert (tmp_path / "dm-sanstone-qos.c").read_text() == kernel_source.DRIVER.read_text()
    assert makefile.read_text().endswith("\nobj-$(CONFIG_BLK_DEV_DM) += dm-sanstone-qos.o\n")


def test_a_change_of_the_products_driver_makes_another_kernel() -> None:
    assert kernel_source.DRIVER in kernel_source.inputs()
