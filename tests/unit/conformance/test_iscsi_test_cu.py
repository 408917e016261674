"""The output of iscsi-test-cu gives each case's result."""

from __future__ import annotations

import pytest

from conformance import iscsi_test_cu
from conformance.accounted import FAILED, PASSED, SKIPPED

PRINTED = """\


     CUnit - A unit testing framework for C - Version 2.1-3
     http://cunit.sourceforge.net/


Suite: CompareAndWrite
  Test: Simple ...passed
  Test: InvalidDataOutSize ...    [SKIPPED] LBPPB < 2. Skipping test
passed
Suite: Verify10
  Test: Mismatch ...    [FAILED] VERIFY10 successful but should have failed with MISCOMPARE(0x0e)
FAILED
    1. test_verify10_mismatch.c:50  - CU_ASSERT_EQUAL(_r,0)
  Test: Flags ...passed
Suite: iSCSITMF
  Test: AbortTaskSimpleAsync ...    WRITE10 queued: (CmdSN=0x75afa49e, ITT=0x671d664f)
passed
  Test: LUNResetSimpleAsync ...    [SKIPPED] Not an iSCSI device. Skipping test
passed    Send PRIN/READ_KEYS

Run Summary:    Type  Total    Ran Passed Failed Inactive
              suites      3      3    n/a      0        0
"""


def test_how_cases_end() -> None:
    assert iscsi_test_cu.outcomes(PRINTED) == {
        "CompareAndWrite.Simple": PASSED,
        "CompareAndWrite.InvalidDataOutSize": SKIPPED,
        "Verify10.Mismatch": FAILED,
        "Verify10.Flags": PASSED,
        "iSCSITMF.AbortTaskSimpleAsync": PASSED,
        "iSCSITMF.LUNResetSimpleAsync": SKIPPED,
    }


def test_a_case_in_which_the_suite_dies_is_reported() -> None:
    with pytest.raises(iscsi_test_cu.Broken, match=r"Test: Flags \.\.\."):
        iscsi_test_cu.outcomes(PRINTED.partition("passed\nSuite: iSCSITMF\n  Test: Abort")[0])
