"""The source of an unattended installation's answers: `sanstone.install=` of the kernel.

    sanstone.install=https://192.0.2.1/san1.json                 checked by its certificate
    sanstone.install=http://192.0.2.1/san1.json#sha256=<hex>     checked by its SHA-256
    sanstone.install=LABEL=ANSWERS:/san1.json                    a file on a file system
    sanstone.install=/dev/disk/by-id/usb-...-part1:/san1.json

Forged answers could erase disks and set a password. So a file that comes over a network must be
verified: by TLS against the system's certificates, or by the SHA-256 of its content after
`#sha256=`, which then replaces the check of TLS too (a self-signed certificate is accepted).
http:// alone is refused. A server may be named if DHCP provides a DNS server.

After the installer has started, the network takes seconds to come up and a stick to appear. So a
server that cannot be reached or does not speak HTTP, and a device that cannot be mounted, are tried
again (`patience`). An HTTP error or a failed verification is not.
"""

from __future__ import annotations

import hashlib
import ssl
import urllib.error
import urllib.request
from http.client import HTTPException, InvalidURL
from pathlib import Path
from typing import Any

from sanstone.install.answers import WrongAnswers
from sanstone.install.mounts import mounted
from sanstone.install.patience import patiently
from sanstone.kernel.host import Host, HostError

PARAMETER = "sanstone.install="
LARGEST = 64 * 1024
_FINGERPRINT = "sha256="


class _NotYet(WrongAnswers):
    """The answers are not available yet."""


def on_command_line(command_line: str) -> str:
    """Return the source of the answers on the kernel's command line, '' for none."""
    words = [word for word in command_line.split() if word.startswith(PARAMETER)]
    return words[-1].removeprefix(PARAMETER) if words else ""


def read(host: Host, source: str, folder: Path) -> str:
    """Return the text of the answers; a file system is mounted at `folder` meanwhile.

    Raises WrongAnswers when they are not available or not verified.
    """
    if source.startswith(("http://", "https://")):
        return _fetched(source)
    return _on_device(host, source, folder)


def _on_device(host: Host, source: str, folder: Path) -> str:
    # udev's names of sticks contain a colon themselves: usb-...-0:0-part1.
    device, slash, path = source.partition(":/")
    if not slash or not device.startswith(("/dev/", "LABEL=", "UUID=")):
        raise WrongAnswers(f"{PARAMETER}{source}: this is neither a URL nor <device>:/<file>.")

    def get() -> bytes:
        try:
            with mounted(host, device, folder, "--read-only"):
                return _head(folder / path.lstrip("/"))
        except HostError as error:
            raise _NotYet(f"{source}: {error}") from error
        except OSError as error:
            raise WrongAnswers(f"{source}: {error.strerror}") from error

    return _text(patiently(get, _NotYet), source)


def _head(file: Path) -> bytes:
    with file.open("rb") as content:
        return content.read(LARGEST + 1)


def _fetched(source: str) -> str:
    url, _, fragment = source.partition("#")
    fingerprint = fragment.removeprefix(_FINGERPRINT).lower()
    if fragment and (not fragment.startswith(_FINGERPRINT) or len(fingerprint) != 64):
        raise WrongAnswers(f"{source}: after # stands {_FINGERPRINT} and 64 hexadecimal digits.")
    if not fingerprint and url.startswith("http://"):
        text = f"{source}: http:// needs #{_FINGERPRINT}<SHA-256 of the file>, or take https://."
        raise WrongAnswers(text)
    context = ssl.create_default_context()
    if fingerprint:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    content = patiently(lambda: _get(url, context, source), _NotYet)
    if fingerprint and hashlib.sha256(content).hexdigest() != fingerprint:
        got = hashlib.sha256(content).hexdigest()
        raise WrongAnswers(f"{url}: the file has SHA-256 {got}, not {fingerprint}.")
    return _text(content, source)


class _Staying(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: it could lead from https:// to a source without verification."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _get(url: str, context: ssl.SSLContext, source: str) -> bytes:
    opener = urllib.request.build_opener(_Staying(), urllib.request.HTTPSHandler(context=context))
    try:
        with opener.open(url, timeout=15) as answer:
            return bytes(answer.read(LARGEST + 1))
    except urllib.error.HTTPError as error:
        raise WrongAnswers(f"{source}: {error.code} {error.reason}") from error
    except OSError as error:
        reason = getattr(error, "reason", error)
        refused = WrongAnswers if isinstance(reason, ssl.SSLError) else _NotYet
        raise refused(f"{source}: {reason}") from error
    except (InvalidURL, ValueError) as error:
        # ValueError is raised for an invalid name, such as a..b.
        raise WrongAnswers(f"{source}: {error}") from error
    except HTTPException as error:
        raise _NotYet(f"{source}: {type(error).__name__}: {error}") from error


def _text(content: bytes, source: str) -> str:
    if len(content) > LARGEST:
        raise WrongAnswers(f"{source}: longer than {LARGEST} bytes.")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise WrongAnswers(f"{source}: {error}") from None
