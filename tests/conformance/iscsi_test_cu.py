"""libiscsi's suite for targets of SCSI and iSCSI, iscsi-test-cu of Debian's package libiscsi-bin.

It is an initiator of its own. Its cases are named SUITE.CASE. Of its families ALL has nearly all
of them; without a choice it would run each case once for each family that has it.

By iSER (URLs of iser://) it does not come to its end. libiscsi 1.20 sends unsolicited data beyond
8 KiB in Data-Out PDUs, and these without their data (its lib/iser.c puts data
into commands alone): the target breaks the connection, and libiscsi sends the same again for ever.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from conformance.accounted import FAILED, PASSED, SKIPPED
from lab import patience
from lab.station import Host

INITIATORS = (
    "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-test",
    "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-test-2",
)
"""Its names as an initiator unless others are given: on each path one."""
CASES = "ALL,SCSI.ReportLUNs"
# Without the last of them some cases do not say that they are skipped.
OPTIONS = ("--dataloss", "--allow-sanitize", f"--test={CASES}", "--Verbose-scsi")
# Lines of CUnit (CUnit/Sources/Basic/Basic.c); the suite's own lines come between a case's name
# and its end.
_SUITE = re.compile(r"^Suite: (\S+)$", re.MULTILINE)
_CASE = re.compile(r"^  Test: (\S+) \.\.\.", re.MULTILINE)
_END = re.compile(r"^(passed|FAILED)\b", re.MULTILINE)
_SUMMARY = "Run Summary:"


class Broken(Exception):
    """The suite did not run to its end; the text is the end of its output."""


def run(host: Host, urls: Sequence[str]) -> dict[str, str]:
    """Run the suite at one LUN, over one or two paths, and return how each case ended.

    The data on the LUN are lost. Raises Broken.
    """
    argv = ["iscsi-test-cu", *OPTIONS, *urls]
    printed = host.attempt(f"{shlex.join(argv)} 2>&1", timeout=patience.SECONDS).out
    return outcomes(printed)


def outcomes(printed: str) -> dict[str, str]:
    """Return how each case ended, from the suite's output. Raises Broken."""
    cases, summary, _ = printed.partition(_SUMMARY)
    if not summary:
        raise Broken(printed[-2000:])
    ends: dict[str, str] = {}
    _, *suites = _SUITE.split(cases)
    for suite, cases_of_suite in zip(suites[::2], suites[1::2], strict=True):
        _, *names = _CASE.split(cases_of_suite)
        for case, lines in zip(names[::2], names[1::2], strict=True):
            ends[f"{suite}.{case}"] = _outcome(lines)
    return ends


def _outcome(lines: str) -> str:
    """Return how a case ended, from the lines after its name."""
    end = _END.search(lines)
    if not end or end[1] == "FAILED":
        return FAILED
    return SKIPPED if "[SKIPPED]" in lines else PASSED
