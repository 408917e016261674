"""The NVMe target: changes while it serves, changes that recreate, and needless ones it omits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from target_worlds import (
    ADDRESSES,
    NVME_ADDRESSES,
    World,
    converge,
    exports,
    machine,
    namespace,
)

from fakes.nvmet import Namespace
from sanstone.kernel.host import FileError
from sanstone.kernel.target import configfs, nvmet
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import InternetAddress

NQN = "nqn.2026-11.org.sanstone:one"
HOST = "nqn.2014-08.org.nvmexpress:uuid:one"
KEY = "DHHC-1:00:b25l:"
SUBSYSTEM = nvmet.Subsystem(
    NQN, "952a0001", hosts=(HOST,), namespaces=(namespace(1, "vda"),), ports=(1,)
)
WORLD = World(
    subsystems=(SUBSYSTEM,),
    hosts=(nvmet.AllowedHost(HOST, KEY, KEY),),
    ports=(nvmet.Port(1, NVME_ADDRESSES[0]),),
)


def changes(before: World, after: World) -> list[str]:
    """Return the steps between two worlds, without the root of their paths."""
    steps = configfs.plan(before.tree(), after.tree())
    return [step.text.replace(nvmet.ROOT + "/", "") for step in steps]


def with_subsystem(**values: Any) -> World:
    return replace(WORLD, subsystems=(replace(SUBSYSTEM, **values),))


def test_a_subsystem_is_served_to_its_hosts_only() -> None:
    kernel = machine()
    assert converge(kernel, WORLD) == []
    dump = exports(kernel)
    assert f"{NQN}/attr_allow_any_host = 0" in dump
    assert f"{NQN}/allowed_hosts/{HOST} -> {nvmet.ROOT}/hosts/{HOST}" in dump
    assert f"ports/1/subsystems/{NQN} -> {nvmet.ROOT}/subsystems/{NQN}" in dump


def test_the_port_opens_after_everything_behind_it() -> None:
    assert changes(World(), WORLD)[-1].startswith("link ports/1/subsystems/")


def test_a_namespace_is_added_without_touching_others() -> None:
    more = with_subsystem(namespaces=(namespace(1, "vda"), namespace(2, "vdb")))
    assert all(f"{NQN}/namespaces/2" in text for text in changes(WORLD, more))


def test_the_ana_state_of_a_port_changes_alive() -> None:
    swapped = replace(
        WORLD, ports=(nvmet.Port(1, NVME_ADDRESSES[0], ana={1: AccessState.INACCESSIBLE}),)
    )
    assert changes(WORLD, swapped) == ["write ports/1/ana_groups/1/ana_state inaccessible"]


def test_a_key_is_changed_alive() -> None:
    changed = replace(WORLD, hosts=(nvmet.AllowedHost(HOST, "DHHC-1:00:dHdv:", KEY),))
    assert changes(WORLD, changed) == [f"write hosts/{HOST}/dhchap_key (secret)"]


@pytest.mark.parametrize(
    ("key", "controller_key", "file"),
    [("", KEY, "dhchap_key"), (KEY, "", "dhchap_ctrl_key")],
    ids=["host's", "controller's"],
)
def test_a_key_is_cleared_without_touching_the_host(
    key: str, controller_key: str, file: str
) -> None:
    kernel = machine()
    converge(kernel, WORLD)
    cleared = replace(WORLD, hosts=(nvmet.AllowedHost(HOST, key, controller_key),))
    assert changes(WORLD, cleared) == [f"write hosts/{HOST}/{file} (secret)"]
    assert converge(kernel, cleared) == []
    assert kernel.host.files.read(f"{nvmet.ROOT}/hosts/{HOST}/{file}") == ""


def test_a_host_that_needs_tls_is_linked_where_it_needs_it() -> None:
    kernel = machine()
    bound = with_subsystem(tls_hosts=frozenset({HOST}))
    assert converge(kernel, bound) == []
    dump = exports(kernel)
    for directory in ("tls_hosts", "allowed_hosts"):
        assert f"{NQN}/{directory}/{HOST} -> {nvmet.ROOT}/hosts/{HOST}" in dump
    link = f"subsystems/{NQN}/tls_hosts/{HOST}"
    assert changes(WORLD, bound) == [f"link {link} -> hosts/{HOST}"]
    assert changes(bound, WORLD) == [f"unlink {link}"]
    links = [text for text in changes(World(), bound) if text.endswith(f"-> hosts/{HOST}")]
    assert ["tls_hosts" in text for text in links] == [True, False]
    unlinks = [
        text for text in changes(bound, with_subsystem(hosts=())) if text.startswith("unlink")
    ]
    assert ["tls_hosts" in text for text in unlinks] == [False, True]
    assert converge(kernel, WORLD) == []
    assert f"{NQN}/tls_hosts/{HOST}" not in exports(kernel)


def test_a_kernel_that_cannot_bind_a_host_to_tls_does_not_admit_it() -> None:
    kernel = machine()
    kernel.files.displace(nvmet.TLS_HOSTS)
    failures = converge(kernel, with_subsystem(tls_hosts=frozenset({HOST})))
    assert [failure.skipped for failure in failures] == [False, True]
    assert all(f"_hosts/{HOST}" in failure.step.text for failure in failures)
    assert f"allowed_hosts/{HOST}" not in exports(kernel)


def test_a_port_takes_hosts_with_tls_and_without() -> None:
    kernel = machine()
    open_to_tls = replace(WORLD, ports=(nvmet.Port(1, NVME_ADDRESSES[0], takes_tls=True),))
    assert converge(kernel, open_to_tls) == []
    dump = exports(kernel)
    assert "ports/1/addr_tsas = tls1.3" in dump
    assert "ports/1/addr_treq = not required" in dump
    assert configfs.plan(nvmet.read(kernel.host), open_to_tls.tree()) == []


def test_a_port_moves_to_another_address_and_serves_again() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    moved = replace(WORLD, ports=(nvmet.Port(1, NVME_ADDRESSES[1]),))
    assert converge(kernel, moved) == []
    assert f"ports/1/addr_traddr = {ADDRESSES[1]}" in exports(kernel)
    assert f"ports/1/subsystems/{NQN} -> " in exports(kernel)


def test_two_ports_swap_their_addresses() -> None:
    def ports(first: InternetAddress, second: InternetAddress) -> World:
        world = with_subsystem(ports=(1, 2))
        return replace(world, ports=(nvmet.Port(1, first), nvmet.Port(2, second)))

    kernel = machine()
    assert converge(kernel, ports(NVME_ADDRESSES[0], NVME_ADDRESSES[1])) == []
    assert converge(kernel, ports(NVME_ADDRESSES[1], NVME_ADDRESSES[0])) == []


def test_an_identity_that_hosts_have_seen_is_changed_by_making_it_anew() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    kernel.configfs.nvmet.discover(NQN)
    assert converge(kernel, with_subsystem(serial="952a0002")) == []
    assert "attr_serial = 952a0002" in exports(kernel)


def test_the_namespace_that_is_one_too_many_is_refused_alone() -> None:
    kernel = machine()
    many = tuple(
        replace(namespace(nsid, "vda"), owner=f"namespace:{nsid}")
        for nsid in range(1, nvmet.MAXIMUM_NAMESPACES + 2)
    )
    failures = converge(kernel, with_subsystem(namespaces=many))
    assert [failure.step.owner for failure in failures] == ["namespace:1025"]
    assert f"ports/1/subsystems/{NQN} -> " in exports(kernel)


def test_a_grown_device_is_seen_after_revalidation() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    device = kernel.devices.by_name("vda")
    assert device is not None
    device.size = 2 << 30
    namespace = kernel.configfs.nvmet.subsystems.children[NQN].children["namespaces"].children["1"]
    assert isinstance(namespace, Namespace)
    assert namespace.size == 1 << 30
    nvmet.revalidate_size(kernel.host, NQN, 1)
    assert namespace.size == 2 << 30


def test_a_namespace_has_larger_blocks_than_its_device_by_the_product_s_kernel() -> None:
    kernel = machine()
    assert nvmet.has_block_size(kernel.host)
    large = replace(namespace(1, "vda"), block_size=4096)
    assert converge(kernel, with_subsystem(namespaces=(large,))) == []
    assert f"{NQN}/namespaces/1/block_size = 4096" in exports(kernel)
    small = replace(large, block_size=0)
    assert converge(kernel, with_subsystem(namespaces=(small,))) == []
    assert f"{NQN}/namespaces/1/block_size = 0" in exports(kernel)
    kernel.boot_linux()
    assert not nvmet.has_block_size(kernel.host)
    assert len(converge(kernel, with_subsystem(namespaces=(large,)))) > 0


def test_the_largest_transfer_for_hosts_is_1_mib() -> None:
    kernel = machine()
    assert converge(kernel, WORLD) == []
    limit = f"{nvmet.ROOT}/ports/1/param_mdts"
    assert kernel.files.read(limit) == "8"
    with pytest.raises(FileError):
        kernel.files.write(limit, "0")


def test_a_port_is_created_by_a_kernel_without_that_limit() -> None:
    kernel = machine()
    kernel.boot_linux()
    converge(kernel, WORLD)
    port = f"{nvmet.ROOT}/ports/1"
    assert kernel.files.read(f"{port}/addr_traddr") == NVME_ADDRESSES[0].transport_address
    assert not kernel.files.exists(f"{port}/param_mdts")


@pytest.mark.parametrize("size", ["8192", "1000", "256", "x"])
def test_other_sizes_of_blocks_are_refused(size: str) -> None:
    kernel = machine()
    converge(kernel, WORLD)
    second = f"{nvmet.ROOT}/subsystems/{NQN}/namespaces/2"
    kernel.files.mkdir(second)
    with pytest.raises(FileError):
        kernel.files.write(f"{second}/block_size", size)


def test_a_namespace_that_is_not_served_cannot_be_revalidated() -> None:
    kernel = machine()
    kernel.devices.remove(252, 0)
    converge(kernel, WORLD)
    with pytest.raises(FileError):
        nvmet.revalidate_size(kernel.host, NQN, 1)


def test_an_exported_device_is_held_until_its_namespace_goes() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    device = kernel.devices.by_name("vda")
    assert device is not None
    assert device.held
    assert converge(kernel, World()) == []
    assert not device.held


def test_referrals_come_and_go_alive() -> None:
    referral = nvmet.Referral("peer", NVME_ADDRESSES[1])
    referring = replace(WORLD, ports=(nvmet.Port(1, NVME_ADDRESSES[0], referrals=(referral,)),))
    assert all("ports/1/referrals/peer" in text for text in changes(WORLD, referring))
    assert changes(referring, WORLD) == ["rmdir ports/1/referrals/peer"]
