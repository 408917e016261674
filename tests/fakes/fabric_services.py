"""Fibre Channel fabrics that answer for themselves, as FC-GS-7 says that they do.

Their answers are put together here from the specification: nobody has such a fabric here.
"""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass, field

from fakes.fibre_channel import DRIVERS, HOSTS
from fakes.files import FakeFiles
from sanstone.kernel.host import FileError, RequestError

ADAPTERS = {"qla2xxx", "lpfc", "fcoe", "bnx2fc"}
"""Drivers that give their ports a bsg node (`bsg_request` in their fc_function_template)."""
REJECT, ACCEPT = 0x8001, 0x8002
NOT_SUPPORTED, UNABLE = 0x0B, 0x09
"""Reason codes."""


@dataclass
class SwitchPort:
    """A port of a switch: type and state as numbers, and the names of the ports attached to it.

    `addresses` are those, in hexadecimal, that the name server gives to the array's ports.
    """

    kind: int = 0x81
    state: int = 1
    attached: tuple[str, ...] = ()
    addresses: dict[str, str] = field(default_factory=dict)


@dataclass
class Switch:
    """A switch with its ports, by name."""

    domain: int = 1
    name: str = ""
    information: tuple[str, ...] = ()
    ports: dict[str, SwitchPort] = field(default_factory=dict)


@dataclass
class Fabric:
    """A fabric: switches by name, and the active zone set with its zones' entries."""

    switches: dict[str, Switch] = field(default_factory=dict)
    zone_set: str = ""
    zones: dict[str, list[bytes]] = field(default_factory=dict)
    rejects: set[int] = field(default_factory=set)
    """Commands that are not supported."""
    name_in_word: bool = True
    """Whether the length of a name of the zone server is in a word of its own."""


class FakeFabricServices:
    """See `host.FabricServices`."""

    def __init__(self, files: FakeFiles) -> None:
        self._files = files
        self.fabrics: dict[str, Fabric] = {}
        """By name, 10:00:…."""
        self.ports_of_requests: list[str] = []
        """The array's port of each request, oldest first."""
        self.tells_lengths = True
        """Whether the driver reports the length of an answer, and not only that of its buffer."""

    def ask(self, adapter: str, request: bytes, longest: int) -> bytes:
        """See `host.FabricServices`."""
        path = f"/dev/bsg/fc_{adapter}"
        driver = self._shown(f"{DRIVERS}/{adapter}/proc_name")
        if driver not in ADAPTERS:
            raise FileError("open", path, errno.ENOENT)
        if driver != "qla2xxx":
            # lpfc_bsg_request() takes no CT of hosts; libfc is not logged in to the service.
            what = f"ask the fabric through {path}, as its driver answers"
            raise RequestError(what, errno.EINVAL)
        self.ports_of_requests.append(adapter)
        name = self._shown(f"{HOSTS}/{adapter}/fabric_name").removeprefix("0x")
        fabric = self.fabrics.get(_colons(bytes.fromhex(name)), Fabric(rejects={0x0101, 0x0115}))
        answer = _answer(fabric, request)
        if len(answer) > longest:
            residual = (len(answer) - longest) // 4
            answer = answer[:10] + struct.pack(">H", residual) + answer[12:longest]
        return answer if self.tells_lengths else answer.ljust(longest, b"\0")

    def _shown(self, path: str) -> str:
        return self._files.read(path).strip() if self._files.exists(path) else ""


def _answer(fabric: Fabric, request: bytes) -> bytes:
    """Return the CT_IU of the answer to one."""
    revision, service, server, options, command, words = struct.unpack(">B3xBBBxHH", request[:12])
    assert (revision, options) == (1, 0)
    assert words > 0
    about = _colons(request[16:])
    payload: bytes | None = None
    explanation = 0
    if command in fabric.rejects:
        return _preamble(service, server, REJECT, NOT_SUPPORTED, 0)
    if (service, server, command) == (0xFA, 3, 0x0115):
        payload = _zone_set(fabric) if fabric.zone_set else None
        explanation = 0x11
    elif (service, server) == (0xFA, 1):
        payload = _configuration(fabric, command, about)
        explanation = 0x01
    elif (service, server, command) == (0xFC, 2, 0x0121):
        payload = _address(fabric, about)
        explanation = 0x02
    if payload is None:
        return _preamble(service, server, REJECT, UNABLE, explanation)
    return _preamble(service, server, ACCEPT, 0, 0) + payload


def _preamble(service: int, server: int, response: int, reason: int, explanation: int) -> bytes:
    return struct.pack(">B3xBBxxHHxBBx", 1, service, server, response, 0, reason, explanation)


def _address(fabric: Fabric, wwpn: str) -> bytes | None:
    """Return the name server's answer to the name of a port, None where it rejects it."""
    for switch in fabric.switches.values():
        for port in switch.ports.values():
            if wwpn in port.addresses:
                return b"\0" + bytes.fromhex(port.addresses[wwpn])
    return None


def _configuration(fabric: Fabric, command: int, about: str) -> bytes | None:
    """Return the configuration server's answer, None for a command that it does not know."""
    if command == 0x0101:
        return _entries([_bytes(wwn) + b"\0\0\0\1" for wwn in fabric.switches])
    if switch := fabric.switches.get(about):
        texts = b"".join(text.encode() + b"\0" for text in switch.information)
        return {
            0x0112: bytes([0, switch.domain, 0, 0]),
            0x0115: bytes([len(switch.name)]) + switch.name.encode().ljust(255, b"\0"),
            0x0117: _word(len(texts)) + texts.ljust(252, b"\0"),
            0x0118: _entries(
                [_bytes(wwpn) + bytes([0, 8, 3, port.kind]) for wwpn, port in switch.ports.items()]
            ),
        }[command]
    for each in fabric.switches.values():
        if port := each.ports.get(about):
            return {
                0x0122: _word(list(each.ports).index(about)),
                0x0124: _entries([_bytes(wwpn) + b"\0\0\0\1" for wwpn in port.attached]),
                0x0126: _word(port.kind) + _word(port.state),
            }[command]
    return None


def _zone_set(fabric: Fabric) -> bytes:
    def name(text: str) -> bytes:
        named = bytes([len(text)]) + (b"\0\0\0" if fabric.name_in_word else b"") + text.encode()
        return named.ljust(-(-len(named) // 4) * 4, b"\0")

    zones = b"".join(name(zone) + _entries(members) for zone, members in fabric.zones.items())
    return name(fabric.zone_set) + _word(len(fabric.zones)) + zones


def member(kind: int, identifier: str) -> bytes:
    """Return the entry of a zone member; its identifier is in hexadecimal, from the beginning."""
    return bytes([kind, 0, 0, 0]) + bytes.fromhex(identifier.replace(":", "")).ljust(8, b"\0")


def _entries(entries: list[bytes]) -> bytes:
    return _word(len(entries)) + b"".join(entries)


def _word(number: int) -> bytes:
    return struct.pack(">I", number)


def _bytes(wwn: str) -> bytes:
    return bytes.fromhex(wwn.replace(":", ""))


def _colons(content: bytes) -> str:
    return content.hex(":")
