"""SNMP: the settings of the agent, which systemd starts, starts anew and stops by them.

The file is root's, since there are keys in it, and lies in memory; it is there while SNMP is
enabled (sanstone-snmp.path). Names of trap hosts are looked up by a thread
(`tasks.name_resolver`): a trap host gets traps once its address is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

from sanstone.core import places
from sanstone.core.database.statements import every
from sanstone.core.declaration.types import Text
from sanstone.core.events import ERROR, Condition
from sanstone.model.cluster import the_cluster
from sanstone.model.snmp import SnmpConfiguration, SnmpTraphost, SnmpUser
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.results import SnmpSet
from sanstone.reconcile.snmp_settings import SnmpSettings, TrapHost, UsmUser
from sanstone.reconcile.tasks.name_resolver import NamesMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.cluster.settings import ARRAY_NAME, CONTACT, LOCATION
from sanstone.rules.cluster.snmp import (
    AUTHENTICATION,
    ENGINE,
    PRIVACY,
    TRAP_HOST,
    USER_NAME,
    array_engine,
    snmp_configuration,
)

OWNER = f"{SnmpConfiguration.kind}:"
"""Owner of the file: users and trap hosts depend on it."""
EVENT = "snmp.traphost.unknown"
PUBLIC = "public"
"""The community that traps are sent with where it exists, or where there is no other."""
KEY = Text(64, 0, r"(?:[0-9a-f]{2})*", "hexadecimal digits")


def reconcile(turn: Turn) -> SnmpSet:
    """Write the settings, and take in what came of the trap hosts' names."""
    configuration = snmp_configuration(turn.session)
    hosts = turn.session.scalars(every(SnmpTraphost, SnmpTraphost.host)).all()
    users = turn.session.scalars(every(SnmpUser, SnmpUser.name)).all()
    addresses = _addresses(turn, hosts)
    with turn.attempt(OWNER):
        settings = _settings(turn, configuration, users, hosts, addresses)
        _write(turn, settings.text() if configuration.enabled else "")
    for owner in (configuration.owner, *(u.owner for u in users), *(h.owner for h in hosts)):
        turn.block(owner, OWNER)
    return SnmpSet(turn.outcomes)


def _addresses(turn: Turn, hosts: Sequence[SnmpTraphost]) -> dict[str, str]:
    """Return the known addresses of the trap hosts, and observe them."""
    memory = turn.memory.of(NamesMemory)
    addresses: dict[str, str] = {}
    names = set[str]()
    for row in hosts:
        with turn.attempt(row.owner):
            host = as_declared(TRAP_HOST, row.host)
            if _is_address(host):
                addresses[host] = host
            else:
                names.add(host)
    memory.names = frozenset(names)
    addresses |= {name: memory.addresses[name] for name in names & memory.addresses.keys()}
    turn.seen[SnmpTraphost.kind] = {
        row.uuid: {"address": addresses[row.host]} for row in hosts if row.host in addresses
    }
    for row in hosts:
        if row.host not in addresses and (error := memory.errors.get(row.host)):
            text = f'SNMP trap host "{row.host}" gets no traps: {error}.'
            turn.conditions[f"{EVENT}:{row.uuid}"] = Condition(ERROR, EVENT, text, row.owner)
    return addresses


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _settings(
    turn: Turn,
    configuration: SnmpConfiguration,
    users: Sequence[SnmpUser],
    hosts: Sequence[SnmpTraphost],
    addresses: dict[str, str],
) -> SnmpSettings:
    """Return the settings. Raises HostError for what no request can have set."""
    cluster = the_cluster(turn.session)
    communities = tuple(as_declared(USER_NAME, row.name) for row in users if row.is_community)
    known = {row.uuid: _user(row) for row in users if row.is_usm}
    usual = communities[0] if communities and PUBLIC not in communities else PUBLIC
    trap_hosts = [
        TrapHost(
            addresses[row.host],
            known.get(row.user_uuid or ""),
            row.user.name if row.user else usual,
        )
        for row in hosts
        if row.host in addresses and configuration.traps_enabled
    ]
    return SnmpSettings(
        engine=array_engine(turn.session),
        name=as_declared(ARRAY_NAME, cluster.name),
        contact=as_declared(CONTACT, cluster.contact),
        location=as_declared(LOCATION, cluster.location),
        communities=communities,
        users=tuple(known.values()),
        trap_hosts=tuple(trap_hosts),
        tells_failed_logins=configuration.auth_traps_enabled,
    )


def _user(row: SnmpUser) -> UsmUser:
    return UsmUser(
        engine=as_declared(ENGINE, row.engine_id),
        name=as_declared(USER_NAME, row.name),
        authentication=as_declared(AUTHENTICATION, row.authentication_protocol),
        authentication_key=as_declared(KEY, row.authentication_key),
        privacy=as_declared(PRIVACY, row.privacy_protocol),
        privacy_key=as_declared(KEY, row.privacy_key),
    )


def _write(turn: Turn, text: str) -> None:
    """Make the file contain a text, or remove it; no key gets into the log."""
    files, path = turn.host.files, str(places.snmp_settings())
    exists = files.exists(path)
    if text and not (exists and files.read(path) == text.removesuffix("\n")):
        files.store(path, text.encode(), 0o600)
        turn.did("settings of SNMP")
    elif exists and not text:
        files.unlink(path)
        turn.did("SNMP is off")
