"""Portal groups of the fake SCSI target, for all fabrics.

Their LUNs, the mappings that initiators see, and their numbers (drivers/target/, Linux 6.12).
"""

from __future__ import annotations

import errno

from fakes.backstores import AluaGroup, Backstore
from fakes.items import Item, Refused, boolean, number


class PortalGroup(Item):
    """A target portal group; its kinds add `np`, `acls`, `attrib` and `param`."""

    def __init__(self) -> None:
        super().__init__()
        self._relative_port = 0
        self.values |= {"enable": "0", "rtpi": "", "dynamic_sessions": ""}
        self.add_group("lun", Luns())
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
        self._port_group: AluaGroup | None = None
        self.add_group("statistics", Item()).add_group("scsi_tgt_port", LunTraffic())

    def _groups(self) -> Item:
        """Return the target port groups of its backstore."""
        for target in self.links.values():
            return target.children["alua"]
        raise Refused(errno.ENODEV)

    def show(self, attribute: str) -> str:
        """Show an attribute; of the target port group the first lines (target_core_alua.c)."""
        if attribute != "alua_tg_pt_gp" or not self.links:
            return super().show(attribute)
        groups = self._groups().children
        mine = [name for name, group in groups.items() if group is self._port_group]
        name = mine[0] if mine else "default_tg_pt_gp"
        number = groups[name].values["tg_pt_gp_id"]
        return f"TG Port Alias: {name}\nTG Port Group ID: {number}\n"

    def store(self, attribute: str, text: str) -> None:
        """Put it into a target port group."""
        if attribute != "alua_tg_pt_gp":
            raise Refused(errno.EINVAL)
        group = self._groups().children.get(text.strip())
        if not isinstance(group, AluaGroup) or not group.values["tg_pt_gp_id"]:
            raise Refused(errno.ENODEV)
        self._port_group = group

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
    """The counters of initiators' I/O to a LUN, whole from its backstore on."""

    def __init__(self) -> None:
        super().__init__()
        self.values |= {"in_cmds": "0", "read_mbytes": "0", "write_mbytes": "0"}

    def show(self, attribute: str) -> str:
        """Show an attribute (target_core_stat.c)."""
        if not self.up(2).links:
            raise Refused(errno.ENODEV)
        return super().show(attribute)


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


def lun_number(name: str) -> int:
    """Return the number in lun_<number>."""
    if not name.startswith("lun_"):
        raise Refused(errno.EINVAL)
    return number(name[4:], 0, 2**64 - 1)
