"""A line becomes words and commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanstone.shell.errors import ShellError
from sanstone.shell.words import commands, quote, scan


def texts(line: str) -> list[list[str]]:
    return [[word.text for word in words] for words in commands(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        (" ; ;", []),
        ("lun show", [["lun", "show"]]),
        ("rows 0; lun  show;", [["rows", "0"], ["lun", "show"]]),
        ('x -comment "a b; c"', [["x", "-comment", "a b; c"]]),
        (r'x "say \"yes\" \\ no"', [["x", r'say "yes" \ no']]),
        ('x ""', [["x", ""]]),
        ("x {-state off; {a b}} y", [["x", "{-state off; {a b}}", "y"]]),
        ('x {-comment "}"}', [["x", '{-comment "}"}']]),
        ("x a{b}", [["x", "a{b}"]]),
    ],
)
def test_words(line: str, expected: list[list[str]]) -> None:
    assert texts(line) == expected


@pytest.mark.parametrize(
    ("line", "what"), [('x "a b', "quotation mark"), ("x {a b", "brace"), ('{"}', "brace")]
)
def test_an_unclosed_quote_is_refused(line: str, what: str) -> None:
    with pytest.raises(ShellError, match=f"missing closing {what}"):
        commands(line)


def test_a_word_knows_its_place_and_whether_it_is_literal() -> None:
    ((first, second, third),) = scan('show "-x" {a')
    assert (first.start, second.start, third.start) == (0, 5, 10)
    assert second.quoted and not first.quoted
    assert third.open and third.braced


@given(st.text())
def test_a_quoted_text_is_one_word(text: str) -> None:
    assert texts(f"x {quote(text)} y") == [["x", text, "y"]]


@given(st.text())
def test_any_line_can_be_scanned(line: str) -> None:
    for words in scan(line):
        for word in words:
            assert line[word.start] in (word.text[:1] or '"', '"', "{")
