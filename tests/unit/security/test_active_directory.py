"""Logins by a real domain controller of Active Directory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from directory_process import directory_service
from directory_scenario import (
    EVE,
    GROUPS,
    JOE,
    NOBODY_ELSE,
    PAST,
    check_known,
    check_unknown,
)
from domain_controller import (
    BASE,
    DISABLED,
    DOMAIN,
    NORMAL,
    REALM,
    USERS,
    DomainController,
    domain_controller,
    entry,
    group,
    user,
)
from simulator import Simulator, simulated
from standing_clock import Clock
from tls_material import material

from sanstone.kernel.directory.ldap import Client
from sanstone.kernel.directory.question import (
    AD_IDMU,
    MS_AD_BIS,
    SUBTREE,
    Answer,
    Directory,
    Place,
    Question,
)
from sanstone.security import certificates
from sanstone.security import directory as directory_accounts
from sanstone.security.certificates import CertificateSpecification

READER = ("array", "the reader's secret")
ODD = ("jörg (x)", "zoë's \\ *secret")
ODD_DN = f'CN=Müller\\, \\"Jörg\\" (x) \\\\ *\\+,OU=Büro (EG)\\, links,{BASE}'
NEW, OFF, ANN = ("new", "new secret"), ("off", "off secret"), ("ann", "ann's secret")
TOM = ("tömm", "tömm's secret")
LOU, MAX = ("lou", "lou's secret"), ("max", "max's secret")
DOMAIN_GUESTS = "514"
PATIENTLY = 9
"""Seconds, since other tests may keep the processors busy."""
LDAP, SESSION = "security/authentication/cluster/ldap", "/api/security/session"
LONG_AGO, NEVER = "116444736010000000", "9223372036854775807"
"""Moments of accountExpires: the second one after 1970 began, and none."""
ENTRIES = (
    entry(f"OU=Büro (EG)\\, links,{BASE}", {"objectClass": "organizationalUnit"}) + "\n",
    entry(f"OU=theirs,{BASE}", {"objectClass": "organizationalUnit"}) + "\n",
    user(*READER),
    user(*JOE),
    user(*EVE, accountExpires=NEVER),
    user(*ODD, ODD_DN),
    user(*PAST, accountExpires=LONG_AGO),
    user(*NEW, pwdLastSet="0"),
    user(*OFF, userAccountControl=str(DISABLED)),
    user(*ANN),
    user(*LOU),
    user(*MAX),
    user(*TOM),
    user("PC1$", "machine's secret", objectClass="computer", userAccountControl="4096"),
    group("storage-admins", f"CN=joe,{USERS}"),
    group("zweite (ü)", f"CN=eve,{USERS}", ODD_DN, dn=f"CN=Zweite\\, (ü) \\\\ *,{BASE}"),
    group("first", f"CN=Zweite\\, (ü) \\\\ *,{BASE}", f"CN=past,{USERS}"),
    group("operators", f"CN=first,{USERS}"),
    # An administrator of one organizational unit can create such a group in it.
    group("theirs", f"CN=ann,{USERS}", dn=f"CN=storage-admins,OU=theirs,{BASE}"),
    group("guests of ours", f"CN=Domain Guests,{USERS}", dn=f"CN=guests,OU=theirs,{BASE}"),
    group("Visitors (Bürö)", f"CN=tömm,{USERS}"),
    group("everybody", f"CN=Domain Users,{USERS}"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DomainController]:
    """A domain controller with some users and groups."""
    with domain_controller(tmp_path_factory.mktemp("samba"), *ENTRIES) as controller:
        yield controller


@pytest.fixture
def directory(server: DomainController) -> Directory:
    """The directory, by StartTLS and from its root, so that it refers to other places."""
    base = Place(BASE, SUBTREE)
    return Directory(
        servers=("127.0.0.1",),
        port=server.port,
        ldaps=False,
        authorities=(material().authority.text,),
        base=base,
        users=base,
        groups=base,
        schema=AD_IDMU,
        bind_dn=f"{READER[0]}@{REALM}",
        bind_password=READER[1],
        timeout=PATIENTLY,
    )


def test_a_user_is_known_by_the_password_and_is_in_groups(
    server: DomainController, directory: Directory
) -> None:
    by_tls = replace(directory, port=server.tls_port, ldaps=True, schema=MS_AD_BIS)
    by_dn = replace(directory, bind_dn=f"CN={READER[0]},{USERS}")
    by_domain = replace(directory, bind_dn=f"{DOMAIN}\\{READER[0]}")
    for each in (directory, by_tls, by_dn, by_domain):
        assert Client().ask(Question(each)) == Answer()
        check_known(each, JOE, "storage-admins")
    # By groups of groups.
    check_known(directory, EVE, "operators")
    check_known(directory, ODD, "operators")


@pytest.mark.parametrize(
    ("name", "password", "is_known"),
    [
        *NOBODY_ELSE,
        (*OFF, False),
        # Has to choose another password first.
        (*NEW, True),
        # Names that the server itself takes for users'.
        (f"joe@{REALM}", JOE[1], False),
        (f"{DOMAIN}\\joe", JOE[1], False),
        (f"CN=joe,{USERS}", JOE[1], False),
        ("PC1$", "machine's secret", False),
        ("storage-admins", JOE[1], False),
    ],
)
def test_nobody_else_is(directory: Directory, name: str, password: str, is_known: bool) -> None:
    check_unknown(directory, name, password, is_known)


def in_groups(directory: Directory, name: str, *groups: str) -> tuple[str, ...]:
    """Return those of the groups in which a user is."""
    return Client().ask(Question(directory, name, None, groups)).groups


def test_a_group_is_called_by_its_own_name_alone(directory: Directory) -> None:
    odd = "zweite (ü)"
    assert in_groups(directory, "eve", odd, "first", "Zweite, (ü) \\ *") == (
        odd,
        "first",
    )
    assert in_groups(directory, "ann", *GROUPS, "theirs") == ("theirs",)


def test_the_primary_group_is_one_too_and_the_groups_that_it_is_in(
    server: DomainController, directory: Directory
) -> None:
    both = ("Domain Users", "everybody")
    assert in_groups(directory, "joe", *both, "Domain Guests", "Guests") == both
    # Its creator is a guest first, and a user by membership.
    server.add_member(f"CN=Domain Guests,{USERS}", f"CN=max,{USERS}")
    server.set(f"CN=max,{USERS}", "primaryGroupID", DOMAIN_GUESTS)
    guests = ("Domain Guests", "Guests")
    assert in_groups(directory, "max", *both, *guests) == (*both, *guests)
    # Groups in other places than those that are looked for count for these all the same.
    there = replace(directory, groups=Place(f"OU=theirs,{BASE}", SUBTREE))
    assert in_groups(there, "max", *both, *guests, "guests of ours") == ("guests of ours",)


def test_a_locked_user_is_refused_but_stays_known(
    server: DomainController, directory: Directory
) -> None:
    """Otherwise guesses at a user's password would put the user out."""
    name, password = LOU
    server.set(BASE, "lockoutThreshold", "2")
    for _ in range(2):
        check_unknown(directory, name, "wrong", is_known=True)
    check_unknown(directory, name, password, is_known=True)
    assert Client().ask(Question(directory, name)) == Answer(known=True)
    server.set(BASE, "lockoutThreshold", "0")
    server.set(f"CN={name},{USERS}", "lockoutTime", "0")
    check_known(directory, LOU)


def test_disabled_expired_and_renamed_users_are_out(
    server: DomainController, directory: Directory
) -> None:
    name, password = ANN
    dn = f"CN={name},{USERS}"
    for attribute, out, back in (
        ("accountExpires", LONG_AGO, NEVER),
        ("accountExpires", LONG_AGO, "0"),
        ("userAccountControl", str(DISABLED), str(NORMAL)),
    ):
        server.set(dn, attribute, out)
        check_unknown(directory, name, password, is_known=False)
        assert Client().ask(Question(directory, name)) == Answer(), "nor who is in a session"
        server.set(dn, attribute, back)
        check_known(directory, ANN)
    # A marriage changes what she is called, and the administrator then what she logs in as.
    server.rename(dn, "CN=Ann\\, née Ü")
    check_known(directory, ANN)
    server.set(f"CN=Ann\\, née Ü,{USERS}", "sAMAccountName", "änn")
    check_unknown(directory, name, password, is_known=False)
    check_known(directory, ("änn", password))


def test_a_question_that_fails_has_a_reason(server: DomainController, directory: Directory) -> None:
    stranger = certificates.self_signed(
        CertificateSpecification((("CN", "stranger"),), authority=True), 2
    )
    off = {"bind_dn": f"{OFF[0]}@{REALM}", "bind_password": OFF[1]}
    tls = {"port": server.tls_port, "ldaps": True}
    for changes, reason in (
        ({"authorities": (stranger.text,)}, "certificate"),
        ({"authorities": (stranger.text,)} | tls, "certificate"),
        # Its certificate is not for this name.
        ({"servers": ("localhost",)}, "certificate"),
        ({"bind_password": "wrong"}, "bind_password is wrong"),
        (off, "locked or has ended"),
        ({"bind_dn": ""}, "without a bind_dn"),
        ({"base": Place("dc=other,dc=org", SUBTREE)}, "base_dn"),
        ({"base": Place("nonsense", SUBTREE)}, "Invalid DN syntax"),
    ):
        different: dict[str, Any] = changes
        answer = Client().ask(Question(replace(directory, **different)))
        assert reason in answer.error, changes


@pytest.fixture
def array(tmp_path: Path, server: DomainController) -> Iterator[Simulator]:
    """An array whose administrator has given it the domain, and accounts to a user and a group."""
    with simulated(tmp_path) as simulator, directory_service():
        authority = {"name": "domain", "public_certificate": material().authority.text}
        simulator.make("security/certificates", {"type": "server_ca", **authority})
        reader = {"bind_dn": f"{READER[0]}@{REALM}", "bind_password": READER[1]}
        tls = {"port": server.tls_port, "ldaps_enabled": True, "query_timeout": PATIENTLY}
        settings = {"servers": ["127.0.0.1"], "schema": "ad_idmu", "base_dn": BASE}
        simulator.make(LDAP, {**settings, **tls, **reader})
        for name, is_group in (("joe", False), ("Visitors (Bürö)", True)):
            by_directory = {"application": "http", "authentication_methods": ["nsswitch"]}
            applications = [by_directory | {"is_ns_switch_group": is_group}]
            simulator.make("security/accounts", {"name": name, "applications": applications})
        yield simulator


def login_answer(
    array: Simulator, login: tuple[str, str], address: str = "10.0.0.1"
) -> tuple[int, str]:
    """Return the status with which a login is answered, and the message."""
    answer = array.client.get(
        "/api/cluster", auth=login, environ_overrides={"REMOTE_ADDR": address}
    )
    return answer.status_code, answer.get_json().get("error", {}).get("message", "")


def test_users_and_members_of_a_group_log_in_to_the_array(
    array: Simulator, server: DomainController, clock: Clock
) -> None:
    assert array.get(f"{LDAP}?fields=status")["status"] == {"state": "up"}
    assert login_answer(array, JOE)[0] == 200
    assert login_answer(array, TOM)[0] == 200
    answers = {
        login_answer(array, login, f"10.0.1.{number}")
        for number, login in enumerate(
            (("joe", "wrong"), ("nobody", "wrong"), EVE, OFF, NEW, PAST, (f"joe@{REALM}", JOE[1]))
        )
    }
    assert len(answers) == 1, "it reveals neither users nor reasons"
    assert answers.pop()[0] == 401
    session = {"name": TOM[0], "password": TOM[1]}
    options: dict[str, Any] = {"base_url": "https://array.example"}
    assert array.client.post(SESSION, json=session, **options).status_code == 201
    assert array.client.get(SESSION, **options).status_code == 200
    server.set(f"CN=tömm,{USERS}", "accountExpires", LONG_AGO)
    clock.now += directory_accounts.REMEMBERED + 1
    assert array.client.get(SESSION, **options).status_code == 401
