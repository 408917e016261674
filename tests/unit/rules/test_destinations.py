"""Addresses to which a request may have the array connect."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import Array

from sanstone.kernel.web import destination
from sanstone.kernel.web.destination import require_permitted

# As imported: it is off for other tests, whose servers are on this machine.
REQUIRED = require_permitted
OWN, OTHER = "10.10.1.7", "10.10.1.8"
LDAP = {"base_dn": "dc=example,dc=org", "skip_config_validation": True}
OIDC = {
    "issuer": "https://login.example.org",
    "client_id": "array",
    "redirect_ipaddress": "array.example.org",
    "skip_uri_validation": True,
    "authorization_endpoint": "https://login.example.org/a",
    "token_endpoint": "https://login.example.org/t",
    "provider_jwks_uri": "https://login.example.org/k",
}
Request = tuple[str, str, str, dict[str, Any], str]
REQUESTS: dict[str, Request] = {
    "NTP": ("POST", "cluster/ntp/servers", "server", {}, "{}"),
    "DNS": ("PATCH", "cluster", "name_servers", {}, "[{}]"),
    "LDAP": ("POST", "security/authentication/cluster/ldap", "servers", LDAP, "[{}]"),
    "iSNS": ("POST", "protocols/san/iscsi/isns", "address", {"svm.name": "svm1"}, "{}"),
    "traps": ("POST", "support/snmp/traphosts", "host", {}, "{}"),
    "syslog": (
        *("POST", "support/ems/destinations", "destination"),
        {"name": "log", "type": "syslog"},
        "{}",
    ),
    "webhook": (
        *("POST", "support/ems/destinations", "destination"),
        {"name": "hook", "type": "rest_api"},
        "https://{}/events",
    ),
    "mail": ("PATCH", "support/ems", "mail_server", {}, "{}"),
    "proxy": ("PATCH", "support/ems", "proxy_url", {}, "http://{}:3128"),
    "issuer": ("POST", "security/authentication/cluster/oidc", "issuer", OIDC, "https://{}/"),
    "tokens": (
        *("POST", "security/authentication/cluster/oidc", "token_endpoint", OIDC),
        "https://{}/t",
    ),
    "download": ("POST", "cluster/software/download", "url", {}, "http://{}/a.raucb"),
}
"""By the kind of server: method, path, field, further fields, and the field's value."""


@pytest.fixture
def array(api: Array, monkeypatch: pytest.MonkeyPatch) -> Array:
    """An array with an interface, and with the rule."""
    monkeypatch.setattr(destination, "require_permitted", REQUIRED)
    api.svm()
    api.make("protocols/san/iscsi/services", {"svm.name": "svm1"})
    facts = {"mac_address": "", "mtu": 1500, "up": True, "carrier": True, "kind": ""}
    api.observe("network/ethernet/ports", "e0a", **facts)
    lif = {"name": "lif1", "svm.name": "svm1", "location.home_port.name": "e0a"}
    api.make("network/ip/interfaces", lif | {"ip.address": OWN, "ip.netmask": "24"})
    return api


def request_to(request: Request, host: str) -> tuple[str, str, dict[str, Any]]:
    method, path, field, more, form = request
    value: Any = form.strip("[]").format(host)
    return method, path, more | {field: [value] if form.startswith("[") else value}


@pytest.mark.parametrize("name", REQUESTS)
def test_addresses_of_the_machine_and_of_its_links_are_refused(array: Array, name: str) -> None:
    for host in ("127.0.0.1", "169.254.169.254", OWN):
        method, path, body = request_to(REQUESTS[name], host)
        error = array.refuse(method, path, "262197", body)
        assert error["target"] == REQUESTS[name][2]
        assert host in error["message"]


@pytest.mark.parametrize("name", [name for name in REQUESTS if name != "download"])
def test_private_networks_are_not(array: Array, name: str) -> None:
    method, path, body = request_to(REQUESTS[name], OTHER)
    assert array.call(method, path, body).status_code in (200, 201, 202)


def test_ipv6_and_other_forms(array: Array) -> None:
    for url in ("http://[::1]/a.raucb", "http://127.1/a.raucb", "http://0x7f000001/a.raucb"):
        array.refuse("POST", "cluster/software/download", "262197", {"url": url})
    array.refuse("POST", "cluster/ntp/servers", "262197", {"server": "localhost"})
