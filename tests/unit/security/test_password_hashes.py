"""A password fits its own hash, and no other does."""

from __future__ import annotations

import pytest

from sanstone.security import password_hashes


@pytest.mark.parametrize("password", ["open sesame", "Öffne dich", " ", "x" * 255])
def test_a_password_fits_its_hash_and_no_other(password: str) -> None:
    hashed = password_hashes.hash_password(password)
    assert password not in hashed
    assert password_hashes.verify_password(hashed, password)
    assert not password_hashes.verify_password(hashed, password + "x")


def test_passwords_are_hashed_with_argon2id_and_salt() -> None:
    first, second = (password_hashes.hash_password("a") for _ in range(2))
    assert first != second
    assert first.startswith("$argon2id$")


def test_a_damaged_hash_fits_no_password() -> None:
    assert not password_hashes.verify_password("no hash", "no hash")
