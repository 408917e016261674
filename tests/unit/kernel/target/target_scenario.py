"""One scenario of both targets for every form of `host.Host`: its lines must be the same on all.

It makes a SCSI target and an NVMe subsystem of two block devices, which it never reads or writes,
changes all that can change, tries all that the kernel refuses, and removes all again. It yields a
line for each outcome; `target_scenario.txt` holds the lines that it must print. The unit test runs
it on the fake kernel. On a machine it is a program: `python3 target_scenario.py LINK DEVICE DEVICE`
prints the lines, as root, with `sanstone` on the path. Nothing else may export these devices.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

from sanstone.kernel import plan
from sanstone.kernel.host import FileError, Host, HostError
from sanstone.kernel.target import configfs, fabrics, lio, nvmet
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import InternetAddress
from sanstone.kernel.target.configfs import Tree

MODULES = ("nvmet", "nvmet-tcp", "target_core_mod", "target_core_iblock", "iscsi_target_mod")
ADDRESS = "192.0.2.1"
"""For documentation (RFC 5737): no other machine has it."""
PORT = 65001
NQN = "nqn.2026-11.org.example:scenario"
HOST_NQN = "nqn.2014-08.org.nvmexpress:uuid:5c0e0000-1111-4111-8111-111111111111"
IQN = "iqn.2026-11.org.example:scenario"
INITIATOR = "iqn.2026-11.org.example:initiator"
KEY = "DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:"
"""One of nvme-cli's examples (nvme-gen-dhchap-key(1)); it is nobody's."""

SUBSYSTEM = f"{nvmet.ROOT}/subsystems/{NQN}"
HOST = f"{nvmet.ROOT}/hosts/{HOST_NQN}"
NVME_PORT = f"{nvmet.ROOT}/ports/{PORT}"
TARGET = f"{lio.ROOT}/iscsi/{IQN}"
GROUP = f"{TARGET}/tpgt_1"
ACL = f"{GROUP}/acls/{INITIATOR}"


def answer(call: Callable[[], object]) -> str:
    """Return the name of the error with which a call is refused, "done" for none."""
    try:
        call()
    except FileError as error:
        return errno.errorcode[error.errno]
    return "done"


class Kernel:
    """The scenario's steps in configfs: each method returns the kernel's answer."""

    def __init__(self, host: Host) -> None:
        self.files = host.files

    def write(self, path: str, text: str) -> str:
        """Write an attribute."""
        return answer(lambda: self.files.write(path, text))

    def make(self, path: str) -> str:
        """Make an item."""
        return answer(lambda: self.files.mkdir(path))

    def remove(self, path: str) -> str:
        """Remove an item."""
        return answer(lambda: self.files.rmdir(path))

    def link(self, target: str, path: str) -> str:
        """Link an item to another."""
        return answer(lambda: self.files.symlink(target, path))

    def unlink(self, path: str) -> str:
        """Remove a link."""
        return answer(lambda: self.files.unlink(path))

    def read(self, path: str) -> str:
        """Read an attribute, without the blanks that fill some up."""
        return self.files.read(path).rstrip()


class Rendered:
    """The drivers' own trees at the scenario's paths: all others are the array's."""

    def __init__(self, host: Host, fabric: fabrics.Fabric, *places: str) -> None:
        self._host, self._fabric = host, fabric
        self._places = tuple(f"{each}/" for each in places)

    def become(self, what: str, desired: Tree) -> Iterator[str]:
        """Apply the desired tree, and print the failures and the steps that are left."""
        others = self._fabric.path
        own = Tree({path: node for path, node in desired.nodes.items() if path != others})
        failures = plan.apply(self._host, configfs.plan(self._existing(), own))
        yield f"{what}: {', '.join(str(failure) for failure in failures) or 'made'}"
        yield f"left to do: {len(configfs.plan(self._existing(), own))}"

    def _existing(self) -> Tree:
        nodes = nvmet.read(self._host).nodes | lio.read(self._host, [self._fabric]).nodes
        places = self._places
        return Tree({path: node for path, node in nodes.items() if f"{path}/".startswith(places)})


def run(host: Host, link: str, first: str, second: str) -> Iterator[str]:
    """Go through the scenario."""
    host.commands.run(["modprobe", "--all", *MODULES])
    kernel = Kernel(host)
    host.network.set_link(link, up=True)
    if not host.files.exists(f"{lio.ROOT}/iscsi"):
        host.files.mkdir(f"{lio.ROOT}/iscsi")
    yield from _namespaces(kernel, first, second)
    yield from _hosts(kernel)
    yield from _nvme_port(host, kernel, link)
    yield from _nvme_end(kernel)
    yield from _backstores(kernel, first, second)
    yield from _portal_group(kernel)
    yield from _initiator(kernel)
    yield from _scsi_end(kernel)
    yield from _rendered(host, first, second)
    host.network.remove_address(link, ADDRESS, 24)


def _namespaces(kernel: Kernel, first: str, second: str) -> Iterator[str]:
    one, two = f"{SUBSYSTEM}/namespaces/1", f"{SUBSYSTEM}/namespaces/2"
    discovery = f"{nvmet.ROOT}/subsystems/nqn.2014-08.org.nvmexpress.discovery"
    yield f"subsystem with the name of discovery: {kernel.make(discovery)}"
    yield f"subsystem: {kernel.make(SUBSYSTEM)}, again: {kernel.make(SUBSYSTEM)}"
    yield f"any host may connect: {kernel.read(f'{SUBSYSTEM}/attr_allow_any_host')}"
    yield f"serial number: {kernel.write(f'{SUBSYSTEM}/attr_serial', '5c0e00001111')}"
    yield f"one that is too long: {kernel.write(f'{SUBSYSTEM}/attr_serial', 'x' * 21)}"
    yield f"which it keeps: {kernel.read(f'{SUBSYSTEM}/attr_serial')}"
    yield f"model: {kernel.write(f'{SUBSYSTEM}/attr_model', 'Sanstone Array')}"
    yield f"model that is too long: {kernel.write(f'{SUBSYSTEM}/attr_model', 'x' * 41)}"
    yield f"firmware that is too long: {kernel.write(f'{SUBSYSTEM}/attr_firmware', 'x' * 9)}"
    ids = (f"{SUBSYSTEM}/attr_cntlid_min", f"{SUBSYSTEM}/attr_cntlid_max")
    yield f"ids of controllers: {', '.join(map(kernel.read, ids))}"
    yield f"half of them: {kernel.write(ids[1], '32759')}, {kernel.read(ids[1])}"
    yield f"the lowest above the highest: {kernel.write(ids[0], '32760')}"
    yield f"all again: {kernel.write(ids[1], '65519')}"
    yield f"namespace 0: {kernel.make(f'{SUBSYSTEM}/namespaces/0')}"
    yield f"namespace all: {kernel.make(f'{SUBSYSTEM}/namespaces/4294967295')}"
    yield f"namespace with a name: {kernel.make(f'{SUBSYSTEM}/namespaces/one')}"
    yield f"namespace: {kernel.make(one)}"
    yield f"device that is not there: {kernel.write(f'{one}/device_path', '/dev/no-such-device')}"
    yield f"enabled with that: {kernel.write(f'{one}/enable', '1')}"
    yield f"device: {kernel.write(f'{one}/device_path', first)}"
    yield f"identity: {kernel.write(f'{one}/device_uuid', '5c0e0000-aaaa-4111-8111-111111111111')}"
    yield f"one that is none: {kernel.write(f'{one}/device_uuid', 'no identity')}"
    yield f"NGUID: {kernel.write(f'{one}/device_nguid', '5c0e0000aaaa41118111111111111111')}"
    yield f"as it is read: {kernel.read(f'{one}/device_nguid')}"
    yield f"size before it is enabled: {kernel.write(f'{one}/revalidate_size', '1')}"
    yield f"enabled: {kernel.write(f'{one}/enable', '1')}"
    yield f"again: {kernel.write(f'{one}/enable', '1')}"
    for name, value in (
        ("device_path", second),
        ("device_uuid", "5c0e0000-bbbb-4111-8111-111111111111"),
        ("device_nguid", "5c0e0000bbbb41118111111111111111"),
        ("buffered_io", "1"),
    ):
        yield f"{name} of an enabled one: {kernel.write(f'{one}/{name}', value)}"
    yield f"its new size: {kernel.write(f'{one}/revalidate_size', '1')}"
    yield f"its size read: {answer(lambda: kernel.read(f'{one}/revalidate_size'))}"
    yield f"second namespace: {kernel.make(two)}"
    yield f"of the same device: {kernel.write(f'{two}/device_path', first)}"
    yield f"enabled: {kernel.write(f'{two}/enable', '1')}"
    yield f"removed while enabled: {kernel.remove(two)}"
    for group in ("0", "1", "2", "128", "129", "none"):
        yield f"ANA group {group}: {kernel.write(f'{one}/ana_grpid', group)}"
    yield f"it is in group {kernel.read(f'{one}/ana_grpid')}"
    yield f"group it is in after all: {kernel.write(f'{one}/ana_grpid', '2')}"


def _hosts(kernel: Kernel) -> Iterator[str]:
    allowed = f"{SUBSYSTEM}/allowed_hosts"
    yield f"host: {kernel.make(HOST)}"
    yield f"key: {kernel.write(f'{HOST}/dhchap_key', KEY)}"
    yield f"is read as written: {kernel.read(f'{HOST}/dhchap_key') == KEY}"
    yield f"something else: {kernel.write(f'{HOST}/dhchap_key', 'no key')}"
    yield f"key of no hash: {kernel.write(f'{HOST}/dhchap_key', KEY.replace('-1:00', '-1:09'))}"
    yield f"empty line: {kernel.write(f'{HOST}/dhchap_key', chr(10))}"
    yield f"nothing: {kernel.write(f'{HOST}/dhchap_key', '')}"
    yield f"the key is still there: {kernel.read(f'{HOST}/dhchap_key') == KEY}"
    yield f"cleared: {kernel.write(f'{HOST}/dhchap_key', configfs.EMPTY)}"
    yield f"leaves: {kernel.read(f'{HOST}/dhchap_key')!r}"
    yield f"controller's key: {kernel.write(f'{HOST}/dhchap_ctrl_key', KEY)}"
    for value in ("hmac(sha512)", "hmac(sha256)", "hmac(md5)"):
        yield f"hash {value}: {kernel.write(f'{HOST}/dhchap_hash', value)}"
    yield f"host allowed: {kernel.link(HOST, f'{allowed}/{HOST_NQN}')}"
    yield f"again: {kernel.link(HOST, f'{allowed}/{HOST_NQN}')}"
    yield f"by another name: {kernel.link(HOST, f'{allowed}/other')}"
    yield f"a subsystem as a host: {kernel.link(SUBSYSTEM, f'{allowed}/subsystem')}"
    yield f"something outside: {kernel.link('/proc', f'{allowed}/proc')}"
    yield f"something missing: {kernel.link(f'{HOST}-missing', f'{allowed}/missing')}"
    yield f"everybody, beside it: {kernel.write(f'{SUBSYSTEM}/attr_allow_any_host', '1')}"
    yield f"host removed while allowed: {kernel.remove(HOST)}"


def _nvme_port(host: Host, kernel: Kernel, link: str) -> Iterator[str]:
    export = f"{NVME_PORT}/subsystems/{NQN}"
    yield f"port out of range: {kernel.make(f'{nvmet.ROOT}/ports/65536')}"
    yield f"port: {kernel.make(NVME_PORT)}"
    yield f"served without an address: {kernel.link(SUBSYSTEM, export)}"
    yield f"transport that there is not: {kernel.write(f'{NVME_PORT}/addr_trtype', 'pigeon')}"
    for name, value in (
        ("addr_trtype", "tcp"),
        ("addr_adrfam", "ipv4"),
        ("addr_traddr", ADDRESS),
        ("addr_trsvcid", "4420"),
    ):
        yield f"{name}: {kernel.write(f'{NVME_PORT}/{name}', value)}"
    inline = f"{NVME_PORT}/param_inline_data_size"
    yield f"data with a command: {kernel.read(inline)}"
    yield f"more of it: {kernel.write(inline, '65536')}, as text: {kernel.write(inline, 'many')}"
    yield f"served before the address is there: {kernel.link(SUBSYSTEM, export)}"
    host.network.add_address(link, ADDRESS, 24)
    yield f"served: {kernel.link(SUBSYSTEM, export)}, again: {kernel.link(SUBSYSTEM, export)}"
    yield f"link is relative: {kernel.files.readlink(export).startswith('../')}"
    changes = ("addr_traddr", "192.0.2.2"), ("addr_trsvcid", "4421"), (inline.split("/")[-1], "0")
    for name, value in changes:
        yield f"{name} while it serves: {kernel.write(f'{NVME_PORT}/{name}', value)}"
    groups = f"{NVME_PORT}/ana_groups"
    yield f"group 1: {kernel.read(f'{groups}/1/ana_state')}, again: {kernel.make(f'{groups}/1')}"
    yield f"group 1 removed: {kernel.remove(f'{groups}/1')}"
    yield f"group 2: {kernel.make(f'{groups}/2')}, {kernel.read(f'{groups}/2/ana_state')}"
    for name in ("0", "129", "two"):
        yield f"group {name}: {kernel.make(f'{groups}/{name}')}"
    for state in ("optimized", "non-optimized", "persistent-loss", "change", "bad"):
        yield f"state {state}: {kernel.write(f'{groups}/2/ana_state', state)}"
    yield f"subsystem removed while it is served: {kernel.remove(SUBSYSTEM)}"
    yield f"second port at the address: {', '.join(_second_port(kernel))}"
    yield f"referral: {', '.join(_referral(kernel))}"


def _second_port(kernel: Kernel) -> Iterator[str]:
    other = f"{nvmet.ROOT}/ports/{PORT + 1}"
    yield kernel.make(other)
    for name in ("addr_trtype", "addr_adrfam", "addr_traddr", "addr_trsvcid"):
        yield kernel.write(f"{other}/{name}", kernel.read(f"{NVME_PORT}/{name}"))
    yield kernel.link(SUBSYSTEM, f"{other}/subsystems/{NQN}")
    yield kernel.remove(other)


def _referral(kernel: Kernel) -> Iterator[str]:
    peer = f"{NVME_PORT}/referrals/peer"
    yield kernel.make(peer)
    for name, value in (("addr_trtype", "tcp"), ("addr_adrfam", "ipv4"), ("addr_portid", "0")):
        yield kernel.write(f"{peer}/{name}", value)
    yield kernel.write(f"{peer}/addr_traddr", "192.0.2.7")
    yield kernel.write(f"{peer}/enable", "1")
    yield kernel.write(f"{peer}/addr_traddr", "192.0.2.8")
    yield kernel.remove(peer)


def _nvme_end(kernel: Kernel) -> Iterator[str]:
    yield f"port removed while it serves: {kernel.remove(NVME_PORT)}"
    yield f"served no more: {kernel.unlink(f'{NVME_PORT}/subsystems/{NQN}')}"
    yield f"then its address may change: {kernel.write(f'{NVME_PORT}/addr_trsvcid', '4421')}"
    yield f"port removed with its group in it: {kernel.remove(NVME_PORT)}"
    yield f"group removed: {kernel.remove(f'{NVME_PORT}/ana_groups/2')}"
    yield f"port removed: {kernel.remove(NVME_PORT)}, again: {kernel.remove(NVME_PORT)}"
    yield f"subsystem removed with its content: {kernel.remove(SUBSYSTEM)}"
    yield f"host no more allowed: {kernel.unlink(f'{SUBSYSTEM}/allowed_hosts/{HOST_NQN}')}"
    yield f"default group removed: {kernel.remove(f'{SUBSYSTEM}/namespaces')}"
    yield f"namespace removed: {kernel.remove(f'{SUBSYSTEM}/namespaces/1')}"
    yield f"subsystem removed: {kernel.remove(SUBSYSTEM)}"
    yield f"host removed: {kernel.remove(HOST)}"


def _backstores(kernel: Kernel, first: str, second: str) -> Iterator[str]:
    core = f"{lio.ROOT}/core"
    one, two = f"{core}/iblock_65001/one", f"{core}/iblock_65002/two"
    yield f"folder of no kind: {kernel.make(f'{core}/nonsense')}"
    yield f"folders: {kernel.make(f'{core}/iblock_65001')}, {kernel.make(f'{core}/iblock_65002')}"
    yield f"backstores: {kernel.make(one)}, {kernel.make(two)}"
    yield f"enabled without a device: {kernel.write(f'{one}/enable', '1')}"
    yield f"unmap before that: {kernel.write(f'{one}/attrib/emulate_tpu', '1')}"
    yield f"control: {kernel.write(f'{one}/control', f'udev_path={first},readonly=0')}"
    yield f"path: {kernel.write(f'{one}/udev_path', first)}"
    yield f"enabled: {kernel.write(f'{one}/enable', '1')}"
    yield f"again: {kernel.write(f'{one}/enable', '1')}"
    yield f"switched off: {kernel.write(f'{one}/enable', '0')}"
    yield f"another device: {kernel.write(f'{one}/control', f'udev_path={second}')}"
    yield f"control read: {answer(lambda: kernel.read(f'{one}/control'))}"
    yield f"info names the device: {f'UDEV PATH: {first} ' in kernel.files.read(f'{one}/info')}"
    yield f"same device in another: {kernel.write(f'{two}/control', f'udev_path={first}')}"
    yield f"enabled: {kernel.write(f'{two}/enable', '1')}"
    alua = f"{one}/alua/default_tg_pt_gp/alua_access_type"
    yield f"ALUA: {kernel.read(alua)}"
    yield f"implicit alone: {kernel.write(alua, '1')}, {kernel.read(alua)}"
    yield f"a kind that there is not: {kernel.write(alua, '4')}"
    yield f"vendor: {kernel.write(f'{one}/wwn/vendor_id', 'SANSTONE')}"
    yield f"one that is too long: {kernel.write(f'{one}/wwn/vendor_id', 'SANSTONES')}"
    yield f"product: {kernel.write(f'{one}/wwn/product_id', 'LUN')}"
    yield f"serial number: {kernel.write(f'{one}/wwn/vpd_unit_serial', '5c0e00001111')}"
    yield f"it is read as: {kernel.read(f'{one}/wwn/vpd_unit_serial')}"
    for name, value in (("emulate_caw", "1"), ("emulate_3pc", "2"), ("force_pr_aptpl", "0")):
        yield f"{name} {value}: {kernel.write(f'{one}/attrib/{name}', value)}"


def _target_port_group(kernel: Kernel, backstore: str, of_lun: str) -> Iterator[str]:
    group = f"{backstore}/alua/group2"
    yield f"target port group: {kernel.read(of_lun).splitlines()[0]}"
    yield f"another: {kernel.make(group)}"
    yield f"before it has an id: {kernel.write(f'{group}/alua_access_state', '2')}"
    yield f"id: {kernel.write(f'{group}/tg_pt_gp_id', '2')}"
    yield f"another id: {kernel.write(f'{group}/tg_pt_gp_id', '3')}"
    yield f"implicit alone: {kernel.write(f'{group}/alua_access_type', '1')}"
    yield f"standby: {kernel.write(f'{group}/alua_access_state', '2')}"
    yield f"one that there is not: {kernel.write(of_lun, 'group3')}"
    yield f"the LUN in it: {kernel.write(of_lun, 'group2')}"
    yield f"it is in: {kernel.read(of_lun).splitlines()[0]}"
    yield f"removed: {kernel.remove(group)}"
    yield f"it is in: {kernel.read(of_lun).splitlines()[0]}"


def _portal_group(kernel: Kernel) -> Iterator[str]:
    one = f"{lio.ROOT}/core/iblock_65001/one"
    two = f"{lio.ROOT}/core/iblock_65002/two"
    lun = f"{GROUP}/lun/lun_0"
    yield f"target: {kernel.make(TARGET)}"
    yield f"group of no number: {kernel.make(f'{TARGET}/tpgt_one')}"
    yield f"group: {kernel.make(GROUP)}"
    yield f"relative port 0: {kernel.write(f'{GROUP}/rtpi', '0')}"
    yield f"relative port: {kernel.write(f'{GROUP}/rtpi', '65001')}, {kernel.read(f'{GROUP}/rtpi')}"
    for name in ("authentication", "generate_node_acls", "demo_mode_discovery"):
        yield f"{name}: {kernel.write(f'{GROUP}/attrib/{name}', '0')}"
        yield f"{name} 2: {kernel.write(f'{GROUP}/attrib/{name}', '2')}"
    for value in ("4", "5", "30", "31"):
        yield f"login timeout {value}: {kernel.write(f'{GROUP}/attrib/login_timeout', value)}"
    yield f"LUN of no number: {kernel.make(f'{GROUP}/lun/zero')}"
    yield f"LUN: {kernel.make(lun)}"
    yield f"of a backstore without a device: {kernel.link(two, f'{lun}/two')}"
    yield f"of something else: {kernel.link(GROUP, f'{lun}/group')}"
    yield f"of a backstore: {kernel.link(one, f'{lun}/one')}"
    yield f"of a second: {kernel.link(one, f'{lun}/second')}"
    yield from _target_port_group(kernel, one, f"{lun}/alua_tg_pt_gp")
    yield f"serial number now: {kernel.write(f'{one}/wwn/vpd_unit_serial', '5c0e00002222')}"
    yield f"vendor now: {kernel.write(f'{one}/wwn/vendor_id', 'OTHERS')}"
    yield f"APTPL now: {kernel.write(f'{one}/attrib/force_pr_aptpl', '1')}"
    yield f"unmap now: {kernel.write(f'{one}/attrib/emulate_tpu', '0')}"
    yield f"backstore removed: {kernel.remove(one)}"
    portal = f"{GROUP}/np/192.0.2.99:3260"
    yield f"portal at an address that is nowhere: {kernel.make(portal)}"
    yield f"again: {kernel.make(portal)}"
    yield f"portal at no address: {kernel.make(f'{GROUP}/np/everywhere:3260')}"
    yield f"enabled: {kernel.write(f'{GROUP}/enable', '1')}"
    yield f"relative port now: {kernel.write(f'{GROUP}/rtpi', '65002')}"


def _initiator(kernel: Kernel) -> Iterator[str]:
    mapped, lun = f"{ACL}/lun_3", f"{GROUP}/lun/lun_0"
    yield f"initiator: {kernel.make(ACL)}"
    yield f"name: {kernel.write(f'{ACL}/auth/userid', 'scenario')}"
    yield f"secret: {kernel.write(f'{ACL}/auth/password', 'a secret of 16 ch')}"
    yield f"name that is too long: {kernel.write(f'{ACL}/auth/userid', 'x' * 256)}"
    yield f"name is: {kernel.read(f'{ACL}/auth/userid')}"
    yield f"secret unset: {kernel.write(f'{ACL}/auth/password', fabrics.UNSET)}"
    for value in ("1", "-1", "0", "2"):
        yield f"authentication {value}: {kernel.write(f'{ACL}/attrib/authentication', value)}"
    yield f"nobody is logged in: {'No active iSCSI Session' in kernel.files.read(f'{ACL}/info')}"
    yield f"LUN of the initiator's: {kernel.make(mapped)}"
    one = f"{lio.ROOT}/core/iblock_65001/one"
    yield f"mapped to a backstore: {kernel.link(one, f'{mapped}/one')}"
    yield f"mapped: {kernel.link(lun, f'{mapped}/lun_0')}"
    yield f"to a second one: {kernel.link(lun, f'{mapped}/other')}"
    yield f"it is there: {kernel.read(f'{mapped}/write_protect')}"
    yield f"initiator removed: {kernel.remove(ACL)}"
    yield f"LUN removed while mapped: {kernel.remove(lun)}"


def _scsi_end(kernel: Kernel) -> Iterator[str]:
    mapped, lun = f"{ACL}/lun_3", f"{GROUP}/lun/lun_0"
    yield f"LUN loses its backstore: {kernel.unlink(f'{lun}/one')}"
    yield f"the mapping has no effect: {kernel.read(f'{mapped}/write_protect')!r}"
    yield f"mapping removed: {kernel.unlink(f'{mapped}/lun_0')}, {kernel.remove(mapped)}"
    yield f"initiator removed: {kernel.remove(ACL)}"
    yield f"LUN removed: {kernel.remove(lun)}"
    yield f"group removed with its portal: {kernel.remove(GROUP)}"
    yield f"switched off: {kernel.write(f'{GROUP}/enable', '0')}"
    yield f"portal removed: {kernel.remove(f'{GROUP}/np/192.0.2.99:3260')}"
    yield f"group removed: {kernel.remove(GROUP)}"
    yield f"target removed: {kernel.remove(TARGET)}"
    for number, name in ((65001, "one"), (65002, "two")):
        folder = f"{lio.ROOT}/core/iblock_{number}"
        yield f"folder removed with its backstore: {kernel.remove(folder)}"
        yield f"removed: {kernel.remove(f'{folder}/{name}')}, {kernel.remove(folder)}"


def _rendered(host: Host, first: str, second: str) -> Iterator[str]:
    """Yield the lines of creating, changing and removing the drivers' own trees."""
    backstores = lio.Backstore("one", "", "5c0e00001111").path.rpartition("/")[0]
    rendered = Rendered(host, fabrics.ISCSI, SUBSYSTEM, HOST, NVME_PORT, TARGET, backstores)
    namespace = nvmet.Namespace(1, first, "5c0e0000-aaaa-4111-8111-111111111111", "5c" * 16, 2)
    allowed = nvmet.AllowedHost(HOST_NQN, KEY)
    port = nvmet.Port(
        PORT,
        InternetAddress(ADDRESS, 4420),
        ana={1: AccessState.OPTIMIZED, 2: AccessState.NON_OPTIMIZED},
    )
    subsystem = nvmet.Subsystem(
        NQN, "5c0e00001111", hosts=(HOST_NQN,), namespaces=(namespace,), ports=(PORT,)
    )
    yield from rendered.become("NVMe", nvmet.render([subsystem], [allowed], [port]))
    moved = replace(port, ana={1: AccessState.OPTIMIZED, 2: AccessState.INACCESSIBLE})
    yield from rendered.become("ANA state", nvmet.render([subsystem], [allowed], [moved]))
    other = replace(subsystem, namespaces=(replace(namespace, device=second),))
    yield from rendered.become("other device", nvmet.render([other], [allowed], [moved]))
    keyless = nvmet.AllowedHost(HOST_NQN)
    yield from rendered.become("key taken away", nvmet.render([other], [keyless], [moved]))
    yield from rendered.become("NVMe no more", nvmet.render([], [], []))
    # Whether unmapping can be offered depends on the device.
    attributes = {"emulate_tpu": "0", "emulate_tpws": "0"}
    backstore = lio.Backstore("one", first, "5c0e00001111", attributes=attributes)
    acl = fabrics.Acl(INITIATOR, fabrics.Authentication("scenario", "a secret of 16 ch"), {3: 0})
    group = fabrics.PortalGroup(
        1, InternetAddress(ADDRESS, 3260), {0: "one"}, (acl,), relative_port=65001
    )
    target = lio.ScsiTarget(IQN, groups=(group,))
    yield from rendered.become("SCSI", lio.render([backstore], [target]))
    read_only = replace(backstore, read_only=True)
    yield from rendered.become("read only", lio.render([read_only], [target]))
    without = replace(target, groups=(replace(group, acls=(replace(acl, luns={}),)),))
    yield from rendered.become("unmapped", lio.render([read_only], [without]))
    yield from rendered.become("SCSI no more", lio.render([], []))


if __name__ == "__main__":
    from sanstone.kernel.real import real_host

    try:
        for line in run(real_host(), *sys.argv[1:]):
            print(line, flush=True)
    except HostError as problem:
        sys.exit(f"target_scenario: {problem}")
