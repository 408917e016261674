"""The shape of errors as clients read them."""

from __future__ import annotations

import pytest

from sanstone.core import errors
from sanstone.core.errors import ApiError


def test_the_envelope_has_texts_only_and_no_empty_target() -> None:
    assert ApiError(409, "1", "It exists.", "name").body() == {
        "error": {"message": "It exists.", "code": "1", "target": "name"}
    }
    assert ApiError(500, "65538", "It broke.").body() == {
        "error": {"message": "It broke.", "code": "65538"}
    }


def test_a_missing_object_is_reported_in_the_words_that_clients_expect() -> None:
    message = errors.unknown('volume "v"').message
    assert "entry doesn't exist" in message
    assert 'volume "v" does not exist' in message


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (errors.invalid("x"), 400, "262197"),
        (errors.missing("name"), 400, "2"),
        (errors.unexpected("x"), 400, "262179"),
        (errors.unknown("x"), 404, "4"),
        (errors.unknown_reference("x", "svm", "2621462"), 400, "2621462"),
        (errors.conflict("x"), 409, "8"),
    ],
)
def test_each_kind_of_error_has_its_status_and_code(
    error: ApiError, status: int, code: str
) -> None:
    assert (error.status, error.code) == (status, code)
    assert str(error) == error.message
