"""Where the answers of an unattended installation are: `sanstone.install=` of the kernel.

    sanstone.install=https://192.0.2.1/san1.json                 checked by its certificate
    sanstone.install=http://192.0.2.1/san1.json#sha256=<hex>     checked by its SHA-256
    sanstone.install=LABEL=ANSWERS:/san1.json                    a file on a file system
    sanstone.install=/dev/disk/by-id/usb-...-part1:/san1.json

Who can forge the answers can erase disks and choose a password. So a file that comes over a network
has to prove itself: by TLS against the system's certificates, or by the SHA-256 of its content
after `#sha256=`, which then stands for TLS too (a server's own certificate will do). http:// alone
is refused. A server may have a name where DHCP tells who knows it.

The network needs seconds to come up after the installer has started, and a stick to be found, so a
server that cannot be reached or does not speak HTTP, and a device that cannot be mounted, are tried
again (`patience`). An answer that is refused is not.
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
    """Answers that may be had a little later."""


def on_command_line(command_line: str) -> str:
    """Return where the kernel's command line says that the answers are, '' where it does not."""
    words = [word for word in command_line.split() if word.startswith(PARAMETER)]
    return words[-1].removeprefix(PARAMETER) if words else ""


def read(host: Host, source: str, folder: Path) -> str:
    """Return the text of the answers; `folder` is where a file system is mounted meanwhile.

    Raises WrongAnswers when they are not to be had or not to be trusted.
    """
    if source.startswith(("http://", "https://")):
        return _fetched(source)
    return _on_device(host, source, folder)


def _on_device(host: Host, source: str, folder: Path) -> str:
    # The names that udev gives sticks have a colon themselves: usb-...-0:0-part1.
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
    wanted = fragment.removeprefix(_FINGERPRINT).lower()
    if fragment and (not fragment.startswith(_FINGERPRINT) or len(wanted) != 64):
        raise WrongAnswers(f"{source}: after # stands {_FINGERPRINT} and 64 hexadecimal digits.")
    if not wanted and url.startswith("http://"):
        text = f"{source}: http:// needs #{_FINGERPRINT}<SHA-256 of the file>, or take https://."
        raise WrongAnswers(text)
    context = ssl.create_default_context()
    if wanted:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    content = patiently(lambda: _get(url, context, source), _NotYet)
    if wanted and hashlib.sha256(content).hexdigest() != wanted:
        got = hashlib.sha256(content).hexdigest()
        raise WrongAnswers(f"{url}: the file has SHA-256 {got}, not {wanted}.")
    return _text(content, source)


class _Staying(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: it could lead from https:// to a place that proves nothing."""

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
        # ValueError is of a name that cannot be one, such as a..b.
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
