"""NVMe/TCP by TLS: admission by key, encryption, and changes of keys under load."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from provisioned import NVME_PORTAL
from tls_host import KEYRING, are_live, connect, new_key, secured_namespace, start_handshakes, take

from lab.administrator import MIB, Administrator, Record
from lab.agent import GuestCommandFailed
from lab.initiator import Nvme
from lab.mapped import mapped_namespace
from lab.patience import SECONDS, eventually
from lab.station import Array, Host
from lab.workload import Workload

SUBSYSTEMS = "protocols/nvme/subsystems"
CONTROLLERS = "protocols/nvme/subsystem-controllers"
REFUSED = "could not add new controller|[Ff]ailed to write to /dev/nvme-fabrics|connect"


@pytest.fixture(autouse=True)
def binding_kernel(array: Array) -> None:
    if not array.has_product_kernel:
        pytest.skip("this kernel cannot bind hosts to TLS (board/common/patches)")


@pytest.fixture
def shaking(host: Host) -> None:
    """The host shakes hands."""
    start_handshakes(host)


@pytest.fixture
def key(host: Host) -> str:
    """The key of host and array."""
    return new_key(host)


@pytest.fixture
def secured(admin: Administrator, nvme: Nvme, key: str, shaking: None) -> Iterator[Record]:
    """A namespace in a subsystem that the host needs TLS for, and has the key of."""
    with secured_namespace(admin, nvme, key) as namespace:
        yield namespace


@pytest.fixture
def unsecured(admin: Administrator, nvme: Nvme) -> Iterator[Record]:
    """A namespace in a subsystem that the host needs no key for."""
    with mapped_namespace(admin, nvme, "unsecured") as namespace:
        yield namespace


def key_types(admin: Administrator) -> list[str]:
    """Return how the connected hosts came."""
    shown = admin.api.get(CONTROLLERS, fields="tls")["records"]
    return sorted(each["tls"]["key_type"] for each in shown)


def is_listed_as_refused(admin: Administrator, host: str) -> bool:
    """Return whether the array lists a host as refused for want of its key."""
    shown = admin.api.get("protocols/san/refused-initiators", fields="**")["records"]
    refusals = {(each["initiator"]["name"], each["reason"]) for each in shown}
    return (host, "not_authenticated") in refusals


def test_a_host_reads_its_writes_by_tls(
    admin: Administrator, nvme: Nvme, host: Host, secured: Record
) -> None:
    drive = connect(nvme, secured, "--tls")
    workload = Workload(host, "encrypted", drive, 16 * MIB, 16384)
    workload.start()
    assert workload.wait().read_back == 16 * MIB
    assert host.run("cat /sys/class/nvme/nvme*/tls_key").split()
    sessions = dict(line.split() for line in host.run("cat /proc/net/tls_stat").splitlines())
    assert int(sessions["TlsCurrTxSw"]) >= 2
    eventually(lambda: key_types(admin) == ["configured", "configured"])
    [one, _] = admin.api.get(CONTROLLERS, fields="tls")["records"]
    assert one["tls"]["cipher"] == "tls_aes_128_gcm_sha256"
    assert f"{nvme.name} {secured['nqn']}" in one["tls"]["psk_identity"]


def test_discovery_asks_for_tls(admin: Administrator, nvme: Nvme, secured: Record) -> None:
    nvme.connect(NVME_PORTAL)
    drive = nvme.device(secured["uuid"])
    eventually(lambda: are_live(nvme, drive))
    eventually(lambda: key_types(admin) == ["configured", "configured"])


def test_the_host_without_tls_is_refused(admin: Administrator, nvme: Nvme, secured: Record) -> None:
    with pytest.raises(GuestCommandFailed, match=REFUSED):
        connect(nvme, secured)
    eventually(lambda: is_listed_as_refused(admin, nvme.name))


def test_another_key_is_refused(nvme: Nvme, host: Host, secured: Record) -> None:
    take(nvme, secured["nqn"], new_key(host))
    with pytest.raises(GuestCommandFailed, match=REFUSED):
        connect(nvme, secured, "--tls")


@pytest.mark.parametrize("bound", [True, False])
def test_a_key_is_for_its_own_host(
    admin: Administrator, nvme: Nvme, host: Host, secured: Record, bound: bool
) -> None:
    """Neither a host that needs its key nor one that needs none is let in by another's."""
    other = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-4000-8000-000000000001"
    tls = {"key_type": "configured", "configured_psk": new_key(host)}
    theirs = {"nqn": other, "tls": tls} if bound else {"nqn": other}
    admin.api.post(f"{SUBSYSTEMS}/{secured['subsystem']}/hosts", theirs)
    serial = host.run(f"keyctl rlist {KEYRING}").split()[0]
    place = f"transport=tcp,traddr={NVME_PORTAL},trsvcid=4420,nqn={secured['nqn']}"
    names = f"hostnqn={other},hostid={other.rpartition(':')[2]}"
    # nvme-cli looks for the key of the name that it was given.
    done = host.attempt(f"echo {place},{names},tls,tls_key={serial} > /dev/nvme-fabrics")
    assert done.status != 0
    eventually(lambda: is_listed_as_refused(admin, other))


def test_a_host_without_a_key_needs_none(
    admin: Administrator, nvme: Nvme, unsecured: Record
) -> None:
    nvme.connect(NVME_PORTAL)
    drive = nvme.device(unsecured["uuid"])
    eventually(lambda: are_live(nvme, drive))
    eventually(lambda: key_types(admin) == ["none", "none"])


def test_a_silent_connection_keeps_nobody_out(
    array: Array, nvme: Nvme, host: Host, secured: Record
) -> None:
    silent = (
        "import signal, socket; s = [socket.create_connection(('{}', 4420)) for _ in range(20)]"
    )
    waits = f'python3 -c "{silent.format(NVME_PORTAL)}; signal.pause()"'
    host.run(f"systemd-run --quiet --collect --unit=silent {waits}")
    try:
        assert connect(nvme, secured, "--tls")
    finally:
        host.run("systemctl stop silent")


def test_a_key_changes_under_load(
    admin: Administrator, nvme: Nvme, host: Host, secured: Record
) -> None:
    # One connection, however long either machine stands still.
    drive = connect(nvme, secured, "--tls", f"--keep-alive-tmo={SECONDS:.0f}")
    workload = Workload(host, "rotated", drive, 32 * MIB, 4096)
    workload.start()
    before = host.run("cat /sys/class/nvme/nvme*/cntlid")
    changed = new_key(host)
    path = f"{SUBSYSTEMS}/{secured['subsystem']}/hosts/{nvme.name}"
    admin.api.patch(path, {"tls": {"configured_psk": changed}})
    assert workload.wait().read_back == 32 * MIB
    assert host.run("cat /sys/class/nvme/nvme*/cntlid") == before
    nvme.disconnect()
    with pytest.raises(GuestCommandFailed, match=REFUSED):
        connect(nvme, secured, "--tls")
    take(nvme, secured["nqn"], changed)
    assert connect(nvme, secured, "--tls")


@pytest.mark.usefixtures("shaking")
def test_a_host_that_gets_a_key_has_to_connect_again(
    admin: Administrator, nvme: Nvme, key: str, unsecured: Record
) -> None:
    connect(nvme, unsecured)
    path = f"{SUBSYSTEMS}/{unsecured['subsystem']}/hosts/{nvme.name}"
    admin.api.patch(path, {"tls": {"key_type": "configured", "configured_psk": key}})
    eventually(lambda: key_types(admin) == [])
    nvme.disconnect()
    take(nvme, unsecured["nqn"], key)
    assert connect(nvme, unsecured, "--tls")


def test_keys_go_with_their_host(
    admin: Administrator, array: Array, nvme: Nvme, secured: Record, key: str
) -> None:
    assert array.run(f"keyctl rlist {KEYRING}").split()
    shown = str(admin.api.get(SUBSYSTEMS, fields="**"))
    assert "configured" in shown
    assert key not in shown
    admin.api.delete(f"{SUBSYSTEMS}/{secured['subsystem']}/hosts/{nvme.name}")
    eventually(lambda: array.run(f"keyctl rlist {KEYRING}").split() == [])
