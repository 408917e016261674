"""Files for the web server and SSH: the certificate with its key, whom clients are believed by, and
the banner.

Each file is replaced as a whole: nginx reads the old pair or the new one, never a key together with
another's certificate. systemd watches that file alone, and has nginx read everything again
(sanstone-web-certificate.path): so it is written after the authorities, and its remark names the
one that it belongs to. SSH reads the banner at each login.
"""

from __future__ import annotations

import hashlib
from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core import places
from sanstone.kernel.host import Files, HostError
from sanstone.model.security import CLIENT_CA, Certificate, LoginMessage
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.results import WebServerSet
from sanstone.reconcile.turn import Turn
from sanstone.rules.security.certificates import served
from sanstone.rules.security.logins import BANNER
from sanstone.security import openssl
from sanstone.security.openssl import OpensslError

OWNER = "cluster/web:"
_VERIFIES = """\
# Written by the reconciler.
ssl_client_certificate {folder}/clients.pem;
ssl_verify_client optional;
ssl_verify_depth 3;
# A session that is resumed would be believed past the end of its certificate or of its authority.
ssl_session_cache off;
"""
"""The file that nginx includes while clients have authorities: it would not start with an empty
file."""
_DOES_NOT_VERIFY = "# Written by the reconciler: no authority of clients is installed.\n"


def reconcile(turn: Turn) -> WebServerSet:
    """Write the certificate, the authorities of clients and the banner if they changed.

    One that cannot be written keeps none of the others back.
    """
    with turn.attempt(OWNER):
        if write_authorities(turn.host.files, turn.session):
            turn.did("authorities of the web server's clients")
    with turn.attempt(OWNER):
        certificate = served(turn.session)
        if certificate and write_certificate(turn.host.files, certificate):
            turn.did(f"certificate of the web server: {certificate.name}")
    with turn.attempt(OWNER):
        if write_banner(turn.host.files, turn.session):
            turn.did("banner of SSH")
    return WebServerSet(turn.outcomes)


def write_certificate(files: Files, certificate: Certificate) -> bool:
    """Write the web server's certificate with its key, and the certificate alone for other readers.

    Return whether the file changed. Raises HostError, also for a text that is no certificate.
    """
    chain = _pem(certificate.public_certificate, "CERTIFICATE")
    if certificate.intermediates:
        chain += _pem(certificate.intermediates, "CERTIFICATE")
    folder = f"{places.state_directory()}/tls"
    key = _pem(certificate.private_key or "", "PRIVATE KEY")
    pair = _remark(files, folder) + key + chain
    if _has_content(files, f"{folder}/server.pem", pair):
        return False
    files.make_folder(folder, 0o750)
    files.store(f"{folder}/certificate.pem", chain.encode(), 0o640)
    files.store(f"{folder}/server.pem", pair.encode(), 0o600)
    return True


def write_authorities(files: Files, session: Session) -> bool:
    """Write the authorities that clients' certificates are verified by, and what nginx does so by.

    Return whether a file changed. Raises HostError, also for a text that is no certificate.
    """
    texts = session.scalars(_authorities()).all()
    bundle = "".join(_pem(text, "CERTIFICATE") for text in texts)
    folder = f"{places.state_directory()}/tls"
    desired = {f"{folder}/clients.conf": _DOES_NOT_VERIFY}
    if not bundle and not files.exists(f"{folder}/clients.conf"):
        return False
    if bundle:
        _require_loadable(bundle)
        # The list of authorities comes before it is named.
        configuration = _VERIFIES.format(folder=folder)
        desired = {f"{folder}/clients.pem": bundle, f"{folder}/clients.conf": configuration}
    changed = [path for path, text in desired.items() if not _has_content(files, path, text)]
    if changed:
        files.make_folder(folder, 0o750)
    for path in changed:
        files.store(path, desired[path].encode(), 0o640)
    return bool(changed)


@cache
def _authorities() -> Select[tuple[str]]:
    theirs = select(Certificate.public_certificate).filter_by(type=CLIENT_CA)
    return theirs.order_by(Certificate.uuid)


def write_banner(files: Files, session: Session) -> bool:
    """Write the banner that SSH shows before a login. Return whether it changed.

    Raises HostError.
    """
    path = f"{places.run_directory()}/banner"
    row = session.get(LoginMessage, "")
    banner = as_declared(BANNER, row.banner) if row else ""
    text = banner.rstrip("\n") + "\n" if banner else ""
    if _has_content(files, path, text) or (not text and not files.exists(path)):
        return False
    files.store(path, text.encode(), 0o644)
    return True


def _pem(text: str, kind: str) -> str:
    """Return the PEM blocks in a text without the text around them. Raises HostError.

    The label of each block must end in `kind`, as "EC PRIVATE KEY" does in "PRIVATE KEY".
    """
    blocks = openssl.blocks(text)
    if not blocks or not all(name.endswith(kind) for name, _ in blocks):
        raise HostError(f"what the database holds for the web server is no {kind.lower()} in PEM")
    return "".join(block for _, block in blocks)


def _remark(files: Files, folder: str) -> str:
    """Return a line that differs with the authorities of clients, '' while there never were any.

    What stands outside of its blocks is not read of a PEM file (RFC 7468, section 2).
    """
    names = (f"{folder}/clients.conf", f"{folder}/clients.pem")
    texts = [files.read(name) for name in names if files.exists(name)]
    if not texts:
        return ""
    digest = hashlib.sha256("".join(texts).encode()).hexdigest()
    return f"Written after the authorities of clients with the digest {digest}.\n"


def _require_loadable(bundle: str) -> None:
    """Raise HostError for certificates that openssl cannot load: nginx would not start then."""
    try:
        openssl.require_loadable(bundle)
    except OpensslError as error:
        raise HostError(f"the authorities of clients cannot be loaded: {error}") from error


def _has_content(files: Files, path: str, text: str) -> bool:
    """Return whether a file exists and contains a text."""
    return files.exists(path) and files.read(path) == text.removesuffix("\n")
