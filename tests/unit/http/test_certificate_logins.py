"""Logins by a client's certificate, through the web server that verifies it."""

from __future__ import annotations

import base64
import json
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPSConnection
from socket import create_connection
from typing import Any

import pytest
from nginx import behind_nginx
from simulator import LOGIN, Simulator, simulated
from standing_clock import START
from tls_material import material, signed

from lab.patience import eventually
from sanstone.core.database.store import writing
from sanstone.model.security import ANYWHERE, Account, Failures
from sanstone.security import audit, certificates
from sanstone.security.certificates import CertificateSpecification, KeyAndText

ACCOUNTS, CERTIFICATES = "security/accounts", "security/certificates"
BY_CERTIFICATE = [{"application": "http", "authentication_methods": ["certificate"]}]
SUBJECT = "X-Sanstone-Client-Subject"
DENIED = (401, "not authorized for that command")


@dataclass
class Clients:
    """An array behind nginx, and clients of it."""

    array: Simulator
    port: int

    def ask(
        self,
        certificate: KeyAndText | None,
        method: str = "GET",
        headers: dict[str, str] | None = None,
    ) -> tuple[int, str]:
        """Send a request with a certificate; return the status and the error's message."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if certificate:
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(certificate.key + certificate.text)
                file.flush()
                context.load_cert_chain(file.name)
        all_headers = {"Content-Type": "application/json"} | (headers or {})
        with closing(HTTPSConnection("127.0.0.1", self.port, context=context)) as connection:
            body = "{}" if method != "GET" else None
            connection.request(method, "/api/cluster", body, all_headers)
            answer = connection.getresponse()
            content: Any = json.loads(answer.read())
        return answer.status, content.get("error", {}).get("message", "")


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    """An array that believes clients by one authority, and has accounts of this method."""
    with simulated(tmp_path_factory.mktemp("array")) as array:
        array.make(CERTIFICATES, {"type": "server", "common_name": "array", "name": "array"})
        array.do("PATCH", "cluster/web", {"certificate.name": "array"})
        text = material().authority.text
        array.make(CERTIFICATES, {"type": "client_ca", "name": "ours", "public_certificate": text})
        of_method: dict[str, Any] = {"applications": BY_CERTIFICATE}
        array.make(ACCOUNTS, {"name": "monitor", "role.name": "readonly", **of_method})
        array.make(ACCOUNTS, {"name": "locked", "locked": True, **of_method})
        with behind_nginx(array) as port:
            yield Clients(array, port)


def certificate_of(name: str) -> KeyAndText:
    """Return a certificate that the authority has signed."""
    return signed(material().authority, name)


def test_the_common_name_is_the_account_with_its_role(clients: Clients) -> None:
    monitor = certificate_of("monitor")
    assert clients.ask(monitor) == (200, "")
    status, message = clients.ask(monitor, "PATCH")
    assert (status, message) == (403, 'The role "readonly" does not allow PATCH of /api/cluster.')
    last = audit.messages()[-1]
    assert (last.user, last.role, last.location) == ("monitor", "readonly", "127.0.0.1")


@pytest.mark.parametrize("name", ["nobody", LOGIN[0], "locked"])
def test_a_certificate_without_an_account_reveals_nothing(clients: Clients, name: str) -> None:
    assert clients.ask(certificate_of(name)) == DENIED


def test_the_header_chooses_between_accounts_of_one_name(clients: Clients) -> None:
    for svm in ("svm1", "svm2"):
        clients.array.make("svm/svms", {"name": svm})
        owned = {"owner.name": svm, "name": "tenant", "applications": BY_CERTIFICATE}
        clients.array.make(ACCOUNTS, owned)
    assert clients.ask(certificate_of("tenant")) == DENIED
    assert clients.ask(certificate_of("tenant"), headers={"X-Dot-SVM-Name": "svm2"}) == (200, "")
    last_seen = clients.ask(certificate_of("tenant"), "PATCH", {"X-Dot-SVM-Name": "svm2"})
    assert last_seen[0] == 403
    assert audit.messages()[-1].svm == "svm2"


def test_a_name_is_not_believed_without_a_certificate(clients: Clients) -> None:
    # With underscores it would be the same header to the application.
    for name in (SUBJECT, SUBJECT.lower(), SUBJECT.replace("-", "_")):
        for certificate in (None, certificate_of("nobody")):
            assert clients.ask(certificate, headers={name: "CN=monitor"}) == DENIED


def test_no_other_authority_and_no_name_of_ones_own_is_believed(clients: Clients) -> None:
    specification = CertificateSpecification((("CN", "An authority"),), authority=True)
    same_name = certificates.self_signed(specification, 2)
    for stranger in (
        signed(same_name, "monitor"),
        certificates.self_signed(CertificateSpecification((("CN", "monitor"),)), 2),
    ):
        status, message = clients.ask(stranger)
        assert (status, message) == (400, "The certificate of the client cannot be taken.")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_each_connection_is_to_show_its_certificate(
    clients: Clients, version: ssl.TLSVersion
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = context.maximum_version = version
    session = None
    for _ in range(2):
        with (
            create_connection(("127.0.0.1", clients.port)) as plain,
            context.wrap_socket(plain, session=session) as connection,
        ):
            connection.sendall(b"GET /api/cluster HTTP/1.1\r\nHost: a\r\n\r\n")
            assert b" 401 " in connection.recv(1024)
            assert not connection.session_reused
            session = connection.session


def test_a_page_of_another_site_changes_nothing(clients: Clients) -> None:
    status, message = clients.ask(
        certificate_of("monitor"), "PATCH", {"Sec-Fetch-Site": "cross-site"}
    )
    assert (status, message) == (403, "A page of another site may change nothing.")


def test_passwords_still_log_in(clients: Clients) -> None:
    assert clients.ask(None) == DENIED
    credentials = base64.b64encode(":".join(LOGIN).encode()).decode()
    assert clients.ask(None, headers={"Authorization": f"Basic {credentials}"}) == (200, "")
    wrong = base64.b64encode(b"monitor:wrong").decode()
    assert (
        clients.ask(certificate_of("monitor"), headers={"Authorization": f"Basic {wrong}"})
        == DENIED
    )


def test_a_password_that_has_expired_does_not_matter(clients: Clients) -> None:
    with writing(clients.array.database) as session:
        session.query(Account).filter_by(name="monitor").one().must_change = True
    assert clients.ask(certificate_of("monitor")) == (200, "")


def test_a_locked_account_stays_out(clients: Clients) -> None:
    with writing(clients.array.database) as session:
        account = session.query(Account).filter_by(name="monitor").one()
        later = START + 60
        session.add(Failures(account=account.uuid, address=ANYWHERE, count=9, locked_until=later))
    assert clients.ask(certificate_of("monitor")) == DENIED
    uuid = clients.array.get("cluster")["uuid"]
    clients.array.do("PATCH", f"{ACCOUNTS}/{uuid}/monitor", {"locked": False})
    assert clients.ask(certificate_of("monitor")) == (200, "")


def test_an_authority_that_is_removed_is_not_believed_any_more(clients: Clients) -> None:
    monitor = certificate_of("monitor")
    assert clients.ask(monitor) == (200, "")
    [ours] = clients.array.get(f"{CERTIFICATES}?type=client_ca")["records"]
    clients.array.do("DELETE", f"{CERTIFICATES}/{ours['uuid']}")
    eventually(lambda: clients.ask(monitor) == DENIED)
