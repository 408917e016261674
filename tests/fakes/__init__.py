"""A kernel in memory, with the rules of the real one.

`FakeKernel().host` is a `Host` like any other. It exists so that the reconciler can be killed after
any single operation, be refused any of them, and be rebooted, thousands of times in a second. Its
worth lies in being as strict as Linux: each rule in it names the kernel file that it was read from.

The parts, each with `reboot()` (lose volatile state) and `dump()` (state as text):

* `files`     a small virtual file system: memory, with configfs and the tests' own folder mounted
              on it (`fakes.files`)
* `configfs`  nvmet and LIO (`fakes.configfs`, `fakes.nvmet`, `fakes.lio`)
* `blocks`    the content of mapped devices (`fakes.blocks`)
* `commands`  dispatches argv[0] to handlers that other parts register (`fakes.commands`)
* `services`  systemd's services that were started (`fakes.services`)
* `keyring`   keys of TLS (`fakes.keyring`)
* `storage`   disks, md, LVM (`fakes.storage`)
* `mapper`    device-mapper ioctls (`fakes.mapper`)
* `network`   links, addresses, routes (`fakes.network`)
* `rdma`      RDMA devices (`fakes.rdma`)
* `nftables`  counters of addresses, the firewall (`fakes.nftables`)
* `fibre_channel`  adapters, if any (`fakes.fibre_channel`)
* `enclosures` shelves, if any (`fakes.enclosures`)
* `disk_commands` disks that sanitize themselves (`fakes.disk_commands`)
* `smart`     the health that disks report (`fakes.smart`)
* `controller` a management controller, if any (`fakes.ipmi`)
* `rasdaemon` errors that it has recorded (`fakes.rasdaemon`)
* `pcie`      devices and their links, if any (`fakes.pcie`)
* `log`       the kernel's messages (`fakes.log`)

They share `interrupt` (kill, refuse: `fakes.interrupt`) and `devices` (block devices by number and
who holds them: `fakes.devices`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence

from fakes.arguments import parse
from fakes.blocks import FakeBlocks
from fakes.commands import FakeCommands
from fakes.configfs import FakeConfigfs
from fakes.device_counters import UDEV, DiskStatistics, MappedAttributes, UdevDatabase
from fakes.devices import BlockDevices
from fakes.disk_commands import FakeDiskCommands
from fakes.enclosures import FakeEnclosures
from fakes.fabric_services import FakeFabricServices
from fakes.fibre_channel import FakeFibreChannel
from fakes.files import FakeFiles, OwnFolder, Text
from fakes.interrupt import Interrupt, Killed
from fakes.ipmi import FakeController
from fakes.keyring import FakeKeyring
from fakes.log import FakeLog
from fakes.mapped_sysfs import PLACES, MappedSysfs
from fakes.mapper import FakeMapper
from fakes.md_sysfs import PLACE as MD_PLACE
from fakes.md_sysfs import ArraySysfs
from fakes.network import FakeNetwork
from fakes.nftables import FakeNftables
from fakes.pcie import FakePcie
from fakes.rasdaemon import FakeRasdaemon
from fakes.rdma import FakeRdma
from fakes.services import FakeServices
from fakes.smart import FakeSmart
from fakes.storage import FakeStorage
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.network import rdma
from sanstone.kernel.storage import device_activity, snapshot_blocks
from sanstone.kernel.target import srp
from sanstone.kernel.target.nvmet import MAX_BLOCK_SIZE, TLS_HOSTS
from sanstone.kernel.target.tls_keys import PROC_KEYS

__all__ = ["FakeKernel", "Interrupt", "Killed"]

KNOWN_FILES = {
    "/etc/passwd": "root:x:0:0:root:/root:/bin/bash\n",
    "/proc/cpuinfo": "processor\t: 0\nprocessor\t: 1\n",
    "/proc/meminfo": "MemTotal:        8388608 kB\nMemAvailable:    6291456 kB\n",
    "/proc/stat": "cpu  400 0 100 1500 0 0 0 0 0 0\ncpu0 200 0 50 750 0 0 0 0 0 0\n",
    "/proc/sys/kernel/hostname": "array",
    "/proc/sys/kernel/osrelease": "6.12.0-fake",
    "/proc/uptime": "100.00 190.00",
    MAX_BLOCK_SIZE: "4096",
    TLS_HOSTS: "Y",
}


class FakeKernel:
    """A machine with `disks` empty data disks and Ethernet ports e0M, e0a … e0d."""

    def __init__(self, disks: int = 8) -> None:
        self.interrupt = Interrupt()
        self.known_files = dict(KNOWN_FILES)
        """Files of /proc, /sys and /etc about the machine, from its next boot on."""
        self.devices = BlockDevices()
        self.commands = FakeCommands()
        self.services = FakeServices(self.commands)
        self.network = FakeNetwork(self.interrupt)
        self.rdma = FakeRdma(self.interrupt, self.commands, self.network)
        self.nftables = FakeNftables(self.interrupt, self.commands)
        self.files = FakeFiles(self.interrupt, self.devices)
        self.fibre_channel = FakeFibreChannel(self.files)
        self.enclosures = FakeEnclosures(self.files)
        self.mapper = FakeMapper(self.interrupt, self.devices)
        self.storage = FakeStorage(
            self.interrupt, self.devices, self.commands, self.mapper, self.files, disks=disks
        )
        self.smart = FakeSmart(self.commands, self.storage.disks)
        self.controller = FakeController(self.files, self.commands)
        self.rasdaemon = FakeRasdaemon(self.files, self.commands)
        self.pcie = FakePcie(self.files)
        self.keyring = FakeKeyring(self.interrupt, self.commands)
        self.files.mount(PROC_KEYS, self.keyring)
        self.configfs = FakeConfigfs(
            self.files, self.network.has_address, self.rdma, self.fibre_channel
        )
        self.files.mount("/sys/kernel/config", self.configfs)
        self.files.mount(rdma.ROOT, self.rdma)
        self.files.mount(tempfile.gettempdir(), OwnFolder())
        self.files.mount(device_activity.DISKSTATS, DiskStatistics(self.mapper, self.storage.disks))
        self.files.mount(device_activity.MAPPED, MappedAttributes(self.mapper))
        self.files.mount(UDEV, UdevDatabase(self.mapper))
        mapped_sysfs = MappedSysfs(self.mapper, self.storage.disks)
        for path in PLACES:
            self.files.mount(path, mapped_sysfs)
        self.files.mount(MD_PLACE, ArraySysfs(self.files.memory, self.storage.arrays))
        self.commands.register("modprobe", self._load)
        self.commands.register("udevadm", lambda _argv, _stdin: "")
        self._describe()
        self.blocks = FakeBlocks(self.interrupt, self.mapper, self.files, self.storage.disks)
        self.commands.register("blkdiscard", self._discard)
        self.commands.register(snapshot_blocks.PROGRAM, self._count_blocks)
        self.log = FakeLog()
        self.fabrics = FakeFabricServices(self.files)
        doors = self.files, self.blocks, self.commands, self.mapper, self.network, self.log
        disk_commands = FakeDiskCommands(self.interrupt, self.storage.disks)
        self.host = Host(*doors, self.fabrics, disk_commands)

    def kill_after(self, steps: int, *, done: bool = False) -> None:
        """Raise Killed at changing operation number `steps`, before it or once it is `done`."""
        self.interrupt.kill_after(steps, done=done)

    def fail_when(self, predicate: Callable[[str], bool], error: HostError) -> None:
        """Refuse with `error` each changing operation if its description satisfies `predicate`."""
        self.interrupt.fail_when(predicate, error)

    def remove_link(self, name: str) -> None:
        """Remove a network interface with its addresses and routes."""
        self.network.remove_link(name)

    def add_link(self, name: str) -> None:
        """Plug a network interface in."""
        self.network.add_link(name)

    def remove_disk(self, name: str) -> None:
        """Pull a disk ("sda"); its content is kept for `add_disk`."""
        self.enclosures.take_out(name)
        self.storage.remove_disk(name)

    def share_disks(self, other: FakeKernel) -> None:
        """Have the data disks of another machine, as in a shelf that two are cabled to."""
        self.storage.share(other.storage)

    def add_disk(self, name: str) -> str:
        """Put back a pulled disk, or a new empty one. Return its name."""
        return self.storage.add_disk(name)

    def reboot(self) -> None:
        """Lose all that is volatile: configfs, device-mapper, active arrays, addresses, /run."""
        self.interrupt.clear()
        self.configfs.reboot()
        self.keyring.reboot()
        self.devices.reboot()
        self.files.reboot()
        self.fibre_channel.reboot()
        self.enclosures.reboot()
        self.controller.reboot()
        self.pcie.reboot()
        self.mapper.reboot()
        self.storage.reboot()
        self.network.reboot()
        self.rdma.reboot()
        self.nftables.reboot()
        self.services.reboot()
        self.log.reboot()
        self._describe()

    def boot_linux(self) -> None:
        """Boot a kernel without the product's patches."""
        for path in (MAX_BLOCK_SIZE, TLS_HOSTS):
            self.known_files.pop(path, None)
        self.mapper.limits.is_there = False
        self.mapper.sets_space_aside = False
        self.mapper.announces_all = True
        self.reboot()

    def _load(self, argv: Sequence[str], _stdin: str) -> str:
        """Load modules, which are all there; several can be named if there are no parameters.

        One that is loaded keeps the parameters that it has.
        """
        self.configfs.lio.modules.update(word for word in argv[1:] if word.isidentifier())
        if srp.MODULE in argv and not self.files.exists(srp.IDENTIFIER):
            values = [w.partition("=")[2] for w in argv if w.startswith("srpt_service_guid=")]
            value = int(values[0] if values else "0", 16)
            self.files.place(srp.IDENTIFIER, Text(f"0x{value:016x}\n"))
        return ""

    def _discard(self, argv: Sequence[str], _stdin: str) -> str:
        if argv[-1].removeprefix("/dev/") in self.storage.disks.present:
            return self.storage.disks.discard(argv)
        arguments = parse(
            argv, argv[1:], flags="--force", valued="--offset --length", usage_status=1
        )
        where = (int(arguments.options[f"--{name}"]) for name in ("offset", "length"))
        self.mapper.discard(arguments.operands[0], *where)
        return ""

    def _count_blocks(self, _argv: Sequence[str], stdin: str) -> str:
        return snapshot_blocks.answer(self.host, stdin)

    def _describe(self) -> None:
        """Describe this machine, as /proc and /etc do."""
        for path in KNOWN_FILES:
            self.files.displace(path)
        for path, text in self.known_files.items():
            self.files.place(path, Text(text))

    def dump(self) -> str:
        """Return the whole state as text, in a stable order, to compare two moments."""
        storage = (self.files, self.blocks, self.configfs, self.storage, self.mapper)
        others = (self.network, self.rdma, self.nftables, self.keyring)
        return "\n".join(part.dump() for part in (*storage, *others))

    def lasting(self) -> str:
        """Return as text the state that outlasts a loss of power: all that is on disks."""
        return "\n".join(part.lasting() for part in (self.files, self.blocks, self.storage))
