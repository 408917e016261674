"""Machines that belong together: an array, its hosts, and the two data networks between them.

    e0M, mgmt    each machine by itself, reached through ports of 127.0.0.1
    network 1    the array's e0a, e0c, e0d and each host's d1     10.10.1.0/24
    network 2    the array's e0b and each host's d2               10.10.2.0/24

Host n (from 1) has the address .100+n on both; the array's addresses are its LIFs, which tests
choose below .100. Racks share nothing but images, so several can run side by side.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lab import paths
from lab.engine import Engine
from lab.image import Drives, Image
from lab.machine import Machine
from lab.password import random_password
from lab.process import Background, StartFailed
from lab.product_image import SYSTEM_SERIAL, SYSTEM_SIZE, Installed
from lab.qemu import Disk, Hardware

GIB = 1 << 30
ARRAY_CABLES = {"e0a": "net1", "e0b": "net2", "e0c": "net1", "e0d": "net1"}
HOST_CABLES = {"d1": "net1", "d2": "net2"}
SERVICES = {"https": 443, "ssh": 22, "iscsi": 3260, "nvme": 4420}
SERVER_PARAMETERS = ("modprobe.blacklist=iTCO_wdt", "systemd.watchdog_sec=0")
"""A server's one watchdog is its management controller's, and systemd leaves it alone by this
setting: a machine of the lab may get no processor for longer than the product allows."""
LEASE = "10.0.2.15"
"""The address of the array's management port where there is DHCP."""
_MACHINE = re.compile("array|host[0-9]*")


@dataclass(frozen=True)
class Layout:
    """What to build the array of; `memory` in MiB, sizes in bytes.

    `buses` gives each data disk its bus in turn, so `("virtio", "nvme")` mixes them. A `server` has
    a management controller with the sensors of `lab.controller`, bays for NVMe disks, and one
    processor, so that it holds up nobody who runs beside it (`lab.suites`).
    """

    disks: int = 8
    disk_size: int = 2 * GIB
    buses: tuple[str, ...] = ("virtio",)
    memory: int = 2048
    host_memory: int = 1024
    server: bool = False


class Rack:
    """The machines kept in `directory`.

    `ports` says on which port of 127.0.0.1 each of SERVICES is offered; without it free ones are
    chosen. `password` counts until the array's first boot; without it the password is random.
    With `installed` the array boots from a copy of its disk and has its password.
    """

    disk_format = "qcow2"

    def __init__(
        self,
        directory: Path,
        layout: Layout | None = None,
        *,
        ports: Mapping[str, int] | None = None,
        password: str = "",
        installed: Installed | None = None,
    ) -> None:
        self.directory = directory
        self.layout = layout or Layout()
        self.installed = installed
        password = installed.password if installed else password
        self.ports = dict(ports or {name: free_port() for name in SERVICES})
        self._sockets = paths.socket_directory(directory)
        self._networks = [str(self._sockets / name) for name in ("net1", "net2")]
        self._switches = Background(directory / "switch", self._networks[0])
        directory.mkdir(parents=True, exist_ok=True)
        self._password_file = directory / "array" / "password"
        self.array = self._array()
        self._hosts: dict[int, Machine] = {}
        booted = any(disk.path.exists() for disk in self.array.hardware.disks)
        if not self._password_file.exists() or (password and not booted):
            _write_secret(self._password_file, password or random_password())

    @property
    def password(self) -> str:
        """The password of the array's administrator."""
        return self._password_file.read_text()

    def host(self, number: int = 1) -> Machine:
        """Return host `number`, from 1: the same one each time."""
        if number not in self._hosts:
            self._hosts[number] = self._host(number)
        return self._hosts[number]

    def _host(self, number: int) -> Machine:
        name = "host" if number == 1 else f"host{number}"
        port_file = self.directory / name / "ssh-port"
        if not port_file.exists():
            port_file.parent.mkdir(exist_ok=True)
            port_file.write_text(str(free_port()))
        hardware = Hardware(
            name=name,
            number=100 + number,
            memory=self.layout.host_memory,
            cables={port: self._sockets / network for port, network in HOST_CABLES.items()},
            forwards={int(port_file.read_text()): SERVICES["ssh"]},
        )
        return Machine(self.directory / name, hardware)

    def machine(self, name: str) -> Machine:
        """Return the machine called "array", "host", "host2", …"""
        return self.array if name == "array" else self.host(int(name.removeprefix("host") or 1))

    def _array(self) -> Machine:
        directory = self.directory / "array"
        buses = self.layout.buses
        data = [
            Disk(
                path=directory / f"disk{number}.{self.disk_format}",
                size=self.layout.disk_size,
                serial=f"LAB-DISK-{number:02d}",
                bus=buses[(number - 1) % len(buses)],
            )
            for number in range(1, self.layout.disks + 1)
        ]
        system = Disk(directory / "state.raw", 2 * GIB, "LAB-STATE", label="sanstone-state")
        if self.installed:
            base = self.installed.disk
            system = Disk(
                directory / "system.qcow2", SYSTEM_SIZE, SYSTEM_SERIAL, base=base, bootable=True
            )
        hardware = Hardware(
            name="array",
            number=1,
            memory=self.layout.memory,
            processors=1 if self.layout.server else 2,
            disks=(system, *data),
            cables={port: self._sockets / network for port, network in ARRAY_CABLES.items()},
            forwards={self.ports[name]: inside for name, inside in SERVICES.items()},
            credentials={"sanstone.admin-password": self._password_file},
            parameters=SERVER_PARAMETERS if self.layout.server else (),
            server=directory / "sensors" if self.layout.server else None,
        )
        return Machine(directory, hardware)

    def power_on(
        self,
        machine: Machine,
        image: Image | Drives,
        engine: Engine,
        unplugged: Collection[str] = (),
    ) -> None:
        """Start a machine, and before the first one the switches that its cables need.

        The cables of the ports `unplugged` are pulled.

        Raises StartFailed when a machine runs but the switches have ended: its cables lead nowhere.
        """
        if self._switches.identity is None:
            if cut_off := [each.hardware.name for each in self.started() if each.running]:
                log = (self.directory / "switch.log").read_text()
                raise StartFailed(f"the switches of {', '.join(cut_off)} have ended:\n{log}")
            argv = [sys.executable, "-m", "lab.switch", *self._networks]
            self._switches.start(argv, lambda: all(listens(name) for name in self._networks))
        machine.start(image, engine, unplugged)

    @contextmanager
    def leased(self) -> Iterator[dict[str, tuple[str, int]]]:
        """Give where SERVICES are reached at LEASE, the array's own address by DHCP.

        QEMU's user network gives it, and passes on to it what reaches `ports`.
        """
        yield {name: ("127.0.0.1", port) for name, port in self.ports.items()}

    def started(self) -> list[Machine]:
        """Return the machines that were ever started: the hosts, then the array.

        Racks of others may be beside them, such as the demo's in that of `make run`, with the
        processes of their switches.
        """
        files = self.directory.glob("*/*.pid")
        names = {file.parent.name for file in files if _MACHINE.fullmatch(file.parent.name)}
        return [self.machine(name) for name in sorted(names, reverse=True)]

    def stop(self) -> None:
        """Shut down the hosts, then the array, then the switches."""
        for machine in self.started():
            machine.stop()
        self._switches.kill()

    def cut_power(self) -> None:
        """Cut the power of every machine and end the switches."""
        for machine in self.started():
            machine.power_off_hard()
        self._switches.kill()

    def remove_disks(self) -> None:
        """Remove the files of all disks, when no machine is on; the machines' logs stay."""
        for machine in self.started():
            for disk in machine.hardware.disks:
                disk.path.unlink()


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that is free just now."""
    # Below the ports that the kernel gives to outgoing connections (ip_local_port_range), which
    # would take it again before the machine starts.
    while not is_free(port := secrets.choice(range(20000, 30000))):
        pass
    return port


def is_free(port: int) -> bool:
    """Tell whether `port` of 127.0.0.1 could be listened on."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def listens(path: str | Path) -> bool:
    """Tell whether a program listens at a socket of this path."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def _write_secret(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
