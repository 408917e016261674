"""What the web server and SSH read: the certificate with its key, and the banner.

Both are files that are replaced as a whole: nginx finds the old pair or the new one, never a key
beside another's certificate. systemd watches the file and has nginx read it again
(sanstone-web-certificate.path); SSH reads the banner at each login.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.orm import Session

from sanstone.core import durable, jobs
from sanstone.reconcile.state import Pass
from sanstone.resources.certificate import Certificate
from sanstone.resources.login_message import LoginMessage
from sanstone.resources.web import served

OWNER = "cluster/web:"


def reconcile(this: Pass, state: Path) -> None:
    """Write what has changed; `state` is the directory of the database."""
    try:
        certificate = served(this.session)
        if certificate and write_certificate(state / "tls", certificate):
            this.did(f"certificate of the web server: {certificate.name}")
        if write_banner(this.session):
            this.did("banner of SSH")
    except OSError as error:
        this.fail(OWNER, str(error))


def write_certificate(folder: Path, certificate: Certificate) -> bool:
    """Write the file that the web server reads, and one without the key for whoever looks.

    Return whether it was another before. Raises OSError.
    """
    chain = certificate.public_certificate.rstrip("\n") + "\n" + certificate.intermediates
    pair = ((certificate.private_key or "").rstrip("\n") + "\n" + chain).encode()
    if _holds(folder / "server.pem", pair):
        return False
    folder.mkdir(mode=0o750, exist_ok=True)
    durable.write(folder / "certificate.pem", chain.encode(), 0o640)
    durable.write(folder / "server.pem", pair, 0o600)
    return True


def write_banner(session: Session) -> bool:
    """Write what SSH shows before a login. Return whether it was another before."""
    path = jobs.wake_path().with_name("banner")
    row = session.get(LoginMessage, "")
    text = row.banner.rstrip("\n") + "\n" if row and row.banner else ""
    if _holds(path, text.encode()) or (not text and not path.exists()):
        return False
    durable.write(path, text.encode(), 0o644)
    return True


def _holds(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() == content
