"""Sealed secrets open only unchanged and under the array's own key."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanstone.core import secrets


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a new key."""
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    path = secrets.key_path()
    path.write_bytes(secrets.new_key())
    return path


@given(text=st.text())
def test_a_secret_comes_back_as_it_was(key: Path, text: str) -> None:
    assert secrets.decrypt(secrets.encrypt(text)) == text


def test_the_same_secret_is_sealed_differently_each_time(key: Path) -> None:
    assert len({secrets.encrypt("a") for _ in range(20)}) == 20


def test_every_changed_bit_is_noticed(key: Path) -> None:
    raw = base64.b64decode(secrets.encrypt("open sesame"))
    for index in range(len(raw)):
        changed = bytearray(raw)
        changed[index] ^= 1
        with pytest.raises(ValueError, match="MAC"):
            secrets.decrypt(base64.b64encode(changed).decode())


def test_a_truncated_secret_is_noticed(key: Path) -> None:
    raw = base64.b64decode(secrets.encrypt("open sesame"))
    for length in range(len(raw)):
        with pytest.raises(ValueError):
            secrets.decrypt(base64.b64encode(raw[:length]).decode())


def test_another_array_cannot_open_it(key: Path) -> None:
    sealed = secrets.encrypt("open sesame")
    key.write_bytes(secrets.new_key())
    with pytest.raises(ValueError, match="MAC"):
        secrets.decrypt(sealed)


def test_a_missing_key_is_distinguished_from_a_changed_secret(key: Path) -> None:
    sealed = secrets.encrypt("open sesame")
    key.unlink()
    with pytest.raises(secrets.KeyUnavailable, match=str(key)):
        secrets.decrypt(sealed)
    key.write_bytes(b"short")
    with pytest.raises(secrets.KeyUnavailable, match="5 bytes instead of 32"):
        secrets.encrypt("x")
