"""CVEs that apply to an image, and those that were reviewed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from image import vulnerabilities
from image.upstream import Unreachable

TOOL = """
import json, pathlib, sys
given = dict(zip(sys.argv[1::1], sys.argv[2::1]))
sbom = json.loads(pathlib.Path(given["--in-file"]).read_text())
sbom["vulnerabilities"] = json.loads((pathlib.Path(given["--nvd-path"]) / "found").read_text())
pathlib.Path(given["--out-file"]).write_text(json.dumps(sbom))
"""


def vulnerability(cve: str, package: str, state: str = "exploitable") -> dict[str, Any]:
    ratings = [{"score": 5.5}, {"score": 7.8}, {"severity": "high"}]
    affects = [{"ref": package}]
    return {"id": cve, "affects": affects, "analysis": {"state": state}, "ratings": ratings}


NGINX = vulnerability("CVE-2026-0001", "nginx")
LINUX = vulnerability("CVE-2026-0002", "linux")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Buildroot's tool, an SBOM, and a database that has two CVEs."""
    (tmp_path / "support/scripts").mkdir(parents=True)
    (tmp_path / "support/scripts/cve-check").write_text(TOOL)
    (tmp_path / "sbom.json").write_text("{}")
    (tmp_path / "nvd").mkdir()
    (tmp_path / "nvd/found").write_text(json.dumps([NGINX, LINUX]))
    monkeypatch.setattr(vulnerabilities, "REVIEWED", tmp_path / "reviewed-cves")
    (tmp_path / "reviewed-cves").write_text("# Reasons\n")
    return tmp_path


def check(folder: Path) -> list[str]:
    return vulnerabilities.check(folder, folder / "sbom.json", folder)


def test_findings_of_buildroots_tool_are_reported_with_their_score(folder: Path) -> None:
    assert check(folder) == [
        "CVE-2026-0001 applies to nginx, CVSS 7.8",
        "CVE-2026-0002 applies to linux, CVSS 7.8",
    ]


def test_reviewed_findings_are_not_reported(folder: Path) -> None:
    (folder / "reviewed-cves").write_text("CVE-2026-0002 linux not built: no such driver\n")
    assert check(folder) == ["CVE-2026-0001 applies to nginx, CVSS 7.8"]


def test_a_review_counts_for_its_package_alone() -> None:
    reviews = {("CVE-2026-0001", "linux"): "reason"}
    assert vulnerabilities.judged({"vulnerabilities": [NGINX]}, reviews) == [
        "CVE-2026-0001 applies to nginx, CVSS 7.8",
        "CVE-2026-0001 does not apply to linux any more: remove it from board/image/reviewed-cves",
    ]


@pytest.mark.parametrize("state", ["resolved", "resolved_with_pedigree", "not_affected"])
def test_findings_that_do_not_apply_are_not_reported(state: str) -> None:
    report = {"vulnerabilities": [vulnerability("CVE-2026-0001", "nginx", state)]}
    assert vulnerabilities.judged(report, {}) == []


@pytest.mark.parametrize("line", ["CVE-2026-1 nginx", "2026-1 nginx a reason", "nonsense"])
def test_a_line_without_a_reason_is_refused(folder: Path, line: str) -> None:
    (folder / "reviewed-cves").write_text(f"# Reasons\n{line}\n")
    with pytest.raises(Unreachable, match=r"reviewed-cves:2: no CVE, package and reason"):
        check(folder)


def test_the_reviews_of_this_repository_can_be_read() -> None:
    vulnerabilities.reviewed(vulnerabilities.REVIEWED)


def test_no_buildroot() -> None:
    with pytest.raises(Unreachable, match="there is no Buildroot to ask"):
        vulnerabilities.check(None, Path("sbom.json"), None)


def test_no_image(folder: Path) -> None:
    (folder / "sbom.json").unlink()
    with pytest.raises(Unreachable, match=r"sbom\.json is not there: `make image` makes it"):
        check(folder)


def test_a_tool_that_fails(folder: Path) -> None:
    (folder / "nvd/found").unlink()
    with pytest.raises(Unreachable, match=r"CVEs: .*cve-check"):
        check(folder)
