"""Types of fields for what hosts are called, and for the keys by which they prove it.

See `types` for what a type is.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from typing import Any, ClassVar

from marshmallow import ValidationError, fields

from sanstone.core.declaration.types import Type


class Initiator(Type, fields.String):
    """The name of an initiator: IQN (RFC 3720, 3.2.6.3.1), EUI, a Fibre Channel WWPN, or SRP's
    identifier of a port, 0x and 32 digits. Of that the first half, which is 0 unless set otherwise
    on the host, may be left out; then the other half is written as hosts show it, 5054:00ff:…
    """

    caseless = True
    good: tuple[Any, ...] = (
        "iqn.1994-05.com.redhat:host1",
        "eui.0123456789abcdef",
        "20:00:00:50:56:00:00:01",
        "0x0000000000000000505400fffe000201",
        "5054:00ff:fe00:0201",
    )
    bad: tuple[Any, ...] = (
        {"a": 1},
        [1],
        True,
        7,
        "",
        "host1",
        "iqn.1994-13.com.x:y",
        "eui.12",
        "iqn." + "x" * 224,
        "0x505400fffe000201",
    )
    _IQN = re.compile(r"iqn\.[0-9]{4}-(?:0[1-9]|1[0-2])\.[a-z0-9][a-z0-9.-]*(?::[a-z0-9.:_-]+)?")
    _PORT = re.compile(r"(?:[0-9a-f]{2}:){7}[0-9a-f]{2}|0x[0-9a-f]{32}")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = value.lower() if isinstance(value, str) else ""
        if re.fullmatch(r"[0-9a-f]{16}", text):
            text = ":".join(re.findall("..", text))
        if re.fullmatch(r"(?:[0-9a-f]{4}:){3}[0-9a-f]{4}", text):
            text = f"0x{text.replace(':', ''):0>32}"
        if len(text) <= 223 and (
            self._IQN.fullmatch(text)
            or re.fullmatch(r"eui\.[0-9a-f]{16}", text)
            or self._PORT.fullmatch(text)
        ):
            return text
        raise ValidationError("This must be an IQN, an EUI, a WWPN or an identifier of SRP.")


class IscsiName(Initiator):
    """The name of an iSCSI target or initiator: IQN or EUI."""

    good: tuple[Any, ...] = ("iqn.1994-05.com.redhat:host1", "eui.0123456789abcdef")
    bad: tuple[Any, ...] = (
        *Initiator.bad,
        "20:00:00:50:56:00:00:01",
        "0x0000000000000000505400fffe000201",
    )
    _PORT = re.compile(r"(?!)")


class Wwpn(Type, fields.String):
    """The world wide name of a Fibre Channel port or node, shown with colons, in lower case."""

    caseless = True
    good: tuple[Any, ...] = ("20:00:00:50:56:00:00:01", "2000005056000001")
    bad: tuple[Any, ...] = ({"a": 1}, [1], True, 7, "", "host1", "20:00:00:50:56:00:00")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        digits = value.lower().replace(":", "") if isinstance(value, str) else ""
        name = ":".join(re.findall("..", digits))
        if re.fullmatch(r"[0-9a-f]{16}", digits) and value.lower() in (digits, name):
            return name
        raise ValidationError("This must be a WWPN: 16 hexadecimal digits.")


class Alias(Type, fields.String):
    """A name for a WWPN, which cannot be taken for the name of an initiator."""

    good: tuple[Any, ...] = ("host1", "db-{1}_a.fabric")
    bad: tuple[Any, ...] = ({"a": 1}, [1], True, 7, "", "a b", "x" * 33, "iqn.x", "20:00")
    PATTERN = re.compile(r"(?!(?i:iqn|eui)\.)(?![0-9A-Fa-f:]*$)[A-Za-z0-9_.{}-]{1,32}")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if isinstance(value, str) and self.PATTERN.fullmatch(value):
            return value
        raise ValidationError("This must be letters, digits, _ . { } -, and not digits alone.")


class InitiatorOrAlias(Initiator):
    """The name of an initiator, or an alias of its WWPN."""

    good: tuple[Any, ...] = (*Initiator.good, "host1")
    bad: tuple[Any, ...] = tuple(
        each for each in Initiator.bad if each not in ("host1", "0x505400fffe000201")
    )

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if isinstance(value, str) and Alias.PATTERN.fullmatch(value):
            return value
        return super()._deserialize(value, attr, data, **kw)


class Nqn(Type, fields.String):
    """An NVMe qualified name (NVM Express Base Specification 2.0, section 4.5)."""

    good: tuple[Any, ...] = (
        "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5",
    )
    bad: tuple[Any, ...] = (
        {"a": 1},
        [1],
        True,
        7,
        "",
        "host1",
        "nqn.2014-13.org.x:y",
        "nqn." + "x" * 220,
    )
    _NQN = re.compile(
        r"nqn\.[0-9]{4}-(?:0[1-9]|1[0-2])\.[A-Za-z0-9][A-Za-z0-9.-]*:[A-Za-z0-9.:_-]+"
    )

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if isinstance(value, str) and len(value) <= 223 and self._NQN.fullmatch(value):
            return value
        raise ValidationError("This must be an NVMe qualified name, nqn.yyyy-mm.domain:name.")


class HostName(Initiator):
    """The name of a host by whichever protocol: an initiator's, or an NQN, which keeps its case."""

    good: tuple[Any, ...] = (*Initiator.good, *Nqn.good)
    caseless = False

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if isinstance(value, str) and value.startswith("nqn."):
            return str(Nqn().parse(value))
        return super()._deserialize(value, attr, data, **kw)


def _checked_key(encoded: str) -> bytes:
    """Return the key from the base64 of key and CRC-32, little-endian.

    Return b"" where it is not.
    """
    try:
        raw = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        return b""
    key, check = raw[:-4], raw[-4:]
    return key if zlib.crc32(key).to_bytes(4, "little") == check else b""


class TlsPsk(Type, fields.String):
    """A configured key of TLS, `NVMeTLSkey-1:<hash>:<base64 of key and CRC-32>:`.

    Source: NVM Express TCP Transport Specification 1.1, section 3.6.1.5; 01 is for keys of 32
    bytes, 02 for keys of 48, 00 for both.
    """

    good: tuple[Any, ...] = ("NVMeTLSkey-1:01:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:",)
    bad: tuple[Any, ...] = (
        {"a": 1},
        [1],
        True,
        7,
        "",
        "secret",
        "NVMeTLSkey-1:01:AAAA:",
        "NVMeTLSkey-1:02:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:",
    )
    _LENGTHS: ClassVar[dict[str, tuple[int, ...]]] = {"00": (32, 48), "01": (32,), "02": (48,)}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = value if isinstance(value, str) else ""
        match = re.fullmatch(r"NVMeTLSkey-1:(0[0-2]):([A-Za-z0-9+/=]+):", text)
        if not match or len(_checked_key(match[2])) not in self._LENGTHS[match[1]]:
            raise ValidationError("This must be a TLS key of NVMe, NVMeTLSkey-1:…:")
        return text


class DhHmacChapKey(Type, fields.String):
    """A DH-HMAC-CHAP secret, `DHHC-1:<hash>:<base64 of key and CRC-32>:`.

    Source: NVM Express Base Specification 2.0, section 8.13.5.8; the CRC is little-endian.
    """

    good: tuple[Any, ...] = ("DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:",)
    bad: tuple[Any, ...] = ({"a": 1}, [1], True, 7, "", "secret", "DHHC-1:00:AAAA:")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        match = re.fullmatch(
            r"DHHC-1:0[0-3]:([A-Za-z0-9+/=]+):", value if isinstance(value, str) else ""
        )
        if not match or len(_checked_key(match[1])) not in (32, 48, 64):
            raise ValidationError("This must be a DH-HMAC-CHAP secret, DHHC-1:…:")
        return str(value)
