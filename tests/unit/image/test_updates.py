"""`make check-updates`: the parts that are older than upstream's newest."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from image import updates, vulnerabilities

KERNEL = {
    "latest_stable": {"version": "7.3.9"},
    "releases": [{"version": "7.4-rc2"}, {"version": "7.3.9"}, {"version": "6.12.118"}],
}


class Bench:
    """Answers in a folder, with pins of the bench's own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder / "answers"
        self.folder.mkdir()
        self.monkeypatch = monkeypatch
        self.config = folder / "defconfig"
        self.config.write_text(f'{updates.KERNEL}="6.12.91"\n')
        recipe = folder / "package/ktls-utils/ktls-utils.mk"
        recipe.parent.mkdir(parents=True)
        recipe.write_text(
            "KTLS_UTILS_VERSION = 1.0.0\n"
            "KTLS_UTILS_SITE = $(call github,oracle,ktls-utils,v$(KTLS_UTILS_VERSION))\n"
        )
        (folder / "package.json").write_text(
            '{"dependencies": {"react": "19.3.1"}, "devDependencies": {"ts": "npm:t@7.0.2"}}'
        )
        (folder / "requirements.txt").write_text("# Why.\nprompt_toolkit==3.0.52\n")
        monkeypatch.setattr(updates, "WEBUI", folder)
        monkeypatch.setattr(updates, "PACKAGES", folder / "package")
        monkeypatch.setattr(updates, "PINS_OF_PYTHON", (folder / "requirements.txt",))
        monkeypatch.setattr(vulnerabilities, "check", lambda *_arguments: [])
        self.answer("releases.json", KERNEL)
        self.tag("buildroot", "2026.05.1")
        self.tag("ktls-utils", "1.0.0")
        self.answer("npm.json", {})
        self.answer("python.json", [])

    def answer(self, name: str, content: Any) -> None:
        (self.folder / name).write_text(json.dumps(content))

    def tag(self, name: str, *versions: str) -> None:
        lines = "".join(f"00\trefs/tags/{version}\n" for version in versions)
        (self.folder / f"{name}.tags").write_text(lines)

    def run(self) -> int:
        argv = ["--pin", "2026.05.1", "cb85", "--repository", "https://a.test", "--python", "py"]
        argv += ["--from", str(self.folder), "--sbom", "sbom.json", str(self.config)]
        self.monkeypatch.setattr(sys, "argv", ["image.updates", *argv])
        return updates.main()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def rows(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """Return the cells of the table, without its head."""
    lines = capsys.readouterr().out.splitlines()[1:]
    return [[cell.strip() for cell in line.split("  ") if cell] for line in lines]


def test_outdated_parts_are_in_one_table(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.tag("buildroot", "2026.05.1", "2026.05.3", "2026.08")
    bench.tag("ktls-utils", "1.0.0", "1.4.0", "2.0.0")
    bench.answer("npm.json", {"react": {"latest": "20.0.0"}, "ts": {"latest": "7.0.3"}})
    package = {"name": "prompt-toolkit", "version": "3.0.52", "latest_version": "3.0.53"}
    bench.answer("python.json", [package, {"name": "pip", "latest_version": "30"}])
    assert bench.run() == 0
    assert rows(capsys) == [
        ["Buildroot", "2026.05.1", "2026.05.3", "2026.08"],
        ["Linux", "6.12.91", "6.12.118", "7.3.9"],
        ["ktls-utils", "1.0.0", "1.4.0", "2.0.0"],
        ["npm: react", "19.3.1", "20.0.0"],
        ["npm: ts", "7.0.2", "7.0.3", "7.0.3"],
        ["Python: prompt_toolkit", "3.0.52", "3.0.53", "3.0.53"],
    ]


def test_a_line_of_the_kernel_that_has_ended(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.config.write_text(f'{updates.KERNEL}="6.11.3"\n')
    assert bench.run() == 0
    assert rows(capsys) == [["Linux", "6.11.3", "ended", "7.3.9"]]


def test_nothing_is_older(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.config.write_text(f'{updates.KERNEL}="7.3.9"\n')
    assert bench.run() == 0
    assert capsys.readouterr().out.startswith("nothing that was asked about is older")


@pytest.mark.parametrize(
    "name", ["releases.json", "buildroot.tags", "ktls-utils.tags", "npm.json", "python.json"]
)
def test_a_silent_source_is_reported_and_the_others_are_listed(
    bench: Bench, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    bench.tag("buildroot", "2026.08")
    bench.tag("ktls-utils", "1.4.0")
    (bench.folder / name).unlink()
    assert bench.run() == 2
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert line.startswith("not asked: ")
    assert name in line
    assert ("2026.08" in printed.out) is (name != "buildroot.tags")


def test_releases_of_another_form_are_reported(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.answer("releases.json", {"releases": []})
    assert bench.run() == 2
    assert "kernel.org's releases have another form" in capsys.readouterr().err


def test_a_recipe_without_a_repository_is_reported(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = updates.PACKAGES / "ktls-utils/ktls-utils.mk"
    recipe.write_text("KTLS_UTILS_VERSION = 1.0.0\nKTLS_UTILS_SITE = https://a.test\n")
    assert bench.run() == 2
    assert "ktls-utils: its recipe names no repository" in capsys.readouterr().err


def test_cves_that_apply_are_listed(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    line = "CVE-2026-1 applies to nginx"
    bench.monkeypatch.setattr(vulnerabilities, "check", lambda *_arguments: [line])
    assert bench.run() == 1
    assert capsys.readouterr().out.endswith(f"{line}\n")
