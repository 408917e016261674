"""The files for the web server and SSH."""

from __future__ import annotations

import ssl
from pathlib import Path

from simulator import Simulator, simulated
from sqlalchemy import update
from tls_material import material

from sanstone.model.security import CLIENT_CA, Certificate

CERTIFICATES, MESSAGES = "security/certificates", "security/login/messages"


def install(array: Simulator, name: str) -> str:
    """Have the web server show a new certificate; return the file that it reads."""
    body = {"type": "server", "common_name": f"{name}.example.org", "name": name}
    array.make(CERTIFICATES, body)
    array.do("PATCH", "cluster/web", {"certificate.name": name})
    return (array.folder / "tls/server.pem").read_text()


def test_the_file_holds_the_key_and_the_certificate_and_is_roots(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        first = install(array, "first")
        second = install(array, "second")
        assert first != second
        file = tmp_path / "tls/server.pem"
        assert file.stat().st_mode & 0o777 == 0o600
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file)
        assert "PRIVATE" not in (tmp_path / "tls/certificate.pem").read_text()


def test_a_file_that_is_lost_or_damaged_is_written_again(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        content = install(array, "first")
        file = tmp_path / "tls/server.pem"
        for damage in (file.unlink, lambda: file.write_text("")):
            damage()
            array.settle()
            assert file.read_text() == content


def test_an_unchanged_one_is_left_alone(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        install(array, "first")
        before = (tmp_path / "tls/server.pem").stat().st_ino
        array.start()
        array.settle()
        assert (tmp_path / "tls/server.pem").stat().st_ino == before


def test_client_certificates_are_requested_while_there_are_authorities(tmp_path: Path) -> None:
    """nginx would not start with an empty list of them, and asks no client in vain."""
    with simulated(tmp_path) as array:
        configuration, authorities = tmp_path / "tls/clients.conf", tmp_path / "tls/clients.pem"
        before = install(array, "first")
        assert not configuration.exists()
        body = {"type": "client_ca", "name": "theirs"}
        body["public_certificate"] = f"A remark.\n{material().authority.text}"
        array.make(CERTIFICATES, body)
        assert authorities.read_text() == material().authority.text
        assert (
            f"ssl_client_certificate {authorities};\nssl_verify_client optional;"
            in configuration.read_text()
        )
        file = tmp_path / "tls/server.pem"
        with_authority = file.read_text()
        assert with_authority.endswith(before)
        assert with_authority != before
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file)
        [own] = array.get(f"{CERTIFICATES}?type=client_ca")["records"]
        array.do("DELETE", f"{CERTIFICATES}/{own['uuid']}")
        assert "ssl_" not in configuration.read_text()
        assert file.read_text() not in (before, with_authority)


def test_damaged_authorities_keep_no_new_certificate_back(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        body = {"type": CLIENT_CA, "name": "theirs"}
        array.make(CERTIFICATES, body | {"public_certificate": material().authority.text})
        before = install(array, "first")
        with array.database.begin() as connection:
            theirs = update(Certificate).where(Certificate.type == CLIENT_CA)
            connection.execute(theirs.values(public_certificate="damaged"))
        assert install(array, "second") != before
        assert (tmp_path / "tls/clients.pem").read_text() == material().authority.text


def test_the_banner_is_what_ssh_shows(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        (own,) = array.get(f"{MESSAGES}?scope=cluster")["records"]
        assert not (tmp_path / "banner").exists()
        array.do("PATCH", f"{MESSAGES}/{own['uuid']}", {"banner": "Keep out."})
        assert (tmp_path / "banner").read_text() == "Keep out.\n"
        array.do("PATCH", f"{MESSAGES}/{own['uuid']}", {"banner": ""})
        assert (tmp_path / "banner").read_text() == ""
