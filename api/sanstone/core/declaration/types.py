"""Types of fields: each parses, checks, describes and formats itself.

A type is a marshmallow field. `deserialize` takes what a client sent (a number may arrive as text,
a size with a suffix, a choice in any case) and returns the canonical value, or raises
`ValidationError` with a sentence for the client. marshmallow's own validators are used wherever one
fits, because apispec turns them into the OpenAPI description. `good` and `bad` are examples for the
contract tests; `bad` never contains a value that `deserialize` accepts.
"""

from __future__ import annotations

import ipaddress
import re
import uuid
from datetime import UTC, datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

from marshmallow import ValidationError, fields, validate

KIB, MIB, GIB, TIB, PIB = (1 << 10 * n for n in range(1, 6))
_SUFFIXES = {"": 1, "B": 1, "KB": KIB, "MB": MIB, "GB": GIB, "TB": TIB, "PB": PIB}
_SUFFIXES |= {"K": KIB, "M": MIB, "G": GIB, "T": TIB, "P": PIB}
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Type(fields.Field[Any]):
    """Base of all types. `good` and `bad` feed the contract tests.

    `schema` adds to the OpenAPI description what apispec cannot derive from marshmallow's classes.
    Values of a `caseless` type are in small letters, however a client writes them.
    """

    schema: ClassVar[dict[str, Any]] = {}
    caseless: bool = False
    good: tuple[Any, ...] = ()
    bad: tuple[Any, ...] = ({"a": 1}, [1])

    def parse(self, value: Any) -> Any:
        """Return the canonical value of what a client sent. Raises ValidationError."""
        return self.deserialize(value)

    def format(self, value: Any) -> Any:
        """Return the value as JSON shows it."""
        return value

    def spelled(self, text: str) -> str:
        """Return a text that a client asks for as JSON shows the value that it is of.

        Another text, such as a part of a value, is returned as it is, but for its case.
        """
        try:
            value = self.parse(text)
        except ValidationError:
            value = None
        if value is None:
            return text.lower() if self.caseless else text
        return str(self.format(value))


class Text(Type, fields.String):
    """Text of `minimum` to `maximum` characters that matches `pattern` as a whole.

    Control characters are refused everywhere: no name or comment needs them, and they would reach
    logs and kernel files.
    """

    def __init__(
        self, maximum: int = 255, minimum: int = 0, pattern: str = "", hint: str = "", **kw: Any
    ) -> None:
        checks: list[validate.Validator] = [validate.Length(min=minimum, max=maximum)]
        if pattern:
            # marshmallow formats the message, so braces in it are doubled. OpenAPI's dialect knows
            # `$` but not `\Z`; a line break, before which `$` matches too, never gets this far.
            message = f"Use {hint}." if hint else validate.Regexp.default_message
            escaped = message.replace("{", "{{").replace("}", "}}")
            checks.append(validate.Regexp(f"^(?:{pattern})$", error=escaped))
        super().__init__(validate=checks, **kw)
        self.bad = ({"a": 1}, [1], True, 7, "x" * (maximum + 1), "a\x00b")
        if minimum:
            self.bad += ("",)
        if pattern and not re.fullmatch(pattern, "a b/ü!"):
            self.bad += ("a b/ü!",)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("This must be text.")
        if _CONTROL.search(value):
            raise ValidationError("Control characters are not allowed.")
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValidationError("This is not valid Unicode.") from error
        return value


class Lines(Text):
    """Text of several lines; ends of lines are stored as line feeds."""

    def __init__(self, maximum: int) -> None:
        super().__init__(maximum)
        self.good = ("one line", "two\nlines\n")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("This must be text.")
        text = value.replace("\r\n", "\n")
        super()._deserialize(text.replace("\n", ""), attr, data, **kw)
        return text


class Password(Text):
    """A secret text: write-only, stored encrypted or hashed."""

    def __init__(self, minimum: int = 1, maximum: int = 255) -> None:
        super().__init__(maximum, minimum, r"[\x20-\x7e]*", "printable ASCII characters")


class Integer(Type, fields.Integer):
    """A whole number in `minimum`…`maximum`; a text of digits is accepted too."""

    def __init__(self, minimum: int = 0, maximum: int = 2**63 - 1, **kw: Any) -> None:
        super().__init__(validate=validate.Range(min=minimum, max=maximum), **kw)
        self.good = (minimum,)
        self.bad = ({"a": 1}, [1], True, "x", 1.5, minimum - 1, maximum + 1)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value):
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValidationError("This must be a whole number.")
        return value


class Duration(Integer):
    """A length of time in whole seconds."""


class Size(Integer):
    """A size in bytes; `10GB` and the like are accepted, with 1024-based suffixes."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> int:
        if isinstance(value, str):
            return parse_size(value)
        return super()._deserialize(value, attr, data, **kw)


def parse_size(text: str) -> int:
    """Return the number of bytes in a text such as `10GB`. Raises ValidationError."""
    match = _SIZE.fullmatch(text.strip())
    if not match or match[2].upper() not in _SUFFIXES or len(text) > 32:
        raise ValidationError("This must be a size in bytes, such as 1073741824 or 1GB.")
    number, factor = match[1], _SUFFIXES[match[2].upper()]
    return int(number) * factor if number.isdigit() else int(float(number) * factor)


class Boolean(Type, fields.Boolean):
    """True or false; the words are accepted in any case."""

    good: tuple[Any, ...] = (True, False)
    bad: tuple[Any, ...] = ({"a": 1}, [1], "maybe", 7)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> bool:
        word = value.lower() if isinstance(value, str) else value
        if word in ("true", "false"):
            return bool(word == "true")
        if not isinstance(value, bool):
            raise ValidationError("This must be true or false.")
        return value


class Never(Boolean):
    """A truth value that can only be false: a feature of ONTAP that the array lacks."""

    good: tuple[Any, ...] = (False,)
    bad: tuple[Any, ...] = (*Boolean.bad, True)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> bool:
        if super()._deserialize(value, attr, data, **kw):
            raise ValidationError("The array cannot do this.")
        return False


class Choice(Type, fields.String):
    """One of a set of words, compared without case."""

    def __init__(self, *choices: str, aliases: dict[str, str] | None = None) -> None:
        super().__init__(validate=validate.OneOf(choices))
        self.choices = choices
        self.caseless = all(choice == choice.lower() for choice in choices)
        self.spellings = {choice.lower(): choice for choice in choices} | (aliases or {})
        self.good = choices
        self.bad = ({"a": 1}, [1], True, 7, "no_such_choice", "")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError(f"This must be one of: {', '.join(self.choices)}.")
        return self.spellings.get(value.lower(), value)


class Uuid(Type, fields.String):
    """A UUID, lower case, 8-4-4-4-12."""

    schema = {"format": "uuid"}
    caseless = True
    good: tuple[Any, ...] = ("0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d",)
    bad: tuple[Any, ...] = ({"a": 1}, [1], True, 7, "no-uuid", "")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        try:
            return str(uuid.UUID(value))
        except (ValueError, AttributeError, TypeError) as error:
            raise ValidationError("This must be a UUID.") from error


class IpAddress(Type, fields.String):
    """An IPv4 or IPv6 unicast address in its canonical spelling."""

    schema = {"anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
    caseless = True
    good: tuple[Any, ...] = ("10.10.1.7", "fd00::7")
    bad: tuple[Any, ...] = (
        {"a": 1},
        [1],
        True,
        7,
        "10.0.0",
        "300.1.1.1",
        "224.0.0.1",
        "0.0.0.0",  # noqa: S104 - an example of a refused value
        "255.255.255.255",
        "fe80::1%e0a",
        "",
    )

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        try:
            address = ipaddress.ip_address(value if isinstance(value, str) else "")
        except ValueError as error:
            raise ValidationError("This must be an IP address.") from error
        broadcast = str(address) == "255.255.255.255"
        if address.is_multicast or address.is_unspecified or broadcast or "%" in str(address):
            raise ValidationError("This must be a unicast IP address.")
        return str(address)


class NetworkAddress(IpAddress):
    """The address of a network: as an IP address, and `0.0.0.0` and `::` for all."""

    bad: tuple[Any, ...] = ({"a": 1}, [1], True, 7, "10.0.0", "300.1.1.1", "224.0.0.0", "")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        if value in ("0.0.0.0", "::"):  # noqa: S104 - all destinations, not an address to listen on
            return str(value)
        return super()._deserialize(value, attr, data, **kw)


class Netmask(Type):
    """A netmask or prefix length; the canonical value is the prefix length as an integer."""

    schema = {"type": ["string", "integer"]}
    good: tuple[Any, ...] = ("24", 24, "255.255.255.0")
    bad: tuple[Any, ...] = ({"a": 1}, [1], True, "x", "255.0.255.0", "0.0.0.255", 129, -1, "9" * 99)
    _MASKS = {str(ipaddress.IPv4Network(f"0.0.0.0/{n}").netmask): n for n in range(33)}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> int:
        text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
        if re.fullmatch(r"[0-9]{1,3}", text) and int(text) <= 128:
            return int(text)
        if text not in self._MASKS:
            raise ValidationError("This must be a netmask or a prefix length.")
        return self._MASKS[text]

    def format(self, value: Any) -> Any:
        return str(value)


class Timestamp(Type):
    """A moment, stored as seconds since 1970, shown as ISO 8601 in UTC."""

    schema = {"type": "string", "format": "date-time"}
    good: tuple[Any, ...] = ("2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05Z")
    bad: tuple[Any, ...] = (
        {"a": 1},
        [1],
        True,
        7,
        "",
        "yesterday",
        "2026-13-01",
        "9999-12-31T23:59:59-12:00",
        "0001-01-01T00:00:00+12:00",
    )

    def format(self, value: Any) -> Any:
        moment = datetime.fromtimestamp(value, UTC)
        return moment.isoformat(timespec="seconds")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> float:
        try:
            moment = datetime.fromisoformat(value)
            seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
            # In UTC it may be outside the range of years that datetime supports.
            self.format(seconds)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValidationError("This must be an ISO 8601 time.") from error
        return seconds


class DomainName(Text):
    """A domain name in small letters (RFC 1123, section 2.1), without a dot at its end.

    Its last label begins with a letter, so that an incomplete address is not taken for a name.
    """

    caseless = True
    _LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    _LAST = r"[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

    def __init__(self) -> None:
        pattern = rf"(?:{self._LABEL}\.)*{self._LAST}"
        super().__init__(253, 1, pattern, "a domain name such as example.org")
        self.good = ("example.org", "san.example.org", "localdomain")
        self.bad += ("-a.org", "a-.org", "a..org", "example.org.", "10.0.0", "a" * 64)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        return super()._deserialize(value, attr, data, **kw).lower()


class RemoteHost(Type, fields.String):
    """Another machine, by its domain name or its IP address."""

    caseless = True
    good: tuple[Any, ...] = ("ntp.example.org", "192.0.2.1", "2001:db8::1")
    bad: tuple[Any, ...] = (
        {"a": 1},
        [1],
        True,
        7,
        "",
        "a b",
        "a\nb",
        "192.0.2",
        "300.1.1.1",
        "224.0.0.1",
        "fe80::1%e0a",
    )

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        numeric = isinstance(value, str) and re.fullmatch(r"[0-9.]+|.*:.*", value)
        parsed: str = (IpAddress() if numeric else DomainName()).parse(value)
        return parsed


class EmailAddress(Text):
    """An address that mail is sent to, without a name before it (RFC 5321, 4.1.2): no quoted form.

    The domain is a domain name; it is stored in small letters.
    """

    def __init__(self) -> None:
        super().__init__(254, 3)
        self.good = ("admin@example.org", "san+alerts@mail.example.org")
        self.bad += ("admin", "@example.org", "a b@example.org", "a@b@example.org", "a@192.0.2.1")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        local, _, domain = text.rpartition("@")
        atoms = local.split(".")
        if len(local) > 64 or not all(re.fullmatch(r"[\w!#$%&'*+/=?^`{|}~-]+", a) for a in atoms):
            raise ValidationError("This must be a mail address such as admin@example.org.")
        return f"{local}@{DomainName().parse(domain)}"


class HttpUrl(Text):
    """The address of a web server's page, by https or http, without a login in it."""

    good: tuple[Any, ...] = ("https://hooks.example.org/events?for=san", "http://192.0.2.7:8080/")
    _VISIBLE = re.compile(r"[!-~]*")

    def __init__(self) -> None:
        super().__init__(2048, 1)
        self.bad += (
            "ftp://mirror/a",
            "/etc/passwd",
            "file:///etc/passwd",
            "https://",
            "http://a:0/",
        )
        self.bad += ("http://mirror/a b", "http://a..b/c", "http://mirror/\N{BULLET}")
        self.bad += ("https://user:secret@example.org/",)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if not self._VISIBLE.fullmatch(text):
            raise ValidationError(
                "Write blanks, and letters that are not ASCII, as %20 and the like."
            )
        try:
            parts = urlsplit(text)
            port_is_good = parts.port is None or parts.port > 0
            (parts.hostname or "").encode("idna")  # As it is done to look the host up.
        except ValueError as error:
            raise ValidationError(f"This is no URL: {error}.") from error
        if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_good:
            raise ValidationError("This must be an http or https URL.")
        if parts.username or parts.password:
            raise ValidationError("Give username and password by themselves.")
        return text


class Strings(Type, fields.Raw):
    """A list of words; only read."""

    schema = {"type": "array", "items": {"type": "string"}}


class ListOf(Type, fields.List[Any]):
    """At most `maximum` values of one type, in the client's order, none of them twice."""

    schema = {"type": "array", "uniqueItems": True}

    def __init__(self, entry: Type, maximum: int) -> None:
        super().__init__(entry, validate=validate.Length(max=maximum))
        self.entry, self.maximum = entry, maximum
        self.good = ([], list(entry.good[:maximum]))
        self.bad = ({"a": 1}, "x", 7, True, *([value] for value in entry.bad))
        if entry.good:
            self.bad += ([entry.good[0]] * 2, [entry.good[0]] * (maximum + 1))

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValidationError("This must be a list.")
        parsed: list[Any] = []
        for number, raw in enumerate(value, 1):
            try:
                parsed_entry = self.entry.parse(raw)
            except ValidationError as error:
                raise ValidationError([f"Entry {number}: {m}" for m in error.messages]) from error
            if parsed_entry in parsed:
                raise ValidationError(f"Entry {number} is there already.")
            parsed.append(parsed_entry)
        return parsed

    def format(self, value: Any) -> Any:
        return [self.entry.format(each) for each in value]

    def spelled(self, text: str) -> str:
        """Return a text as an entry is shown: a condition may mean any entry."""
        return self.entry.spelled(text)


class LunPath(Text):
    """The path of a LUN or namespace: `/vol/<volume>/<base>` (ONTAP's rules for characters)."""

    PATTERN = re.compile(
        r"/vol/([A-Za-z_][A-Za-z0-9_]{0,202})/(?:([A-Za-z0-9._{}-]+)/)?([A-Za-z0-9._{}-]+)"
    )

    def __init__(self) -> None:
        super().__init__(512, 1)
        self.bad += ("/vol/v", "lun1", "/vol/v/a b", "/vol/1v/a")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        match = self.PATTERN.fullmatch(text)
        if not match or match[2] or match[3] in (".", ".."):
            raise ValidationError("This must be a path of the form /vol/<volume>/<name>.")
        return text
