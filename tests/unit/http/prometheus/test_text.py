"""Prometheus' text format, as its documentation of version 0.0.4 has it."""

from __future__ import annotations

from sanstone.http.prometheus.text import labelled, line


def test_a_line_has_labels_only_where_there_are_any() -> None:
    assert line("a_total", "", 7) == "a_total 7\n"
    assert line("a_total", labelled(svm="svm1", volume="v"), 0.5) == (
        'a_total{svm="svm1",volume="v"} 0.5\n'
    )


def test_labels_are_escaped() -> None:
    assert labelled(name='a"b\\c\nd') == r'name="a\"b\\c\nd"'
