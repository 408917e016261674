"""Which CVEs apply to an image, by Buildroot's own tool, but for those that were reviewed.

Buildroot's support/scripts/cve-check compares the versions in an SBOM with the database of NVD,
which it clones into Buildroot's download folder. What Buildroot's recipes say that does not apply
(`_IGNORE_CVES`) it takes from the SBOM. What we found not to apply is in the file reviewed-cves, a
line for each:

    <CVE> <package> <why it does not apply>
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from image.buildroot import Failed, run
from image.repository import REPOSITORY, shown
from image.upstream import Unreachable

REVIEWED = REPOSITORY / "board/image/reviewed-cves"
_LINE = re.compile(r"(?P<id>CVE-\d+-\d+) (?P<package>\S+) (?P<reason>\S.*)")


def check(buildroot: Path | None, sbom: Path, folder: Path | None) -> list[str]:
    """Return a line for each CVE that applies and was not reviewed, and for each review in vain.

    With `folder` the database is its `nvd`, else that of NVD's mirror, brought up to date where
    Buildroot keeps it. Raises Unreachable where it cannot be looked at, and OSError.
    """
    if buildroot is None:
        raise Unreachable("CVEs: there is no Buildroot to ask: BUILDROOT=")
    if not sbom.exists():
        raise Unreachable(f"CVEs: {sbom} is not there: `make image` makes it")
    database = ["--nvd-path", str(folder / "nvd"), "--no-nvd-update"] if folder else []
    with tempfile.TemporaryDirectory() as scratch:
        answer = Path(scratch) / "answer.json"
        tool = [sys.executable, str(buildroot / "support/scripts/cve-check"), *database]
        try:
            run([*tool, "--in-file", str(sbom), "--out-file", str(answer)])
            report = json.loads(answer.read_text())
        except (Failed, ValueError) as error:
            raise Unreachable(f"CVEs: {error}") from error
    return judged(report, reviewed(REVIEWED))


def judged(report: Mapping[str, Any], reviews: Mapping[tuple[str, str], str]) -> list[str]:
    """Compare what cve-check found with the reviews."""
    applying = {
        (each["id"], affected["ref"]): _severity(each)
        for each in report.get("vulnerabilities", [])
        for affected in each.get("affects", [])
        if each.get("analysis", {}).get("state") == "exploitable"
    }
    lines = [
        f"{cve} applies to {package}{severity}"
        for (cve, package), severity in sorted(applying.items())
        if (cve, package) not in reviews
    ]
    return lines + [
        f"{cve} does not apply to {package} any more: remove it from {shown(REVIEWED)}"
        for cve, package in sorted(reviews.keys() - applying.keys())
    ]


def reviewed(file: Path) -> dict[tuple[str, str], str]:
    """Return the reasons in `file`, by CVE and package.

    Raises Unreachable for a line that is neither a review nor a comment, and OSError.
    """
    reasons = {}
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise Unreachable(f"{shown(file)}:{number}: no CVE, package and reason: {line}")
        reasons[match["id"], match["package"]] = match["reason"]
    return reasons


def _severity(vulnerability: Mapping[str, Any]) -> str:
    scores = [each["score"] for each in vulnerability.get("ratings", []) if "score" in each]
    return f", CVSS {max(scores)}" if scores else ""
