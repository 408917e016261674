"""The NVMe target's part of the fake configfs (drivers/nvme/target/configfs.c, Linux 6.12)."""

from __future__ import annotations

import errno
import re
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from ipaddress import ip_address

from fakes.devices import BlockDevice
from fakes.items import Item, Refused, boolean, number
from fakes.rdma import FakeRdma

MAXIMUM_NAMESPACES = 1024
MAXIMUM_ANA_GROUPS = 128
BLOCK_SIZES = ("0", "512", "1024", "2048", "4096")
"""0 is that of the device. Linux has no such attribute: board/common/patches."""
DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery"
ANA_STATES = ("optimized", "non-optimized", "inaccessible", "persistent-loss", "change")
HASHES = ("hmac(sha256)", "hmac(sha384)", "hmac(sha512)")
DH_GROUPS = ("null", "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192")
TRANSPORTS = ("rdma", "fc", "tcp", "loop")
REQUIREMENTS = ("not specified", "required", "not required")
FC_ADDRESS = re.compile("nn-(?P<x>0x)?[0-9a-f]{16}:pn-(?(x)0x|)[0-9a-f]{16}")
INLINE, UNSET = "param_inline_data_size", "-1"
MDTS = "param_mdts"
"""Linux has it since 7.1: board/common/patches."""
_SIZES = {INLINE: (-(2**31), 2**31 - 1), MDTS: (0, 255)}
FAMILIES = ("pcie", "ipv4", "ipv6", "ib", "fc", "pci", "loop")

Opener = Callable[[str], BlockDevice]


class Nvmet(Item):
    """/sys/kernel/config/nvmet."""

    def __init__(
        self,
        open_device: Opener,
        has_address: Callable[[str], bool],
        rdma: FakeRdma,
        has_block_size: Callable[[], bool],
        has_tls: Callable[[], bool],
    ) -> None:
        super().__init__()
        self.open_device, self.has_address = open_device, has_address
        self.rdma = rdma
        self.has_block_size, self.has_tls = has_block_size, has_tls
        self.fc_ports: set[str] = set()
        """The `addr_traddr` of the ports that a driver has registered with nvmet_fc."""
        self.values["discovery_nqn"] = DISCOVERY
        self.hosts = self.add_group("hosts", Collection(lambda _: AllowedHost()))
        self.subsystems = self.add_group("subsystems", Collection(self._make_subsystem))
        self.ports = self.add_group("ports", Collection(self._make_port))

    def discover(self, nqn: str) -> None:
        """Simulate a host that identifies a controller, which freezes the subsystem's identity."""
        subsystem = self.subsystems.children[nqn]
        assert isinstance(subsystem, Subsystem)
        subsystem.discovered = True

    def _make_subsystem(self, name: str) -> Item:
        if name == DISCOVERY:
            raise Refused(errno.EINVAL)
        return Subsystem(self)

    def _make_port(self, name: str) -> Item:
        number_or_invalid(name, 0, 0xFFFF)
        return Port(self)


class Collection(Item):
    """A default group for items."""

    def __init__(self, maker: Callable[[str], Item]) -> None:
        super().__init__()
        self._maker = maker

    def make(self, name: str) -> Item:
        """Make an item."""
        return self._maker(name)


class AllowedHost(Item):
    """A host NQN and its keys (drivers/nvme/target/auth.c)."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= {"dhchap_key": "", "dhchap_ctrl_key": ""}
        self.values |= {"dhchap_hash": "hmac(sha256)", "dhchap_dhgroup": "null"}

    def store(self, attribute: str, text: str) -> None:
        """A key is cleared by an empty string only; anything else must look like one."""
        if attribute.endswith("key"):
            prefix, _, rest = text.partition(":")
            if text and (prefix != "DHHC-1" or rest[:3] not in ("00:", "01:", "02:", "03:")):
                raise Refused(errno.EINVAL)
        elif text.strip() not in (HASHES if attribute == "dhchap_hash" else DH_GROUPS):
            raise Refused(errno.EINVAL)
        self.values[attribute] = text.strip()


class Subsystem(Item):
    """A subsystem; identity is frozen once a host has identified a controller."""

    def __init__(self, nvmet: Nvmet) -> None:
        super().__init__()
        self.discovered = False
        self.nvmet = nvmet
        self.values |= {"attr_allow_any_host": "0", "attr_serial": "d6b3e0c5a9f8471b2c3d"}
        self.values |= {"attr_model": "Linux", "attr_firmware": "6.12.117"}
        self.values |= {"attr_cntlid_min": "1", "attr_cntlid_max": "65519"}
        self.namespaces = self.add_group("namespaces", Collection(self._make_namespace))
        self.add_group("allowed_hosts", AllowedHosts())
        if nvmet.has_tls():
            self.add_group("tls_hosts", AllowedHosts())

    def _make_namespace(self, name: str) -> Item:
        if number(name, 0, 0xFFFFFFFF) in (0, 0xFFFFFFFF):
            raise Refused(errno.EINVAL)
        return Namespace(self)

    @property
    def enabled_namespaces(self) -> int:
        """How many namespaces are enabled."""
        return sum(n.values["enable"] == "1" for n in self.namespaces.children.values())

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        if attribute == "attr_allow_any_host":
            groups = (self.children.get(name) for name in ("allowed_hosts", "tls_hosts"))
            if boolean(text) and any(group.links for group in groups if group):
                raise Refused(errno.EINVAL)
            self.values[attribute] = str(int(boolean(text)))
            return
        if attribute.startswith("attr_cntlid_"):
            ids = {each: int(self.values[each]) for each in ("attr_cntlid_min", "attr_cntlid_max")}
            ids[attribute] = number(text, 1, 0xFFFF)
            if ids["attr_cntlid_min"] > ids["attr_cntlid_max"]:
                raise Refused(errno.EINVAL)
            self.values[attribute] = str(ids[attribute])
            return
        limit = {"attr_serial": 20, "attr_model": 40, "attr_firmware": 8}[attribute]
        value = text.partition("\n")[0]
        if self.discovered or not 0 < len(value) <= limit or not (value.isascii()):
            raise Refused(errno.EINVAL)
        self.values[attribute] = value.ljust(limit) if attribute == "attr_serial" else value


class AllowedHosts(Item):
    """The hosts that may connect to a subsystem, or in `tls_hosts` those that need TLS for it.

    Linux has no `tls_hosts`: board/common/patches.
    """

    def allow_link(self, name: str, target: Item) -> None:
        """Admit a host, unless everybody is admitted."""
        if not isinstance(target, AllowedHost):
            raise Refused(errno.EINVAL)
        if self.up(1).values["attr_allow_any_host"] == "1":
            raise Refused(errno.EINVAL)
        if target in self.links.values():
            raise Refused(errno.EEXIST)

    def drop_link(self, target: Item) -> None:
        """Connections stay (nvmet_allowed_hosts_drop_link())."""


class Namespace(Item):
    """A namespace; device and identity can be changed while it is disabled."""

    def __init__(self, subsystem: Subsystem) -> None:
        super().__init__()
        self._subsystem = subsystem
        self._device: BlockDevice | None = None
        self.size = 0
        """The size in bytes that hosts see."""
        self.values |= {"device_path": "", "device_uuid": str(uuid.UUID(int=0))}
        self.values |= {"device_nguid": str(uuid.UUID(int=0)), "ana_grpid": "1"}
        self.values |= {"enable": "0", "buffered_io": "0", "revalidate_size": ""}
        if subsystem.nvmet.has_block_size():
            self.values["block_size"] = "0"

    def show(self, attribute: str) -> str:
        """Show an attribute; `revalidate_size` can be written only."""
        if attribute == "revalidate_size":
            raise Refused(errno.EACCES)
        return super().show(attribute)

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        if attribute == "enable":
            self._enable(boolean(text))
        elif attribute == "ana_grpid":
            group = number(text, 0, 0xFFFFFFFF)
            if not 1 <= group <= MAXIMUM_ANA_GROUPS:
                raise Refused(errno.EINVAL)
            # It is bounded once more, one too low (nvmet_ns_ana_grpid_store(), array_index_nospec).
            self.values[attribute] = str(group % MAXIMUM_ANA_GROUPS)
        elif attribute == "revalidate_size":
            if not boolean(text) or self._device is None:
                raise Refused(errno.EINVAL)
            self.size = self._device.size
        elif self._device is not None:
            raise Refused(errno.EINVAL if attribute == "buffered_io" else errno.EBUSY)
        elif attribute == "device_path":
            if not text.strip():
                raise Refused(errno.EINVAL)
            self.values[attribute] = text.partition("\n")[0]
        elif attribute == "block_size":
            if text.strip() not in BLOCK_SIZES:
                raise Refused(errno.EINVAL)
            self.values[attribute] = text.strip()
        elif attribute in ("device_uuid", "device_nguid"):
            try:
                self.values[attribute] = str(uuid.UUID(text.strip()))
            except ValueError:
                raise Refused(errno.EINVAL) from None
        else:
            self.values[attribute] = str(int(boolean(text)))

    def removed(self) -> None:
        """The kernel disables it by itself (nvmet_ns_free())."""
        self._enable(False)

    def _enable(self, enable: bool) -> None:
        if enable and self._device is None:
            if self._subsystem.enabled_namespaces >= MAXIMUM_NAMESPACES:
                raise Refused(errno.EMFILE)
            self._device = self._subsystem.nvmet.open_device(self.values["device_path"])
            self._device.hold("nvmet")
            self.size = self._device.size
        elif not enable and self._device is not None:
            self._device.release("nvmet")
            self._device = None
        self.values["enable"] = str(int(enable))


class Addressed(Item, ABC):
    """A port or a referral: an address that is frozen while it is in use."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= {"addr_adrfam": "", "addr_trtype": "", "addr_traddr": "", "addr_trsvcid": ""}
        self.values["addr_treq"] = "not specified"

    @property
    @abstractmethod
    def in_use(self) -> bool:
        """Whether hosts can see the address."""

    def store(self, attribute: str, text: str) -> None:
        """Store a part of the address, or a setting of TLS."""
        value = text.strip()
        if attribute in ("addr_tsas", "addr_treq"):
            self._secure(attribute, value)
            return
        choices = {"addr_adrfam": FAMILIES, "addr_trtype": TRANSPORTS}.get(attribute)
        limit = {"addr_traddr": 256, "addr_trsvcid": 32}.get(attribute)
        if limit and len(text) > limit:
            raise Refused(errno.EINVAL)
        if self.in_use:
            raise Refused(errno.EACCES)
        if (choices and value not in choices) or not value:
            raise Refused(errno.EINVAL)
        self.values[attribute] = value
        if attribute == "addr_trtype" and "addr_tsas" in self.values:
            self.values["addr_tsas"] = "none"

    def _secure(self, attribute: str, value: str) -> None:
        """Store settings of TLS for hosts (nvmet_addr_tsas_store(), nvmet_addr_treq_store())."""
        if self.in_use:
            raise Refused(errno.EACCES)
        by_tls = self.values.get("addr_tsas") == "tls1.3"
        if attribute == "addr_treq":
            if value not in REQUIREMENTS or (by_tls and value == "not specified"):
                raise Refused(errno.EINVAL)
            self.values[attribute] = value
            return
        if self.values["addr_trtype"] != "tcp" or value not in ("none", "tls1.3"):
            raise Refused(errno.EINVAL)
        self.values[attribute] = value
        if value == "none":
            self.values["addr_treq"] = "not specified"
        elif self.values["addr_treq"] == "not specified":
            self.values["addr_treq"] = "required"


class Port(Addressed):
    """A port; the first subsystem linked to it opens its socket."""

    def __init__(self, nvmet: Nvmet) -> None:
        super().__init__()
        self.nvmet = nvmet
        self.values |= {"addr_tsas": "none", INLINE: UNSET}
        if nvmet.has_block_size():
            self.values[MDTS] = "0"
        self._subsystems = self.add_group("subsystems", PortSubsystems())
        self.add_group("referrals", Collection(lambda _: Referral()))
        groups = self.add_group("ana_groups", Collection(self._make_ana_group))
        groups.add_group("1", AnaGroup("optimized"))

    @property
    def in_use(self) -> bool:
        """Whether the socket is open."""
        return bool(self._subsystems.links)

    def store(self, attribute: str, text: str) -> None:
        """Store also how much data may come with a command (nvmet_param_inline_data_size_store).

        And how much a command may transfer (nvmet_param_mdts_store).
        """
        if attribute not in _SIZES:
            super().store(attribute, text)
            return
        if self.in_use:
            raise Refused(errno.EACCES)
        self.values[attribute] = str(number_or_invalid(text.strip(), *_SIZES[attribute]))

    @property
    def address(self) -> tuple[str, str, str]:
        """The addresses it listens at. RDMA has ports of its own, unless it is over TCP."""
        transport, address = self.values["addr_trtype"], self.values["addr_traddr"]
        if transport == "rdma" and self.nvmet.rdma.is_tcp(address):
            transport = "tcp"
        return transport, address, self.values["addr_trsvcid"]

    def open(self) -> None:
        """Bind and listen, as the transports' add_port() do."""
        if self.values["addr_trtype"] == "fc":
            self._bind()
            return
        if self.values["addr_adrfam"] not in ("ipv4", "ipv6") or not all(self.address):
            raise Refused(errno.EINVAL)
        address = self.values["addr_traddr"]
        if not ip_address(address).is_unspecified and not self.nvmet.has_address(address):
            raise Refused(errno.EADDRNOTAVAIL)
        if self.values["addr_trtype"] == "rdma" and not self.nvmet.rdma.listens(address):
            raise Refused(errno.ENODEV)
        if any(other.address == self.address for other in self._others_in_use()):
            raise Refused(errno.EADDRINUSE)
        if self.values["addr_trtype"] == "tcp" and self.values[INLINE].startswith("-"):
            self.values[INLINE] = str(4 * 4096)

    def _bind(self) -> None:
        """Take the port of an adapter (nvmet_fc_add_port())."""
        address = self.values["addr_traddr"]
        if self.values["addr_adrfam"] != "fc" or not FC_ADDRESS.fullmatch(address):
            raise Refused(errno.EINVAL)
        if address not in self.nvmet.fc_ports:
            raise Refused(errno.ENXIO)
        if any(address in other.address for other in self._others_in_use()):
            raise Refused(errno.EALREADY)

    def _others_in_use(self) -> Iterator[Port]:
        for other in self.nvmet.ports.children.values():
            assert isinstance(other, Port)
            if other is not self and other.in_use:
                yield other

    def _make_ana_group(self, name: str) -> Item:
        if not 2 <= number_or_invalid(name, 0, 0xFFFFFFFF) <= MAXIMUM_ANA_GROUPS:
            raise Refused(errno.EINVAL)
        return AnaGroup("inaccessible")


class PortSubsystems(Item):
    """The subsystems that a port serves."""

    def allow_link(self, name: str, target: Item) -> None:
        """Serve a subsystem."""
        if not isinstance(target, Subsystem):
            raise Refused(errno.EINVAL)
        if target in self.links.values():
            raise Refused(errno.EEXIST)
        port = self.up(1)
        assert isinstance(port, Port)
        if not port.in_use:
            port.open()

    def drop_link(self, target: Item) -> None:
        """The controllers of this subsystem at this port are disconnected."""


class Referral(Addressed):
    """Another discovery address that a port names."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= {"addr_portid": "0", "enable": "0"}

    @property
    def in_use(self) -> bool:
        """Whether it is enabled."""
        return self.values["enable"] == "1"

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        if attribute == "enable":
            self.values[attribute] = str(int(boolean(text)))
        elif attribute == "addr_portid":
            if self.in_use:
                raise Refused(errno.EACCES)
            self.values[attribute] = str(number_or_invalid(text, 0, 0xFFFF))
        else:
            super().store(attribute, text)


class AnaGroup(Item):
    """The state of an ANA group at a port."""

    def __init__(self, state: str) -> None:
        super().__init__()
        self.values["ana_state"] = state

    def store(self, attribute: str, text: str) -> None:
        """Store a state by its name."""
        if text.strip() not in ANA_STATES:
            raise Refused(errno.EINVAL)
        self.values[attribute] = text.strip()


def number_or_invalid(text: str, low: int, high: int) -> int:
    """Return a number where the kernel answers EINVAL to one out of range, too."""
    try:
        return number(text, low, high)
    except Refused:
        raise Refused(errno.EINVAL) from None
