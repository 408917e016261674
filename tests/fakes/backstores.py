"""Backstores in the fake configfs: target/core (target_core_configfs.c, target_core_iblock.c)."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable

from fakes.devices import BlockDevice
from fakes.items import Item, Refused, boolean, number

ACCESS_TYPES = ("None", "Implicit", "Explicit", "Implicit and Explicit")
FROZEN_BY_EXPORT = frozenset(
    ("emulate_model_alias", "emulate_ua_intlck_ctrl", "emulate_tas", "force_pr_aptpl")
)
DEVICE_ATTRIBUTES = {
    "emulate_tpu": "0",
    "emulate_tpws": "0",
    "emulate_caw": "1",
    "emulate_3pc": "1",
    "emulate_pr": "1",
    "emulate_tas": "1",
    "emulate_ua_intlck_ctrl": "0",
    "force_pr_aptpl": "0",
}

Opener = Callable[[str], BlockDevice]


class Core(Item):
    """The folders of backstores."""

    def __init__(self, open_device: Opener) -> None:
        super().__init__()
        self._open_device = open_device

    def make(self, name: str) -> Item:
        """Make an HBA folder, iblock_<number>."""
        if len(name) >= 64:
            raise Refused(errno.ENAMETOOLONG)
        plugin, separator, identity = name.partition("_")
        if not separator or plugin != "iblock":
            raise Refused(errno.EINVAL)
        number(identity, 0, 2**64 - 1)
        return Hba(self._open_device)


class Hba(Item):
    """A folder of backstores."""

    def __init__(self, open_device: Opener) -> None:
        super().__init__()
        self._open_device = open_device
        self.values |= {"hba_info": "HBA Index: 1 plugin: iblock version: v5.0", "hba_mode": "0"}

    def make(self, name: str) -> Item:
        """Make a backstore."""
        return Backstore(self._open_device)


class Backstore(Item):
    """A backstore of kind iblock (target_core_iblock.c)."""

    def __init__(self, open_device: Opener) -> None:
        super().__init__()
        self._open_device = open_device
        self._device: BlockDevice | None = None
        self._udev_path = ""
        self._read_only = "0"
        self.exports = 0
        self.reservations: list[str] = []
        """The writes to `pr/res_aptpl_metadata`."""
        self.notified_size = 0
        """The size in bytes that initiators were last notified of, by a patch of the product's
        kernel."""
        self.values |= {"info": "", "control": "", "alias": "", "udev_path": "", "enable": "0"}
        self.values["revalidate_size"] = ""
        self.add_group("attrib", BackstoreAttributes())
        self.add_group("wwn", Wwn())
        self.add_group("pr", Reservations())
        groups = self.add_group("alua", AluaGroups())
        groups.add_group("default_tg_pt_gp", AluaGroup("0"))
        for name in ("action", "statistics"):
            self.add_group(name, Item())

    @property
    def enabled(self) -> bool:
        """Whether it has its device."""
        return self._device is not None

    def show(self, attribute: str) -> str:
        """Show an attribute."""
        if attribute in ("control", "revalidate_size"):
            raise Refused(errno.EACCES)
        if attribute != "info":
            return super().show(attribute)
        status = "ACTIVATED" if self.exports else "DEACTIVATED"
        device, path = "", ""
        if self._device:
            device = f"iBlock device: {self._device.name}"
        if self._udev_path:
            path = f"  UDEV PATH: {self._udev_path}"
        state = f"Status: {status}  Max Queue Depth: 0  SectorSize: 512  HwMaxSectors: 128\n"
        return f"{state}        {device}{path}  readonly: {self._read_only}\n"

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        if attribute == "control":
            self._control(text)
        elif attribute == "enable":
            self._enable(text)
        elif attribute == "revalidate_size":
            self._revalidate(boolean(text))
        elif attribute == "info":
            raise Refused(errno.EACCES)
        elif len(text) > 511:
            raise Refused(errno.EINVAL)
        else:
            super().store(attribute, text)

    def removed(self) -> None:
        """Close the device."""
        if self._device:
            self._device.release(f"iblock {self.path}", exclusive=True)

    def _control(self, text: str) -> None:
        for option in re.split("[,\n]", text):
            key, _, value = option.partition("=")
            if key == "udev_path":
                if self._device:
                    raise Refused(errno.EEXIST)
                if not value:
                    raise Refused(errno.EINVAL)
                self._udev_path = value
            elif key == "readonly":
                self._read_only = str(number(value, 0, 2**64 - 1))

    def _revalidate(self, flag: bool) -> None:
        if not flag:
            raise Refused(errno.EINVAL)
        if not self._device:
            raise Refused(errno.ENODEV)
        self.notified_size = self._device.size

    def _enable(self, text: str) -> None:
        if "1" not in text:
            raise Refused(errno.EINVAL)
        if self._device:
            raise Refused(errno.EEXIST)
        if not self._udev_path:
            raise Refused(errno.EINVAL)
        device = self._open_device(self._udev_path)
        if not device.hold(f"iblock {self.path}", exclusive=True):
            raise Refused(errno.EBUSY)
        self._device = device
        self.notified_size = device.size
        self.values["enable"] = "1"


class PartOfBackstore(Item):
    """A default group directly in a backstore."""

    @property
    def backstore(self) -> Backstore:
        """The backstore."""
        backstore = self.up(1)
        assert isinstance(backstore, Backstore)
        return backstore


class BackstoreAttributes(PartOfBackstore):
    """`attrib/`: all boolean here."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= DEVICE_ATTRIBUTES

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute; some are frozen while a LUN is linked."""
        value = str(int(boolean(text)))
        if attribute in FROZEN_BY_EXPORT and self.backstore.exports:
            raise Refused(errno.EINVAL)
        unmap = attribute in ("emulate_tpu", "emulate_tpws") and value == "1"
        if unmap and not self.backstore.enabled:
            raise Refused(errno.ENODEV)
        self.values[attribute] = value


class Wwn(PartOfBackstore):
    """`wwn/`: the answers to INQUIRY; frozen while a LUN is linked."""

    LIMITS = {"vendor_id": 8, "product_id": 16, "revision": 4, "vpd_unit_serial": 253}

    def __init__(self) -> None:
        super().__init__()
        self.values |= {"vendor_id": "LIO-ORG", "product_id": "IBLOCK", "revision": "4.0"}
        self.values["vpd_unit_serial"] = ""

    def show(self, attribute: str) -> str:
        """Show an attribute."""
        value = super().show(attribute)
        return f"T10 VPD Unit Serial Number: {value}" if attribute == "vpd_unit_serial" else value

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        value = text.strip()
        if len(value) > self.LIMITS[attribute]:
            raise Refused(errno.EOVERFLOW)
        if not value.isascii() or not value.isprintable() or self.backstore.exports:
            raise Refused(errno.EINVAL)
        self.values[attribute] = value


class Reservations(PartOfBackstore):
    """`pr/`."""

    def __init__(self) -> None:
        super().__init__()
        self.values["res_aptpl_metadata"] = "Ready to process PR APTPL metadata.."

    def store(self, attribute: str, text: str) -> None:
        """Load a saved registration (target_pr_res_aptpl_metadata_store())."""
        options = dict(option.partition("=")[::2] for option in re.split("[,\n]", text))
        if self.backstore.exports:
            raise Refused(errno.EINVAL)
        kind = options.get("res_type", "0")
        if kind.startswith("0") and "8" in kind:
            kind = "0"
        needed = ("initiator_node", "target_node", "sa_res_key")
        if any(not options.get(name) for name in needed):
            raise Refused(errno.EINVAL)
        if options.get("res_holder") == "1" and not int(kind):
            raise Refused(errno.EINVAL)
        self.backstore.reservations.append(text)


class AluaGroups(PartOfBackstore):
    """`alua/`."""

    def make(self, name: str) -> Item:
        """Make a target port group, which is of use once it has an id."""
        return AluaGroup("")


class AluaGroup(Item):
    """A target port group (target_core_alua.c)."""

    def __init__(self, identity: str) -> None:
        super().__init__()
        self.values |= {"tg_pt_gp_id": identity, "alua_access_state": "0"}
        self.values["alua_access_type"] = ACCESS_TYPES[3]

    def store(self, attribute: str, text: str) -> None:
        """Store an attribute."""
        backstore = self.up(2)
        assert isinstance(backstore, Backstore)
        if attribute == "alua_access_type":
            kind = number(text, 0, 2**64 - 1)
            if kind > 3:
                raise Refused(errno.EINVAL)
            self.values[attribute] = ACCESS_TYPES[kind]
        elif attribute == "tg_pt_gp_id":
            if self.values[attribute]:
                raise Refused(errno.EINVAL)
            self.values[attribute] = str(number(text, 0, 0xFFFF))
        else:
            if not self.values["tg_pt_gp_id"] or "Implicit" not in self.values["alua_access_type"]:
                raise Refused(errno.EINVAL)
            if not backstore.enabled:
                raise Refused(errno.ENODEV)
            self.values[attribute] = str(number(text, 0, 0xF))
