"""The account in the subject of a certificate, as nginx writes it."""

from __future__ import annotations

import pytest

from sanstone.security.client_certificate import common_name


@pytest.mark.parametrize(
    ("subject", "name"),
    [
        ("CN=monitor", "monitor"),
        ("CN=monitor,OU=storage,O=Example,C=DE", "monitor"),
        ("O=Example+CN=monitor", "monitor"),
        (r"CN=svm1\\monitor", "svm1\\monitor"),
        (r"CN=J\C3\BCrgen", "Jürgen"),
        (r"CN=a\,CN\=admin", "a,CN=admin"),
        (r"O=a\,CN=admin,CN=monitor", "monitor"),
        (r"O=a\\,CN=monitor", "monitor"),
        (r"O=a\+CN=admin", ""),
        ("CN=monitor,CN=admin", ""),
        ("CN=monitor+CN=admin", ""),
        ("O=Example", ""),
        (r"CN=admin\00", ""),
        (r"CN=\C3", ""),
        ("CN=", ""),
        ("CN=\\", ""),
        ("", ""),
    ],
)
def test_a_subject_needs_exactly_one_common_name(subject: str, name: str) -> None:
    assert common_name(subject) == name
