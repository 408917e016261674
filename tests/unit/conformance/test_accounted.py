"""A case that does not end as the list says is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance import accounted
from conformance.accounted import FAILED, PASSED, SKIPPED

LIST = """\
# Why all of them.
[failed]
Write10.Residuals
[skipped]
Sanitize.*
"""


@pytest.fixture
def lines(tmp_path: Path) -> list[accounted.Line]:
    path = tmp_path / "list"
    path.write_text(LIST)
    return accounted.read(path)


ALL_AS_LISTED = {
    "Write10.Residuals": FAILED,
    "Sanitize.Reset": SKIPPED,
    "Read10.Simple": PASSED,
}


@pytest.mark.parametrize(
    ("results", "differences"),
    [
        ({}, []),
        (
            {"Read10.Simple": FAILED, "Write10.Residuals": PASSED},
            [
                "Write10.Residuals passed, and is listed as failed",
                "Read10.Simple failed, and is listed as passed",
            ],
        ),
        ({"Sanitize.Erase": FAILED}, ["Sanitize.Erase failed, and is listed as skipped"]),
        ({"Read10.Simple": SKIPPED}, ["Read10.Simple skipped, and is listed as passed"]),
    ],
)
def test_differences_from_the_list_are_reported(
    lines: list[accounted.Line], results: dict[str, str], differences: list[str]
) -> None:
    assert list(accounted.differences({**ALL_AS_LISTED, **results}, lines)) == differences


def test_a_line_about_no_case_is_reported(lines: list[accounted.Line]) -> None:
    differences = list(accounted.differences({"Write10.Residuals": FAILED}, lines))
    assert differences == ["Sanitize.* is listed, and no case is called that"]


def test_a_case_without_a_heading_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("Write10.Residuals\n")
    with pytest.raises(AssertionError, match=r"no heading above 'Write10\.Residuals'"):
        accounted.read(path)


def test_counts() -> None:
    assert accounted.counts(ALL_AS_LISTED) == "1 passed, 1 failed, 1 skipped"


@pytest.mark.parametrize("name", ["blktests.txt", "iscsi-test-cu.txt"])
def test_each_line_of_a_list_has_a_reason(name: str) -> None:
    path = Path(accounted.__file__).with_name(name)
    for paragraph in path.read_text().split("\n\n"):
        assert paragraph.startswith(("#", "[")) and "\n#" in f"\n{paragraph}", paragraph
