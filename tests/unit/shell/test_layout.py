"""Tables fit, instances line up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sanstone.shell.layout import Column, instance, separated, table, wrap

COLUMNS = (Column("Vserver"), Column("Path"), Column("Size", right=True))
ROWS = (("svm1", "/vol/vol1/lun1", "1GB"), ("svm1", "/vol/vol1/a-much-longer-name", "1.50TB"))


def test_a_table_is_as_wide_as_it_needs() -> None:
    assert table(COLUMNS, ROWS, 80) == [
        "Vserver Path                           Size",
        "------- ---------------------------- ------",
        "svm1    /vol/vol1/lun1                  1GB",
        "svm1    /vol/vol1/a-much-longer-name 1.50TB",
    ]


def test_the_widest_column_gives_way() -> None:
    assert table(COLUMNS, ROWS, 34) == [
        "Vserver Path                  Size",
        "------- ------------------- ------",
        "svm1    /vol/vol1/lun1         1GB",
        "svm1    /vol/vol1/a-much-lo 1.50TB",
        "        nger-name",
    ]


def test_lines_break_where_a_reader_would() -> None:
    assert wrap("data-core, data-iscsi, data-nvme-tcp", 22) == [
        "data-core, data-iscsi,",
        "data-nvme-tcp",
    ]


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"])), st.integers(1, 30))
def test_wrapping_loses_no_letter_and_keeps_the_width(text: str, width: int) -> None:
    pieces = wrap(text, width)
    assert all(len(piece) <= width for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_an_instance_is_aligned_at_its_colons() -> None:
    assert instance([("Vserver", "svm1"), ("LUN Path", "/vol/v/l")]) == [
        " Vserver: svm1",
        "LUN Path: /vol/v/l",
    ]


def test_each_value_for_a_script_ends_with_the_separator() -> None:
    assert separated(["a", "", "b"], ";;") == "a;;;;b;;"
