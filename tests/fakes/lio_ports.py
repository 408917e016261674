"""The fabric modules of the fake SCSI target that serve ports: Fibre Channel's and SRP's.

Sources: drivers/target/tcm_fc, drivers/scsi/qla2xxx/tcm_qla2xxx.c,
drivers/scsi/elx/efct/efct_lio.c, drivers/infiniband/ulp/srpt.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fakes.fibre_channel import FakeFibreChannel
from fakes.items import Item, Refused, boolean, number
from fakes.lio_groups import MappedLun, PortalGroup, lun_number
from fakes.rdma import FakeRdma


@dataclass(frozen=True)
class PortKind:
    """A fabric module of ports: its spelling of names, and the attributes of its portal groups."""

    target: str
    initiator: str
    has_enable: bool = True
    attributes: Mapping[str, str] = field(default_factory=dict)
    is_rdma: bool = False
    """Whether it has targets only for ports of RDMA devices (srpt_lookup_port())."""
    is_virtual: bool = False
    """Whether its targets are virtual ports, which are created with them."""


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
"""By the name of their folder."""
FABRIC_MODULES = {
    "fc": "tcm_fc",
    "qla2xxx": "tcm_qla2xxx",
    "qla2xxx_npiv": "tcm_qla2xxx",
    "efct": "efct",
    "efct_npiv": "efct",
    "srpt": "ib_srpt",
}
"""The modules that register the fabrics; without them configfs refuses their directories."""


class PortFabric(Item):
    """target/qla2xxx, target/srpt, …: a target is a port, as the module spells its name."""

    def __init__(self, kind: PortKind, rdma: FakeRdma, adapters: FakeFibreChannel) -> None:
        super().__init__()
        self._kind, self._rdma, self._adapters = kind, rdma, adapters
        self.values["version"] = "TCM"

    def make(self, name: str) -> Item:
        """Make a target."""
        is_missing = self._kind.is_rdma and name not in self._rdma.port_names()
        if is_missing or not re.fullmatch(self._kind.target, name):
            raise Refused(errno.EINVAL)
        if self._kind.is_virtual:
            base, _, names = name.partition("@")
            self._require_base(base)
            self._adapters.make_virtual(base, *(_colons(each) for each in names.split(":")))
            return VirtualPort(self._kind, self._adapters)
        return Port(self._kind, self._adapters)

    def _require_base(self, wwpn: str) -> None:
        """Refuse a virtual port if its port is not there, or is no target."""
        own = self.name.removesuffix("_npiv")
        if self._adapters.driver(wwpn) != own:
            # qlt_lport_register(), efct_lio_npiv_make_nport().
            raise Refused(errno.ENODEV if own == "qla2xxx" else errno.ENXIO)
        fabric = self.up(1).children.get(own, Item())
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

    def __init__(self, kind: PortKind, adapters: FakeFibreChannel) -> None:
        super().__init__()
        self._kind, self._adapters = kind, adapters
        self.add_group("fabric_statistics", Item())

    def make(self, name: str) -> Item:
        """Create the only portal group; every refusal becomes EINVAL."""
        if name != "tpgt_1":
            raise Refused(errno.EINVAL)
        return PortPortalGroup(self._kind, self._adapters)


class VirtualPort(Port):
    """A target that is a virtual port."""

    def removed(self) -> None:
        """Remove the port."""
        self._adapters.remove_virtual(_colons(self.name.partition("@")[2].partition(":")[0]))


def _colons(digits: str) -> str:
    """Return a world wide name with colons."""
    return ":".join(re.findall("..", digits.lower()))


class PortPortalGroup(PortalGroup):
    """The portal group of a port: initiators are ports too, and prove nothing."""

    def __init__(self, kind: PortKind, adapters: FakeFibreChannel) -> None:
        super().__init__()
        self.add_group("np", Item())
        self.add_group("acls", PortAcls(kind))
        self.add_group("attrib", PortAttributes(kind))
        self.add_group("param", Item())
        self._is_virtual, self._adapters = kind.is_virtual, adapters
        if not kind.has_enable:
            del self.values["enable"]

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        if attribute == "enable" and not self._is_virtual:
            # The adapter would be reset under them, and go on without its target's operations.
            at_it = self._adapters.has_virtual(self.up(1).name)
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
