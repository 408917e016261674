"""What the web server and SSH read: the certificate with its key, and the banner.

Both are files that are replaced as a whole: nginx finds the old pair or the new one, never a key
beside another's certificate. systemd watches the file and has nginx read it again
(sanstone-web-certificate.path); SSH reads the banner at each login.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.orm import Session

from sanstone.core import durable, places
from sanstone.kernel.host import HostError
from sanstone.model.security import Certificate, LoginMessage
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.state import Pass
from sanstone.resources.cluster.web import served
from sanstone.resources.security.login_message import BANNER
from sanstone.security import openssl

OWNER = "cluster/web:"


def reconcile(this: Pass) -> None:
    """Write what has changed."""
    try:
        certificate = served(this.session)
        if certificate and write_certificate(certificate):
            this.did(f"certificate of the web server: {certificate.name}")
        if write_banner(this.session):
            this.did("banner of SSH")
    except (OSError, HostError) as error:
        this.fail(OWNER, str(error))


def write_certificate(certificate: Certificate) -> bool:
    """Write the file that the web server reads, and one without the key for whoever looks.

    Return whether it was another before. Raises OSError, or HostError for what is no certificate.
    """
    chain = _pem(certificate.public_certificate, "CERTIFICATE")
    if certificate.intermediates:
        chain += _pem(certificate.intermediates, "CERTIFICATE")
    pair = (_pem(certificate.private_key or "", "PRIVATE KEY") + chain).encode()
    folder = places.state_directory() / "tls"
    if _holds(folder / "server.pem", pair):
        return False
    folder.mkdir(mode=0o750, exist_ok=True)
    durable.write(folder / "certificate.pem", chain.encode(), 0o640)
    durable.write(folder / "server.pem", pair, 0o600)
    return True


def write_banner(session: Session) -> bool:
    """Write what SSH shows before a login. Return whether it was another before.

    Raises OSError, HostError.
    """
    path = places.run_directory() / "banner"
    row = session.get(LoginMessage, "")
    banner = as_declared(BANNER, row.banner) if row else ""
    text = banner.rstrip("\n") + "\n" if banner else ""
    if _holds(path, text.encode()) or (not text and not path.exists()):
        return False
    durable.write(path, text.encode(), 0o644)
    return True


def _pem(text: str, kind: str) -> str:
    """Return the PEM blocks of a text, which are all of a kind, and nothing that is around them.

    Raises HostError.
    """
    found = openssl.blocks(text)
    if not found or not all(name.endswith(kind) for name, _ in found):
        raise HostError(f"what the database holds for the web server is no {kind.lower()} in PEM")
    return "".join(block for _, block in found)


def _holds(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() == content
