"""The settings of the SNMP agent, in the form of snmpd.conf(5).

Users of SNMPv3 are set by `usmUser`, the form in which snmpd keeps them itself (snmplib/snmpusm.c,
usm_read_user): it takes localized keys for authentication and privacy, where `createUser` takes the
key before it is localized. Their storage is `readOnly`, so that snmpd does not keep who is deleted.
What may be read leaves out which programs run, with their arguments, and which packages there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address

from sanstone import __version__
from sanstone.core import places
from sanstone.kernel.snmp.agent_connection import PATIENCE
from sanstone.kernel.snmp.agentx import Oid
from sanstone.reconcile.snmp_objects import MODULE
from sanstone.security.snmp_keys import NONE, SHA, SHA_256

PORT, TRAP_PORT = 161, 162
"""UDP ports (RFC 3417, 3.2; IANA)."""
_STANDARD: Oid = (1, 3, 6, 1, 2, 1)
_HIDDEN: Sequence[Oid] = tuple((*_STANDARD, 25, part) for part in (4, 5, 6))
"""hrSWRun, hrSWRunPerf and hrSWInstalled of HOST-RESOURCES-MIB (RFC 2790)."""
_LOAD: Sequence[Oid] = tuple((1, 3, 6, 1, 4, 1, 2021, part) for part in (4, 10, 11))
"""Memory, load and processors in UCD-SNMP-MIB, which many programs draw."""
_AUTHENTICATION = {NONE: (1, 1), SHA: (1, 3), SHA_256: (1, 5)}
_PRIVACY = {NONE: (2, 1), "aes128": (2, 4)}
"""Protocols below snmpAuthProtocols and snmpPrivProtocols (RFC 3414, RFC 3826, RFC 7860)."""
_PROTOCOLS: Oid = (1, 3, 6, 1, 6, 3, 10)
_ACTIVE, _READ_ONLY = 1, 5
"""RowStatus and StorageType (RFC 2579)."""
_LONGEST = 255
"""Octets that snmpd has room for in a text (agent/mibgroup/mibII/system_mib.c)."""


@dataclass(frozen=True)
class UsmUser:
    """A user of SNMPv3; keys are hexadecimal digits, '' for none, and localized to `engine`."""

    engine: str
    name: str
    authentication: str
    authentication_key: str = field(repr=False)
    privacy: str
    privacy_key: str = field(repr=False)

    @property
    def level(self) -> str:
        """Return how well messages are protected at least, in the words of snmpd.conf(5)."""
        if self.privacy != NONE:
            return "priv"
        return "auth" if self.authentication != NONE else "noauth"


@dataclass(frozen=True)
class TrapHost:
    """Where traps are sent, and in the name of a user, or a community."""

    address: str
    user: UsmUser | None
    community: str = ""


@dataclass(frozen=True)
class SnmpSettings:
    """The agent's settings; `engine` is its id."""

    engine: str
    name: str
    contact: str
    location: str
    communities: tuple[str, ...]
    users: tuple[UsmUser, ...]
    trap_hosts: tuple[TrapHost, ...]
    tells_failed_logins: bool

    def text(self) -> str:
        """Return the content of the file."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"exactEngineID 0x{self.engine}"
        yield f"agentAddress udp:{PORT},udp6:{PORT}"
        yield "dontLogTCPWrappersConnects yes"
        yield f"sysObjectID {_dotted(MODULE)}"
        yield f"sysDescr Sanstone {__version__}"
        yield f"sysName {_fitting(self.name)}"
        yield f"sysContact {_fitting(self.contact)}"
        yield f"sysLocation {_fitting(self.location)}"
        yield "master agentx"
        yield f"agentXSocket {places.snmp_agent()}"
        # Members of the folder's group may use it.
        yield "agentXPerms 0660 0750"
        yield f"agentXTimeout {PATIENCE}"
        for part in (_STANDARD, *_LOAD, MODULE):
            yield f"view array included {_dotted(part)}"
        for part in _HIDDEN:
            yield f"view array excluded {_dotted(part)}"
        yield from self._communities()
        yield from self._users()
        yield f"authtrapenable {1 if self.tells_failed_logins else 2}"
        for host in self.trap_hosts:
            yield self._trap_host(host)

    def _communities(self) -> Iterator[str]:
        """Yield the lines that let communities read, by SNMPv2c alone: v1 has no large counters."""
        for number, community in enumerate(self.communities):
            yield f"com2sec community{number} default {community}"
            yield f"com2sec6 community{number} default {community}"
            yield f"group communities v2c community{number}"
        if self.communities:
            yield 'access communities "" v2c noauth exact array none none'

    def _users(self) -> Iterator[str]:
        """Yield the lines that let users read, of a group for each level."""
        for user in self.users:
            name = f"0x{user.name.encode().hex()}00"
            authentication = _protocol(_AUTHENTICATION[user.authentication])
            privacy = _protocol(_PRIVACY[user.privacy])
            yield (
                f"usmUser {_ACTIVE} {_READ_ONLY} 0x{user.engine} {name} {name} NULL "
                f"{authentication} {_key(user.authentication_key)} "
                f'{privacy} {_key(user.privacy_key)} ""'
            )
            yield f"group users-{user.level} usm {user.name}"
        for level in _distinct(user.level for user in self.users):
            yield f'access users-{level} "" usm {level} exact array none none'

    def _trap_host(self, host: TrapHost) -> str:
        """Return the line of a trap host. The user's keys protect traps in its name."""
        version = ip_address(host.address).version
        place = f"udp:{host.address}" if version == 4 else f"udp6:[{host.address}]"
        if host.user is None:
            return f"trap2sink {place}:{TRAP_PORT} {host.community}"
        level = {"priv": "authPriv", "auth": "authNoPriv", "noauth": "noAuthNoPriv"}[
            host.user.level
        ]
        # The sender of a trap is the engine whose keys count (RFC 3414, 1.5.1).
        user = f"-e 0x{self.engine} -u {host.user.name} -l {level}"
        return f"trapsess -v 3 {user} {place}:{TRAP_PORT}"


def _distinct(words: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(words)


def _protocol(parts: Oid) -> str:
    return _dotted((*_PROTOCOLS, 1, *parts))


def _dotted(oid: Oid) -> str:
    return "".join(f".{number}" for number in oid)


def _key(digits: str) -> str:
    return f"0x{digits}" if digits else '""'


def _fitting(text: str) -> str:
    """Return a text that snmpd takes: it has a limit, and takes none for a mistake."""
    return text.encode()[:_LONGEST].decode(errors="ignore").strip() or '""'
