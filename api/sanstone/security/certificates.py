"""Create certificates, and check those that are uploaded.

A self-signed certificate is created with a key of its own; a certificate authority signs requests.
A certificate for the web server is loaded as the web server will load it before it is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.security import openssl, x509
from sanstone.security.openssl import OpensslError
from sanstone.security.x509 import Facts, Unreadable

EC, RSA = "ec", "rsa"
CURVES = {256: "prime256v1", 384: "secp384r1", 521: "secp521r1"}
RSA_SIZES = (2048, 3072, 4096)
HASHES = ("sha256", "sha384", "sha512")
DAY = 86_400.0
BAD_FORMAT = "52559975"
"""ONTAP's code for a certificate, key or request that cannot be used."""
_CONFIGURATION = """\
[req]
distinguished_name = subject
prompt = no
utf8 = yes
string_mask = utf8only
[subject]
{subject}
[extensions]
subjectKeyIdentifier = hash
{extensions}
"""


class BadCertificate(Exception):
    """A certificate, key or request that cannot be used; the text says why."""


@dataclass(frozen=True)
class CertificateSpecification:
    """The content of a new certificate. `subject` are pairs such as (CN, array.example.org)."""

    subject: tuple[tuple[str, str], ...]
    names: tuple[str, ...] = ()
    authority: bool = False
    algorithm: str = EC
    size: int = 256
    hash_function: str = "sha256"


@dataclass(frozen=True)
class KeyAndText:
    """A new key and the certificate or request that belongs to it, both in PEM."""

    key: str
    text: str


def self_signed(specification: CertificateSpecification, days: int) -> KeyAndText:
    """Create a key and a certificate signed by it. Raises BadCertificate."""
    return _make(specification, ["-x509", "-days", str(days), "-extensions", "extensions"])


def request(specification: CertificateSpecification) -> KeyAndText:
    """Create a key and a certificate signing request. Raises BadCertificate."""
    return _make(specification, ["-new", "-reqexts", "extensions"])


def sign(request_text: str, authority: str, key: str, days: int, hash_function: str) -> str:
    """Sign a request as a certificate authority; return the certificate.

    Everything in the request is granted, except to be an authority itself. Raises BadCertificate.
    """
    requests = [
        text for kind, text in openssl.blocks(request_text) if kind.endswith("CERTIFICATE REQUEST")
    ]
    if len(requests) != 1:
        raise BadCertificate("This is not one certificate signing request in PEM.")
    try:
        names = x509.requested_names(requests[0])
    except Unreadable as error:
        raise BadCertificate(f"The request cannot be read: {error}.") from error
    extensions = _extensions(tuple(name.replace("IP Address", "IP") for name in names), False)
    return _try(
        [
            *("x509", "-req", "-in", "{r}", "-CA", "{a}", "-CAkey", "{k}", "-days", str(days)),
            *(f"-{hash_function}", "-extfile", "{e}"),
        ],
        r=requests[0],
        a=authority,
        k=key,
        e=extensions,
    )


def judge(certificate: str, key: str = "", intermediates: Sequence[str] = ()) -> Facts:
    """Return the content of a certificate that is valid now and matches its key, if any.

    Raises BadCertificate.
    """
    blocks = openssl.blocks(certificate)
    if [kind for kind, _ in blocks] != ["CERTIFICATE"]:
        raise BadCertificate("This is not one certificate in PEM.")
    for text in intermediates:
        if {kind for kind, _ in openssl.blocks(text)} != {"CERTIFICATE"}:
            raise BadCertificate("An intermediate certificate is not one in PEM.")
    try:
        openssl.require_loadable(certificate)
        facts = x509.facts(certificate)
    except (OpensslError, Unreadable) as error:
        raise BadCertificate(f"The certificate cannot be read: {error}.") from error
    if not facts.is_current:
        raise BadCertificate("The certificate has expired or is not valid yet.")
    if key:
        why = openssl.check_pair("".join((certificate, *intermediates)), key)
        if why:
            raise BadCertificate(f"The certificate cannot be served with this key: {why}.")
    return facts


def require_own_signature(certificate: str) -> None:
    """Raise BadCertificate for one that another authority has signed.

    The web server follows a client's chain to its end, and believes none that ends elsewhere.
    """
    try:
        openssl.run(["verify", "-CAfile", "{c}", "{c}"], {"c": certificate})
    except OpensslError as error:
        text = "An authority of clients must have signed itself: install the one that signed it."
        raise BadCertificate(text) from error


def _make(specification: CertificateSpecification, options: Sequence[str]) -> KeyAndText:
    kind = (
        ["-newkey", "ec", "-pkeyopt", f"ec_paramgen_curve:{CURVES[specification.size]}"]
        if specification.algorithm == EC
        else ["-newkey", f"rsa:{specification.size}"]
    )
    configuration = _CONFIGURATION.format(
        subject="\n".join(
            f"{n}.{name} = {text}" for n, (name, text) in enumerate(specification.subject)
        ),
        extensions=_extensions(specification.names, specification.authority),
    )
    arguments = [
        "req",
        *options,
        *kind,
        "-noenc",
        f"-{specification.hash_function}",
        "-keyout",
        "-",
    ]
    printed = _try([*arguments, "-config", "{c}"], c=configuration)
    key, text = (block for _, block in openssl.blocks(printed))
    return KeyAndText(key, text)


def _extensions(names: tuple[str, ...], authority: bool) -> str:
    lines = [f"basicConstraints = critical, CA:{'TRUE' if authority else 'FALSE'}"]
    if authority:
        lines.append("keyUsage = critical, keyCertSign, cRLSign")
    else:
        lines.append("extendedKeyUsage = serverAuth, clientAuth")
    if names:
        lines.append(f"subjectAltName = {', '.join(names)}")
    return "\n".join(lines)


def _try(arguments: Sequence[str], **files: str) -> str:
    try:
        return openssl.run(arguments, files)
    except OpensslError as error:
        raise BadCertificate(f"openssl: {error}") from error
