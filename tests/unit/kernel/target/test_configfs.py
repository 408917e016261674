"""From any configuration of both targets to any other, whatever happens on the way."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from target_worlds import (
    ADDRESSES,
    HOSTS,
    INITIATORS,
    NVME_ADDRESSES,
    World,
    backstore,
    converge,
    exports,
    known,
    machine,
    namespace,
    worlds,
)

from fakes import Killed
from sanstone.kernel import plan
from sanstone.kernel.host import HostError
from sanstone.kernel.target import configfs, fabrics, lio, nvmet
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import InternetAddress

EMPTY = configfs.Part(0, (), (), {})
some = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

BUSY = World(
    subsystems=(
        nvmet.Subsystem(
            "nqn.2026-11.org.sanstone:one",
            "952a0001",
            hosts=HOSTS,
            namespaces=(namespace(1, "vda"), namespace(2, "vdb", 2)),
            ports=(1, 2),
        ),
    ),
    hosts=tuple(nvmet.AllowedHost(nqn, "DHHC-1:00:b25l:", "DHHC-1:00:dHdv:") for nqn in HOSTS),
    ports=(
        nvmet.Port(1, NVME_ADDRESSES[0]),
        nvmet.Port(
            2, NVME_ADDRESSES[1], ana={1: AccessState.OPTIMIZED, 2: AccessState.NON_OPTIMIZED}
        ),
    ),
    backstores=(backstore("vda"), backstore("vdb")),
    targets=(
        lio.ScsiTarget(
            "iqn.2026-11.org.sanstone:vs.1",
            groups=tuple(
                fabrics.PortalGroup(
                    tag,
                    InternetAddress(address, 3260),
                    {0: "lun-vda", 1: "lun-vdb"},
                    tuple(
                        fabrics.Acl(
                            name, fabrics.Authentication("user", "a secret word"), {0: 1, 7: 0}
                        )
                        for name in INITIATORS
                    ),
                )
                for tag, address in ((1, ADDRESSES[0]), (2, ADDRESSES[1]))
            ),
        ),
    ),
)


@some
@given(worlds(), worlds())
def test_any_world_becomes_any_other(before: World, after: World) -> None:
    kernel, fresh = machine(), machine()
    assert converge(kernel, before) == []
    assert converge(kernel, after) == []
    assert converge(fresh, after) == []
    assert exports(kernel) == exports(fresh)
    assert configfs.plan(known(kernel), after.tree()) == []


@some
@given(worlds(), worlds())
def test_the_known_tree_needs_no_reading(before: World, after: World) -> None:
    kernel = machine()
    tree = known(kernel)
    for world in (before, after):
        assert plan.apply(kernel.host, configfs.plan(tree, world.tree())) == []
        assert configfs.plan(tree, world.tree()) == []
        assert configfs.plan(known(kernel), world.tree()) == []


@some
@given(worlds(), worlds())
def test_what_changed_can_be_planned_by_itself(before: World, after: World) -> None:
    kernel = machine()
    assert converge(kernel, before) == []
    live = known(kernel)
    old, new = before.parts(), after.parts()
    changed = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    paths = {path for key in changed for part in (old, new) for path in part.get(key, EMPTY).nodes}
    tree = configfs.Tree.of(new[key] for key in changed if key in new)
    try:
        steps = configfs.plan(live, tree, paths)
    except configfs.OutOfScope:
        steps = configfs.plan(live, after.tree())
    assert plan.apply(kernel.host, steps) == []
    assert configfs.plan(known(kernel), after.tree()) == []
    assert configfs.plan(live, after.tree()) == []


def test_looking_again_finds_what_somebody_else_changed() -> None:
    kernel = machine()
    converge(kernel, BUSY)
    live = known(kernel)
    group = fabrics.ISCSI.group_path("iqn.2026-11.org.sanstone:vs.1", 1)
    lost = f"{group}/acls/{INITIATORS[0]}/lun_7"
    kernel.host.files.unlink(f"{lost}/lun_0")
    kernel.host.files.rmdir(lost)
    kernel.host.files.write(f"{group}/attrib/login_timeout", "7")
    for part in BUSY.parts().values():
        reader = lio if part.key[1].startswith(lio.ROOT) else nvmet
        live.read_again(kernel.host.files, part.nodes, reader.read_attribute)
    assert [step.text for step in configfs.plan(live, BUSY.tree())] == [
        f"write {group}/attrib/login_timeout 5",
        f"mkdir {lost}",
        f"link {lost}/lun_0 -> {group}/lun/lun_0",
    ]


@some
@given(worlds(), worlds(), st.integers(1, 120), st.booleans())
def test_killed_anywhere_it_converges(before: World, after: World, steps: int, done: bool) -> None:
    kernel, fresh = machine(), machine()
    assert converge(kernel, before) == []
    kernel.kill_after(steps, done=done)
    with suppress(Killed):
        converge(kernel, after)
    kernel.interrupt.clear()
    assert converge(kernel, after) == []
    assert converge(fresh, after) == []
    assert exports(kernel) == exports(fresh)


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("way", ["create", "delete"])
def test_killed_at_each_step_it_converges(way: str, done: bool) -> None:
    before, after = (World(), BUSY) if way == "create" else (BUSY, World())
    fresh = machine()
    converge(fresh, after)
    steps = 0
    while True:
        kernel = machine()
        converge(kernel, before)
        steps += 1
        kernel.kill_after(steps, done=done)
        try:
            converge(kernel, after)
            break
        except Killed:
            assert converge(kernel, after) == []
            assert exports(kernel) == exports(fresh)
    assert steps > 40


def test_no_step_prints_a_secret() -> None:
    steps = configfs.plan(configfs.Tree(), BUSY.tree())
    steps += configfs.plan(BUSY.tree(), World().tree())
    text = "\n".join(step.text for step in steps)
    assert "a secret word" not in text
    assert "DHHC-1" not in text
    assert "auth/password (secret)" in text


def test_each_step_names_the_object_that_needs_it() -> None:
    steps = configfs.plan(configfs.Tree(), BUSY.tree())
    owners = {step.owner for step in steps if "lun-vda/" in step.text and "core" in step.path}
    assert owners == {"lun:vda"}


def test_a_missing_device_holds_up_its_own_exports_only() -> None:
    kernel = machine()
    kernel.devices.remove(252, 0)
    failures = converge(kernel, BUSY)
    assert {failure.step.owner for failure in failures if not failure.skipped} == {
        "namespace:vda",
        "lun:vda",
    }
    dump = exports(kernel)
    assert "namespaces/2/enable = 1" in dump
    assert "acls/iqn.2026-11.org.example:one/lun_0/lun_1 -> " in dump
    assert "acls/iqn.2026-11.org.example:one/lun_7/lun_0 -> " not in dump
    assert "tpgt_1/enable = 1" in dump
    assert "ports/1/subsystems/nqn.2026-11.org.sanstone:one -> " in dump

    kernel.devices.add("vda", 252, 0, 1 << 30)
    assert converge(kernel, BUSY) == []
    fresh = machine()
    converge(fresh, BUSY)
    assert exports(kernel) == exports(fresh)


def test_a_missing_address_holds_up_its_own_port_only() -> None:
    kernel = machine()
    kernel.host.network.remove_address("e0b", ADDRESSES[1], 24)
    failures = converge(kernel, BUSY)
    assert [failure.step.path for failure in failures] == [
        "/sys/kernel/config/nvmet/ports/2/subsystems/nqn.2026-11.org.sanstone:one"
    ]
    kernel.host.network.add_address("e0b", ADDRESSES[1], 24)
    assert converge(kernel, BUSY) == []


def test_half_an_identity_is_never_exported() -> None:
    kernel = machine()
    refusal = HostError("refused")
    kernel.fail_when(lambda step: "device_nguid" in step or "vpd_unit_serial" in step, refusal)
    converge(kernel, BUSY)
    dump = exports(kernel)
    assert "namespaces/1/enable = 0" in dump
    assert "/lun/lun_0/lun-vda -> " not in dump


def test_a_target_without_its_authentication_is_never_opened() -> None:
    kernel = machine()
    kernel.fail_when(lambda step: "attrib/authentication 0" in step, HostError("refused"))
    converge(kernel, BUSY)
    assert "tpgt_1/enable = 0" in exports(kernel)
    assert "/np/" not in exports(kernel)


def test_a_new_mapping_touches_no_other() -> None:
    group = BUSY.targets[0].groups[0]
    acl = replace(group.acls[0], luns={**group.acls[0].luns, 3: 1})
    more = replace(group, acls=(acl, *group.acls[1:]))
    target = replace(BUSY.targets[0], groups=(more, *BUSY.targets[0].groups[1:]))
    steps = configfs.plan(BUSY.tree(), replace(BUSY, targets=(target,)).tree())
    item = f"{lio.ROOT}/iscsi/{target.wwn}/tpgt_1/acls/{acl.initiator}/lun_3"
    assert [step.text for step in steps] == [
        f"mkdir {item}",
        f"link {item}/lun_1 -> {lio.ROOT}/iscsi/{target.wwn}/tpgt_1/lun/lun_1",
    ]


def test_what_goes_is_skipped_when_something_in_it_will_not_go() -> None:
    kernel = machine()
    converge(kernel, BUSY)
    kernel.fail_when(lambda step: step.startswith("unlink") and "/acls/" in step, HostError("no"))
    failures = converge(kernel, World())
    refused = [failure for failure in failures if not failure.skipped]
    assert all(failure.step.text.startswith("unlink") for failure in refused)
    kernel.interrupt.clear()
    assert converge(kernel, World()) == []
    assert known(kernel).nodes == {}
