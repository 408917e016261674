"""The web server's certificate is changed in the browser, and clients show theirs."""

from __future__ import annotations

import ssl
import subprocess
import urllib.parse

from browser import Browser

from lab.api import Api
from lab.patience import eventually
from lab.station import Array

CERTIFICATES = "security/certificates"


def is_served(array: Array, certificate: str) -> bool:
    """Return whether the array shows this certificate, in PEM, to a new connection."""
    there = urllib.parse.urlsplit(array.url)
    shown = ssl.get_server_certificate((str(there.hostname), there.port or 443))
    return ssl.PEM_cert_to_DER_cert(shown) == ssl.PEM_cert_to_DER_cert(certificate)


def test_a_new_certificate_is_served_and_the_former_one_again(
    api: Api, array: Array, browser: Browser
) -> None:
    own = api.get("cluster/web", fields="certificate")["certificate"]
    former = api.get(f"{CERTIFICATES}/{own['uuid']}", fields="public_certificate")
    browser.do("certify", name="web", host="array.example.org")
    [certificate] = api.get(CERTIFICATES, name="web", fields="public_certificate")["records"]
    assert is_served(array, former["public_certificate"])

    browser.do("serve", name="web", uuid=certificate["uuid"])
    eventually(lambda: is_served(array, certificate["public_certificate"]))
    browser.do("serve", name=own["name"], uuid=own["uuid"])
    eventually(lambda: is_served(array, former["public_certificate"]))
    api.delete(f"{CERTIFICATES}/{certificate['uuid']}")


def asks_for_certificates(array: Array) -> bool:
    """Return whether the array asks a new connection for a certificate."""
    there = urllib.parse.urlsplit(array.url).netloc
    connect = ["openssl", "s_client", "-connect", there]
    output = subprocess.run(connect, input=b"", capture_output=True, check=False).stdout
    return b"Acceptable client certificate CA names" in output


def test_the_array_requests_certificates_while_their_authority_is_installed(
    api: Api, array: Array
) -> None:
    api.post(CERTIFICATES, {"type": "root_ca", "common_name": "staff", "name": "signs"})
    [signs] = api.get(CERTIFICATES, name="signs", fields="public_certificate")["records"]
    text = signs["public_certificate"]
    api.post(CERTIFICATES, {"type": "client_ca", "name": "staff", "public_certificate": text})
    eventually(lambda: asks_for_certificates(array))
    [staff] = api.get(CERTIFICATES, name="staff")["records"]
    for each in (staff, signs):
        api.delete(f"{CERTIFICATES}/{each['uuid']}")
    eventually(lambda: not asks_for_certificates(array))
