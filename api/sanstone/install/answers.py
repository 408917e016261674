"""The answers that an installation needs, and their file format.

The file is JSON. Example, with every field:

    {"disks": ["/dev/disk/by-id/wwn-0x5000c500a1b2c3d4", "serial:S4EVNF0M"],
     "erase_aggregates": false,
     "erase_installed": false,
     "configuration": "restore",
     "host_name": "san1",
     "management": {"address": "192.0.2.10/24", "gateway": "192.0.2.1"},
     "name_servers": ["192.0.2.53", "192.0.2.54"],
     "time_servers": ["ntp.example.org", "192.0.2.123"],
     "timezone": "Europe/Vienna",
     "password": "correct horse 1",
     "after": "reboot"}

`disks`             one system disk, or two that mirror each other. A path, best one under
                    /dev/disk/by-id; `serial:<serial number>`; or a rule: `first` (in the kernel's
                    order), `smallest`. A rule skips disks that cannot be used or belong to an
                    aggregate, regardless of `erase_aggregates`, and those attached by USB,
                    Fibre Channel, iSCSI or NVMe over a network. Everything on the disks is erased.
`erase_aggregates`  whether a system disk may be one that belongs to an aggregate. Default: false.
`erase_installed`   whether a system disk may be one that Sanstone is installed on. If not, a rule
                    is refused while there is such a disk, so that a boot over the network that
                    requests an installation every time does no harm. Default: false.
`configuration` "restore", the default: the array with aggregates on the other disks is restored; if
                    these cannot be read or belong to several arrays, the installation ends with an
                    error; if there are none, a new array is created. "new": always a new array; the
                    other disks stay as they are. `host_name` letters, digits and hyphens, at most
                    44: the array's name. `management` "dhcp", the default, or an address with its
                    prefix length and, optionally, the gateway. The address becomes the interface
                    `mgmt1` of the array, on e0M. e0M uses DHCP too. `name_servers` addresses of at
                    most 3 DNS servers, which take precedence over those from DHCP. Default: none.
                    `time_servers` host names or addresses of at most 10 NTP servers, which replace
                    those from DHCP. Default: none. `timezone` as the IANA database names it.
                    Default: Etc/UTC. `password` of `admin`, as the rules of the array demand: at
                    least 8 characters, letters and digits. Or `password_hash`, its argon2id hash,
                    so that none lies in a file. `after` "reboot", the default, or "poweroff".

An array that is restored from its aggregates keeps its own name, addresses, servers and time zone;
the password is the one from the answers.
"""

from __future__ import annotations

import ipaddress
import json
import re
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from argon2 import extract_parameters
from argon2.exceptions import InvalidHashError
from argon2.low_level import Type
from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from sanstone.core.declaration.types import ListOf
from sanstone.core.errors import ApiError
from sanstone.model.security import ADMIN
from sanstone.rules.cluster.settings import NAME_SERVERS, NTP_SERVERS
from sanstone.rules.network.addresses import checked_network
from sanstone.security import password_hashes, passwords
from sanstone.setup import ADMINISTRATOR

DHCP = "dhcp"
RESTORE, NEW = "restore", "new"
REBOOT, POWER_OFF = "reboot", "poweroff"
RULES = ("first", "smallest")
SERIAL = "serial:"


class WrongAnswers(Exception):
    """Answers that cannot be used; the text names each field."""


@dataclass(frozen=True)
class Address:
    """A static management address; `gateway` is '' for none."""

    address: str
    prefix_length: int
    gateway: str = ""


@dataclass(frozen=True)
class Answers:
    """The answers. `management` is None for DHCP; of the password there is only the hash."""

    disks: tuple[str, ...]
    host_name: str
    password_hash: str = field(repr=False)
    management: Address | None = None
    name_servers: tuple[str, ...] = ()
    time_servers: tuple[str, ...] = ()
    timezone: str = "Etc/UTC"
    erase_aggregates: bool = False
    erase_installed: bool = False
    configuration: str = RESTORE
    after: str = REBOOT


def check_disk(value: str) -> None:
    """Raise ValidationError unless a text can name a disk."""
    named = value.startswith(SERIAL) and value != SERIAL
    if not (named or value in RULES or value.startswith("/dev/")):
        raise ValidationError(f"A path, {SERIAL}<serial number>, {' or '.join(RULES)}.")


def check_host_name(value: str) -> None:
    """Raise ValidationError unless a text is valid as the name of the array and its certificate."""
    shape = validate.Regexp(r"[A-Za-z]([A-Za-z0-9-]{0,42}[A-Za-z0-9])?\Z")
    try:
        shape(value)
    except ValidationError:
        text = "A letter, then letters, digits and hyphens; at most 44, no hyphen at the end."
        raise ValidationError(text) from None


def check_timezone(value: str) -> None:
    """Raise ValidationError unless the system has a time zone."""
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValidationError(f'"{value}" is not a time zone.') from None


def check_password(value: str) -> None:
    """Raise ValidationError unless a password meets the array's rules."""
    try:
        passwords.check(passwords.defaults("", ADMIN), ADMINISTRATOR, value)
    except ApiError as error:
        raise ValidationError(str(error)) from None


def parse_address(address: str, gateway: str = "") -> Address:
    """Parse an address such as `192.0.2.10/24`. Raises ValidationError."""
    plain, _, prefix = address.partition("/")
    try:
        ipaddress.ip_address(plain)
        network = checked_network(plain, int(prefix))
    except ValueError:
        text = "An address with its prefix length, such as 192.0.2.10/24."
        raise ValidationError(text, "address") from None
    except ApiError as error:
        raise ValidationError(str(error), "address") from None
    if gateway:
        try:
            inside = ipaddress.ip_address(gateway) in network.network
        except ValueError:
            raise ValidationError("An address such as 192.0.2.1.", "gateway") from None
        if not inside or gateway == plain:
            raise ValidationError(f"Another address in {network.network}.", "gateway")
    return Address(str(network.ip), network.network.prefixlen, gateway)


def parse_list(kind: ListOf, text: str) -> tuple[str, ...]:
    """Parse the entries of a line, separated by blanks or commas. Raises ValidationError."""
    return tuple(kind.parse([entry for entry in re.split(r"[,\s]+", text) if entry]))


class _AddressSchema(Schema):
    address = fields.String(required=True)
    gateway = fields.String(load_default="")

    @post_load
    def _build(self, data: dict[str, Any], **_: Any) -> Address:
        return parse_address(**data)


class _Management(fields.Field):  # type: ignore[type-arg]
    """`dhcp`, or an object."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> Address | None:
        if value == DHCP:
            return None
        if not isinstance(value, dict):
            raise ValidationError(f'"{DHCP}", or an object with address and gateway.')
        address: Address = _AddressSchema().load(value)
        return address


class _AnswersSchema(Schema):
    disks = fields.List(
        fields.String(validate=check_disk), required=True, validate=validate.Length(1, 2)
    )
    erase_aggregates = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    erase_installed = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    configuration = fields.String(load_default=RESTORE, validate=validate.OneOf((RESTORE, NEW)))
    host_name = fields.String(required=True, validate=check_host_name)
    management = _Management(load_default=None)
    name_servers = NAME_SERVERS
    time_servers = NTP_SERVERS
    timezone = fields.String(load_default="Etc/UTC", validate=check_timezone)
    password = fields.String(validate=check_password)
    password_hash = fields.String()
    after = fields.String(load_default=REBOOT, validate=validate.OneOf((REBOOT, POWER_OFF)))

    @validates_schema
    def _one_password(self, data: dict[str, Any], **_: Any) -> None:
        if ("password" in data) == ("password_hash" in data):
            raise ValidationError("Either this or password_hash.", "password")
        try:
            argon2id = extract_parameters(data.get("password_hash", "")).type is Type.ID
        except InvalidHashError:
            argon2id = False
        if "password_hash" in data and not argon2id:
            raise ValidationError("An argon2id hash, $argon2id$v=19$...", "password_hash")

    @post_load
    def _build(self, data: dict[str, Any], **_: Any) -> Answers:
        password = data.pop("password", "")
        data.setdefault(
            "password_hash", password_hashes.hash_password(password) if password else ""
        )
        lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
        return Answers(**{**data, **lists})


def parse(text: str) -> Answers:
    """Parse the text of a file. Raises WrongAnswers, which names every wrong field."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongAnswers(f"The answers are not JSON: {error}") from None
    try:
        answers: Answers = _AnswersSchema().load(content)
    except ValidationError as error:
        raise WrongAnswers("\n".join(_lines(error.messages))) from None
    return answers


def _lines(messages: Any, place: str = "") -> list[str]:
    if isinstance(messages, list):
        return [f"{place}: {' '.join(map(str, messages))}"]
    lines = []
    for key, below in messages.items():
        name = "answers" if key == "_schema" else str(key)
        lines += _lines(below, f"{place}.{name}" if place else name)
    return lines
