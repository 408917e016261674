"""What a real LDAP server is asked, and what is made of its answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
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
from tls_material import material

from sanstone.kernel.directory import ldap
from sanstone.kernel.directory.ldap import Client, Entry, entries, escaped, is_disabled
from sanstone.kernel.directory.question import (
    AD_IDMU,
    ONE_LEVEL,
    SUBTREE,
    Answer,
    Directory,
    Place,
    Question,
)
from sanstone.kernel.host import CommandTimeout
from sanstone.security import certificates
from sanstone.security.certificates import CertificateSpecification

ENTRIES = (
    user("joe", "joe's secret", group=500),
    user("eve", "eve's secret"),
    user("past", "past secret", expires=LONG_AGO),
    user("zo*(x)", "zoë's \\ secret"),
    group("storage-admins", 500),
    group("operators", 501, "eve", "zo*(x)"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectoryServer]:
    """A server with some users and groups."""
    with directory_server(tmp_path_factory.mktemp("slapd"), *ENTRIES) as made:
        yield made


@pytest.fixture
def directory(server: DirectoryServer) -> Directory:
    """How it is asked, by StartTLS."""
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


GROUPS = ("operators", "storage-admins", "nobody")


def test_a_user_is_known_by_the_password_and_is_in_groups(
    server: DirectoryServer, directory: Directory
) -> None:
    by_tls = replace(directory, port=server.tls_port, ldaps=True)
    for each in (directory, by_tls):
        for name, password, groups in (
            ("joe", "joe's secret", ("storage-admins",)),
            ("eve", "eve's secret", ("operators",)),
            ("zo*(x)", "zoë's \\ secret", ("operators",)),
        ):
            answer = Client().ask(Question(each, name, password, GROUPS))
            assert answer == Answer(True, True, groups)
            assert Client().ask(Question(each, name, None, GROUPS)) == Answer(True, False, groups)


@pytest.mark.parametrize(
    ("name", "password", "known"),
    [
        ("joe", "wrong", True),
        ("joe", "", True),
        ("joe", "joe's secret\0", True),
        ("nobody", "joe's secret", False),
        ("*", "joe's secret", False),
        ("joe)(uid=*", "joe's secret", False),
        ("JOE", "joe's secret", False),
        ("joe ", "joe's secret", False),
        ("past", "past secret", False),
        ("reader", READERS_PASSWORD, False),
    ],
)
def test_nobody_else_is(directory: Directory, name: str, password: str, known: bool) -> None:
    assert Client().ask(Question(directory, name, password, GROUPS)) == Answer(known=known)


def test_what_cannot_be_asked_says_why(server: DirectoryServer, directory: Directory) -> None:
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
        # What speaks TLS from the beginning is not asked otherwise, nor the other way round.
        ({"port": server.tls_port}, "127.0.0.1"),
        ({"ldaps": True}, "127.0.0.1"),
    ):
        different: dict[str, Any] = changes
        answer = Client().ask(Question(replace(directory, **different)))
        assert reason in answer.error, changes
    assert Client().ask(Question(directory)) == Answer()


def test_the_next_server_is_asked_and_a_silent_one_last(directory: Directory) -> None:
    asked: list[str] = []

    def run(argv: list[str], **options: Any) -> str:
        asked.append(argv[argv.index("-H") + 1])
        assert not any("secret" in argument for argument in argv), "others may read arguments"
        if "dead" in asked[-1]:
            raise CommandTimeout(argv, options["time_limit"])
        return ""

    client = Client(run)
    two = replace(directory, servers=("dead.example.org", "fd00::7"), port=389)
    for _ in range(2):
        assert client.ask(Question(two)) == Answer()
    live = "ldap://[fd00::7]:389"
    assert asked == ["ldap://dead.example.org:389", live, live]


def test_servers_share_the_time_that_there_is(directory: Directory) -> None:
    now = 0.0

    def run(argv: list[str], **options: Any) -> str:
        nonlocal now
        now += options["time_limit"]
        raise CommandTimeout(argv, options["time_limit"])

    many = tuple(f"server{number}.example.org" for number in range(8))
    client = Client(run, lambda: now)
    answer = client.ask(Question(replace(directory, servers=many, timeout=3)))
    assert "did not answer in time" in answer.error
    assert "not asked any more" in answer.error
    assert now <= ldap.PATIENCE


def test_active_directory_is_asked_in_its_own_terms(directory: Directory) -> None:
    """By a server that answers as Active Directory's do; a real one is not at hand."""
    asked: list[str] = []

    def run(argv: list[str], **_options: Any) -> str:
        asked.append(argv[argv.index("-l") + 2])
        if "objectClass=user" in asked[-1]:
            return "dn: CN=Joe,DC=x\nsAMAccountName: joe\nuserAccountControl: 512\n\n"
        return "dn: CN=Admins,DC=x\nsAMAccountName: admins\ncn:: QWRtaW5z\n"

    question = Question(replace(directory, schema=AD_IDMU), "joe", None, ("admins", "others"))
    assert Client(run).ask(question) == Answer(True, False, ("admins",))
    assert "(samaccountname=joe)" in asked[0]
    assert "(member:1.2.840.113556.1.4.1941:=CN=Joe,DC=x)" in asked[1]


def test_who_is_disabled() -> None:
    for attributes, disabled in (
        ({"useraccountcontrol": ["514"]}, True),
        ({"useraccountcontrol": ["66048"]}, False),
        ({"pwdaccountlockedtime": ["000001010000Z"]}, True),
        ({"nsaccountlock": ["TRUE"]}, True),
        ({"shadowexpire": ["10"]}, True),
        ({"shadowexpire": ["20"]}, False),
        ({"shadowexpire": ["-1"]}, False),
        ({"shadowexpire": ["0"]}, False),
        ({}, False),
    ):
        assert is_disabled(Entry("dn", attributes), 11 * 86_400.0) is disabled, attributes


def test_names_are_escaped_and_entries_parsed() -> None:
    assert escaped("a*(b)\\\0ü") == "a\\2a\\28b\\29\\5c\\00ü"
    text = "dn:: Y249w7w=\ncn: a: b\ncn:: IA==\n\n# a remark\nref: ldap://else/\n\ndn: x\n"
    assert list(entries(text)) == [Entry("cn=ü", {"cn": ["a: b", " "]}), Entry("x", {})]
