"""An authority, and what it signed: a server at 127.0.0.1 and a client."""

from __future__ import annotations

import ssl
import tempfile
from dataclasses import dataclass
from functools import cache

from sanstone.security import certificates
from sanstone.security.certificates import CertificateSpecification, Made


@dataclass(frozen=True)
class Material:
    """Certificates in PEM and keys."""

    authority: Made
    server: Made
    client: Made

    def server_context(self, *, asks: bool = False) -> ssl.SSLContext:
        """Return the context of the server, which `asks` clients for their certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(self.server.key + self.server.text)
            file.flush()
            context.load_cert_chain(file.name)
        if asks:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata=self.authority.text)
        return context


@cache
def material() -> Material:
    """Return certificates that are made once."""
    specification = CertificateSpecification((("CN", "An authority"),), authority=True)
    authority = certificates.self_signed(specification, 2)
    return Material(
        authority,
        signed(authority, "a server", ("IP:127.0.0.1",)),
        signed(authority, "a client"),
    )


def signed(authority: Made, name: str, names: tuple[str, ...] = (), days: int = 1) -> Made:
    """Return a certificate of this common name that an authority has signed, with its key.

    It is good for so many days from now on; below 0 it has ended already.
    """
    asked = certificates.request(CertificateSpecification((("CN", name),), names))
    text = certificates.sign(asked.text, authority.text, authority.key, days, "sha256")
    return Made(asked.key, text)
