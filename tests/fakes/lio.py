"""The SCSI target's part of the fake configfs, with iSCSI; fabrics of ports are in `lio_ports`.

Source: drivers/target/ and its iscsi/, Linux 6.12.
"""

from __future__ import annotations

import errno
import ipaddress
import re
from collections.abc import Callable

from fakes.backstores import Core, Opener
from fakes.fibre_channel import FakeFibreChannel
from fakes.items import Item, Refused, boolean, number
from fakes.lio_groups import Authentication, MappedLun, PortalGroup, lun_number
from fakes.lio_ports import FABRIC_MODULES, PORT_FABRICS, ConnectionManager, PortFabric
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
        """Use a fabric; its module must be loaded."""
        if name == "iscsi":
            return Fabric()
        if name in PORT_FABRICS and FABRIC_MODULES[name] in self.modules:
            fabric = PortFabric(PORT_FABRICS[name], self.rdma, self.adapters)
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
        return IscsiPortalGroup()

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


class IscsiPortalGroup(PortalGroup):
    """A portal group of a target (iscsi_target_tpg.c)."""

    def __init__(self) -> None:
        super().__init__()
        self.add_group("np", Portals())
        self.add_group("acls", Acls())
        self.add_group("attrib", GroupAttributes())
        self.add_group("param", GroupParameters())


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
        enabled = boolean(text)
        address = parse_portal(self.name)[0]
        if enabled and not lio.rdma.listens(address):
            raise Refused(errno.ENODEV)
        if enabled and lio.rdma.is_tcp(address):
            raise Refused(errno.EADDRINUSE)
        self.values[attribute] = str(int(enabled))


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
        """The text of `info` while the initiator is logged in."""
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


def parse_portal(name: str) -> tuple[str, int]:
    """Return address and TCP port of a portal's name; EINVAL if it is none."""
    address, _, port = name.rpartition(":")
    try:
        return str(ipaddress.ip_address(address.removeprefix("[").removesuffix("]"))), int(port)
    except ValueError:
        raise Refused(errno.EINVAL) from None
