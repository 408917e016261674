"""PCIe devices of the fake machine, as sysfs shows them."""

from __future__ import annotations

from fakes.files import Directory, FakeFiles, Text

DEVICES = "/sys/bus/pci/devices"


class FakePcie:
    """The devices that are plugged in. At first none shows a link."""

    def __init__(self, files: FakeFiles) -> None:
        self._files = files
        self._devices: dict[str, dict[str, str]] = {}

    def plug(
        self,
        address: str,
        *,
        speed: str = "16.0 GT/s PCIe",
        width: int = 4,
        kind: str = "0x010802",
        device: str = "0xa80a",
        name: str = "",
    ) -> None:
        """Plug a device in, an NVMe disk by default, or let it have another link."""
        self.unplug(address)
        self._devices[address] = {
            "class": kind,
            "vendor": "0x144d",
            "device": device,
            "current_link_speed": speed,
            "current_link_width": str(width),
            "max_link_speed": "16.0 GT/s PCIe",
            "max_link_width": "4",
            "name": name,
        }
        self.reboot()

    def unplug(self, address: str) -> None:
        """Take a device out."""
        name = self._devices.pop(address, {}).get("name")
        folder = f"{DEVICES}/{address}"
        if name:
            self._files.displace(f"{folder}/nvme/{name}")
            self._files.displace(f"{folder}/nvme")
        for file in ("class", "vendor", "device"):
            self._files.displace(f"{folder}/{file}")
        for limit in ("current", "max"):
            self._files.displace(f"{folder}/{limit}_link_speed")
            self._files.displace(f"{folder}/{limit}_link_width")
        self._files.displace(folder)

    def reboot(self) -> None:
        """Find the devices again."""
        for address, texts in self._devices.items():
            for file, text in texts.items():
                if file == "name":
                    if text:
                        self._files.place(f"{DEVICES}/{address}/nvme/{text}", Directory())
                else:
                    self._files.place(f"{DEVICES}/{address}/{file}", Text(f"{text}\n"))
