"""Shelves of the fake machine, in sysfs as the kernel's driver `ses` shows them."""

from __future__ import annotations

from collections.abc import Mapping

from fakes.files import Directory, FakeFiles, Text

ENCLOSURES, SLOTS = "/sys/class/enclosure", "/sys/bus/pci/slots"


class FakeEnclosures:
    """The shelves that are attached. There are none at first, as in a machine in a laboratory."""

    def __init__(self, files: FakeFiles) -> None:
        self._files = files
        self._shelves: list[tuple[str, int, dict[int, str], bool]] = []
        self._slots: list[tuple[int, str, bool]] = []

    def attach(self, uid: str, bays: int, disks: Mapping[int, str], *, lights: bool = True) -> None:
        """Attach a shelf with so many bays; `disks` are the kernel's names by the bay's number."""
        self._shelves.append((uid, bays, dict(disks), lights))
        self.reboot()

    def put_in_slot(self, number: int, disk: str, *, light: bool = True) -> None:
        """Say which PCI slot an NVMe disk is in. One of ACPI's has no light."""
        self._slots.append((number, disk, light))
        self.reboot()

    def take_out(self, disk: str) -> None:
        """Have the bay of a disk empty."""
        for index, (_, _, disks, _) in enumerate(self._shelves):
            for number in [number for number, name in disks.items() if name == disk]:
                del disks[number]
                bay = self.bay(index, number)
                self._files.displace(f"{bay}/device/block/{disk}")
                self._files.displace(f"{bay}/device/block")
                self._files.place(f"{bay}/status", Text("not installed\n"))

    def bay(self, shelf: int, number: int) -> str:
        """Return the folder of a bay of the shelf that was attached as number `shelf`, from 0."""
        return f"{ENCLOSURES}/6:0:{24 + shelf}:0/Slot {number:02}"

    def is_lit(self, shelf: int, number: int) -> bool:
        """Return whether a bay's light is on."""
        return self._files.read(f"{self.bay(shelf, number)}/locate") == "1"

    def reboot(self) -> None:
        """Find the shelves again, after a loss of power with their lights off."""
        for index, (uid, bays, disks, lights) in enumerate(self._shelves):
            path = f"{ENCLOSURES}/6:0:{24 + index}:0"
            self._place(path, components=str(bays), id=f"0x{uid}")
            self._place(f"{path}/device", vendor="FAKE    ", model="JBOD24          ")
            for number in range(bays):
                bay, disk = self.bay(index, number), disks.get(number)
                status = "OK" if disk else "not installed"
                self._place(bay, slot=str(number), status=status, fault="0", type="array device")
                if lights and not self._files.exists(f"{bay}/locate"):
                    self._place(bay, locate="0")
                if disk:
                    self._files.place(f"{bay}/device/block/{disk}", Directory())
        for number, disk, light in self._slots:
            self._place(f"{SLOTS}/{number}", address=f"0000:{number:02x}:00")
            if light:
                self._place(f"{SLOTS}/{number}", attention="0")
            controller = disk.rpartition("n")[0]
            self._place(f"/sys/block/{disk}/device/{controller}", address=f"0000:{number:02x}:00.0")

    def _place(self, path: str, **texts: str) -> None:
        for name, text in texts.items():
            self._files.place(f"{path}/{name}", Text(f"{text}\n"))
