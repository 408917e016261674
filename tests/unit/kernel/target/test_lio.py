"""The SCSI target: order, identity, authentication and changes while it serves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from target_worlds import (
    ACL,
    ADDRESSES,
    GROUP,
    INITIATORS,
    TARGET,
    WORLD,
    World,
    backstore,
    changes,
    converge,
    exports,
    machine,
)

from fakes import FakeKernel
from fakes.backstores import Backstore
from sanstone.kernel import plan
from sanstone.kernel.target import configfs, fabrics, lio
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import InternetAddress

TPG = f"{lio.ROOT}/iscsi/{TARGET.wwn}/tpgt_1"


def with_group(**values: Any) -> World:
    return replace(WORLD, targets=(replace(TARGET, groups=(replace(GROUP, **values),)),))


def test_a_target_opens_when_its_luns_and_initiators_are_complete() -> None:
    steps = changes(World(), WORLD)
    group = f"iscsi/{TARGET.wwn}/tpgt_1"
    opened = [f"write {group}/enable 1", f"mkdir {group}/np/{ADDRESSES[0]}:3260"]
    assert steps[-2:] == opened
    assert steps[-3].startswith(f"link {group}/acls/{ACL.initiator}/lun_0/")


def test_inquiry_data_come_from_the_backstore() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    path = WORLD.backstores[0].path
    read = kernel.host.files.read
    assert read(f"{path}/wwn/vendor_id") == "SANSTONE"
    assert read(f"{path}/wwn/product_id") == "LUN"
    assert read(f"{path}/wwn/vpd_unit_serial").endswith(" 00000000000a")
    assert read(f"{path}/attrib/emulate_tpu") == "1"
    assert read(f"{path}/alua/default_tg_pt_gp/alua_access_type") == "Implicit"


def test_luns_of_another_machine_are_in_a_target_port_group_of_their_own() -> None:
    kernel = machine()
    standby = replace(backstore("vda", port_group=2), access=AccessState.INACCESSIBLE)
    assert converge(kernel, replace(WORLD, backstores=(standby,))) == []
    read = kernel.host.files.read
    for group, number in (("default_tg_pt_gp", "0"), ("group2", "2")):
        path = f"{standby.path}/alua/{group}"
        assert read(f"{path}/tg_pt_gp_id") == number
        assert read(f"{path}/alua_access_type") == "Implicit"
        assert read(f"{path}/alua_access_state") == AccessState.INACCESSIBLE.alua
    (lun,) = (line for line in kernel.dump().splitlines() if "alua_tg_pt_gp = " in line)
    assert "TG Port Alias: group2" in lun


def test_each_backstore_has_a_folder_of_its_own() -> None:
    folders = {backstore(name).path.split("/")[-2] for name in ("vda", "vdb", "vdc")}
    assert folders == {"iblock_10", "iblock_11", "iblock_12"}


def test_a_read_only_lun_is_opened_so() -> None:
    kernel = machine()
    assert converge(kernel, World(backstores=(backstore("vda", read_only=True),))) == []
    info = kernel.host.files.read(f"{backstore('vda').path}/info")
    assert "readonly: 1" in info


def notified_size_of(kernel: FakeKernel) -> int:
    """Return the size that initiators last heard of."""
    hba = f"iblock_{int(WORLD.backstores[0].serial, 16)}"
    backstore = kernel.configfs.lio.core.children[hba].children[WORLD.backstores[0].name]
    assert isinstance(backstore, Backstore)
    return backstore.notified_size


def test_initiators_hear_of_a_grown_device() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    device = kernel.devices.by_name("vda")
    assert device is not None
    device.size = 2 << 30
    assert notified_size_of(kernel) == 1 << 30
    lio.revalidate_size(kernel.host, WORLD.backstores[0].path)
    assert notified_size_of(kernel) == 2 << 30


def test_a_kernel_without_the_means_is_left_alone() -> None:
    kernel = machine()
    lio.revalidate_size(kernel.host, WORLD.backstores[0].path)
    assert exports(kernel) == exports(machine())


def test_chap_is_demanded_from_the_initiators_that_have_a_secret() -> None:
    kernel = machine()
    acls = (ACL, fabrics.Acl(INITIATORS[1]))
    converge(kernel, with_group(acls=acls))
    read = kernel.host.files.read
    assert read(f"{TPG}/acls/{INITIATORS[0]}/attrib/authentication") == "1"
    assert read(f"{TPG}/acls/{INITIATORS[0]}/auth/password") == "a secret word"
    assert read(f"{TPG}/acls/{INITIATORS[1]}/attrib/authentication") == "0"
    assert read(f"{TPG}/attrib/authentication") == "0"


def test_a_fixed_setting_is_changed_though_it_was_never_written() -> None:
    kernel = machine()
    tree = lio.read(kernel.host)
    assert plan.apply(kernel.host, configfs.plan(tree, WORLD.tree())) == []
    after = replace(WORLD, backstores=(backstore("vda", aptpl="1"),))
    assert plan.apply(kernel.host, configfs.plan(tree, after.tree())) == []
    assert kernel.host.files.read(f"{WORLD.backstores[0].path}/attrib/force_pr_aptpl") == "1"


def test_a_secret_is_taken_away_alive() -> None:
    acl = f"write iscsi/{TARGET.wwn}/tpgt_1/acls/{ACL.initiator}"
    trusted = replace(ACL, authentication=fabrics.Authentication())
    assert changes(WORLD, with_group(acls=(trusted,))) == [
        f"{acl}/auth/userid NULL",
        f"{acl}/auth/password (secret)",
        f"{acl}/attrib/authentication 0",
    ]


def test_secrets_are_in_no_representation() -> None:
    assert "a secret word" not in repr(TARGET)


def test_a_lun_number_that_gets_another_backstore_is_mapped_again() -> None:
    kernel = machine()
    world = replace(WORLD, backstores=(backstore("vda"), backstore("vdb")))
    converge(kernel, world)
    group = replace(GROUP, luns={0: "lun-vdb"})
    moved = replace(world, targets=(replace(TARGET, groups=(group,)),))
    assert converge(kernel, moved) == []
    assert kernel.host.files.read(f"{TPG}/acls/{ACL.initiator}/lun_0/write_protect") == "0"


def test_a_recreated_backstore_is_mapped_again() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    assert converge(kernel, replace(WORLD, backstores=(backstore("vda", read_only=True),))) == []
    assert kernel.host.files.read(f"{TPG}/acls/{ACL.initiator}/lun_0/write_protect") == "0"


def test_a_link_lost_behind_our_back_is_mended_with_the_mappings_on_it() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    kernel.host.files.unlink(f"{TPG}/lun/lun_0/lun-vda")
    assert kernel.host.files.read(f"{TPG}/acls/{ACL.initiator}/lun_0/write_protect") == ""
    assert converge(kernel, WORLD) == []
    assert kernel.host.files.read(f"{TPG}/acls/{ACL.initiator}/lun_0/write_protect") == "0"


def test_a_target_is_disabled_before_it_is_taken_apart() -> None:
    assert changes(WORLD, World())[0] == f"write iscsi/{TARGET.wwn}/tpgt_1/enable 0"


@pytest.mark.parametrize(
    ("ip", "portal"), [("10.9.9.9", "10.9.9.9:3260"), ("fd00::9", "[fd00::9]:3260")]
)
def test_a_portal_needs_no_address_to_exist(ip: str, portal: str) -> None:
    kernel = machine()
    assert converge(kernel, with_group(address=InternetAddress(ip, 3260))) == []
    assert kernel.host.files.listdir(f"{TPG}/np") == [portal]


def test_a_target_port_keeps_the_number_that_it_was_given() -> None:
    kernel = machine()
    assert converge(kernel, with_group(relative_port=300)) == []
    assert kernel.host.files.read(f"{TPG}/rtpi") == "0x12c"


def test_a_device_that_two_luns_want_is_given_to_one() -> None:
    kernel = machine()
    twin = replace(backstore("vda"), name="twin", serial="0000000000ff", owner="twin")
    failures = converge(kernel, World(backstores=(backstore("vda"), twin)))
    assert {failure.step.owner for failure in failures} == {"twin"}


def test_a_setting_that_does_not_exist_is_an_error_here_and_not_in_the_kernel() -> None:
    with pytest.raises(ValueError, match="emulate_everything"):
        lio.render([replace(backstore("vda"), attributes={"emulate_everything": "1"})], [])


def test_backstores_and_fabrics_that_are_not_ours_are_left_alone() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    tree = lio.read(kernel.host, fabrics=())
    assert not any("/iscsi" in path for path in tree.nodes)


def test_nothing_is_left_when_nothing_is_wanted() -> None:
    kernel = machine()
    empty = exports(kernel)
    converge(kernel, WORLD)
    assert converge(kernel, World()) == []
    assert exports(kernel) == empty
