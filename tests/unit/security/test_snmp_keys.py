"""Keys of SNMPv3 users are those of the standards."""

from __future__ import annotations

from sanstone.security import snmp_keys
from sanstone.security.snmp_keys import SHA, SHA_256

ENGINE = "000000000000000000000002"


def test_the_keys_of_the_standard() -> None:
    """RFC 3414, A.3.2."""
    expected = "6695febc9288e36282235fc7151f128497b38f3f"
    assert snmp_keys.authentication_key("maplesyrup", SHA, ENGINE) == expected
    assert snmp_keys.privacy_key("maplesyrup", SHA, ENGINE) == expected[:32]
    assert len(snmp_keys.authentication_key("maplesyrup", SHA_256, ENGINE)) == 64


def test_an_engine_is_named_by_the_array() -> None:
    one, other = (snmp_keys.engine_id(f"5a0000ff-0000-4000-8000-00000000000{n}") for n in (1, 2))
    assert one == "80001f88055a0000ff000040008000000000000001" != other
