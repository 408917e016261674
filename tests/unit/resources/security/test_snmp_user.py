"""SNMP users: combinations that are allowed, and those that are refused."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import Array

PATH, HOSTS = "support/snmp/users", "support/snmp/traphosts"
SIGNED = {
    "authentication_protocol": "sha2_256",
    "authentication_password": "a signing secret",
    "privacy_protocol": "aes128",
    "privacy_password": "a hiding secret",
}


def user(**changed: Any) -> dict[str, Any]:
    """Return a user of SNMPv3 with some protocols and passwords changed, or left out by None."""
    settings = {name: value for name, value in (SIGNED | changed).items() if value is not None}
    return {"name": "monitor", "authentication_method": "usm", "snmpv3": settings}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (user(authentication_password="seven 7"), "262197"),
        (user(privacy_password="seven 7"), "262197"),
        (user(authentication_protocol="md5"), "262197"),
        (user(privacy_protocol="des"), "262197"),
        (user(authentication_protocol="none"), "262197"),
        (user(authentication_password=None), "2"),
        (user(privacy_password=None), "2"),
        (user() | {"authentication_method": "community"}, "262197"),
        ({"name": "a b"}, "262197"),
        ({"name": "-u"}, "262197"),
    ],
)
def test_invalid_users_are_refused(api: Array, body: dict[str, Any], code: str) -> None:
    api.refuse("POST", PATH, code, body)
    assert api.get(PATH)["records"] == []


def test_a_user_shows_no_password_and_is_found_by_the_engine(api: Array) -> None:
    created = api.make(PATH, user() | {"authentication_method": "both", "comment": "draws"})
    assert created["snmpv3"] == {n: v for n, v in SIGNED.items() if n.endswith("protocol")}
    place = f"{PATH}/{created['engine_id']}/monitor"
    api.patch(place, {"comment": ""})
    assert "comment" not in api.get(place)
    api.refuse("POST", PATH, "1", {"name": "monitor"})
    api.make(HOSTS, {"host": "192.0.2.162", "user": {"name": "monitor"}})
    api.refuse("DELETE", place, "8")
    api.delete(f"{HOSTS}/192.0.2.162")
    api.delete(place)
    assert api.get(PATH)["records"] == []


def test_a_user_without_keys_needs_no_password(api: Array) -> None:
    body = {"name": "open", "authentication_method": "usm"}
    protocols = {"authentication_protocol": "none", "privacy_protocol": "none"}
    assert api.make(PATH, body)["snmpv3"] == protocols
    assert "snmpv3" not in api.make(PATH, {"name": "public"})
