"""`sanstone-check-password`: check a password for PAM.

pam_exec(8) runs it as root with the name in PAM_USER, the caller's address in PAM_RHOST, and the
password with a final NUL on standard input (`expose_authtok`). It calls the API, which counts
failures and locks accounts as for every other login, and exits with 0 for a correct password.
"""

from __future__ import annotations

import base64
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from sanstone.client.connection import Way, local
from sanstone.client.errors import ClientError, NotAuthenticated
from sanstone.client.rest import Array

APPLICATIONS = {"sshd": "ssh", "login": "console"}
"""Applications by PAM's name of the service."""
LONGEST = 4096


def main() -> None:
    """Check the password on standard input and exit."""
    sys.exit(check(os.environ, sys.stdin.buffer))


def check(environment: Mapping[str, str], standard_input: BinaryIO) -> int:
    """Return the exit status: 0 for a correct password, 1 for a wrong one, 2 for no answer."""
    service = environment.get("PAM_SERVICE", "")
    if environment.get("PAM_TYPE") != "auth" or service not in APPLICATIONS:
        print(f"not for PAM's service {service!r}", file=sys.stderr)
        return 2
    password = standard_input.read(LONGEST).rstrip(b"\0")
    login = base64.b64encode(environment["PAM_USER"].encode() + b":" + password).decode()
    headers = {
        "Authorization": f"Basic {login}",
        "X-Forwarded-For": environment.get("PAM_RHOST", ""),
        "X-Sanstone-Application": APPLICATIONS[service],
    }
    folder = Path(environment.get("SANSTONE_RUN", "/run/sanstone"))
    way = local(str(folder / "api.sock"))
    try:
        Array(Way(way.connect, headers)).get("security/session")
    except NotAuthenticated:
        return 1
    except ClientError as error:
        print(error, file=sys.stderr)
        return 2
    return 0
