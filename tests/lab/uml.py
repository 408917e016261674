"""A rack in User-mode Linux: array and hosts are programs, their networks bridges.

The same images, disks and interface as in `rack` and `machine`. What differs:

    isolation  everything lives in namespaces of its own, entered with `isolated` before a rack is
               created, and ends with them: no privilege outside, nothing to clean up. One rack
               each.
    network    taps on bridges: `mgmt` for e0M, which has its IPv6 link-local address alone, so that
               none has to be given, and is reached through ports of 127.0.0.1 as in QEMU; net1
               and net2 as in `rack`. DHCP runs only within `Rack.leased`
    agent      is started over SSH, since there is no virtio-serial
    processor  one of those outside, see `_processor`
    system     layers and disks are ubd devices; those of a layer are read-only and shared, those of
               a disk take no discard: one would be of 32 KiB at most
    no monitor, but a console by which disks come and go; a cable is pulled in the machine itself
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

from lab import (
    commands,
    fingerprint,
    kernels,
    machine,
    paths,
    patience,
    rack,
    uml_console,
)
from lab.engine import Engine
from lab.image import Drives, Image
from lab.monitor import MonitorError
from lab.process import Background, tied
from lab.qemu import Hardware
from lab.secure_shell import SecureShell

ENGINE = Engine("uml", (), ())
PARTS = paths.LAB_SOURCE / "uml.d"
MANAGEMENT = "mgmt"
GATEWAY = "10.0.2.2"
DHCP = f"""\
interface {MANAGEMENT}
start {rack.LEASE}
end {rack.LEASE}
max_leases 1
static_lease {{address}} {rack.LEASE}
option subnet 255.255.255.0
lease_file {{leases}}
pidfile {{leases}}.pid
"""
"""Configuration of busybox's DHCP server."""
NETWORKS = {"e0M": MANAGEMENT, **rack.ARRAY_CABLES, **rack.HOST_CABLES}
# As large as Ethernet usually goes; the setting of a machine's own port is the one that counts.
MTU = "9000"
# The kernel would write the C library's "restartable sequence" into processes that lack its memory.
ENVIRONMENT = ("GLIBC_TUNABLES=glibc.pthread.rseq=0",)
# As many as there can be (MAX_DEV in arch/um/drivers/ubd_kern.c).
DISKS = 16
# Each area that this kernel maps for itself is a mapping of its process, and with 12,288 devices it
# has more of them than Linux allows by default (Documentation/admin-guide/sysctl/vm.rst).
MAPPINGS = Path("/proc/sys/vm/max_map_count")
MAPPINGS_OF_MANY_DEVICES = 1 << 20
# Where the outside has it (Documentation/accounting/psi.rst).
PRESSURE = sorted(Path("/proc/pressure").glob("[cim]*"))
# Have the kernel print its state at a level that reaches the console: its blocked tasks and its
# memory (Documentation/admin-guide/sysrq.rst).
STATE = ("sysrq 7", "sysrq w", "sysrq m")
# How long it may print, after a failure: nothing says when it has ended.
STATE_SECONDS = 3
# How a device is refused that cannot go yet (arch/um/drivers/mconsole_kern.c).
OPEN = "Device is currently open"


def isolated(argv: list[str]) -> list[str]:
    """Return `argv` so that it runs in namespaces where a Rack can be created.

    It ends with its starter, and all that runs there with it. Nothing less than KILL ends it: it is
    the first process in there, which a TERM from outside does not reach (pid_namespaces(7)).
    """
    words = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        words += ["--user", "--map-root-user"]
    return tied([*words, *argv])


def is_possible() -> bool:
    """Return whether namespaces and taps can be created here, which containers may forbid."""
    trial = isolated(["ip", "tuntap", "add", "dev", "trial", "mode", "tap"])
    return subprocess.run(trial, check=False).returncode == 0


def allow_many_devices() -> None:
    """Raise the kernel's limit of mappings for a process, so that an array of many devices runs.

    Root, or sudo, is needed only where it is lower. Raises commands.CommandFailed.
    """
    if int(MAPPINGS.read_text()) >= MAPPINGS_OF_MANY_DEVICES:
        return
    prefix = [] if os.geteuid() == 0 else ["sudo"]
    setting = f"vm.max_map_count={MAPPINGS_OF_MANY_DEVICES}"
    commands.run([*prefix, "sysctl", "--quiet", "--write", setting])


def prepare(image: Image) -> Image:
    """Return the image that User-mode Linux boots for the same role; builds its kernel if need be.

    Raises commands.CommandFailed.
    """
    (kernel,) = kernels.ensure(kernels.USER_MODE)
    inputs: list[str | Path] = [image.initrd.name, PARTS / "init", PARTS / "files", kernel.name]
    initrd = paths.IMAGES / f"initrd-{fingerprint.of(inputs)}"
    if not initrd.exists():
        with tempfile.TemporaryDirectory(dir=paths.IMAGES) as name:
            tree = Path(name)
            shutil.copy(PARTS / "init", tree / "init")
            shutil.copytree(PARTS / "files", tree / "files")
            shutil.copytree(kernel / "modules", tree / "files" / "usr/lib/modules")
            listing = "\n".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*")))
            pack: commands.Argv = ["cpio", "--quiet", "--create", "--format=newc", "--owner=0:0"]
            added = tree / "added"
            commands.run([*pack, "-F", added], directory=tree, text=listing)
            # Of two files with one name in an initrd the later one counts.
            both = tree / "both"
            both.write_bytes(image.initrd.read_bytes() + added.read_bytes())
            both.rename(initrd)
    return dataclasses.replace(image, kernel=kernel / "linux", initrd=initrd)


class Machine(machine.Machine):
    """A machine of User-mode Linux; see `machine.Machine`."""

    def __init__(self, directory: Path, hardware: Hardware) -> None:
        super().__init__(directory, hardware)
        self._process = Background(directory / "console", f"umid={hardware.name}")
        self._forwarders = [
            Background(directory / f"forward-{port}", f"TCP-LISTEN:{port},")
            for port in hardware.forwards
        ]
        self.address = f"{link_local(hardware.address('e0M'))}%{MANAGEMENT}"
        self._shell = self._agent = SecureShell(self.address)
        self._plugged: dict[str, int] = {}

    def start(
        self, image: Image | Drives, engine: Engine = ENGINE, unplugged: Collection[str] = ()
    ) -> None:
        """Power on; returns at once, while it boots."""
        assert isinstance(image, Image), "User-mode Linux has no firmware to boot a disk with"
        for disk in self.hardware.disks:
            machine._make(disk)
            # Where the power was cut, threads of the machine may still end: they have its files in
            # common, and the last one closes these one by one, on a busy machine with pauses.
            patience.eventually(partial(_is_free, disk.path))
        for port in self._ports():
            _plug_in(tap(self.hardware, port), NETWORKS[port])
        # After a power cut it has a process id that may be another process's by now.
        shutil.rmtree(self._sockets / self.hardware.name, ignore_errors=True)
        argv = ["taskset", "--cpu-list", str(self._processor()), "env", *ENVIRONMENT]
        argv += [str(image.kernel), *self._arguments(image, unplugged)]
        self._process.start(argv, lambda: True)
        self._image_file.write_text(image.name)
        self._plugged.clear()
        self._forward()

    def _forward(self) -> None:
        """Offer the machine's services at ports of 127.0.0.1, until its power is cut."""
        services = zip(self.hardware.forwards.items(), self._forwarders, strict=True)
        for (port, inside), forwarder in services:
            listen = f"TCP-LISTEN:{port},bind=127.0.0.1,fork,reuseaddr"
            there = f"TCP6:[{self.address}]:{inside}"
            forwarder.start(["socat", listen, there], partial(_listened_on, port))

    def power_off_hard(self) -> None:
        """Cut the power: nothing in the machine gets to know."""
        for program in (self._process, *self._forwarders):
            process = program.identity
            if process is not None:
                # A machine's processes are processes outside as well, in the group of the first. A
                # forwarder has one for each connection, in its group, too.
                os.killpg(process, signal.SIGKILL)
                program.kill()
        self._shell.forget()
        # Whichever process of it ends last leaves the networks, which take no other until then.
        while any(_is_held(tap(self.hardware, port)) for port in self._ports()):
            time.sleep(0.02)

    def plug_in_disk(self, file: Path, serial: str) -> None:
        """Plug a disk in that is backed by `file`."""
        # The machine's own have the lowest numbers.
        number = max(set(range(DISKS)) - set(self._plugged.values()))
        self._manage(f"config ubd{number}t={file},,{serial}")
        self._plugged[serial] = number

    def pull_disk(self, serial: str) -> None:
        """Pull a disk that was plugged in; its file keeps its data.

        User-mode Linux removes no disk that is open, and the array reads each from time to time.
        """
        patience.eventually(partial(self._remove, f"ubd{self._plugged[serial]}"))
        del self._plugged[serial]

    def _remove(self, device: str) -> bool:
        """Remove a device unless it is open. Return whether it is gone."""
        try:
            self._manage(f"remove {device}")
        except MonitorError as refusal:
            if OPEN not in str(refusal):
                raise
            return False
        return True

    def plug(self, port: str, *, connected: bool) -> None:
        """Pull or put back the cable of an Ethernet port."""
        self.run(f"ip link set {port} carrier {'on' if connected else 'off'}")

    def _manage(self, command: str) -> None:
        uml_console.execute(self._sockets / self.hardware.name / "mconsole", command)

    def _state(self) -> list[str]:
        """Return the kernel's messages of its state, and the time others waited for processors.

        That distinguishes a machine that stands still from one that does not get to run.
        """
        before = self.console.stat().st_size
        # One that has just been switched on takes no command yet.
        with contextlib.suppress(OSError):
            for command in STATE:
                # Parts of a long answer get lost on the way to the sender; the console has all.
                uml_console.send(self._sockets / self.hardware.name / "mconsole", command)
            time.sleep(STATE_SECONDS)
        with self.console.open("rb") as console:
            console.seek(before)
            messages = console.read().decode(errors="replace").splitlines()
        return [f"{path}: {path.read_text().splitlines()[0]}" for path in PRESSURE] + messages

    def _processor(self) -> int:
        """Return the processor outside that the machine keeps to.

        Its kernel traces its processes, and each side waits for the other. On one processor that is
        a switch; on two it wakes an idle one each time, which costs a virtual machine an exit.
        """
        processors = sorted(os.sched_getaffinity(0))
        # Racks side by side begin at different ones, a host at another one than its array and than
        # its neighbour.
        first = sum(bytes(self.directory.parent))
        return processors[(first + max(self.hardware.number - 100, 0)) % len(processors)]

    def _ports(self) -> list[str]:
        return ["e0M", *self.hardware.cables]

    def _arguments(self, image: Image, unplugged: Collection[str]) -> Iterator[str]:
        hardware = self.hardware
        yield from (f"uml_dir={self._sockets}/", f"umid={hardware.name}")
        yield f"mem={hardware.memory}M"
        yield f"initrd={image.initrd}"
        yield from ("con=null", "con0=null,fd:1", "con1=null,fd:1", "loglevel=4", "panic=-1")
        # Thousands of warnings wait there until the journal's turn comes.
        yield "log_buf_len=4M"
        yield f"lab.uuid=5a{hardware.number:06x}-0000-4000-8000-000000000000"
        yield from (f"lab.number={hardware.number}", f"systemd.hostname={hardware.name}")
        yield from ("systemd.condition-needs-update=no", "systemd.firstboot=no")
        yield from patience.PARAMETERS
        # A new RAID group is written whole here. md slows down to this (KiB/s) beside requests of
        # others, for which it takes its own.
        yield "sysctl.dev.raid.speed_limit_min=1000000"
        # Or one is there from the beginning, since the driver is built in.
        yield "bonding.max_bonds=0"
        # Nobody opens these: half of all devices, and udev and systemd work at each during a boot.
        yield from ("pty.legacy_count=0", "brd.rd_nr=5", "loop.max_loop=0")
        # What an array loads the module with, where it is one.
        yield f"ib_srpt.srpt_service_guid={0x0200000000000000 + hardware.number:#x}"
        yield from hardware.parameters
        for number, layer in enumerate(image.layers):
            yield f"ubd{number}rc={layer},,LAYER-{number}"
            yield f"lab.device=ubd{chr(ord('a') + number)}"
        for number, disk in enumerate(hardware.disks, len(image.layers)):
            yield f"ubd{number}t={disk.path},,{disk.serial}"
        for number, port in enumerate(self._ports()):
            name, address = tap(hardware, port), hardware.address(port)
            how = f"transport=tap,ifname={name},depth=128,gro=1,mtu={MTU},mac={address}"
            yield f"vec{number}:{how}{',carrier=0' if port in unplugged else ''}"
        if hardware.credentials:
            yield f"lab.credentials={self._credentials()}"

    def _credentials(self) -> Path:
        """Return a directory that has each credential in a file of its name."""
        directory = self.directory / "credentials"
        directory.mkdir(mode=0o700, exist_ok=True)
        for name, file in self.hardware.credentials.items():
            (directory / name).unlink(missing_ok=True)
            (directory / name).hardlink_to(file)
        return directory


class Rack(rack.Rack):
    """Machines of User-mode Linux; see `rack.Rack`."""

    disk_format = "raw"

    def _host(self, number: int) -> machine.Machine:
        plain = super()._host(number)
        return Machine(plain.directory, plain.hardware)

    def _array(self) -> machine.Machine:
        plain = super()._array()
        return Machine(plain.directory, plain.hardware)

    def power_on(
        self,
        machine: machine.Machine,
        image: Image | Drives,
        engine: Engine = ENGINE,
        unplugged: Collection[str] = (),
    ) -> None:
        """Start a machine, and before the first one the networks."""
        commands.run(["ip", "link", "set", "lo", "up"])
        for network in sorted(set(NETWORKS.values())):
            if not _exists(network):
                commands.run(["ip", "link", "add", network, "type", "bridge"])
                commands.run(["ip", "link", "set", network, "mtu", MTU, "up"])
        machine.start(image, engine, unplugged)

    @contextlib.contextmanager
    def leased(self) -> Iterator[dict[str, tuple[str, int]]]:
        """Give where the array's services are reached at rack.LEASE, which it gets meanwhile."""
        configuration = self.directory / "dhcp.conf"
        leases = self.directory / "dhcp.leases"
        leases.touch()
        own = self.array.hardware.address("e0M")
        configuration.write_text(DHCP.format(address=own, leases=leases))
        network = [f"{GATEWAY}/24", "dev", MANAGEMENT]
        commands.run(["ip", "address", "add", *network])
        ready = leases.with_name(f"{leases.name}.pid")
        ready.unlink(missing_ok=True)
        server = Background(self.directory / "dhcp-server", str(configuration))
        server.start(["busybox", "udhcpd", "-f", str(configuration)], ready.exists)
        try:
            self._ask_for_address()
            yield {name: (rack.LEASE, port) for name, port in rack.SERVICES.items()}
        finally:
            server.kill()
            self._ask_for_address()
            commands.run(["ip", "address", "delete", *network])

    def _ask_for_address(self) -> None:
        """Have the array look for DHCP anew, as it does when a cable has been put back."""
        # The kernel reports neither of two changes within a second (net/core/link_watch.c).
        noticed = "networkctl --no-legend list e0M | grep --quiet no-carrier"
        wait = f"until {noticed}; do sleep 0.2; done"
        self.array.run(f"ip link set e0M carrier off; {wait}; ip link set e0M carrier on")


def link_local(mac: str) -> str:
    """Return the IPv6 link-local address that follows from `mac` (RFC 4291, appendix A)."""
    digits = [int(part, 16) for part in mac.split(":")]
    digits[0] ^= 2
    digits[3:3] = [0xFF, 0xFE]
    pairs = zip(digits[::2], digits[1::2], strict=True)
    return "fe80::" + ":".join(f"{high:02x}{low:02x}" for high, low in pairs)


def tap(hardware: Hardware, port: str) -> str:
    """Return the name outside of a machine's port."""
    return f"t{hardware.number}-{port}"


def _plug_in(tap: str, network: str) -> None:
    if not _exists(tap):
        commands.run(["ip", "tuntap", "add", tap, "mode", "tap"])
        commands.run(["ip", "link", "set", tap, "mtu", MTU, "master", network, "up"])


def _is_held(tap: str) -> bool:
    """Tell whether a process has this tap open: only then it has a carrier."""
    if not _exists(tap):
        return False
    [link] = json.loads(commands.run(["ip", "-json", "link", "show", "dev", tap]))
    return "NO-CARRIER" not in link["flags"]


def _is_free(disk: Path) -> bool:
    """Tell whether no machine has this disk: its kernel locks it (os_lock_file() there)."""
    with disk.open("rb+") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _listened_on(port: int) -> bool:
    return not rack.is_free(port)


def _exists(interface: str) -> bool:
    # Not by /sys/class/net, which shows the namespace in which it was mounted.
    return interface in (name for _, name in socket.if_nameindex())
