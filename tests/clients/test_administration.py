"""NetApp's Python client administers the array: accounts, destinations of events, the release."""

from __future__ import annotations

from typing import Any

import pytest
from netapp_ontap import resources
from python_client import changed, created, listed, refusal, shown

SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
pytestmark = pytest.mark.usefixtures("connection")


def test_cluster() -> None:
    cluster = resources.Cluster()
    assert shown(cluster)["name"]
    assert cluster.version.generation == 9
    assert changed(cluster, contact="storage@example.org")["contact"] == "storage@example.org"


def test_servers_of_names_and_of_time() -> None:
    server = created(resources.NtpServer, server="192.0.2.123")
    assert (server.version, server.authentication_enabled) == ("auto", False)
    cluster = changed(resources.Cluster(), name_servers=["192.0.2.53"], dns_domains=["example.org"])
    assert (cluster["name_servers"], cluster["dns_domains"]) == (["192.0.2.53"], ["example.org"])
    assert cluster["ntp_servers"] == ["192.0.2.123"]
    [dns] = listed(resources.Dns)
    assert (dns["servers"], dns["domains"]) == (cluster["name_servers"], cluster["dns_domains"])
    changed(resources.Dns(uuid=dns["uuid"]), servers=["192.0.2.54"])
    assert shown(resources.Cluster())["name_servers"] == ["192.0.2.54"]
    resources.Dns(uuid=dns["uuid"]).delete(poll_timeout=3600)
    assert listed(resources.Dns) == []
    assert [record["server"] for record in listed(resources.NtpServer)] == ["192.0.2.123"]
    server.delete(poll_timeout=3600)
    assert listed(resources.NtpServer) == []


def test_objects_that_exist_once(aggregate: Any) -> None:
    [space] = listed(resources.Ipspace)
    [domain] = listed(resources.BroadcastDomain)
    assert (space["name"], domain["ipspace"]) == ("Default", _named(space))
    assert {port["name"] for port in domain["ports"]} >= {"e0a", "e0b"}
    [plex] = listed(resources.Plex, aggregate.uuid)
    assert [group["name"] for group in plex["raid_groups"]] == ["/aggr1/plex0/rg0"]
    release = shown(resources.Software())["version"]
    assert shown(resources.Cluster())["version"]["full"].startswith(f"Sanstone {release}")
    assert refusal(resources.Ipspace(name="other").post) == "3"


def test_counters() -> None:
    tables = {table["name"]: table for table in listed(resources.CounterTable)}
    assert set(tables) == {"processor", "system:constituent", "wafl"}
    busy, passed = tables["processor"]["counter_schemas"]
    assert busy["denominator"]["name"] == passed["name"] == "elapsed_time"
    # The array that is served here samples nothing.
    assert listed(resources.CounterRow, "processor") == []


def _named(record: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to an object."""
    return {"name": record["name"], "uuid": record["uuid"]}


def test_licence_packages() -> None:
    packages = {each["name"]: each["state"] for each in listed(resources.LicensePackage)}
    assert packages["flexclone"] == packages["iscsi"] == "compliant"
    assert "snapmirror" not in packages


def test_empty_collections(aggregate: Any) -> None:
    for kind in (
        resources.ClusterPeer,
        resources.FcInterface,
        resources.FcLogin,
        resources.NtpKey,
        resources.SnapmirrorPolicy,
        resources.SnapmirrorRelationship,
        resources.SvmPeer,
        resources.SvmPeerPermission,
    ):
        assert listed(kind) == [], kind
        assert kind.count_collection() == 0
    assert listed(resources.CloudStore, aggregate.uuid) == []
    assert resources.SnapmirrorRelationship.find(name="any") is None


def test_roles_accounts_and_keys(svm: Any) -> None:
    privileges = [{"path": "/api/storage", "access": "readonly"}]
    role = created(resources.Role, name="watcher", privileges=privileges)
    owner = role.owner.uuid
    more = created(
        resources.RolePrivilege, owner, "watcher", path="/api/protocols", access="readonly"
    )
    assert changed(more, access="all")["access"] == "all"
    assert {each["path"] for each in shown(role)["privileges"]} >= {"/api/protocols"}
    http = {"application": "http", "authentication_methods": ["password"]}
    account = created(
        resources.Account,
        name="operator",
        password="A long pass phrase 1",
        role={"name": "watcher"},
        applications=[http],
    )
    assert shown(account)["applications"][0]["second_authentication_method"] == "none"
    assert changed(account, locked=True)["locked"]
    key = created(
        resources.Publickey,
        owner={"uuid": owner},
        account={"name": "operator"},
        index=0,
        public_key=SSH_KEY,
    )
    assert changed(key, comment="from a desk")["comment"] == "from a desk"
    key.delete()
    assert refusal(role.delete)
    account.delete()
    more.delete()
    role.delete()
    assert resources.Account.find(name="operator") is None


def test_the_directory() -> None:
    ldap = resources.ClusterLdap(
        servers=["ldap.example.org"],
        schema="rfc_2307",
        base_dn="dc=example,dc=org",
        bind_dn="cn=array,dc=example,dc=org",
        bind_password="a secret",
        min_bind_level="simple",
        use_start_tls=True,
        skip_config_validation=True,
    )
    ldap.post()
    ldap = resources.ClusterLdap()
    ldap.get()
    assert (ldap.servers, ldap.port, ldap.use_start_tls) == (["ldap.example.org"], 389, True)
    ldap.ldaps_enabled, ldap.use_start_tls = True, False
    ldap.patch()
    ldap.get()
    assert ldap.port == 636
    by_directory = {"application": "http", "authentication_methods": ["nsswitch"]}
    group = created(
        resources.Account,
        name="Storage Admins (Büro)",
        role={"name": "readonly"},
        applications=[by_directory | {"is_ns_switch_group": True}],
    )
    assert changed(group, comment="from the domain")["comment"] == "from the domain"
    group.delete()
    ldap.delete()
    assert refusal(resources.ClusterLdap().get)


def test_the_identity_provider() -> None:
    provider = resources.SecurityOidc(
        provider="adfs",
        issuer="https://example.org/adfs",
        client_id="the array",
        client_secret="a secret",
        authorization_endpoint="https://example.org/adfs/oauth2/authorize/",
        token_endpoint="https://example.org/adfs/oauth2/token/",
        provider_jwks_uri="https://example.org/adfs/discovery/keys",
        end_session_endpoint="https://example.org/adfs/oauth2/logout",
        access_token_issuer="https://example.org/adfs/services/trust",
        jwks_refresh_interval="PT2H",
        remote_user_claim="upn",
        redirect_ipaddress="10.10.10.10",
        skip_uri_validation=True,
    )
    provider.post()
    oidc = resources.SecurityOidc()
    oidc.get()
    assert (oidc.provider, oidc.remote_user_claim, oidc.enabled) == ("adfs", "upn", True)
    assert oidc.jwks_refresh_interval == "PT2H"
    oidc.enabled = False
    oidc.patch()
    oidc.get()
    assert not oidc.enabled
    oidc.delete()
    assert refusal(resources.SecurityOidc().get)


def test_messages_and_certificates() -> None:
    [messages] = list(resources.LoginMessages.get_collection(scope="cluster"))
    assert changed(messages, banner="Keep out.")["banner"].strip() == "Keep out."
    certificate = created(
        resources.SecurityCertificate,
        name="root",
        common_name="root.example.org",
        type="root_ca",
    )
    assert shown(certificate)["common_name"] == "root.example.org"
    certificate.delete()
    assert resources.SecurityCertificate.find(name="root") is None


def test_destinations_of_events() -> None:
    rules = [{"index": 1, "type": "include", "message_criteria": {"severities": "alert"}}]
    chosen = created(resources.EmsFilter, name="grave", rules=rules)
    assert [rule["type"] for rule in shown(chosen)["rules"]] == ["include", "exclude"]
    rule = resources.EmsFilterRule(chosen.name)
    rule.type, rule.message_criteria = "include", {"name_pattern": "disk.*"}
    rule.post(hydrate=True)
    assert rule.index == 2
    rule.message_criteria = {"severities": "error"}
    rule.patch()
    criteria = listed(resources.EmsFilterRule, chosen.name)[1]["message_criteria"]
    assert (criteria["name_pattern"], criteria["severities"]) == ("disk.*", "error")
    destination = created(
        resources.EmsDestination,
        name="logs",
        type="syslog",
        destination="192.0.2.7",
        filters=[{"name": "grave"}],
        syslog={"port": 1514, "transport": "tcp_unencrypted"},
    )
    assert changed(destination, destination="192.0.2.8")["syslog"]["port"] == 1514
    assert refusal(chosen.delete) == "8"
    destination.delete()
    rule.delete()
    chosen.delete()
    mail = created(resources.EmsDestination, name="mail", type="email", destination="a@example.org")
    assert changed(mail, destination="b@example.org")["destination"] == "b@example.org"
    mail.delete()
    assert resources.EmsDestination.count_collection() == 0
    traps = resources.EmsDestination(name="traps", type="snmp", destination="192.0.2.7")
    assert refusal(traps.post) == "262197"


def test_snmp() -> None:
    snmp = resources.Snmp()
    assert shown(snmp)["enabled"] is False
    assert changed(snmp, enabled=True, traps_enabled=True, location="rack 1")["enabled"]
    assert shown(resources.Cluster())["location"] == "rack 1"
    secrets = {"authentication_password": "humdum7", "privacy_password": "a hiding secret"}
    protocols = {"authentication_protocol": "sha2_256", "privacy_protocol": "aes128"}
    signed = {"authentication_method": "usm", "snmpv3": protocols | secrets}
    assert refusal(resources.SnmpUser(name="monitor", **signed).post) == "262197", "too short"
    secrets["authentication_password"] = "a signing secret"
    signed = {"authentication_method": "usm", "snmpv3": protocols | secrets}
    monitor = created(resources.SnmpUser, name="monitor", **signed)
    assert monitor.snmpv3.to_dict() == protocols
    host = created(resources.SnmpTraphost, host="192.0.2.162", user={"name": "monitor"})
    assert (host.ip_address, host.user.name) == ("192.0.2.162", "monitor")
    [destination] = listed(resources.EmsDestination)
    assert (destination["type"], destination["destination"]) == ("snmp", "192.0.2.162")
    changed(resources.Snmp(), trigger_test_trap=True)
    events = listed(resources.EmsEvent, **{"message.name": "snmp.test.trap"})
    assert len(events) == 1
    assert refusal(monitor.delete) == "8"
    host.delete()
    monitor.delete()
    assert listed(resources.SnmpUser) == listed(resources.EmsDestination) == []
    changed(snmp, enabled=False)


def test_software() -> None:
    url = "https://mirror.example.org/sanstone-2.0.raucb"
    download = resources.SoftwarePackageDownload(url=url)
    download.post(poll_timeout=3600)
    assert shown(download)["state"] == "success"
    again = resources.SoftwarePackageDownload(url=url)
    assert refusal(again.post, poll_timeout=3600) == "18408"
    assert [p["version"] for p in listed(resources.SoftwarePackage)] == ["2.0"]
    software = resources.Software()
    software.get()
    before = software.to_dict()["version"]
    software.version = "2.0"
    software.patch(poll_timeout=3600, validate_only=True)
    assert shown(software)["validation_results"][0]["status"] == "ok"
    software = resources.Software()
    software.version = "2.0"
    software.patch(poll_timeout=3600, skip_warnings=True)
    assert shown(software)["state"] == "completed"
    (update,) = listed(resources.SoftwareHistory)
    record = (update["from_version"], update["to_version"], update["state"])
    assert record == (before, "2.0", "successful")
    software = resources.Software()
    software.action = "cancel"
    assert refusal(software.patch, poll_timeout=3600) == "8"
    resources.SoftwarePackage(version="2.0").delete(poll_timeout=3600)
    assert listed(resources.SoftwarePackage) == []
