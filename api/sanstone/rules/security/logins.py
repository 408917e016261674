"""Values by which accounts log in over SSH, as sshd and systemd get them."""

from __future__ import annotations

import base64
import struct
from typing import Any

from marshmallow import ValidationError

from sanstone.core.declaration.types import Lines, Text

NAME_HINT = "letters, digits, _ . - @"
ACCOUNT_NAME = Text(64, 3, r"[A-Za-z0-9_][A-Za-z0-9_.@-]*", NAME_HINT)
BANNER = Lines(2048)
FEWEST_RSA_BITS = 2048
ED25519 = (
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f an example"
)
TYPES = {
    "ssh-ed25519",
    "ssh-rsa",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
}


class SshKey(Text):
    """A public key in OpenSSH's format."""

    good = (ED25519,)

    def __init__(self) -> None:
        super().__init__(8192, 1)
        self.bad += ("ssh-ed25519", "ssh-dss AAAA", "ssh-rsa AAAA", ED25519.replace("ed2", "ed3"))

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw).strip()
        kind, _, rest = text.partition(" ")
        try:
            parts = _parts(base64.b64decode(rest.partition(" ")[0], validate=True))
        except (ValueError, struct.error) as error:
            raise ValidationError("This must be a public key of SSH.") from error
        if kind not in TYPES or len(parts) < 2 or parts[0] != kind.encode():
            raise ValidationError(f"This must be a public key of {', '.join(sorted(TYPES))}.")
        if kind == "ssh-rsa" and int.from_bytes(parts[-1], "big").bit_length() < FEWEST_RSA_BITS:
            raise ValidationError(f"An RSA key needs {FEWEST_RSA_BITS} bits.")
        return text


SSH_KEY = SshKey()


def _parts(blob: bytes) -> list[bytes]:
    """Split a key's blob into its strings. Raises struct.error."""
    parts = []
    while blob:
        (length,) = struct.unpack_from(">I", blob)
        if len(blob) < 4 + length:
            raise struct.error("the blob is cut short")
        parts.append(blob[4 : 4 + length])
        blob = blob[4 + length :]
    return parts
