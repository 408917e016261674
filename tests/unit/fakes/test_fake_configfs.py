"""Rules of configfs itself, of nvmet and of LIO, as Linux has them."""

from __future__ import annotations

import errno
from collections.abc import Callable

import pytest

from fakes import FakeKernel
from fakes.files import Directory
from sanstone.kernel.host import FileError, Files

NVMET = "/sys/kernel/config/nvmet"
TARGET = "/sys/kernel/config/target"
SUBSYSTEM = f"{NVMET}/subsystems/nqn.one"
NAMESPACE = f"{SUBSYSTEM}/namespaces/1"
HOST = f"{NVMET}/hosts/nqn.host"
PORT = f"{NVMET}/ports/1"
BACKSTORE = f"{TARGET}/core/iblock_1/lun"
TPG = f"{TARGET}/iscsi/iqn.one/tpgt_1"


@pytest.fixture
def kernel() -> FakeKernel:
    """Return a machine with a disk /dev/vda and the address 192.168.1.1."""
    kernel = FakeKernel()
    kernel.devices.add("vda", 252, 0, 1 << 30)
    kernel.host.network.add_address("e0a", "192.168.1.1", 24)
    return kernel


@pytest.fixture
def files(kernel: FakeKernel) -> Files:
    """Return its files."""
    return kernel.host.files


@pytest.fixture
def nvmet(files: Files) -> None:
    """Set up a subsystem with a namespace, a host and a port; nothing is enabled or linked."""
    for path in (SUBSYSTEM, NAMESPACE, HOST, PORT):
        files.mkdir(path)
    files.write(f"{NAMESPACE}/device_path", "/dev/vda")
    address = {"adrfam": "ipv4", "trtype": "tcp", "traddr": "192.168.1.1", "trsvcid": "4420"}
    for name, value in address.items():
        files.write(f"{PORT}/addr_{name}", value)


@pytest.fixture
def lio(files: Files) -> None:
    """Set up an enabled backstore and a portal group with a LUN and an ACL; nothing is linked."""
    for path in (f"{TARGET}/core/iblock_1", BACKSTORE):
        files.mkdir(path)
    files.write(f"{BACKSTORE}/control", "udev_path=/dev/vda")
    files.write(f"{BACKSTORE}/enable", "1")
    for path in (f"{TARGET}/iscsi", f"{TARGET}/iscsi/iqn.one", TPG):
        files.mkdir(path)
    for path in ("lun/lun_0", "acls/iqn.host", "acls/iqn.host/lun_5"):
        files.mkdir(f"{TPG}/{path}")


def error_name(call: Callable[..., object], *args: str) -> str:
    """Return the name of the error with which a call is refused."""
    with pytest.raises(FileError) as caught:
        call(*args)
    return errno.errorcode[caught.value.errno]


def test_default_groups_come_with_an_item_and_stay(files: Files, nvmet: None, lio: None) -> None:
    assert {"namespaces", "allowed_hosts"} <= set(files.listdir(SUBSYSTEM))
    assert files.is_dir(f"{PORT}/ana_groups/1")
    assert {"lun", "np", "acls", "attrib", "auth", "param"} <= set(files.listdir(TPG))
    assert files.is_dir(f"{BACKSTORE}/alua/default_tg_pt_gp")
    assert error_name(files.rmdir, f"{SUBSYSTEM}/namespaces") == "EPERM"
    assert error_name(files.mkdir, f"{SUBSYSTEM}/allowed_hosts/x") == "EPERM"
    assert error_name(files.mkdir, f"{NVMET}/nonsense") == "EPERM"


def test_an_item_with_something_in_it_or_linked_to_it_stays(files: Files, nvmet: None) -> None:
    files.symlink(HOST, f"{SUBSYSTEM}/allowed_hosts/nqn.host")
    assert error_name(files.rmdir, HOST) == "EBUSY"
    assert error_name(files.rmdir, SUBSYSTEM) == "ENOTEMPTY"
    files.rmdir(NAMESPACE)
    assert error_name(files.rmdir, SUBSYSTEM) == "ENOTEMPTY"
    files.unlink(f"{SUBSYSTEM}/allowed_hosts/nqn.host")
    files.rmdir(SUBSYSTEM)
    files.rmdir(HOST)


def test_links_lead_to_items_and_read_as_relative_paths(files: Files, nvmet: None) -> None:
    link = f"{SUBSYSTEM}/allowed_hosts/nqn.host"
    assert error_name(files.symlink, f"{NVMET}/hosts/none", link) == "ENOENT"
    assert error_name(files.symlink, "/dev", link) == "EPERM"
    assert error_name(files.symlink, HOST, f"{NVMET}/hosts/alias") == "EPERM"
    files.symlink(HOST, link)
    assert files.readlink(link) == "../../../hosts/nqn.host"
    assert error_name(files.symlink, HOST, link) == "EEXIST"


def test_attributes(files: Files, nvmet: None) -> None:
    assert error_name(files.write, f"{SUBSYSTEM}/attr_serial", "") == "EFAULT"
    assert error_name(files.write, f"{SUBSYSTEM}/nonsense", "1") == "ENOENT"
    assert error_name(files.unlink, f"{SUBSYSTEM}/attr_serial") == "EPERM"
    assert error_name(files.mkdir, SUBSYSTEM) == "EEXIST"


def test_hosts_are_not_listed_where_any_may_connect(files: Files, nvmet: None) -> None:
    files.write(f"{SUBSYSTEM}/attr_allow_any_host", "1")
    link = f"{SUBSYSTEM}/allowed_hosts/nqn.host"
    assert error_name(files.symlink, HOST, link) == "EINVAL"
    files.write(f"{SUBSYSTEM}/attr_allow_any_host", "0")
    files.symlink(HOST, link)
    assert error_name(files.write, f"{SUBSYSTEM}/attr_allow_any_host", "1") == "EINVAL"


def test_a_namespace_is_enabled_once_its_device_is_there(
    kernel: FakeKernel, files: Files, nvmet: None
) -> None:
    files.write(f"{NAMESPACE}/device_path", "/dev/vdb")
    assert error_name(files.write, f"{NAMESPACE}/enable", "1") == "ENOENT"
    kernel.devices.add("vdb", 252, 1, 512)
    files.write(f"{NAMESPACE}/enable", "1")
    assert error_name(files.write, f"{NAMESPACE}/device_path", "/dev/vda") == "EBUSY"
    assert error_name(files.write, f"{NAMESPACE}/device_uuid", "0" * 32) == "EBUSY"
    files.write(f"{NAMESPACE}/ana_grpid", "2")
    assert error_name(files.write, f"{NAMESPACE}/ana_grpid", "129") == "EINVAL"


@pytest.mark.parametrize("nsid", ["0", "4294967295", "x"])
def test_namespace_ids_have_limits(files: Files, nvmet: None, nsid: str) -> None:
    assert error_name(files.mkdir, f"{SUBSYSTEM}/namespaces/{nsid}") == "EINVAL"


def test_the_address_of_a_port_in_use_is_frozen(files: Files, nvmet: None) -> None:
    files.symlink(SUBSYSTEM, f"{PORT}/subsystems/nqn.one")
    assert error_name(files.write, f"{PORT}/addr_traddr", "192.168.1.2") == "EACCES"
    assert error_name(files.rmdir, SUBSYSTEM) == "EBUSY"
    files.unlink(f"{PORT}/subsystems/nqn.one")
    files.write(f"{PORT}/addr_traddr", "192.168.1.2")
    link = f"{PORT}/subsystems/nqn.one"
    assert error_name(files.symlink, SUBSYSTEM, link) == "EADDRNOTAVAIL"


def test_two_ports_cannot_have_one_address(files: Files, nvmet: None) -> None:
    files.symlink(SUBSYSTEM, f"{PORT}/subsystems/nqn.one")
    files.mkdir(f"{NVMET}/ports/2")
    for name in ("adrfam", "trtype", "traddr", "trsvcid"):
        files.write(f"{NVMET}/ports/2/addr_{name}", files.read(f"{PORT}/addr_{name}"))
    link = f"{NVMET}/ports/2/subsystems/nqn.one"
    assert error_name(files.symlink, SUBSYSTEM, link) == "EADDRINUSE"


def test_an_identified_subsystem_keeps_its_identity(
    kernel: FakeKernel, files: Files, nvmet: None
) -> None:
    files.write(f"{SUBSYSTEM}/attr_serial", "1")
    assert error_name(files.write, f"{SUBSYSTEM}/attr_serial", "1" * 21) == "EINVAL"
    kernel.configfs.nvmet.discover("nqn.one")
    assert error_name(files.write, f"{SUBSYSTEM}/attr_serial", "2") == "EINVAL"
    assert error_name(files.write, f"{SUBSYSTEM}/attr_model", "x") == "EINVAL"


@pytest.mark.parametrize("key", ["\n", "nonsense", "DHHC-1:04:x:"])
def test_a_key_must_look_like_one(files: Files, nvmet: None, key: str) -> None:
    assert error_name(files.write, f"{HOST}/dhchap_ctrl_key", key) == "EINVAL"


def test_a_key_is_cleared_by_a_nul_byte(files: Files, nvmet: None) -> None:
    files.write(f"{HOST}/dhchap_key", "DHHC-1:00:b25l:\n")
    files.write(f"{HOST}/dhchap_key", "\0")
    assert files.read(f"{HOST}/dhchap_key") == ""


def test_a_lun_needs_an_enabled_backstore(files: Files, lio: None) -> None:
    files.mkdir(f"{TARGET}/core/iblock_1/unfinished")
    unfinished = f"{TARGET}/core/iblock_1/unfinished"
    assert error_name(files.symlink, unfinished, f"{TPG}/lun/lun_0/x") == "ENODEV"
    assert error_name(files.write, f"{unfinished}/enable", "1") == "EINVAL"
    assert error_name(files.symlink, TPG, f"{TPG}/lun/lun_0/x") == "EFAULT"


def test_a_lun_has_one_backstore(files: Files, lio: None) -> None:
    files.symlink(BACKSTORE, f"{TPG}/lun/lun_0/x")
    assert error_name(files.symlink, BACKSTORE, f"{TPG}/lun/lun_0/y") == "EEXIST"
    assert error_name(files.mkdir, f"{TPG}/lun/lun_0") == "EEXIST"
    assert error_name(files.mkdir, f"{TPG}/lun/0") == "EINVAL"


def test_an_exported_backstore_keeps_its_identity(files: Files, lio: None) -> None:
    files.symlink(BACKSTORE, f"{TPG}/lun/lun_0/x")
    assert error_name(files.write, f"{BACKSTORE}/wwn/vpd_unit_serial", "1") == "EINVAL"
    assert error_name(files.write, f"{BACKSTORE}/attrib/force_pr_aptpl", "1") == "EINVAL"
    assert error_name(files.write, f"{BACKSTORE}/control", "udev_path=/dev/x") == "EEXIST"
    assert error_name(files.write, f"{BACKSTORE}/enable", "1") == "EEXIST"
    assert error_name(files.rmdir, BACKSTORE) == "EBUSY"


def test_a_device_belongs_to_one_backstore(files: Files, lio: None) -> None:
    files.mkdir(f"{TARGET}/core/iblock_1/second")
    files.write(f"{TARGET}/core/iblock_1/second/control", "udev_path=/dev/vda")
    assert error_name(files.write, f"{TARGET}/core/iblock_1/second/enable", "1") == "EBUSY"


def test_a_mapping_needs_a_lun_of_its_own_portal_group(files: Files, lio: None) -> None:
    mapping = f"{TPG}/acls/iqn.host/lun_5/x"
    assert error_name(files.symlink, f"{TPG}/lun/lun_0", mapping) == "EINVAL"
    files.symlink(BACKSTORE, f"{TPG}/lun/lun_0/x")
    files.mkdir(f"{TARGET}/iscsi/iqn.one/tpgt_2")
    files.mkdir(f"{TARGET}/iscsi/iqn.one/tpgt_2/lun/lun_0")
    other = f"{TARGET}/iscsi/iqn.one/tpgt_2/lun/lun_0"
    files.symlink(BACKSTORE, f"{other}/x")
    assert error_name(files.symlink, other, mapping) == "EINVAL"
    files.symlink(f"{TPG}/lun/lun_0", mapping)
    assert error_name(files.rmdir, f"{TPG}/lun/lun_0") == "EBUSY"


def test_a_mapping_loses_its_effect_with_the_luns_link(files: Files, lio: None) -> None:
    files.symlink(BACKSTORE, f"{TPG}/lun/lun_0/x")
    files.symlink(f"{TPG}/lun/lun_0", f"{TPG}/acls/iqn.host/lun_5/x")
    assert files.read(f"{TPG}/acls/iqn.host/lun_5/write_protect") == "0"
    files.unlink(f"{TPG}/lun/lun_0/x")
    files.symlink(BACKSTORE, f"{TPG}/lun/lun_0/x")
    assert files.read(f"{TPG}/acls/iqn.host/lun_5/write_protect") == ""


@pytest.mark.parametrize(
    ("path", "error"),
    [
        (f"{TARGET}/loopback", "EINVAL"),
        (f"{TARGET}/core/iblock", "EINVAL"),
        (f"{TARGET}/core/iblock_x", "EINVAL"),
        (f"{TARGET}/core/iblock_{'1' * 60}", "ENAMETOOLONG"),
        (f"{TARGET}/iscsi/iqn.{'x' * 224}", "EINVAL"),
        (f"{TARGET}/iscsi/iqn.one/1", "EINVAL"),
        (f"{TARGET}/iscsi/iqn.one/tpgt_65536", "EINVAL"),
        (f"{TPG}/np/192.168.1.1", "EINVAL"),
        (f"{TPG}/acls/iqn.host/5", "EINVAL"),
    ],
)
def test_names_have_a_form(files: Files, lio: None, path: str, error: str) -> None:
    assert error_name(files.mkdir, path) == error


def test_a_target_listens_once_at_an_address(files: Files, lio: None) -> None:
    files.mkdir(f"{TPG}/np/192.168.1.1:3260")
    files.mkdir(f"{TARGET}/iscsi/iqn.one/tpgt_2")
    second = f"{TARGET}/iscsi/iqn.one/tpgt_2/np/192.168.1.1:3260"
    assert error_name(files.mkdir, second) == "EINVAL"


def test_relative_ports_are_unique_among_the_enabled(files: Files, lio: None) -> None:
    files.write(f"{TPG}/rtpi", "7")
    files.write(f"{TPG}/enable", "1")
    assert error_name(files.write, f"{TPG}/rtpi", "8") == "EINVAL"
    second = f"{TARGET}/iscsi/iqn.one/tpgt_2"
    files.mkdir(second)
    files.write(f"{second}/rtpi", "7")
    assert error_name(files.write, f"{second}/enable", "1") == "EINVAL"


def test_the_reservations_directory_is_chosen_before_the_first_backstore(
    kernel: FakeKernel, files: Files
) -> None:
    kernel.files.place("/var/lib/sanstone/target", Directory())
    assert error_name(files.write, f"{TARGET}/dbroot", "/missing") == "ENOENT"
    files.write(f"{TARGET}/dbroot", "/var/lib/sanstone/target")
    files.mkdir(f"{TARGET}/core/iblock_1")
    files.mkdir(BACKSTORE)
    assert error_name(files.write, f"{TARGET}/dbroot", "/var/lib/sanstone/target") == "EINVAL"


def test_a_reboot_leaves_no_exports(kernel: FakeKernel, files: Files, lio: None) -> None:
    kernel.reboot()
    assert files.listdir(f"{TARGET}/core") == ["alua"]
