"""Accounts, roles, keys, messages and certificates, with ONTAP's commands."""

from __future__ import annotations

import pytest
from console import Console
from tls_material import material

from sanstone.shell.show import NOTHING

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"


@pytest.fixture
def alice(console: Console) -> Console:
    """A shell on an array that has an account `alice`."""
    console.secrets = ["A long pass 1", "A long pass 1"]
    console.run(
        "security login create alice -application http,ssh -authentication-method password "
        "-role readonly -password"
    )
    return console


def test_an_account(alice: Console) -> None:
    output = alice.run("security login show -user-or-group-name alice -vserver array")
    assert "Application: http, ssh" in output and "Role: readonly" in output
    alice.run("security login modify alice -role admin")
    rows = alice.table("security login show -fields role,is-locked")
    assert ["alice", "array", "admin", "false"] in rows


def test_locking(alice: Console) -> None:
    alice.answers = [True]
    alice.run("security login lock alice")
    assert [row[0] for row in alice.table("security login show -is-locked true")] == ["alice"]
    alice.run("security login unlock alice")
    assert alice.run("security login show -is-locked true").startswith("There are no entries")


def test_deleting_names_the_account(alice: Console) -> None:
    alice.answers = [True]
    alice.run("security login delete alice")
    assert alice.questions[-1] == (
        'Warning: Are you sure you want to delete account "alice"? {y|n}:'
    )
    assert "alice" not in alice.run("security login show")


def test_a_password_is_prompted_for(alice: Console) -> None:
    alice.secrets = ["Another pass 2", "Another pass 2"]
    alice.run("security login password -username alice")
    assert alice.secrets == []


def test_keys(alice: Console) -> None:
    alice.run(f'security login publickey create alice -publickey "{KEY} laptop"')
    ((name, index, fingerprint, *_),) = alice.table("security login publickey show")
    assert (name, index) == ("alice", "0") and fingerprint.startswith("SHA256:")


def test_a_role(console: Console) -> None:
    console.run(
        "security login rest-role create lunadmin -api /api/storage/luns,/api/svm "
        "-access all,readonly"
    )
    assert console.table("security login rest-role privilege show -role lunadmin") == [
        ["lunadmin", "array", "/api/storage/luns", "all"],
        ["lunadmin", "array", "/api/svm", "readonly"],
    ]
    console.run("security login rest-role privilege modify lunadmin -api /api/svm -access none")
    output = console.run("security login rest-role privilege show -role lunadmin -access none")
    assert "/api/svm" in output


def test_messages_have_lines(console: Console) -> None:
    console.run(r'security login banner modify -scope cluster -banner "Go away\nNow"')
    assert console.table("security login banner show -scope cluster")[0][2:] == [
        "Go",
        "away",
        "Now",
    ]
    output = console.run("security login banner show -instance -scope cluster")
    assert [line.strip() for line in output.splitlines() if "Now" in line or "Go" in line] == [
        "Banner: Go away",
        "Now",
    ]


def test_the_result_of_an_action_is_shown(console: Console) -> None:
    lines = console.run("security certificate generate-csr -subject CN=array").splitlines()
    assert lines[0] == "CSR:" and lines[1] == "-----BEGIN CERTIFICATE REQUEST-----"
    assert "-----BEGIN PRIVATE KEY-----" in lines


def test_an_account_that_logs_in_by_certificate(console: Console) -> None:
    console.run(
        "security login create backup -application http -authentication-method certificate "
        "-role readonly"
    )
    assert "backup" in console.run("security login show -authentication-method certificate")
    pem = material().authority.text.replace("\n", r"\n")
    console.run(
        f'security certificate create -type client_ca -cert-name theirs -public-certificate "{pem}"'
    )
    output = console.run("security certificate show -type client_ca -fields common")
    assert "theirs" in output and "An authority" in output


def test_a_directory_and_an_account_in_it(console: Console) -> None:
    show = "vserver services name-service ldap client show"
    assert console.run(show).startswith("There are no entries")
    console.secrets = ["a secret", "a secret"]
    console.run(
        "vserver services name-service ldap client create -ldap-servers ldap.example.org "
        "-base-dn dc=example,dc=org -bind-dn cn=array,dc=example,dc=org -bind-password "
        "-schema MS-AD-BIS -skip-config-validation true"
    )
    output = console.run(show)
    assert "ldap.example.org" in output and "a secret" not in output
    console.run(
        'security login create "Storage Admins" -application http -authentication-method nsswitch '
        "-is-ns-switch-group true -role readonly"
    )
    assert "Storage Admins" in console.run("security login show -is-ns-switch-group true")
    console.answers = [True]
    console.run('security login delete "Storage Admins"')
    console.run("vserver services name-service ldap client modify -ldaps-enabled true")
    assert console.table(f"{show} -fields tcp-port") == [["636"]]
    console.answers = [True]
    console.run("vserver services name-service ldap client delete")
    assert console.questions[-1].startswith(
        "Warning: Are you sure you want to delete the LDAP client?"
    )
    assert console.run(show).startswith("There are no entries")


def test_a_secret_of_codes_is_shown_once(alice: Console) -> None:
    lines = alice.run('security login totp create -username alice -comment "a phone"').splitlines()
    facts = dict(zip(lines[::2], lines[1::2], strict=True))
    assert facts["Install URL:"].endswith(f"?secret={facts['Secret Key:']}&issuer=array")
    assert len(facts["Emergency Codes:"].split(", ")) == 5
    alice.run(
        "security login modify alice -application http -authentication-method password "
        "-second-authentication-method totp"
    )
    assert "Second Authentication Method: totp" in alice.run("security login show alice -instance")
    alice.run("security login totp modify alice -enabled false")
    later = alice.run("security login totp show -instance")
    assert "Enabled: false" in later and "Comment: a phone" in later
    assert facts["Secret Key:"] not in later


def test_an_identity_provider_and_an_account_by_it(console: Console) -> None:
    console.secrets = ["a secret", "a secret"]
    console.run(
        "security oidc create -issuer https://idp.example.org -client-id array -client-secret "
        "-authorization-endpoint https://idp.example.org/a -provider-jwks-uri "
        "https://idp.example.org/k -token-endpoint https://idp.example.org/t -redirect-ipaddress "
        "array.example.org -skip-uri-validation true"
    )
    output = console.run("security oidc show")
    assert "https://array.example.org/login/oidc" in output and "a secret" not in output
    console.run(
        "security login create ann@example.org -application http -authentication-method oidc"
    )
    assert "ann@example.org" in console.run("security login show -authentication-method oidc")
    console.run("security oidc modify -enabled false")
    assert console.table("security oidc show -fields enabled") == [["false"]]
    console.answers = [True]
    console.run("security oidc delete")


def test_a_community_goes_by_the_word_that_it_came_by(console: Console) -> None:
    console.run("system snmp community add -community-name c1")
    console.answers = [True]
    console.run("system snmp community delete -community-name c1")
    assert console.run("system snmp user show -user-name c1") == NOTHING
