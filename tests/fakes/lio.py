"""The SCSI target's part of the fake configfs (drivers/target/ and its iscsi/, Linux 6.12)."""

from __future__ import annotations

import errno
import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fakes.backstores import Backstore, Core, Opener
from fakes.fibre_channel import FakeFibreChannel
from fakes.items import Item, Refused, boolean, number
from fakes.rdma import FakeRdma

GROUP_ATTRIBUTES = {
    "authentication": "1",
    "login_timeout": "15",
    "generate_node_acls": "0",
    "default_cmdsn_depth": "64",
    "demo_mode_discovery": "1",
    "demo_mode_write_protect": "1",
}
GROUP_PARAMETERS = {
    "AuthMethod": "CHAP",
    "HeaderDigest": "CRC32C,None",
    "DataDigest": "CRC32C,None",
    "MaxConnections": "1",
    "InitialR2T": "Yes",
    "ImmediateData": "Yes",
    "MaxRecvDataSegmentLength": "8192",
    "MaxBurstLength": "262144",
    "FirstBurstLength": "65536",
    "MaxOutstandingR2T": "1",
    "ErrorRecoveryLevel": "0",
}


@dataclass(frozen=True)
class PortKind:
    """How a fabric module of ports spells names, and what its portal groups have."""

    target: str
    initiator: str
    has_enable: bool = True
    attributes: Mapping[str, str] = field(default_factory=dict)
    is_rdma: bool = False
    """Whether it has targets only for ports of RDMA devices (srpt_lookup_port())."""
    is_virtual: bool = False
    """Whether its targets are virtual ports, which are made with them."""


_WWPN = "[0-9a-f]{2}(:[0-9a-f]{2}){7}"
_VIRTUAL = f"{_WWPN}@[0-9a-fA-F]{{16}}:[0-9a-fA-F]{{16}}"
_EFCT = {"generate_node_acls": "1", "cache_dynamic_acls": "1", "demo_mode_login_only": "1"}
PORT_FABRICS = {
    "fc": PortKind(_WWPN, _WWPN, has_enable=False),
    "qla2xxx": PortKind(
        _WWPN, _WWPN, attributes={"generate_node_acls": "1", "cache_dynamic_acls": "1"}
    ),
    "efct": PortKind(_WWPN, _WWPN, attributes=_EFCT),
    # tcm_qla2xxx_npiv_ops has no attributes.
    "qla2xxx_npiv": PortKind(_VIRTUAL, _WWPN, is_virtual=True),
    "efct_npiv": PortKind(_VIRTUAL, _WWPN, attributes=_EFCT, is_virtual=True),
    "srpt": PortKind("0x[0-9a-f]{32}", "0x[0-9a-f]{32}", is_rdma=True),
}
"""drivers/target/tcm_fc, drivers/scsi/qla2xxx/tcm_qla2xxx.c, drivers/scsi/elx/efct/efct_lio.c,
drivers/infiniband/ulp/srpt."""
FABRIC_MODULES = {
    "fc": "tcm_fc",
    "qla2xxx": "tcm_qla2xxx",
    "qla2xxx_npiv": "tcm_qla2xxx",
    "efct": "efct",
    "efct_npiv": "efct",
    "srpt": "ib_srpt",
}
"""The modules that register the fabrics; without them configfs refuses their directories."""


class Lio(Item):
    """/sys/kernel/config/target."""

    def __init__(
        self,
        open_device: Opener,
        is_directory: Callable[[str], bool],
        rdma: FakeRdma,
        adapters: FakeFibreChannel,
    ) -> None:
        super().__init__()
        self._is_directory, self.rdma, self.adapters = is_directory, rdma, adapters
        self.srp = ConnectionManager()
        self.modules: set[str] = set()
        """The fabric modules that are loaded; iSCSI's is by itself (target_core_configfs.c)."""
        self.values["dbroot"] = "/var/target"
        self.core = self.add_group("core", Core(open_device))
        self.core.add_group("alua", Item())

    def make(self, name: str) -> Item:
        """Use a fabric whose module is loaded."""
        if name == "iscsi":
            return Fabric()
        if name in PORT_FABRICS and FABRIC_MODULES[name] in self.modules:
            fabric = PortFabric(PORT_FABRICS[name])
            # Its settings are the module's, and outlive the folder.
            fabric.add_group("discovery_auth", self.srp if name == "srpt" else Item())
            return fabric
        raise Refused(errno.EINVAL)

    def store(self, attribute: str, text: str) -> None:
        """Set the directory for reservations, while there is no backstore."""
        if any(hba.children for name, hba in self.core.children.items() if name != "alua"):
            raise Refused(errno.EINVAL)
        directory = text.rstrip("\n")
        if not self._is_directory(directory):
            raise Refused(errno.ENOENT)
        self.values[attribute] = directory


class Fabric(Item):
    """target/iscsi."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= {"lio_version": "v4.1.0", "cpus_allowed_list": "0-1"}
        self.add_group("discovery_auth", Authentication())

    def make(self, name: str) -> Item:
        """Make a target."""
        if len(name) >= 224:
            raise Refused(errno.EINVAL)
        return Target()


class PortFabric(Item):
    """target/qla2xxx, target/srpt, …: a target is a port, as the module spells its name."""

    def __init__(self, kind: PortKind) -> None:
        super().__init__()
        self._kind = kind
        self.values["version"] = "TCM"

    def make(self, name: str) -> Item:
        """Make a target."""
        lio = self.up(1)
        assert isinstance(lio, Lio)
        is_missing = self._kind.is_rdma and name not in lio.rdma.port_names()
        if is_missing or not re.fullmatch(self._kind.target, name):
            raise Refused(errno.EINVAL)
        if self._kind.is_virtual:
            base, _, names = name.partition("@")
            self._require_base(base)
            lio.adapters.make_virtual(base, *(_colons(each) for each in names.split(":")))
            return VirtualPort(self._kind)
        return Port(self._kind)

    def _require_base(self, wwpn: str) -> None:
        """Refuse a virtual port whose port is not there, or is no target."""
        lio, own = self.up(1), self.name.removesuffix("_npiv")
        assert isinstance(lio, Lio)
        if lio.adapters.driver(wwpn) != own:
            # qlt_lport_register(), efct_lio_npiv_make_nport().
            raise Refused(errno.ENODEV if own == "qla2xxx" else errno.ENXIO)
        fabric = lio.children.get(own, Item())
        group = fabric.children.get(wwpn, Item()).children.get("tpgt_1", Item())
        if own == "qla2xxx" and group.values.get("enable") != "1":
            # tcm_qla2xxx_lport_register_npiv_cb().
            raise Refused(errno.EPERM)


class ConnectionManager(Item):
    """Where srpt takes connections by RDMA/CM (srpt_rdma_cm_port_store())."""

    def __init__(self) -> None:
        super().__init__()
        self.values["rdma_cm_port"] = "0"

    def store(self, attribute: str, text: str) -> None:
        """Listen at a port number, at all addresses, or at none for 0."""
        self.values[attribute] = str(number(text, 0, 0xFFFF))


class Port(Item):
    """A target that is a port."""

    def __init__(self, kind: PortKind) -> None:
        super().__init__()
        self._kind = kind
        self.add_group("fabric_statistics", Item())

    def make(self, name: str) -> Item:
        """Make the portal group, of which there is one; every refusal becomes EINVAL."""
        if name != "tpgt_1":
            raise Refused(errno.EINVAL)
        return PortPortalGroup(self._kind)


class VirtualPort(Port):
    """A target that is a virtual port."""

    def removed(self) -> None:
        """Remove the port."""
        lio = self.up(2)
        assert isinstance(lio, Lio)
        lio.adapters.remove_virtual(_colons(self.name.partition("@")[2].partition(":")[0]))


def _colons(digits: str) -> str:
    """Return a world wide name with colons."""
    return ":".join(re.findall("..", digits.lower()))


class Target(Item):
    """A target."""

    def __init__(self) -> None:
        super().__init__()
        self.add_group("fabric_statistics", TargetStatistics())
        self.add_group("param", Item())

    def make(self, name: str) -> Item:
        """Make a portal group; every refusal of the module becomes EINVAL."""
        if not re.fullmatch("tpgt_[0-9]{1,5}", name) or int(name[5:]) > 0xFFFF:
            raise Refused(errno.EINVAL)
        return PortalGroup()

    @property
    def portals(self) -> set[tuple[str, int]]:
        """The addresses at which it listens."""
        groups = (item for item in self.children.values() if isinstance(item, PortalGroup))
        return {parse_portal(name) for group in groups for name in group.children["np"].children}


class TargetStatistics(Item):
    """`fabric_statistics/` of a target, as far as it is read (iscsi_target_stat.c)."""

    def __init__(self) -> None:
        super().__init__()
        self._logins = self.add_group("iscsi_login_stats", Item())
        self._logins.values["authenticate_fails"] = "0"
        self._last = self.add_group("iscsi_tgt_attr", Item())
        self._last.values |= {"fail_intr_name": "NONE", "fail_intr_addr": "(null)"}

    def fail(self, initiator: str, address: str, *, authentication: bool) -> None:
        """Count a login that failed."""
        failed = int(self._logins.values["authenticate_fails"]) + int(authentication)
        self._logins.values["authenticate_fails"] = str(failed)
        self._last.values |= {"fail_intr_name": initiator, "fail_intr_addr": address}


class PortalGroup(Item):
    """A target portal group (iscsi_target_tpg.c)."""

    def __init__(self) -> None:
        super().__init__()
        self._relative_port = 0
        self.values |= {"enable": "0", "rtpi": "", "dynamic_sessions": ""}
        self.add_group("lun", Luns())
        self.add_group("np", Portals())
        self.add_group("acls", Acls())
        self.add_group("attrib", GroupAttributes())
        self.add_group("param", GroupParameters())
        self.add_group("auth", Authentication())

    def show(self, attribute: str) -> str:
        """Show an attribute."""
        return hex(self._relative_port) if attribute == "rtpi" else super().show(attribute)

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        if attribute == "enable":
            if boolean(text) and self.values["enable"] == "0":
                self._choose_relative_port()
            self.values[attribute] = str(int(boolean(text)))
        elif attribute == "rtpi":
            port = number(text, 0, 0xFFFF)
            if not port or self.values.get("enable") == "1":
                raise Refused(errno.EINVAL)
            self._relative_port = port
        else:
            raise Refused(errno.EACCES)

    def _choose_relative_port(self) -> None:
        used = {
            group._relative_port
            for fabric in self.up(3).children.values()
            for target in fabric.children.values()
            for group in target.children.values()
            if isinstance(group, PortalGroup) and group.values.get("enable") == "1"
        }
        if self._relative_port in used:
            raise Refused(errno.EINVAL)
        if not self._relative_port:
            self._relative_port = next(n for n in range(1, 0x10000) if n not in used)


class PortPortalGroup(PortalGroup):
    """The portal group of a port: initiators are ports too, and prove nothing."""

    def __init__(self, kind: PortKind) -> None:
        super().__init__()
        self.add_group("np", Item())
        self.add_group("acls", PortAcls(kind))
        self.add_group("attrib", PortAttributes(kind))
        self.add_group("param", Item())
        self._is_virtual = kind.is_virtual
        if not kind.has_enable:
            del self.values["enable"]

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        if attribute == "enable" and not self._is_virtual:
            lio = self.up(3)
            assert isinstance(lio, Lio)
            # The adapter would be reset under them, and go on without its target's operations.
            at_it = lio.adapters.has_virtual(self.up(1).name)
            assert boolean(text) or not at_it, "a port is disabled under its virtual ports"
        super().store(attribute, text)


class PortAttributes(Item):
    """`attrib/` of the portal group of a port."""

    def __init__(self, kind: PortKind) -> None:
        super().__init__()
        self.values |= kind.attributes


class PortAcls(Item):
    """`acls/` of the portal group of a port."""

    def __init__(self, kind: PortKind) -> None:
        super().__init__()
        self._kind = kind

    def make(self, name: str) -> Item:
        """Admit an initiator."""
        if not re.fullmatch(self._kind.initiator, name):
            raise Refused(errno.EINVAL)
        return PortAcl()


class PortAcl(Item):
    """An initiator's port: unlike iSCSI's it has no `info`."""

    def __init__(self) -> None:
        super().__init__()
        self.logged_in = False
        self.values["tag"] = ""
        for name in ("attrib", "auth", "param", "fabric_statistics"):
            self.add_group(name, Item())

    def make(self, name: str) -> Item:
        """Make a LUN number of the initiator's."""
        lun_number(name)
        mapped = MappedLun()
        statistics = mapped.add_group("statistics", Item())
        statistics.add_group("scsi_att_intr_port", InitiatorStatistics(self))
        return mapped


class InitiatorStatistics(Item):
    """A table of SCSI-MIB, which is there while the initiator has a session."""

    def __init__(self, acl: PortAcl) -> None:
        super().__init__()
        self._acl = acl
        self.values["port_ident"] = ""

    def show(self, attribute: str) -> str:
        """Show an attribute."""
        if not self._acl.logged_in:
            raise Refused(errno.ENODEV)
        return f"{self._acl.name}+i+"


class GroupAttributes(Item):
    """`attrib/` of a portal group."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= GROUP_ATTRIBUTES

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        low, high = {"login_timeout": (5, 30), "default_cmdsn_depth": (1, 512)}.get(
            attribute, (0, 1)
        )
        value = number(text, 0, 2**32 - 1)
        if not low <= value <= high:
            raise Refused(errno.EINVAL)
        self.values[attribute] = str(value)


class GroupParameters(Item):
    """`param/` of a portal group."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= GROUP_PARAMETERS


class Luns(Item):
    """`lun/` of a portal group."""

    def make(self, name: str) -> Item:
        """Make a LUN."""
        lun_number(name)
        return Lun()


class Lun(Item):
    """A LUN of a portal group; one link to a backstore makes it real."""

    def __init__(self) -> None:
        super().__init__()
        self.mappings: set[MappedLun] = set()
        self.values |= {"alua_tg_pt_gp": "", "alua_tg_pt_offline": "", "alua_tg_pt_status": ""}
        self.add_group("statistics", Item()).add_group("scsi_tgt_port", LunTraffic())

    def allow_link(self, name: str, target: Item) -> None:
        """Export a backstore."""
        if not isinstance(target, Backstore):
            raise Refused(errno.EFAULT)
        if not target.enabled:
            raise Refused(errno.ENODEV)
        if self.links:
            raise Refused(errno.EEXIST)
        target.exports += 1

    def drop_link(self, target: Item) -> None:
        """Stop the export; mappings to it lose their effect though their links stay."""
        assert isinstance(target, Backstore)
        target.exports -= 1
        for mapping in self.mappings:
            mapping.effective = False
        self.mappings.clear()


class LunTraffic(Item):
    """The table of what initiators did with a LUN, whole from its backstore on."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= {"in_cmds": "0", "read_mbytes": "0", "write_mbytes": "0"}

    def show(self, attribute: str) -> str:
        """Show an attribute (target_core_stat.c)."""
        if not self.up(2).links:
            raise Refused(errno.ENODEV)
        return super().show(attribute)


class Portals(Item):
    """`np/` of a portal group."""

    def make(self, name: str) -> Item:
        """Listen at an address, which no link needs to carry (IP_FREEBIND)."""
        target = self.up(2)
        assert isinstance(target, Target)
        if parse_portal(name) in target.portals:
            raise Refused(errno.EINVAL)
        return Portal()


class Portal(Item):
    """A portal, which takes RDMA's connections too where a device has its address."""

    def __init__(self) -> None:
        super().__init__()
        self.values["iser"] = "0"

    def store(self, attribute: str, text: str) -> None:
        """Start or stop to listen for RDMA (lio_target_np_driver_store(), isert_setup_id())."""
        lio = self.up(5)
        assert isinstance(lio, Lio)
        wanted = boolean(text)
        address = parse_portal(self.name)[0]
        if wanted and not lio.rdma.listens(address):
            raise Refused(errno.ENODEV)
        if wanted and lio.rdma.is_tcp(address):
            raise Refused(errno.EADDRINUSE)
        self.values[attribute] = str(int(wanted))


class Acls(Item):
    """`acls/` of a portal group."""

    def make(self, name: str) -> Item:
        """Admit an initiator."""
        return Acl()


class Acl(Item):
    """An initiator."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= {"info": "", "cmdsn_depth": "64", "tag": ""}
        self.session = ""
        """What `info` shows while the initiator is logged in."""
        self.add_group("attrib", AclAttributes())
        self.add_group("auth", Authentication())
        for name in ("param", "fabric_statistics"):
            self.add_group(name, Item())

    def show(self, attribute: str) -> str:
        """Show an attribute."""
        if attribute != "info":
            return super().show(attribute)
        return self.session or f"No active iSCSI Session for Initiator Endpoint: {self.name}"

    def make(self, name: str) -> Item:
        """Make a LUN number of the initiator's."""
        lun_number(name)
        if len(self.name) >= 224:
            raise Refused(errno.EINVAL)
        return MappedLun()


class AclAttributes(Item):
    """`attrib/` of an initiator."""

    def __init__(self) -> None:
        super().__init__()
        self.values["authentication"] = "-1"

    def store(self, attribute: str, text: str) -> None:
        """Store -1 (as the portal group), 0 or 1."""
        if text.strip() not in ("-1", "0", "1"):
            raise Refused(errno.EINVAL)
        self.values[attribute] = text.strip()


class Authentication(Item):
    """CHAP names and secrets; they keep a final newline."""

    def __init__(self) -> None:
        super().__init__()
        for name in ("userid", "password", "userid_mutual", "password_mutual"):
            self.values[name] = ""

    def store(self, attribute: str, text: str) -> None:
        """Store a name or secret."""
        if len(text) >= 256:
            raise Refused(errno.EINVAL)
        self.values[attribute] = text


class MappedLun(Item):
    """An initiator's LUN number, linked to a LUN of the same portal group."""

    def __init__(self) -> None:
        super().__init__()
        self.effective = False
        """Whether the initiator sees it."""
        self.values["write_protect"] = ""
        self.add_group("statistics", Item())

    def show(self, attribute: str) -> str:
        """Show whether the initiator sees the LUN, and how."""
        return "0" if self.effective else ""

    def allow_link(self, name: str, target: Item) -> None:
        """Map a LUN."""
        if not isinstance(target, Lun):
            raise Refused(errno.EFAULT)
        if not target.links or target.up(2) is not self.up(3) or self.effective:
            raise Refused(errno.EINVAL)
        self.effective = True
        target.mappings.add(self)

    def drop_link(self, target: Item) -> None:
        """Remove the LUN from the initiator."""
        assert isinstance(target, Lun)
        self.effective = False
        target.mappings.discard(self)


def lun_number(name: str) -> int:
    """Return the number in lun_<number>."""
    if not name.startswith("lun_"):
        raise Refused(errno.EINVAL)
    return number(name[4:], 0, 2**64 - 1)


def parse_portal(name: str) -> tuple[str, int]:
    """Return address and TCP port of a portal's name; EINVAL if it is none."""
    address, _, port = name.rpartition(":")
    try:
        return str(ipaddress.ip_address(address.removeprefix("[").removesuffix("]"))), int(port)
    except ValueError:
        raise Refused(errno.EINVAL) from None
