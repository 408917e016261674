"""DH-HMAC-CHAP, one-way and mutual: a wrong proof is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from provisioned import NVME_PORTAL

from lab.administrator import Administrator, Record
from lab.agent import GuestCommandFailed
from lab.initiator import Nvme
from lab.mapped import mapped_namespace
from lab.station import Host

SUBSYSTEMS = "protocols/nvme/subsystems"
ADMIN_TIMEOUT = "/sys/module/nvme_core/parameters/admin_timeout"
"""Seconds that the host's kernel waits for an answer (drivers/nvme/host/core.c)."""
Keys = dict[str, str]


@pytest.fixture
def keys(nvme: Nvme) -> Keys:
    """A key for each who might prove something."""
    make = f"nvme gen-dhchap-key --hmac 1 --nqn {nvme.name}"
    return {who: nvme.host.run(make).strip() for who in ("host", "array", "stranger")}


@pytest.fixture
def secured(admin: Administrator, nvme: Nvme, keys: Keys) -> Iterator[Record]:
    """A namespace in a subsystem that demands one-way authentication."""
    chap = {"host_secret_key": keys["host"]}
    with mapped_namespace(admin, nvme, "secured", dh_hmac_chap=chap) as namespace:
        yield namespace


@pytest.fixture
def both_secured(admin: Administrator, nvme: Nvme, keys: Keys) -> Iterator[Record]:
    """A namespace in a subsystem that demands and gives authentication."""
    chap = {"host_secret_key": keys["host"], "controller_secret_key": keys["array"]}
    with mapped_namespace(admin, nvme, "secured", dh_hmac_chap=chap) as namespace:
        yield namespace


def connect(nvme: Nvme, namespace: Record, **secrets: str) -> str:
    """Connect with secrets and return the device. Raises GuestCommandFailed."""
    words = [f"--dhchap-{name.replace('_', '-')}={key}" for name, key in secrets.items()]
    nvme.connect_to(namespace["nqn"], NVME_PORTAL, *words)
    return nvme.device(namespace["uuid"])


def test_right_key_is_let_in(nvme: Nvme, secured: Record, keys: Keys) -> None:
    assert connect(nvme, secured, secret=keys["host"])


def test_without_key_is_kept_out(nvme: Nvme, secured: Record) -> None:
    with pytest.raises(GuestCommandFailed, match="could not add new controller"):
        connect(nvme, secured)


def test_wrong_key_is_kept_out(nvme: Nvme, secured: Record, keys: Keys) -> None:
    with pytest.raises(GuestCommandFailed, match="could not add new controller"):
        connect(nvme, secured, secret=keys["stranger"])


def test_mutual_right_keys_are_let_in(nvme: Nvme, both_secured: Record, keys: Keys) -> None:
    assert connect(nvme, both_secured, secret=keys["host"], ctrl_secret=keys["array"])


@pytest.fixture
def impatient(host: Host) -> Iterator[None]:
    """Have the host's kernel wait shorter for the answer to its refusal, which never comes."""
    usual = host.run(f"cat {ADMIN_TIMEOUT}").strip()
    host.run(f"echo 5 > {ADMIN_TIMEOUT}")
    yield
    host.run(f"echo {usual} > {ADMIN_TIMEOUT}")


@pytest.mark.usefixtures("impatient")
def test_host_refuses_an_array_with_the_wrong_key(
    nvme: Nvme, both_secured: Record, keys: Keys
) -> None:
    with pytest.raises(GuestCommandFailed, match="could not add new controller"):
        connect(nvme, both_secured, secret=keys["host"], ctrl_secret=keys["stranger"])


def test_a_key_changes_while_the_host_is_connected(
    admin: Administrator, nvme: Nvme, host: Host, secured: Record, keys: Keys
) -> None:
    drive = connect(nvme, secured, secret=keys["host"])
    path = f"{SUBSYSTEMS}/{secured['subsystem']}/hosts/{nvme.name}"
    admin.api.patch(path, {"dh_hmac_chap": {"host_secret_key": keys["stranger"]}})
    host.run(f"dd if={drive} of=/dev/null bs=4096 count=16 iflag=direct")
    nvme.disconnect()
    with pytest.raises(GuestCommandFailed, match="could not add new controller"):
        connect(nvme, secured, secret=keys["host"])
    assert connect(nvme, secured, secret=keys["stranger"])


def test_keys_are_never_shown(admin: Administrator, both_secured: Record, keys: Keys) -> None:
    shown = str(admin.api.get(SUBSYSTEMS, fields="**"))
    assert "bidirectional" in shown
    assert not any(key in shown for key in keys.values())
