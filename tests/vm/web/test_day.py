"""A day in the browser: changes there reach the host, which runs the page's commands."""

from __future__ import annotations

from browser import Browser

from lab.administrator import GIB, MIB, Administrator, Record
from lab.initiator import Iscsi, Nvme
from lab.patience import eventually
from lab.station import Host

LUNS, NAMESPACES, VOLUMES = "storage/luns", "storage/namespaces", "storage/volumes"
CONNECT = "Discover and connect on every interface"
RESCAN = "See the new size"


def record(admin: Administrator, path: str, name: str) -> Record:
    """Return the object of that name."""
    [record] = admin.api.get(path, name=name, fields="**")["records"]
    return dict(record)


def size_of(host: Host, device: str) -> int:
    """Return the bytes of a host's device, as lsblk says them."""
    return int(host.run(f"lsblk --bytes --nodeps --noheadings --output SIZE {device}"))


def clear_up(admin: Administrator, path: str, group: str, name: str, **options: str) -> None:
    """Delete the objects of a provisioning; `options` are for the group."""
    admin.remove(path, record(admin, path, f"/vol/{name}/{name}"), allow_delete_while_mapped="true")
    admin.remove(group, record(admin, group, name), **options)
    admin.remove(VOLUMES, record(admin, VOLUMES, name))


def wait_for_jobs(admin: Administrator) -> None:
    """Wait until all jobs are done: a dialog closes once the array has accepted the change."""
    eventually(lambda: not admin.api.get("cluster/jobs", state="queued|running")["records"])


def test_a_lun_from_the_form_to_the_host_and_back(
    admin: Administrator, browser: Browser, host: Host, iscsi: Iscsi
) -> None:
    texts = browser.do(
        "provision", svm=admin.svm, protocol="iscsi", host=iscsi.name, name="web", size="64 MiB"
    )
    host.run(texts[CONNECT])
    lun = record(admin, LUNS, "/vol/web/web")
    device = iscsi.device(lun["serial_number"])
    assert size_of(host, device) == 64 * MIB

    host.run(f"dd if=/dev/zero of={device} bs=1M count=1 oflag=direct")
    volume = record(admin, VOLUMES, "web")
    browser.do("take", path=f"{VOLUMES}/{volume['uuid']}", name="before")
    wait_for_jobs(admin)
    host.run(f"dd if=/dev/urandom of={device} bs=1M count=1 oflag=direct")
    snapshots = f"{VOLUMES}/{volume['uuid']}/snapshots"
    before = record(admin, snapshots, "before")
    browser.do("restore", path=f"{snapshots}/{before['uuid']}", name="before")
    is_zero = f"dd if={device} bs=1M count=1 iflag=direct status=none | cmp -n 1048576 - /dev/zero"
    eventually(lambda: host.attempt(is_zero).status == 0)

    texts = browser.do("grow", path=f"{LUNS}/{lun['uuid']}", size="128 MiB")
    host.run(texts[RESCAN])
    eventually(lambda: size_of(host, device) == 128 * MIB)

    lif = record(admin, "network/ip/interfaces", "iscsi_1")
    outcome = browser.do("lose", initiator=iscsi.name, lif=lif["uuid"])
    print(f"seen as broken after {outcome['seconds']:.1f} s")
    eventually(lambda: [state for _, state in iscsi.paths(device)] == ["active ready"] * 2)
    iscsi.log_out()
    clear_up(admin, LUNS, "protocols/san/igroups", "web")


def test_a_namespace_from_the_form_to_the_host(
    admin: Administrator, browser: Browser, host: Host, nvme: Nvme
) -> None:
    texts = browser.do(
        "provision", svm=admin.svm, protocol="nvme_tcp", host=nvme.name, name="web", size="1 GiB"
    )
    connects = [line for line in texts[CONNECT].splitlines() if line.startswith("nvme connect ")]
    assert len(connects) == 2
    for line in connects:
        host.run(line)
    namespace = record(admin, NAMESPACES, "/vol/web/web")
    device = nvme.device(namespace["uuid"])
    assert size_of(host, device) == GIB
    nvme.disconnect()
    subsystems = "protocols/nvme/subsystems"
    clear_up(admin, NAMESPACES, subsystems, "web", allow_delete_with_hosts="true")
