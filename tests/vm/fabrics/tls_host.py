"""A host that comes by TLS: its keys, and a namespace that it needs one for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from provisioned import NVME_PORTAL

from lab.administrator import Administrator, Record
from lab.initiator import Nvme
from lab.mapped import mapped_namespace
from lab.station import Host

KEYRING = "%keyring:.nvme"
PORTALS = (NVME_PORTAL, "10.10.2.2")


def start_handshakes(host: Host) -> None:
    """Have the host shake hands; its tlshd wants a name for each address."""
    for address in PORTALS:
        host.run(f"grep -q {address} /etc/hosts || echo {address} array >> /etc/hosts")
    host.run("systemctl start tlshd")


def new_key(host: Host) -> str:
    """Return a key as an administrator makes it."""
    return host.run("nvme gen-tls-key --hmac=1 | grep -o 'NVMeTLSkey-1:.*:'").strip()


def take(nvme: Nvme, subsystem: str, key: str) -> None:
    """Have the host take a key in the place of all others."""
    nvme.host.run(f"keyctl clear {KEYRING}")
    names = f"--hostnqn {nvme.name} --subsysnqn {subsystem} --identity 1"
    nvme.host.run(f"nvme check-tls-key {names} --insert --keydata {key}")


@contextmanager
def secured_namespace(admin: Administrator, nvme: Nvme, key: str) -> Iterator[Record]:
    """Have a namespace in a subsystem that the host needs TLS for, and has the key of."""
    tls = {"key_type": "configured", "configured_psk": key}
    with mapped_namespace(admin, nvme, "secured", tls=tls) as namespace:
        take(nvme, namespace["nqn"], key)
        yield namespace


def connect(nvme: Nvme, namespace: Record, *options: str) -> str:
    """Connect at both portals and return the device. Raises GuestCommandFailed."""
    for portal in PORTALS:
        nvme.connect_to(namespace["nqn"], portal, *options)
    return nvme.device(namespace["uuid"])


def are_live(nvme: Nvme, drive: str) -> bool:
    """Return whether both paths are."""
    return [path.state for path in nvme.paths(drive)] == ["live optimized"] * 2
