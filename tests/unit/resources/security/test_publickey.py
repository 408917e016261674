"""Public keys of SSH, as people paste them."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from sanstone.rules.security.logins import ED25519, TYPES, SshKey

BLOB = st.binary(max_size=300).map(lambda raw: base64.b64encode(raw).decode())


@given(
    st.one_of(
        st.text(),
        st.tuples(st.sampled_from(sorted(TYPES)), BLOB | st.text()).map(" ".join),
        st.text().map(lambda text: f"{ED25519}{text}"),
    )
)
def test_any_text_is_a_key_or_refused(text: str) -> None:
    try:
        key = SshKey().parse(text)
    except ValidationError:
        return
    assert SshKey().parse(key) == key
    assert key.split()[0] in TYPES
    # It becomes a line of a file that sshd reads.
    assert not any(c in key for c in "\r\n\0")


@pytest.mark.parametrize("text", ["ssh-ed25519 ü", "ssh-ed25519 =", "ssh-ed25519 AAAA", ""])
def test_an_invalid_key_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        SshKey().parse(text)
