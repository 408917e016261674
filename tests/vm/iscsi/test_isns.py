"""iSNS: a host that asks a name server finds the portals of the array's target."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from lab.administrator import Administrator, Record
from lab.patience import eventually
from lab.station import Host

ISNS, LIFS = "protocols/san/iscsi/isns", "network/ip/interfaces"
SERVER = "10.10.1.101"
PORTALS = {"10.10.1.1", "10.10.2.1"}
CONFIGURATION = """\
SourceName = iqn.1993-08.org.debian:isns-server
Database = /run/isns
Security = 0
DefaultDiscoveryDomain = 1
"""


@pytest.fixture
def server(host: Host) -> Iterator[None]:
    """A name server, on the host, with an empty database."""
    host.run(f"rm -rf /run/isns; cat > /run/isnsd.conf << 'end'\n{CONFIGURATION}end")
    host.run("systemd-run --unit names isnsd -f -c /run/isnsd.conf")
    yield
    host.run("systemctl stop names")


@pytest.fixture
def registration(admin: Administrator) -> Iterator[Record]:
    """The registration of the SVM's target."""
    body = {"svm.name": admin.svm, "address": SERVER}
    [record] = admin.api.post(ISNS, body, return_records="true")["records"]
    yield record
    admin.api.delete(path_of(record))


def path_of(registration: Record) -> str:
    """Return the path of a registration."""
    return f"{ISNS}/{registration['svm']['uuid']}"


def state(admin: Administrator, registration: Record) -> str:
    """Return the state of a registration."""
    return str(admin.api.get(path_of(registration), fields="*")["state"])


def portals(host: Host) -> set[str]:
    """Return the addresses of the portals that the host finds by the name server."""
    ask = f"iscsiadm --mode discoverydb --type isns --portal {SERVER}:3205"
    result = host.attempt(f"{ask} --op new; {ask} --discover; {ask} --op delete")
    return set(re.findall(r"^(\S+):3260,\d+ iqn\.", result.out, re.MULTILINE))


@pytest.mark.usefixtures("server")
def test_a_host_finds_the_portals(admin: Administrator, host: Host, registration: Record) -> None:
    eventually(lambda: state(admin, registration) == "registered")
    assert portals(host) == PORTALS
    lif = admin.add_lif("named", "e0c", "10.10.1.5", "default-data-iscsi")
    eventually(lambda: portals(host) == {*PORTALS, "10.10.1.5"})
    admin.remove(LIFS, lif)
    eventually(lambda: portals(host) == PORTALS)
    admin.api.patch(path_of(registration), {"enabled": False})
    eventually(lambda: portals(host) == set())


def test_portals_are_registered_at_a_server_that_comes_later(
    admin: Administrator, host: Host, registration: Record, request: pytest.FixtureRequest
) -> None:
    eventually(lambda: state(admin, registration) == "failed")
    query = {"message.name": "isns.failed", "active": "true", "fields": "log_message"}
    [event] = admin.api.get("support/ems/events", **query)["records"]
    assert f"is not registered at iSNS server {SERVER}" in event["log_message"]
    request.getfixturevalue("server")
    eventually(lambda: state(admin, registration) == "registered")
    assert portals(host) == PORTALS
    assert admin.api.get("support/ems/events", **query)["records"] == []
