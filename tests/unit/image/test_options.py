"""Options of Kconfig: requested against obtained."""

from __future__ import annotations

from pathlib import Path

import pytest

from image import options


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def complaints(tmp_path: Path, requested: str, obtained: str) -> list[str]:
    file = write(tmp_path / "asked", requested)
    config = options.obtained(write(tmp_path / "config", obtained))
    return [answer for each in options.requests([file]) if (answer := each.answer(config))]


def test_obtained_options_are_not_reported(tmp_path: Path) -> None:
    requested = '# A reason.\n\nBR2_A=y\nBR2_B="two words"\n# BR2_C is not set\n'
    obtained = 'BR2_A=y\nBR2_B="two words"\n# BR2_C is not set\nBR2_D=y\n'
    assert complaints(tmp_path, requested, obtained) == []


def test_an_option_that_was_dropped_is_named_with_file_and_line(tmp_path: Path) -> None:
    assert complaints(tmp_path, "CONFIG_A=y\nCONFIG_B=m\n", "CONFIG_A=y\n") == [
        f"{tmp_path}/asked:2: CONFIG_B: asked for m, obtained not set"
    ]


@pytest.mark.parametrize(
    ("requested", "obtained", "answer"),
    [
        ("CONFIG_A=m", "CONFIG_A=y", "asked for m, obtained y"),
        ("CONFIG_A=512", "CONFIG_A=64", "asked for 512, obtained 64"),
        ("# CONFIG_A is not set", "CONFIG_A=y", "asked for not set, obtained y"),
        ("CONFIG_A=n", "CONFIG_A=m", "asked for not set, obtained m"),
    ],
)
def test_another_value_is_reported(
    tmp_path: Path, requested: str, obtained: str, answer: str
) -> None:
    assert complaints(tmp_path, requested + "\n", obtained + "\n") == [
        f"{tmp_path}/asked:1: CONFIG_A: {answer}"
    ]


def test_an_option_that_the_config_never_heard_of_counts_as_not_set(tmp_path: Path) -> None:
    assert complaints(tmp_path, "# CONFIG_A is not set\n", "CONFIG_B=y\n") == []


def test_the_last_mention_counts(tmp_path: Path) -> None:
    first = write(tmp_path / "first", "BR2_A=y\nBR2_B=y\n")
    second = write(tmp_path / "second", "# BR2_A is not set\n")
    by_symbol = {each.symbol: each for each in options.requests([first, second])}
    assert (by_symbol["BR2_A"].file, by_symbol["BR2_A"].value) == (second, "n")
    assert (by_symbol["BR2_B"].file, by_symbol["BR2_B"].line) == (first, 2)


def test_a_line_that_kconfig_would_pass_over_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "asked", "BR2_A=y\nCONFG_B=y\n")
    with pytest.raises(options.Malformed, match="asked:2: not an option: CONFG_B=y"):
        options.requests([file])


def test_selections_are_those_of_options_that_are_set_and_unconditional(tmp_path: Path) -> None:
    file = write(
        tmp_path / "Config.in",
        "config BR2_PACKAGE_A\n\tbool\n\tselect BR2_X # runtime\n\tselect BR2_Y if BR2_Z\n"
        "\thelp\n\t  select one\nconfig BR2_PACKAGE_B\n\tbool\n\tselect BR2_W\n",
    )
    selected = options.selections(file, {"BR2_PACKAGE_A": "y"})
    assert [(each.symbol, each.line, each.value) for each in selected] == [("BR2_X", 3, "y")]
