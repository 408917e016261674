"""`make record-image`: the facts that it records, and when it records none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import fake_buildroot
import pytest
from fake_buildroot import FakeBuildroot

from image import buildroot, on_a_tree, record, recording
from image.findings import Findings
from image.on_a_tree import Looked

MDADM = {
    "version": "4.6",
    "downloads": [{"source": "mdadm-4.6.tar.gz", "uris": ["https+https://a.test"]}],
}


class Bench:
    """A Buildroot at a commit, and checks with the findings of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.findings = Findings()
        self.fake = self.clone()
        self.config = folder / "config"
        self.config.write_text("BR2_A=y\nBR2_PACKAGE_NVMETCLI=y\n")
        self.options: Path | None = None

    def clone(self) -> FakeBuildroot:
        fake = fake_buildroot.make(self.folder / "buildroot")
        fake.tell({"mdadm": MDADM, "sanstone": {"version": "0.1.0"}})
        git = ["git", "-C", str(fake.folder), "-c", "user.name=a", "-c", "user.email=a@b.test"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
            subprocess.run([*git, *words], check=True)
        return fake

    def check(self, tree: buildroot.Tree, configs: list[Path], findings: Findings) -> Looked:
        """Stand in for the checks, on another version where there are options."""
        findings.wrong += self.findings.wrong
        findings.unseen += self.findings.unseen
        looked = Looked(findings, tree.configure(configs), tree.packages())
        looked.kernel_source = "linux 6"
        return looked

    def run(self, monkeypatch: pytest.MonkeyPatch, commit: str | None = None) -> int:
        at = buildroot.Tree(self.fake.folder, self.folder).commit() or ""
        argv = ["--pin", "2026.05.1", commit or at, "--output", str(self.folder / "output")]
        argv += ["--buildroot", str(self.fake.folder)]
        argv += ["--options", str(self.options)] if self.options else []
        monkeypatch.setattr(sys, "argv", ["image.recording", *argv, str(self.config)])
        return recording.main()

    def recorded(self) -> record.Record:
        return record.read(self.folder / "recorded")


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(tmp_path)
    monkeypatch.setattr(recording, "RECORDED", tmp_path / "recorded")
    monkeypatch.setattr(on_a_tree, "check", bench.check)
    return bench


def test_obtained_options_are_recorded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bench.run(monkeypatch) == 0
    recorded = bench.recorded()
    assert recorded.pin.version == "2026.05.1"
    assert recorded.buildroot["BR2_A"] == "y"
    assert recorded.buildroot["BR2_PACKAGE_NVMETCLI"] == "y"
    assert recorded.buildroot["BR2_PACKAGE_PYTHON_SIX"] == "y"
    assert recorded.packages == {"mdadm": "4.6"}
    assert recorded.tried.kernel == "linux 6"
    assert "package/sanstone/sanstone.mk" in recorded.inputs


@pytest.mark.parametrize(
    "findings", [Findings(wrong=["it is wrong"]), Findings(unseen=["it is away"])]
)
def test_nothing_is_recorded_unless_all_was_looked_at_and_right(
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    findings: Findings,
) -> None:
    bench.findings = findings
    assert bench.run(monkeypatch) == 1
    assert "it is" in capsys.readouterr().err
    assert not (bench.folder / "recorded").exists()


def test_another_buildroot_than_the_pinned_is_refused(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.run(monkeypatch, "cb85") == 1
    assert "the pinned 2026.05.1 is cb85" in capsys.readouterr().err
    assert not (bench.folder / "recorded").exists()


def test_options_of_a_mirror_are_not_recorded(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.options = bench.folder / "options"
    bench.options.write_text("BR2_A=n\n")
    assert bench.run(monkeypatch) == 0
    assert bench.recorded().buildroot["BR2_A"] == "y"
