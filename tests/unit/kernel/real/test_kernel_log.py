"""Records of /dev/kmsg."""

from __future__ import annotations

import pytest

from sanstone.kernel.host import LogRecord
from sanstone.kernel.real.log import parsed


def test_a_record_of_the_kernel() -> None:
    record = b"6,339,5140900,-;NET: Registered protocol family 10\n SUBSYSTEM=net\n"
    assert parsed(record) == LogRecord(339, 5.1409, "NET: Registered protocol family 10")


def test_further_flags_and_bytes_that_are_no_text() -> None:
    record = parsed(b"3,7,1000000,-,caller=T1;a \\x0a b;c \xff\n")
    assert record == LogRecord(7, 1.0, "a \\x0a b;c \\xff")


@pytest.mark.parametrize("record", [b"14,1,5,-;written by a program", b"", b"no record", b"\xff"])
def test_messages_of_programs_and_malformed_ones_are_left_out(record: bytes) -> None:
    assert parsed(record) is None
