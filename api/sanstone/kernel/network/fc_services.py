"""A Fibre Channel fabric's own services: its switches, and the zones that are in force.

Three of its servers answer (Fibre Channel Generic Services, FC-GS-7). In its management service,
the fabric configuration server knows switches and their ports, and the fabric zone server the
active zone set. In its directory service, the name server knows the addresses of attached ports. A
question and its answer are a CT_IU each: a preamble of 16 bytes (clause 4; struct fc_ct_hdr in
include/uapi/scsi/fc/fc_gs.h) and a payload in words of 4 bytes, most significant byte first.

A switch need not answer each question. Where it rejects one or answers with an invalid message, the
fact is left out. The name server tells a port of those alone that share a zone with it.

Two things in the payloads were done in more than one way, and are recognized, since nothing else
fits: a name in a zone set has its length before it, alone or in a word with zeroes, and ends at a
word's end; a number in the 8 bytes of a zone member stands at their beginning or at their end. An
answer must be used up to its last byte that is not zero: drivers tell the length of their buffer
where they do not know the answer's.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from sanstone.kernel.host import Host

_PREAMBLE = struct.Struct(">B3x BBBx HH xBBx")
_REVISION = 1


class Server(NamedTuple):
    """A server of a fabric: GS_Type, which is its service, and GS_Subtype."""

    service: int
    subtype: int


CONFIGURATION, ZONES, NAMES = Server(0xFA, 1), Server(0xFA, 3), Server(0xFC, 2)
_REJECT, _ACCEPT = 0x8001, 0x8002
_WORD = 4
_LONGEST = _PREAMBLE.size + 0xFFFF * _WORD
"""Bytes: the preamble tells the most words of an answer in 16 bits."""
_SHORT = 4096
"""Bytes of the other answers: a list of 340 ports fits."""

GIEL, GDID, GIELN, GIEIL, GPL = 0x0101, 0x0112, 0x0115, 0x0117, 0x0118
GPPN, GAPNL, GPS = 0x0122, 0x0124, 0x0126
GAZS = 0x0115
GID_PN = 0x0121
"""Commands (FC-GS-7): of the configuration server the lists of interconnect elements, the domain,
name and information of one, and its ports; the number of a port, its attached ports, its state. Of
the zone server the active zone set. Of the name server the address of a port by its name."""
NO_ZONE_SET = 0x11
"""The zone server's reason for a reject when no zone set is active."""
_SWITCH = 1
PORT_TYPES = {
    0x01: "n_port",
    0x02: "nl_port",
    0x03: "fnl_port",
    0x7F: "nx_port",
    0x81: "f_port",
    0x82: "fl_port",
    0x84: "e_port",
    0x85: "b_port",
}
PORT_STATES = {1: "online", 2: "offline", 3: "testing", 4: "fault"}
_FOR_DEVICES = ("f_port", "fl_port")
PORT_NAME, DOMAIN_PORT, PORT_ID, NODE_NAME = "port_name", "domain_id_port", "port_id", "node_name"
MEMBER_TYPES = {1: PORT_NAME, 2: DOMAIN_PORT, 3: PORT_ID, 4: NODE_NAME}
"""Kinds of zone members. Vendors have others, of their own."""
_LONGEST_NAME = 64
Answer = TypeVar("Answer")


class Rejected(Exception):
    """A server rejected a question; `explanation` is the reason code explanation."""

    def __init__(self, command: int, reason: int, explanation: int) -> None:
        super().__init__(f"{command:#06x} is rejected: {reason:#04x}, {explanation:#04x}")
        self.explanation = explanation


class BadAnswer(Exception):
    """An answer that violates the specification."""


@dataclass(frozen=True)
class ZoneMember:
    """A member of a zone, by a name of MEMBER_TYPES.

    `name` is a world wide name, an address (0x and six digits), or domain and port as `1/2`. ''
    stands for unknown: both are '' for a member of a vendor's own kind.
    """

    type: str
    name: str


@dataclass(frozen=True)
class Zone:
    """A zone of the active zone set."""

    name: str
    members: tuple[ZoneMember, ...]


@dataclass(frozen=True)
class ZoneSet:
    """The active zone set."""

    name: str
    zones: tuple[Zone, ...]


@dataclass(frozen=True)
class SwitchPort:
    """A port of a switch; '' for an unknown field.

    `attached` are the addresses of the other side's ports by WWPN, 0x and six digits.
    """

    wwpn: str
    type: str
    state: str
    number: str
    attached: Mapping[str, str]


@dataclass(frozen=True)
class Switch:
    """A switch; '' and 0 for unknown fields."""

    wwn: str
    domain: int
    name: str
    vendor: str
    release: str
    ports: tuple[SwitchPort, ...]


def active_zone_set(host: Host, adapter: str) -> ZoneSet | None:
    """Return the active zone set of the fabric that a port (`host3`) is in, None if there is none.

    Raises HostError, Rejected and BadAnswer.
    """
    try:
        return zone_set(_ask(host, adapter, ZONES, GAZS, b"", _LONGEST))
    except Rejected as rejected:
        if rejected.explanation == NO_ZONE_SET:
            return None
        raise


def switches(host: Host, adapter: str) -> list[Switch]:
    """Return the switches of a port's fabric, by name; this takes many requests.

    Raises HostError, and Rejected and BadAnswer where it does not tell which there are.
    """
    asker = _Asker(host, adapter)
    names = elements(_ask(host, adapter, CONFIGURATION, GIEL, b"", _LONGEST))
    return [_switch(asker, wwn) for wwn in names]


class _Asker:
    """Asks about single switches and ports; a rejected question has a default answer."""

    def __init__(self, host: Host, adapter: str) -> None:
        self._host, self._adapter = host, adapter

    def get(
        self,
        command: int,
        wwn: str,
        read: Callable[[bytes], Answer],
        otherwise: Answer,
        server: Server = CONFIGURATION,
    ) -> Answer:
        """Return the answer to a question about a switch or port. Raises HostError."""
        about = bytes.fromhex(wwn.replace(":", ""))
        try:
            return read(_ask(self._host, self._adapter, server, command, about, _SHORT))
        except (Rejected, BadAnswer):
            return otherwise


def _switch(asker: _Asker, wwn: str) -> Switch:
    vendor, release = asker.get(GIEIL, wwn, information, ("", ""))
    its_ports: list[tuple[str, str]] = asker.get(GPL, wwn, ports, [])
    return Switch(
        wwn=wwn,
        domain=asker.get(GDID, wwn, domain, 0),
        name=asker.get(GIELN, wwn, logical_name, ""),
        vendor=vendor,
        release=release,
        ports=tuple(_port(asker, *each) for each in its_ports),
    )


def _port(asker: _Asker, wwpn: str, kind: str) -> SwitchPort:
    names: list[str] = asker.get(GAPNL, wwpn, attached, []) if kind in _FOR_DEVICES else []
    return SwitchPort(
        wwpn=wwpn,
        type=kind,
        state=asker.get(GPS, wwpn, port_state, ""),
        number=asker.get(GPPN, wwpn, port_number, ""),
        attached={name: asker.get(GID_PN, name, address, "", NAMES) for name in names},
    )


def _ask(
    host: Host, adapter: str, server: Server, command: int, payload: bytes, longest: int
) -> bytes:
    """Return the payload of an answer. Raises HostError, Rejected and BadAnswer."""
    request = question(server, command, payload, longest)
    return accepted(server, command, host.fabrics.ask(adapter, request, longest))


def question(server: Server, command: int, payload: bytes, longest: int) -> bytes:
    """Return the CT_IU of a question; the answer may have `longest` bytes."""
    words = (longest - _PREAMBLE.size) // _WORD
    preamble = _PREAMBLE.pack(_REVISION, *server, 0, command, words, 0, 0)
    return preamble + payload


def accepted(server: Server, command: int, answer: bytes) -> bytes:
    """Return the payload of an answer's CT_IU. Raises Rejected and BadAnswer."""
    if len(answer) < _PREAMBLE.size:
        raise BadAnswer(f"{command:#06x}: {len(answer)} bytes")
    _, service, _, _, response, residual, reason, explanation = _PREAMBLE.unpack_from(answer)
    if response == _REJECT:
        raise Rejected(command, reason, explanation)
    if response != _ACCEPT or service != server.service:
        raise BadAnswer(f"{command:#06x}: response {response:#06x} of service {service:#04x}")
    if residual:
        raise BadAnswer(f"{command:#06x}: {residual} words do not fit")
    return answer[_PREAMBLE.size :]


class _Payload:
    """A payload that is read from its beginning."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def take(self, count: int) -> bytes:
        """Return the next bytes. Raises BadAnswer."""
        taken = self._content[self._at : self._at + count]
        if len(taken) != count:
            raise BadAnswer("the answer is too short")
        self._at += count
        return taken

    def number(self) -> int:
        """Return the next word."""
        return int.from_bytes(self.take(_WORD), "big")

    def entries(self, size: int) -> Iterator[bytes]:
        """Yield the entries of a list, which begins with their number."""
        for _ in range(self.number()):
            yield self.take(size)

    def name(self, *, in_word: bool) -> str:
        """Return a name of a zone or zone set, after its length, which may have a word."""
        length = self.take(1)[0]
        if not 0 < length <= _LONGEST_NAME or (in_word and any(self.take(_WORD - 1))):
            raise BadAnswer("no name")
        name = _printable(self.take(length))
        if any(self.take(-(length + (0 if in_word else 1)) % _WORD)):
            raise BadAnswer("no end of a name")
        return name

    def end(self) -> None:
        """Raise BadAnswer if more is there than zeroes."""
        if any(self._content[self._at :]):
            raise BadAnswer("the answer is too long")


def zone_set(payload: bytes) -> ZoneSet:
    """Return the zone set of an answer to GAZS. Raises BadAnswer."""
    try:
        return _zone_set(_Payload(payload), in_word=True)
    except BadAnswer:
        return _zone_set(_Payload(payload), in_word=False)


def _zone_set(payload: _Payload, *, in_word: bool) -> ZoneSet:
    name = payload.name(in_word=in_word)
    zones = []
    for _ in range(payload.number()):
        zone = payload.name(in_word=in_word)
        zones.append(Zone(zone, tuple(map(_member, payload.entries(12)))))
    payload.end()
    return ZoneSet(name, tuple(zones))


def _member(entry: bytes) -> ZoneMember:
    """Return a zone member of its entry: a type, three bytes of no meaning, an identifier.

    It has no name if the identifier is none that is known here.
    """
    kind, identifier = MEMBER_TYPES.get(entry[0], ""), entry[_WORD:]
    if not kind:
        return ZoneMember("", "")
    if kind in (PORT_NAME, NODE_NAME):
        return ZoneMember(kind, _wwn(identifier))
    # A domain, which is never 0, and two bytes: of an address, or the number of a port.
    digits = identifier.strip(b"\0")
    start = identifier.find(digits)
    number = identifier[start : start + 3]
    if not digits or len(digits) > len(number):
        return ZoneMember(kind, "")
    if kind == PORT_ID:
        return ZoneMember(kind, f"0x{number.hex()}")
    return ZoneMember(kind, f"{number[0]}/{int.from_bytes(number[1:], 'big')}")


def elements(payload: bytes) -> list[str]:
    """Return the names of the switches of an answer to GIEL, sorted. Raises BadAnswer."""
    reader = _Payload(payload)
    switches = [_wwn(each[:8]) for each in reader.entries(12) if each[11] == _SWITCH]
    reader.end()
    return sorted(switches)


def domain(payload: bytes) -> int:
    """Return the domain of an answer to GDID, 1…239. Raises BadAnswer."""
    reader = _Payload(payload)
    values = [byte for byte in reader.take(_WORD) if byte]
    if len(values) != 1 or values[0] > 239:
        raise BadAnswer("no domain")
    return values[0]


def logical_name(payload: bytes) -> str:
    """Return the name of an answer to GIELN: a length and a text. Raises BadAnswer."""
    reader = _Payload(payload)
    name = _printable(reader.take(reader.take(1)[0]))
    reader.end()
    return name


def information(payload: bytes) -> tuple[str, str]:
    """Return vendor and release of an answer to GIEIL. Raises BadAnswer.

    It is a list of texts that end with a zero: vendor, model, release, and what the vendor adds.
    """
    reader = _Payload(payload)
    texts = reader.take(reader.number()).split(b"\0")
    if len(texts) < 3:
        raise BadAnswer("no information")
    return _printable(texts[0]), _printable(texts[2])


def ports(payload: bytes) -> list[tuple[str, str]]:
    """Return the ports of an answer to GPL, and their types. Raises BadAnswer."""
    reader = _Payload(payload)
    names_and_types = [
        (_wwn(each[:8]), PORT_TYPES.get(each[11], "")) for each in reader.entries(12)
    ]
    reader.end()
    return names_and_types


def port_state(payload: bytes) -> str:
    """Return the state of an answer to GPS: after the type a word. Raises BadAnswer."""
    reader = _Payload(payload)
    reader.number()
    return PORT_STATES.get(reader.number(), "")


def port_number(payload: bytes) -> str:
    """Return the number of an answer to GPPN. Raises BadAnswer."""
    return str(_Payload(payload).number())


def attached(payload: bytes) -> list[str]:
    """Return the attached ports of an answer to GAPNL. Raises BadAnswer."""
    reader = _Payload(payload)
    wwns = [_wwn(each[:8]) for each in reader.entries(12)]
    reader.end()
    return wwns


def address(payload: bytes) -> str:
    """Return the address of an answer to GID_PN: the last three of 4 bytes. Raises BadAnswer."""
    taken = _Payload(payload).take(_WORD)[1:]
    if not any(taken):
        raise BadAnswer("no address")
    return f"0x{taken.hex()}"


def _wwn(content: bytes) -> str:
    """Return a world wide name."""
    return content.hex(":")


def _printable(content: bytes) -> str:
    """Return a text of printable ASCII. Raises BadAnswer for another."""
    if not all(0x20 <= byte < 0x7F for byte in content):
        raise BadAnswer("no text")
    return content.decode("ascii")
