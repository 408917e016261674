"""Searches at a real LDAP server, and the answers that follow from them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from directory_scenario import EVE, JOE, NOBODY_ELSE, PAST, check_known, check_unknown
from slapd import (
    BASE,
    LONG_AGO,
    READER,
    READERS_PASSWORD,
    DirectoryServer,
    directory_server,
    group,
    user,
)
from standing_clock import Clock
from tls_material import ended, material

from sanstone.kernel.directory import ldap
from sanstone.kernel.directory.ldap import (
    Client,
    Entry,
    entries,
    escaped,
    is_disabled,
    primary_group,
)
from sanstone.kernel.directory.question import (
    ONE_LEVEL,
    SUBTREE,
    Answer,
    Directory,
    Place,
    Question,
)
from sanstone.kernel.host import CommandError, CommandTimeout
from sanstone.kernel.web import destination
from sanstone.security import certificates
from sanstone.security.certificates import CertificateSpecification

ODD = ("zo*(x)", "zoë's \\ secret")
ENTRIES = (
    user(*JOE, group=500),
    user(*EVE),
    user(*PAST, expires=LONG_AGO),
    user(*ODD),
    group("storage-admins", 500),
    group("operators", 501, EVE[0], ODD[0]),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectoryServer]:
    """A server with some users and groups."""
    with directory_server(tmp_path_factory.mktemp("slapd"), *ENTRIES) as slapd:
        yield slapd


@pytest.fixture
def directory(server: DirectoryServer) -> Directory:
    """The directory, reached by StartTLS."""
    base = Place(BASE, SUBTREE)
    return Directory(
        servers=("127.0.0.1",),
        port=server.port,
        ldaps=False,
        authorities=(material().authority.text,),
        base=base,
        users=base,
        groups=Place(f"ou=groups,{BASE}", ONE_LEVEL),
        bind_dn=READER,
        bind_password=READERS_PASSWORD,
    )


def test_a_user_is_known_by_the_password_and_is_in_groups(
    server: DirectoryServer, directory: Directory
) -> None:
    by_tls = replace(directory, port=server.tls_port, ldaps=True)
    for each in (directory, by_tls):
        check_known(each, JOE, "storage-admins")
        check_known(each, EVE, "operators")
        check_known(each, ODD, "operators")


@pytest.mark.parametrize(
    ("name", "password", "is_known"), [*NOBODY_ELSE, ("reader", READERS_PASSWORD, False)]
)
def test_nobody_else_is(directory: Directory, name: str, password: str, is_known: bool) -> None:
    check_unknown(directory, name, password, is_known)


def test_a_question_that_fails_has_a_reason(server: DirectoryServer, directory: Directory) -> None:
    stranger = certificates.self_signed(
        CertificateSpecification((("CN", "stranger"),), authority=True), 2
    )
    for changes, reason in (
        ({"authorities": ()}, "server_ca"),
        ({"authorities": (stranger.text,)}, "certificate"),
        # Its certificate is not for this name.
        ({"servers": ("localhost",)}, "certificate"),
        ({"bind_password": "wrong"}, "bind_password is wrong"),
        ({"bind_dn": ""}, "base_dn"),
        ({"base": Place("dc=other,dc=org", SUBTREE)}, "base_dn"),
        ({"port": 1}, "cannot be reached"),
        # A server that speaks TLS from the beginning knows no StartTLS, nor the other way round.
        ({"port": server.tls_port}, "127.0.0.1"),
        ({"ldaps": True}, "127.0.0.1"),
    ):
        different: dict[str, Any] = changes
        answer = Client().ask(Question(replace(directory, **different)))
        assert reason in answer.error, changes
    assert Client().ask(Question(directory)) == Answer()


def test_a_certificate_that_has_ended_is_not_believed(directory: Directory, tmp_path: Path) -> None:
    (tmp_path / "authority").mkdir()
    past = ended(material().authority, "a server", ("IP:127.0.0.1",), tmp_path / "authority")
    with directory_server(tmp_path, certificate=past) as other:
        for way in ({"port": other.port}, {"port": other.tls_port, "ldaps": True}):
            changes: dict[str, Any] = way
            assert "certificate" in Client().ask(Question(replace(directory, **changes))).error


def test_the_error_is_the_servers_and_not_the_programs_warning(directory: Directory) -> None:
    """As a server complains of a base_dn that others have (RFC 4511, 4.1.10)."""

    def run(argv: list[str], **_options: Any) -> str:
        raise CommandError(argv, 10, "Warning: a file is readable\nReferral (10)\nMore\n")

    assert "it does not have the base_dn" in Client(run).ask(Question(directory)).error


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name leads somewhere."""
    monkeypatch.setattr(destination, "resolved", lambda *_: [])


@pytest.mark.usefixtures("names")
def test_the_next_server_is_tried_and_a_silent_one_last(directory: Directory) -> None:
    servers: list[str] = []

    def run(argv: list[str], **options: Any) -> str:
        servers.append(argv[argv.index("-H") + 1])
        assert not any("secret" in argument for argument in argv), "others may read arguments"
        if "dead" in servers[-1]:
            raise CommandTimeout(argv, options["time_limit"])
        return ""

    client = Client(run)
    two = replace(directory, servers=("dead.example.org", "fd00::7"), port=389)
    for _ in range(2):
        assert client.ask(Question(two)) == Answer()
    live = "ldap://[fd00::7]:389"
    assert servers == ["ldap://dead.example.org:389", live, live]


@pytest.mark.usefixtures("names")
def test_servers_share_the_time_that_there_is(
    directory: Directory, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ldap, "PATIENCE", 9.0)
    start = clock.now

    def run(argv: list[str], **options: Any) -> str:
        clock.now += options["time_limit"]
        raise CommandTimeout(argv, options["time_limit"])

    many = tuple(f"server{number}.example.org" for number in range(8))
    client = Client(run)
    answer = client.ask(Question(replace(directory, servers=many, timeout=3)))
    assert "did not answer in time" in answer.error
    assert "no time was left" in answer.error
    assert clock.now - start <= ldap.PATIENCE


def test_a_server_that_is_this_machine_gets_no_request(
    directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leads_here(_host: str, _port: int, _kind: socket.SocketKind) -> Any:
        raise destination.Forbidden("127.0.0.1 is an address to which the array does not connect")

    monkeypatch.setattr(destination, "resolved", leads_here)

    def run(_argv: list[str], **_options: Any) -> str:
        raise AssertionError

    error = Client(run).ask(Question(replace(directory, servers=("dc.example.org",)))).error
    assert error.startswith("dc.example.org: 127.0.0.1 is an address to which")


def test_a_name_server_that_says_nothing_holds_up_no_other_server(
    directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = threading.Event()

    def resolved(host: str, _port: int, _kind: socket.SocketKind) -> Any:
        if host == "dc.example.org":
            never.wait()

    monkeypatch.setattr(destination, "resolved", resolved)
    one = Question(replace(directory, servers=("dc.example.org",), timeout=0))
    assert "no name server" in Client().ask(one).error
    both = Question(replace(directory, servers=("dc.example.org", "10.0.0.1"), timeout=1))
    assert Client(lambda *_, **_options: "").ask(both) == Answer()
    never.set()


def test_disabled_and_expired_accounts_are_recognized() -> None:
    for attributes, disabled in (
        ({"useraccountcontrol": ["514"]}, True),
        ({"useraccountcontrol": ["66048"]}, False),
        # Tenths of microseconds from 1601 on: the eleventh and the thirteenth day of 1970.
        ({"accountexpires": ["116453376000000000"]}, True),
        ({"accountexpires": ["116455104000000000"]}, False),
        ({"accountexpires": ["0"]}, False),
        ({"accountexpires": ["9223372036854775807"]}, False),
        ({"accountexpires": ["²"]}, False),
        ({"pwdaccountlockedtime": ["000001010000Z"]}, True),
        ({"nsaccountlock": ["TRUE"]}, True),
        ({"shadowexpire": ["10"]}, True),
        ({"shadowexpire": ["20"]}, False),
        ({"shadowexpire": ["-1"]}, False),
        ({"shadowexpire": ["0"]}, False),
        ({}, False),
    ):
        assert is_disabled(Entry("dn", attributes), 11 * 86_400.0) is disabled, attributes


def test_a_primary_group_is_of_the_users_domain() -> None:
    user = "\x01\x01\0\0\0\0\0\x05\udcff\x02\0\0\x52\x04\0\0"
    for number, sid in (
        ("513", "\\01\\01\\00\\00\\00\\00\\00\\05\\ff\\02\\00\\00\\01\\02\\00\\00"),
        ("-1", ""),
        ("4294967296", ""),
        ("a group", ""),
    ):
        entry = Entry("dn", {"objectsid": [user], "primarygroupid": [number]})
        assert primary_group(entry) == sid, number
    assert primary_group(Entry("dn", {"primarygroupid": ["513"]})) == ""


def test_names_are_escaped_and_entries_parsed() -> None:
    assert escaped("a*(b)\\\0ü") == "a\\2a\\28b\\29\\5c\\00ü"
    text = "dn:: Y249w7w=\ncn: a: b\ncn:: IA==\n\n# a remark\nref: ldap://else/\n\ndn: x\n"
    assert list(entries(text)) == [Entry("cn=ü", {"cn": ["a: b", " "]}), Entry("x", {})]
