"""The stage of all rows: an array and a host that run, and the ways into them."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from lab import paths, uml
from lab.api import CERTIFICATE, Api
from lab.engine import Engine
from lab.image import Image
from lab.machine import Machine
from lab.rack import GIB, Layout, Rack
from lab.station import Host

DIRECTORY = paths.LAB / "bench"
GUEST = Path(__file__).parent / "guest"
INSIDE = "/run/bench"
PROGRAMS = f"{INSIDE}/bench/guest"
"""Where the programs of GUEST are in a machine; they import each other by their names here."""
# A kernel of 3 GiB runs out of memory at some 2,200 LUNs and namespaces.
LAYOUT = Layout(disk_size=8 * GIB, memory=8192)


@dataclass
class Stage:
    """An array and a host, new, with the images they boot from."""

    rack: Rack
    images: dict[str, Image]
    engine: Engine
    first_reads: dict[str, float] = field(default_factory=dict)
    """Seconds from power-on to a host's first read, by protocol, with next to nothing there."""
    one_more: dict[str, float] = field(default_factory=dict)
    """Seconds to make and map one more, by its kind, with few there."""

    @property
    def array(self) -> Machine:
        """The array."""
        return self.rack.array

    @cached_property
    def host(self) -> Machine:
        """The host."""
        return self.rack.host()

    @property
    def _url(self) -> str:
        if isinstance(self.array, uml.Machine):
            return f"https://[{self.array.address}]/"
        return f"https://127.0.0.1:{self.rack.ports['https']}/"

    def power_on(self, machine: Machine) -> None:
        """Start a machine."""
        self.rack.power_on(machine, self.images[self._role(machine)], self.engine)

    def boot(self) -> None:
        """Start both and wait until they are up."""
        for machine in (self.array, self.host):
            self.power_on(machine)
        for machine in (self.array, self.host):
            machine.wait_until_booted()
            self.bring_programs(machine)

    def bring_programs(self, machine: Machine) -> None:
        """Copy guest/ into a machine; it is gone after a reboot."""
        for program in GUEST.iterdir():
            target = f"{PROGRAMS}/{program.name}"
            machine.run(f"mkdir -p {PROGRAMS} && cat > {target}", stdin=program.read_bytes())

    def inside(self, program: str, *arguments: str, timeout: float = 1800) -> Any:
        """Run a program of guest/ in the array and return its output, as JSON."""
        words = " ".join(f"'{word}'" for word in arguments)
        script = f"cd {INSIDE} && python3 -m bench.guest.{program} {words}"
        return json.loads(self.array.run(script, timeout=timeout))

    def have_disks_in_memory(self) -> None:
        """Have /dev/ram0 to /dev/ram4 in the array, of 128 MiB each."""
        self.array.run("[ -b /dev/ram4 ] || modprobe brd rd_nr=5 rd_size=131072")

    def as_host(self, machine: Machine) -> Host:
        """Return a machine as the lab's initiators take it."""
        return Host(self.rack, machine, self.images[self._role(machine)], self.engine)

    def _role(self, machine: Machine) -> str:
        return "array" if machine is self.array else "host"

    @contextmanager
    def reconciler_stopped(self) -> Iterator[None]:
        """Keep the reconciler from working while others write to the kernel."""
        self.array.run("systemctl stop sanstone-reconciler")
        try:
            yield
        finally:
            self.array.run("systemctl start sanstone-reconciler")

    def session(self) -> Api:
        """Return the array's API once it serves."""
        deadline = time.monotonic() + 300
        while True:
            certificate = self.array.attempt(f"cat {CERTIFICATE}")
            if certificate.status == 0:
                session = Api(self._url, "admin", self.rack.password, certificate.out)
                try:
                    session.get("cluster")
                    return session
                except OSError:
                    if time.monotonic() > deadline:
                        raise
            time.sleep(0.5)


def new_rack(kind: type[Rack]) -> Rack:
    """Return a rack of new machines; remove those of an earlier run."""
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    return kind(DIRECTORY, LAYOUT)
