"""Certificates: created, requested, signed, installed, shown by the web server."""

from __future__ import annotations

import sqlite3
import ssl
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from in_process import Array
from standing_clock import now
from tls_material import material, with_long_key

from sanstone.core.database import store
from sanstone.core.database.store import reading
from sanstone.kernel.tls import Trust
from sanstone.model.security import Certificate
from sanstone.security import certificates, openssl, x509
from sanstone.security.certificates import CertificateSpecification, KeyAndText

PATH, WEB, CSR = "security/certificates", "cluster/web", "security/certificate-signing-request"


def foreign(name: str = "brought.example.org", **more: object) -> KeyAndText:
    """Return a certificate of somebody else."""
    return certificates.self_signed(CertificateSpecification((("CN", name),), **more), 30)  # type: ignore[arg-type]


def test_a_created_certificate_has_the_requested_fields(api: Array) -> None:
    body = {
        "type": "server",
        "common_name": "array.example.org",
        "expiry_time": "P90D",
        "hash_function": "sha384",
        "key_size": 3072,
        "subject_alternatives": {"dns": ["array.example.org"], "ip": ["10.1.2.3", "fd00:0::1"]},
    }
    record = api.get(f"{PATH}/{api.make(PATH, body)['uuid']}")
    assert (record["ca"], record["hash_function"], record["key_size"]) == (
        "array.example.org",
        "sha384",
        3072,
    )
    assert record["subject_alternatives"]["dns"] == ["array.example.org"]
    assert record["subject_alternatives"]["ip"] == ["10.1.2.3", "fd00::1"]
    facts = x509.facts(record["public_certificate"])
    assert not facts.authority
    assert 89 < (facts.ends - facts.begins) / 86400 < 91
    assert "private_key" not in record


def test_a_certificate_with_a_very_long_key_is_accepted_and_holds_up_nobody(
    api: Array, tmp_path: Path
) -> None:
    text = with_long_key(material().authority, "long", 16_384, tmp_path)
    record = api.make(PATH, {"type": "server_ca", "public_certificate": text})
    assert record["key_size"] == 16_384
    assert Trust((text,)).context().cert_store_stats()["x509"]


@pytest.mark.parametrize("names", ["30:05:87:03:01:02:03", "30:04:82:02:ff:fe"])
def test_a_certificate_with_invalid_names_is_accepted(api: Array, names: str) -> None:
    """An IP address of three bytes, and a DNS name that is no text; browsers overlook them."""
    brought = foreign(names=(f"DER:{names}",))
    body = {"type": "server", "public_certificate": brought.text, "private_key": brought.key}
    assert api.call("POST", PATH, body).status_code == 201
    assert len(api.records(f"{PATH}?fields=**")) == 1


def test_others_write_while_keys_are_generated(api: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = api.make(PATH, {"type": "root_ca", "common_name": "Our authority"})
    response = api.call("POST", CSR, {"subject_name": "CN=array.example.org"}).get_json()
    run, runs = openssl.run, []

    def beside_a_writer(*arguments: Any) -> str:
        with closing(sqlite3.connect(store.path(), timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
            runs.append(arguments)
        return run(*arguments)

    monkeypatch.setattr(openssl, "run", beside_a_writer)
    for path, body in (
        (PATH, {"type": "server", "common_name": "array.example.org"}),
        (CSR, {"subject_name": "CN=array.example.org"}),
        (f"{PATH}/{authority['uuid']}/sign", {"signing_request": response["csr"]}),
    ):
        before = len(runs)
        assert api.call("POST", path, body).status_code == 201, path
        assert len(runs) > before
    installed = api.records(f"{PATH}?type=server")[0]
    before = len(runs)
    api.patch(WEB, {"certificate.uuid": installed["uuid"]})
    assert len(runs) == before, "a change that must read the database runs nothing"


def test_when_openssl_hangs_the_request_is_refused(
    api: Array, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "openssl"
    program.write_text("#!/bin/sh\nexec sleep infinity\n")
    program.chmod(0o755)
    monkeypatch.setattr(openssl, "PROGRAM", str(program))
    monkeypatch.setattr(openssl, "TIMEOUT", 0.0)
    before = api.contents()
    answer = api.call("POST", PATH, {"type": "server", "common_name": "array.example.org"})
    assert answer.status_code == 503
    assert "openssl req did not answer" in answer.get_json()["error"]["message"]
    assert api.contents() == before


def test_an_authority_of_the_array_signs_requests(api: Array) -> None:
    authority = api.make(PATH, {"type": "root_ca", "common_name": "Our authority"})
    response = api.call(
        "POST",
        CSR,
        {
            "subject_name": "C=US,O=An Example,CN=array.example.org",
            "subject_alternatives": {"dns": ["array.example.org"]},
        },
    ).get_json()
    signed = api.call(
        "POST", f"{PATH}/{authority['uuid']}/sign", {"signing_request": response["csr"]}
    ).get_json()["public_certificate"]
    facts = x509.facts(signed)
    assert (facts.common_name, facts.issuer) == ("array.example.org", "Our authority")
    assert facts.names == ("DNS:array.example.org",)
    issuer = api.get(f"{PATH}/{authority['uuid']}")
    assert facts.authority_key == issuer["subject_key_identifier"]
    chain = {
        "type": "server",
        "public_certificate": signed,
        "private_key": response["generated_private_key"],
        "intermediate_certificates": [issuer["public_certificate"]],
    }
    installed = api.make(PATH, chain)
    record = api.get(f"{PATH}/{installed['uuid']}")
    assert record["intermediate_certificates"] == [issuer["public_certificate"]]


def test_nobody_becomes_an_authority_by_asking_for_it(api: Array) -> None:
    authority = api.make(PATH, {"type": "root_ca", "common_name": "Our authority"})
    greedy = certificates.request(CertificateSpecification((("CN", "x"),), authority=True)).text
    answer = api.call("POST", f"{PATH}/{authority['uuid']}/sign", {"signing_request": greedy})
    assert not x509.facts(answer.get_json()["public_certificate"]).authority


def test_a_server_certificate_signs_nothing(api: Array) -> None:
    server = api.make(PATH, {"type": "server", "common_name": "x"})
    body = {"signing_request": certificates.request(CertificateSpecification((("CN", "x"),))).text}
    api.refuse("POST", f"{PATH}/{server['uuid']}/sign", "3735628", body)


@pytest.mark.parametrize(
    "request_text", ["", "x", foreign().text, "-----BEGIN CERTIFICATE REQUEST-----"]
)
def test_an_invalid_request_is_not_signed(api: Array, request_text: str) -> None:
    authority = api.make(PATH, {"type": "root_ca", "common_name": "Our authority"})
    path = f"{PATH}/{authority['uuid']}/sign"
    api.refuse("POST", path, "52559975", {"signing_request": request_text})


class TestInstalling:
    """The API refuses certificates that the web server could not use."""

    @pytest.mark.parametrize(
        ("certificate", "key"),
        [
            (foreign().text, foreign().key),
            ("nothing", foreign().key),
            (foreign().key, foreign().key),
            (foreign().text * 2, foreign().key),
            (foreign().text, "nothing"),
            (foreign().text.replace("M", "N"), foreign().key),
            (f"Schlüssel:\n{foreign().text}", foreign().key),
        ],
        ids=["another's key", "no PEM", "no certificate", "two", "no key", "damaged", "not ASCII"],
    )
    def test_a_bad_pair_is_refused(self, api: Array, certificate: str, key: str) -> None:
        body = {"type": "server", "public_certificate": certificate, "private_key": key}
        api.refuse("POST", PATH, "52559975", body)

    def test_an_expired_certificate_is_refused(
        self, api: Array, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pair = foreign()
        body = {"type": "server", "public_certificate": pair.text, "private_key": pair.key}
        later = now() + 31 * 86400
        monkeypatch.setattr("sanstone.security.x509.time.time", lambda: later)
        api.refuse("POST", PATH, "52559975", body)

    def test_an_encrypted_key_is_refused_without_asking_anybody(self, api: Array) -> None:
        pair = foreign()
        locked = openssl.run(
            ["pkcs8", "-topk8", "-in", "{k}", "-passout", "pass:x", "-v2", "aes256"],
            {"k": pair.key},
        )
        body = {"type": "server", "public_certificate": pair.text, "private_key": locked}
        api.refuse("POST", PATH, "52559975", body)

    @pytest.mark.parametrize(
        ("more", "code"),
        [
            ({"common_name": "x"}, "262186"),
            ({"expiry_time": "P1D"}, "262186"),
            ({"subject_alternatives.dns": ["x"]}, "262186"),
            ({"private_key": None}, "2"),
            ({"type": "root_ca"}, "52559975"),
            ({"type": "client_ca"}, "262186"),
            ({"type": "no_such"}, "3735622"),
        ],
    )
    def test_contradictory_fields_are_refused(
        self, api: Array, more: dict[str, object], code: str
    ) -> None:
        pair = foreign()
        body = {"type": "server", "public_certificate": pair.text, "private_key": pair.key}
        api.refuse("POST", PATH, code, body | more)

    @pytest.mark.parametrize(
        "text", [foreign().text.replace("M", "N"), f"Schlüssel:\n{foreign().text}"]
    )
    def test_trusted_authorities_can_be_loaded(self, api: Array, text: str) -> None:
        """Or each connection would fail that the certificate is to vouch for."""
        body = {"type": "server_ca", "public_certificate": text}
        api.refuse("POST", PATH, "52559975", body)

    def test_trusted_authorities_are_installed_without_a_key(self, api: Array) -> None:
        pair = foreign()
        body = {"type": "server_ca", "name": "theirs", "public_certificate": pair.text}
        api.refuse("POST", PATH, "262186", body | {"private_key": pair.key})
        api.refuse("POST", PATH, "2", {"type": "server_ca", "common_name": "mine"})
        api.make(PATH, body)
        with reading(api.database) as session:
            assert not session.query(Certificate).one().private_key

    def test_clients_are_believed_by_an_authority_that_has_signed_itself(self, api: Array) -> None:
        tls = material()
        body = {"type": "client_ca", "name": "ours", "public_certificate": tls.authority.text}
        api.refuse("POST", PATH, "262186", body | {"private_key": tls.authority.key})
        api.refuse("POST", PATH, "2", {"type": "client_ca", "common_name": "mine"})
        api.refuse("POST", PATH, "52559975", body | {"public_certificate": tls.client.text})
        assert api.get(f"{PATH}/{api.make(PATH, body)['uuid']}")["type"] == "client_ca"

    def test_a_key_is_encrypted_where_it_is_kept(self, api: Array) -> None:
        pair = foreign()
        body = {"type": "server", "public_certificate": pair.text, "private_key": pair.key}
        api.make(PATH, body)
        with reading(api.database) as session:
            (raw,) = session.connection().exec_driver_sql("SELECT private_key FROM certificate")
            assert "PRIVATE" not in raw[0]
            assert session.query(Certificate).one().private_key == pair.key


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "2"),
        ({"common_name": "$ENV::HOME"}, "3735588"),
        ({"common_name": "x", "expiry_time": "P0D"}, "262197"),
        ({"common_name": "x", "expiry_time": "P9999D"}, "262197"),
        ({"common_name": "x", "expiry_time": "2020-01-01T00:00:00Z"}, "262197"),
        ({"common_name": "x", "key_size": 1024}, "262197"),
        ({"common_name": "x", "private_key": "y"}, "262186"),
        ({"common_name": "x", "subject_alternatives.dns": ["a b"]}, "262197"),
        ({"common_name": "x", "subject_alternatives.dns": ["a\nb"]}, "262197"),
    ],
)
def test_impossible_certificates_are_refused(
    api: Array, body: dict[str, object], code: str
) -> None:
    api.refuse("POST", PATH, code, {"type": "server", **body})


def test_the_web_server_shows_the_chosen_certificate(api: Array) -> None:
    first = api.make(PATH, {"type": "server", "common_name": "first", "name": "first"})
    second = api.make(PATH, {"type": "server", "common_name": "second", "name": "second"})
    authority = api.make(PATH, {"type": "root_ca", "common_name": "x"})
    api.patch(WEB, {"certificate": {"uuid": first["uuid"]}})
    api.patch(WEB, {"certificate": "second"})
    assert api.get(WEB)["certificate"]["uuid"] == second["uuid"]
    api.refuse("PATCH", WEB, "52559975", {"certificate": {"uuid": authority["uuid"]}})
    api.refuse("DELETE", f"{PATH}/{second['uuid']}", "3735589")
    api.delete(f"{PATH}/{first['uuid']}")


def test_a_certificate_that_expired_meanwhile_is_not_shown(
    api: Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"type": "server", "common_name": "x", "name": "x", "expiry_time": "P2D"}
    api.make(PATH, body)
    later = now() + 3 * 86400
    monkeypatch.setattr("sanstone.security.x509.time.time", lambda: later)
    api.refuse("PATCH", WEB, "52559975", {"certificate": "x"})


def test_a_pair_is_tried_as_the_web_server_will(tmp_path: Path) -> None:
    pair = foreign()
    file = tmp_path / "server.pem"
    file.write_text(pair.key + pair.text)
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file)
    assert openssl.check_pair(pair.text, pair.key) == ""
    assert openssl.check_pair(pair.text, foreign().key) != ""
