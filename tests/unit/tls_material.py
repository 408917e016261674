"""An authority and its certificates: of a server at 127.0.0.1 and of a client."""

from __future__ import annotations

import ssl
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from Cryptodome.PublicKey import RSA

from sanstone.security import certificates
from sanstone.security.certificates import CertificateSpecification, KeyAndText

_AUTHORITY = """
[ca]
default_ca = own
[own]
certificate = ca.pem
private_key = ca.key
database = database
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
"""


@dataclass(frozen=True)
class Material:
    """Certificates in PEM and keys."""

    authority: KeyAndText
    server: KeyAndText
    client: KeyAndText

    def server_context(
        self, certificate: KeyAndText | None = None, *, asks: bool = False
    ) -> ssl.SSLContext:
        """Return the context of the server, which `asks` clients for their certificate.

        It shows another certificate than its own where one is given.
        """
        context, chosen = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), certificate or self.server
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(chosen.key + chosen.text)
            file.flush()
            context.load_cert_chain(file.name)
        if asks:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata=self.authority.text)
        return context


@cache
def material() -> Material:
    """Return the certificates, which are created once."""
    specification = CertificateSpecification((("CN", "An authority"),), authority=True)
    authority = certificates.self_signed(specification, 2)
    return Material(
        authority,
        signed(authority, "a server", ("IP:127.0.0.1",)),
        signed(authority, "a client"),
    )


def signed(authority: KeyAndText, name: str, names: tuple[str, ...] = ()) -> KeyAndText:
    """Return a certificate of this common name that an authority has signed, with its key."""
    request = certificates.request(CertificateSpecification((("CN", name),), names))
    text = certificates.sign(request.text, authority.text, authority.key, 1, "sha256")
    return KeyAndText(request.key, text)


def with_long_key(authority: KeyAndText, name: str, bits: int, folder: Path) -> str:
    """Return a certificate of an RSA key of so many bits, which nobody has: making one takes long.

    An authority has signed it.
    """
    key = RSA.construct((2 ** (bits - 1) + 1, 65_537), consistency_check=False)
    files = {
        "ca.pem": authority.text,
        "ca.key": authority.key,
        "key.pem": key.export_key().decode(),
    }
    request = certificates.request(CertificateSpecification((("CN", name),)))
    for file, text in (files | {"request.pem": request.text}).items():
        (folder / file).write_text(text)
    argv = ["openssl", "x509", "-req", "-in", "request.pem", "-force_pubkey", "key.pem"]
    argv += ["-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2"]
    process = subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True)
    return process.stdout


def ended(authority: KeyAndText, name: str, names: tuple[str, ...], folder: Path) -> KeyAndText:
    """Return a certificate as `signed` does, valid on one day of 2020.

    `openssl x509` takes an end since 3.4 alone, and from then on no negative number of days.
    """
    request = certificates.request(CertificateSpecification((("CN", name),), names))
    files = {"ca.pem": authority.text, "ca.key": authority.key, "request.pem": request.text}
    for file, text in files.items():
        (folder / file).write_text(text)
    (folder / "ca.conf").write_text(_AUTHORITY)
    (folder / "database").touch()
    argv = ["openssl", "ca", "-batch", "-notext", "-config", "ca.conf", "-in", "request.pem"]
    argv += ["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"]
    process = subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True)
    return KeyAndText(request.key, process.stdout)
