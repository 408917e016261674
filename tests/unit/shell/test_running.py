"""Lines of commands."""

from __future__ import annotations

from console import Console


def test_an_empty_line_does_nothing(unplugged: Console) -> None:
    assert unplugged.attempt("  ;") == (0, "")
    assert unplugged.attempt("") == (0, "")


def test_one_failure_fails_a_line_and_the_rest_still_runs(unplugged: Console) -> None:
    status, output = unplugged.attempt("foo; rows 7; rows")
    assert status == 1 and output.endswith("Rows per page: 7")


def test_a_line_may_stop_at_the_first_error(unplugged: Console) -> None:
    status, _ = unplugged.attempt("set -stop-on-error true; foo; rows 7")
    assert status == 1 and unplugged.session.settings.rows == 0
