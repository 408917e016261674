"""Persistent reservations across a restart."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from target_worlds import World, backstore, converge, machine

from fakes import FakeKernel, Killed
from fakes.backstores import Backstore
from fakes.files import Directory, Text
from sanstone.kernel.host import FileError
from sanstone.kernel.target import reservations

SAVED = f"{reservations.DATABASE}/pr/aptpl_00000000000a"
HOLDER = """\
PR_REG_START: 0
initiator_fabric=iSCSI
initiator_node=iqn.2026-11.org.example:one
initiator_sid=00023d000001
sa_res_key=291
res_holder=1
res_type=08
res_scope=00
res_all_tg_pt=0
mapped_lun=0
target_fabric=iSCSI
target_node=iqn.2026-11.org.sanstone:vs.1
tpgt=1
port_rtpi=1
target_lun=0
PR_REG_END: 0
"""
OTHER = HOLDER.replace(": 0", ": 1").replace(
    "res_holder=1\nres_type=08\nres_scope=00", "res_holder=0"
)


def restored(kernel: FakeKernel) -> list[str]:
    backstore = kernel.configfs.lio.core.children["iblock_10"].children["lun-vda"]
    assert isinstance(backstore, Backstore)
    return backstore.reservations


def test_a_new_backstore_gets_back_what_the_kernel_saved() -> None:
    kernel = machine()
    kernel.files.place(SAVED, Text(HOLDER + OTHER + "\0"))
    assert converge(kernel, World(backstores=(backstore("vda"),))) == []
    holder, other = restored(kernel)
    assert "initiator_node=iqn.2026-11.org.example:one" in holder
    assert "res_holder=1,res_type=8," in holder
    assert "res_holder=0" in other


def test_a_backstore_that_exists_gets_nothing_twice() -> None:
    kernel = machine()
    kernel.files.place(SAVED, Text(HOLDER))
    world = World(backstores=(backstore("vda"),))
    converge(kernel, world)
    converge(kernel, world)
    assert len(restored(kernel)) == 1


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("steps", range(1, 16))
def test_reservations_survive_a_crash_at_any_step(steps: int, done: bool) -> None:
    kernel = machine()
    kernel.files.place(SAVED, Text(HOLDER + OTHER))
    world = World(backstores=(backstore("vda"),))
    kernel.kill_after(steps, done=done)
    with suppress(Killed):
        converge(kernel, world)
    kernel.interrupt.clear()
    assert converge(kernel, world) == []
    assert len(restored(kernel)) == 2


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("No Registrations or Reservations\n\0", 0),
        (HOLDER, 1),
        (HOLDER + OTHER[:90], 1),
    ],
    ids=["empty", "none", "one", "cut off"],
)
def test_only_complete_registrations_count(text: str, count: int) -> None:
    assert len(reservations.parse(text)) == count


@given(st.text(max_size=60))
def test_nothing_but_what_the_kernel_writes_is_given_back_to_it(text: str) -> None:
    for place in ("res_type=08", "initiator_node=iqn.2026-11.org.example:one"):
        name = place.partition("=")[0]
        for registration in reservations.parse(HOLDER.replace(place, f"{name}={text}")):
            fields = [field.partition("=")[0] for field in registration.split(",")]
            assert fields.count("initiator_node") <= 1 or "=" in text
            assert registration.isprintable()


def test_a_malformed_registration_is_ignored() -> None:
    two = HOLDER.replace("example:one", "example:one,initiator_node=iqn.2026-11.org.example:two")
    assert reservations.parse(two + OTHER) == reservations.parse(OTHER)
    assert reservations.parse(HOLDER.replace("=08", "=x") + OTHER) == reservations.parse(OTHER)


def test_a_backstore_whose_reservations_are_refused_is_not_finished() -> None:
    kernel = machine()
    kernel.files.place(SAVED, Text(HOLDER.replace("sa_res_key=291", "sa_res_key=")))
    failures = converge(kernel, World(backstores=(backstore("vda"),)))
    assert not failures[0].skipped
    assert any(failure.skipped and "vpd_unit_serial" in str(failure) for failure in failures)


def test_a_deleted_lun_leaves_nothing_behind() -> None:
    kernel = machine()
    kernel.files.place(SAVED, Text(HOLDER))
    reservations.forget(kernel.host, "00000000000a")
    reservations.forget(kernel.host, "00000000000b")
    assert not kernel.host.files.exists(SAVED)


def test_the_directory_is_created_and_set_in_the_kernel_once() -> None:
    kernel = FakeKernel()
    kernel.files.place("/var/lib/sanstone", Directory())
    reservations.prepare(kernel.host)
    steps = len(kernel.interrupt.log)
    reservations.prepare(kernel.host)
    assert len(kernel.interrupt.log) == steps
    assert kernel.host.files.read("/sys/kernel/config/target/dbroot") == reservations.DATABASE
    assert kernel.host.files.is_dir(f"{reservations.DATABASE}/pr")


def test_a_directory_that_the_kernel_will_not_take_is_an_error() -> None:
    kernel = machine()
    converge(kernel, World(backstores=(backstore("vda"),)))
    with pytest.raises(FileError, match="Invalid argument"):
        reservations.prepare(kernel.host, "/var/lib/sanstone/elsewhere")
