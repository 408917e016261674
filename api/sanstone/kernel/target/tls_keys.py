"""Keys of NVMe/TCP over TLS 1.3: how they are derived, and the kernel's keyring that holds them.

An administrator gives host and array one configured key, `NVMeTLSkey-1:<hash>:<base64>:`. Each side
derives from it a retained key for the host and from that the key of TLS, and puts that under an
identity of both names into the keyring `.nvme` (drivers/nvme/common/keyring.c), where tlshd looks
for the identity that a host comes with. Source: NVM Express TCP Transport Specification 1.1,
section 3.6.1; HKDF-Expand-Label is RFC 8446's, section 7.1.

Traps:

* libnvme before 1.16, which most hosts have, writes lengths in the labels of HKDF the wrong way
  round or leaves them out, so that it gets other keys from the same text. The identity contains a
  digest of the retained key, hence both are offered side by side, and each host finds its own. Only
  where no hash is wanted (00) are the identities the same: there the specification's key counts.
* An identity changes with the key, so a key that is in the keyring under it is the right one.
* A connection that has a key keeps it, also after it left the keyring: changing keys ends none.
* Keys that left the keyring stay in /proc/keys until nobody uses them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from sanstone.kernel.host import Host
from sanstone.kernel.plan import Step

KEYRING = "%keyring:.nvme"
PROC_KEYS = "/proc/keys"
HASHES = {"00": "", "01": "sha256", "02": "sha384"}
"""By what a configured key says: the hash that makes a retained key of it; "" for none."""
CIPHERS = {32: ("01", "sha256"), 48: ("02", "sha384")}
"""By a key's length: what identities call the cipher suite's hash, and what hashlib does."""
SUITES = {"01": "tls_aes_128_gcm_sha256", "02": "tls_aes_256_gcm_sha384"}
"""By what identities call it: the cipher suite."""


@dataclass(frozen=True)
class HostKey:
    """The configured key of a host for a subsystem."""

    host: str
    subsystem: str
    configured: str = field(repr=False)
    owner: str = ""


def keys(key: HostKey) -> dict[str, bytes]:
    """Return the keys of TLS by their identities, as hosts of both kinds derive them."""
    _, digits, encoded, _ = key.configured.split(":")
    configured = base64.b64decode(encoded)[:-4]
    names = f"{key.host} {key.subsystem}"
    cipher, hash_name = CIPHERS[len(configured)]
    by_identity: dict[str, bytes] = {}
    for label in (_old_label, _label):
        retained = configured
        if HASHES[digits]:
            info = label(len(configured), "HostNQN", key.host)
            retained = _expand(HASHES[digits], configured, info)
        proof = hmac.digest(retained, f"{names} NVMe-over-Fabrics".encode(), hash_name)
        digest = base64.b64encode(proof).decode()
        info = label(len(configured), "nvme-tls-psk", f"{cipher} {digest}")
        by_identity[f"NVMe1R{cipher} {names} {digest}"] = _expand(hash_name, retained, info)
    return by_identity


def suite(identity: str) -> str:
    """Return the cipher suite of a key, "" for an identity of another form."""
    return SUITES.get(identity.partition(" ")[0][-2:], "")


def _expand(hash_name: str, secret: bytes, info: bytes) -> bytes:
    """Return HKDF of a secret, of the secret's length, which is that of the hash at most."""
    extracted = hmac.digest(bytes(hashlib.new(hash_name).digest_size), secret, hash_name)
    return hmac.digest(extracted, info + b"\1", hash_name)[: len(secret)]


def _label(length: int, label: str, context: str) -> bytes:
    """Return the information of HKDF-Expand-Label."""
    parts = (f"tls13 {label}".encode(), context.encode())
    return length.to_bytes(2, "big") + b"".join(bytes([len(part)]) + part for part in parts)


def _old_label(length: int, label: str, context: str) -> bytes:
    """Return the form of libnvme before 1.16 (derive_tls_key() in src/nvme/linux.c)."""
    return length.to_bytes(2, "little") + f"tls13 {label}{context}".encode()


def read(host: Host) -> dict[str, int]:
    """Return the serial numbers of the keys in the keyring by identity. Raises HostError."""
    serials: dict[str, int] = {}
    for line in host.files.read(PROC_KEYS).splitlines():
        # Serial, flags, usage, timeout, permissions, uid, gid, type, description: <length>
        # (proc_keys_show() in security/keys/proc.c).
        words = line.split(maxsplit=8)
        if len(words) == 9 and words[7] == "psk" and not _UNUSABLE & set(words[1]):
            serials[words[8].rpartition(":")[0]] = int(words[0], 16)
    if not serials:
        return {}
    linked = {int(word) for word in host.commands.run(["keyctl", "rlist", KEYRING]).split()}
    return {identity: serial for identity, serial in serials.items() if serial in linked}


_UNUSABLE = frozenset("RDi")
"""Flags of keys that were revoked, are dead or were invalidated."""


def plan(live: Mapping[str, int], desired: Iterable[HostKey]) -> list[Step]:
    """Return the steps after which the keyring has exactly the desired keys."""
    steps: list[Step] = []
    kept: set[str] = set()
    for key in desired:
        for identity, secret in keys(key).items():
            kept.add(identity)
            if identity not in live:
                run = partial(_add, identity, secret)
                steps.append(Step(f"add the TLS key {identity}", key.owner, run))
    for identity, serial in live.items():
        if identity not in kept:
            steps.append(Step(f"remove the TLS key {identity}", "", partial(_remove, serial)))
    return steps


def _add(identity: str, secret: bytes, host: Host) -> None:
    """Put a key into the keyring; it is not in the argument list. Raises CommandError."""
    argv = ["keyctl", "padd", "-x", "psk", identity, KEYRING]
    host.commands.run(argv, stdin=secret.hex())


def _remove(serial: int, host: Host) -> None:
    """Take a key out of the keyring. Raises CommandError."""
    host.commands.run(["keyctl", "unlink", str(serial), KEYRING])
