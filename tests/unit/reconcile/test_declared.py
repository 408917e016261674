"""Values that somebody wrote into the database past the API stay there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scenarios import aggregate, chain, svm
from simulator import Simulator, simulated
from tls_material import material

from sanstone.core.database import store
from sanstone.core.declaration.types import IpAddress, ListOf, Text
from sanstone.kernel.host import HostError
from sanstone.reconcile.declared import as_declared

UNIT = "[Service]\nExecStart=/bin/sh -c id\n"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"


BEGIN = chain(aggregate, svm)


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array with something to serve."""
    with simulated(tmp_path, BEGIN) as array:
        yield array


def write(statement: str, *values: object) -> None:
    """Write into the database as its file's owner, and have the reconciler look at once."""
    with closing(sqlite3.connect(store.path())) as other, other:
        other.execute("PRAGMA foreign_keys=OFF")
        other.execute(statement, values)


def faults(array: Simulator) -> str:
    """Return the messages of all events."""
    records = array.get("support/ems/events?fields=log_message")["records"]
    return " ".join(record["log_message"] for record in records)


def files(array: Simulator) -> set[Path]:
    """Return the files below the test's folder, where root's programs write."""
    return {path for path in array.folder.parent.rglob("*") if "sanstone.db" not in path.name}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Text(64, 1, "[a-z]+"), "a\nb"),
        (Text(64, 1, "[a-z]+"), "../x"),
        (Text(64), 7),
        (IpAddress(), "10.1.2.3\nDNS=6.6.6.6"),
        (ListOf(IpAddress(), 2), ["::0001"]),
        (ListOf(IpAddress(), 2), "10.1.2.3"),
    ],
)
def test_values_that_their_type_refuses_are_refused(kind: Any, value: Any) -> None:
    with pytest.raises(HostError, match="no request can have set"):
        as_declared(kind, value)


@pytest.mark.parametrize(
    ("statement", "value", "path"),
    [
        (
            "UPDATE cluster SET name_servers = ?",
            '["10.0.0.1\\n[Manager]"]',
            "/run/systemd/resolved.conf.d/sanstone-names.conf",
        ),
        (
            "UPDATE cluster SET dns_domains = ?",
            '["x\\n[Manager]"]',
            "/run/systemd/resolved.conf.d/sanstone-names.conf",
        ),
        (
            "INSERT INTO ntp_server (server, uuid) "
            "VALUES (?, '00000000-0000-4000-8000-000000000001')",
            "time.example.org\ninclude /etc/shadow",
            "/run/time-servers/array.sources",
        ),
    ],
)
def test_no_line_is_added_to_another_programs_settings(
    array: Simulator, statement: str, value: str, path: str
) -> None:
    write(statement, value)
    array.settle()
    assert not array.kernel.files.exists(path)
    assert "no request can have set" in faults(array)


def test_the_machine_keeps_its_name(array: Simulator) -> None:
    before = array.kernel.files.read("/proc/sys/kernel/hostname")
    write("UPDATE cluster SET name = ?", "a\nb")
    array.settle()
    assert array.kernel.files.read("/proc/sys/kernel/hostname") == before


def test_no_file_is_named_by_an_account_but_in_its_folder(array: Simulator) -> None:
    before = files(array)
    write("UPDATE account SET name = ? WHERE name = 'admin'", "../../evil")
    write("INSERT INTO public_key VALUES ('', '../../evil', 0, ?, '')", KEY)
    array.reconciler.run()
    assert {path for path in files(array) - before if "evil" in path.name} == set()


def test_a_key_of_two_lines_is_no_key(array: Simulator) -> None:
    write(
        "UPDATE account SET applications = ?",
        '[{"application": "ssh", "authentication_methods": ["publickey"]}]',
    )
    write("INSERT INTO public_key VALUES ('', 'admin', 0, ?, '')", KEY)
    write("INSERT INTO public_key VALUES ('', 'admin', 1, ?, '')", f"{KEY}\n{KEY}")
    array.reconciler.run()
    assert (array.folder / "keys/admin").read_text() == f"{KEY}\n"


def test_only_packages_are_removed(array: Simulator, tmp_path: Path) -> None:
    victim = tmp_path / "victim.raucb"
    victim.write_text("here")
    removal = (
        "INSERT INTO removal (uuid, kind, owner, node_uuid, data) SELECT "
        "'00000000-0000-4000-8000-000000000002', 'package', 'cluster/software/packages:x', uuid, ? "
        "FROM node"
    )
    write(removal, '{"version": "../victim"}')
    array.reconciler.run()
    assert victim.exists()
    assert "is no name of a release" in faults(array)


@pytest.mark.parametrize(
    ("column", "value"),
    [("gateway", "10.10.1.254; x"), ("address", "fd00::%a"), ("prefix_length", 129)],
)
def test_an_invalid_route_does_not_disturb_the_others(
    array: Simulator, column: str, value: object
) -> None:
    lif = {"name": "lif1", "ip": {"address": "10.10.1.1", "netmask": "24"}}
    place = {"location.home_port.name": "e0a", "service_policy.name": "default-data-iscsi"}
    array.do("POST", "network/ip/interfaces", {"svm.name": "svm1", **lif, **place})
    for network in ("10.20.0.0", "10.30.0.0"):
        destination = {"address": network, "netmask": "16"}
        body = {"svm.name": "svm1", "destination": destination, "gateway": "10.10.1.254"}
        array.do("POST", "network/ip/routes", body)
    write(f"UPDATE ip_route SET {column} = ? WHERE address = '10.20.0.0'", value)
    array.reconciler.run()
    through = [route for route in array.kernel.network.routes() if route.gateway]
    assert {route.destination for route in through} == {"10.30.0.0/16"}
    assert "no request can have set" in faults(array)


def test_a_lif_of_a_policy_that_is_none_serves_nothing_and_is_shown(array: Simulator) -> None:
    lif = {"name": "lif1", "ip": {"address": "10.10.1.1", "netmask": "24"}}
    place = {"location.home_port.name": "e0a", "service_policy.name": "default-data-iscsi"}
    array.do("POST", "network/ip/interfaces", {"svm.name": "svm1", **lif, **place})
    assert array.kernel.nftables.takes("e0a", "10.10.1.1", 3260)
    write("UPDATE ip_interface SET service_policy = 'everything'")
    array.settle()
    assert not array.kernel.nftables.takes("e0a", "10.10.1.1", 3260)
    [record] = array.get("network/ip/interfaces?fields=services")["records"]
    assert record["services"] == []


def test_the_banner_shows_no_codes_of_terminals(array: Simulator) -> None:
    write("INSERT INTO login_message VALUES ('', ?, '', 1)", "\x1b[2J")
    array.settle()
    assert not (array.folder / "banner").exists()


def test_an_invalid_certificate_does_not_reach_the_web_server(array: Simulator) -> None:
    file = array.folder / "tls/server.pem"
    body = {"type": "server", "common_name": "a.example.org", "name": "a"}
    array.make("security/certificates", body)
    array.do("PATCH", "cluster/web", {"certificate.name": "a"})
    before = file.read_text()
    write("UPDATE certificate SET public_certificate = ?", UNIT)
    array.settle()
    assert file.read_text() == before
    write("UPDATE certificate SET public_certificate = ?", UNIT + before)
    array.settle()
    assert "ExecStart" not in file.read_text()


def test_an_invalid_authority_does_not_reach_the_web_server(array: Simulator) -> None:
    """nginx does not start with a list that it cannot load."""
    body = {"type": "client_ca", "public_certificate": material().authority.text, "name": "a"}
    array.make("security/certificates", body)
    listed = array.folder / "tls/clients.pem"
    before = listed.read_text()
    broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    for text in (UNIT, broken):
        write("UPDATE certificate SET public_certificate = ?", text)
        array.settle()
        assert listed.read_text() == before


def test_a_foreign_value_stops_the_reconciler_before_anything_is_changed(
    array: Simulator,
) -> None:
    write("UPDATE aggregate SET next_thin_id = '../../../run/systemd/system/x'")
    before = array.dump()
    with pytest.raises(store.ForeignValue, match=r"aggregate\.next_thin_id"):
        array.reconciler.run()
    assert array.dump() == before
