"""Machines and the images that they boot: the tests, the demo and `make run` have a station each.

station = Station(paths.LAB / "tests")        builds stale images, starts nothing
station.array.boot()                          until it serves
station.array.api.get("storage/disks")
station.array.power_off_hard()
station.host().boot()
"""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from lab import engine, image, kernels, patience, product_image, product_kernel, rack_lock, uml
from lab.api import CERTIFICATE, Api, Refused
from lab.engine import Engine
from lab.image import Drives, Image
from lab.machine import Machine, MachineError, Silent
from lab.rack import Layout, Rack

FAILED_UNITS = """\
for unit in $(systemctl --failed --plain --no-legend | cut -d' ' -f1); do
    journalctl --no-pager --boot --lines=40 --unit="$unit"
done
"""


class Host:
    """A machine that can be booted as often as one likes."""

    def __init__(self, rack: Rack, machine: Machine, image: Image | Drives, engine: Engine) -> None:
        self.machine = machine
        self.name = machine.hardware.name
        self.run = machine.run
        self.attempt = machine.attempt
        self.plug = machine.plug
        self.stop = machine.stop
        self.power_off_hard = machine.power_off_hard
        self._rack = rack
        self._image = image
        self._engine = engine
        self._unplugged: tuple[str, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether it runs from an image that is not the newest."""
        return self.machine.image_name != self._image.name

    def start(self, *, unplugged: tuple[str, ...] = ()) -> None:
        """Power on, with the cables of the ports `unplugged` pulled, and return at once."""
        self._unplugged = unplugged
        self._rack.power_on(self.machine, self._image, self._engine, unplugged)

    def wait(self) -> None:
        """Wait until everything is up.

        Raises MachineError when it does not boot, or when a unit failed; with the units' journal.
        """
        try:
            state = self.machine.wait_until_booted()
        except Silent as error:
            # Seen of emulated processors: one runs code that the other has patched long ago (the
            # kernel's jump labels), and the kernel dies of an int3 before anything has started.
            # The warning says so.
            warnings.warn(f"switched on again: {error}", stacklevel=2)
            self.power_off_hard()
            self.start(unplugged=self._unplugged)
            state = self.machine.wait_until_booted()
        if state != "running":
            failed = self.machine.run(FAILED_UNITS)
            raise MachineError(f"{self.name} runs, but not all of it:\n{failed}")

    def boot(self) -> None:
        """Power on and wait until everything is up."""
        self.start()
        self.wait()


class Array(Host):
    """The array."""

    _api: Api | None = None

    @property
    def url(self) -> str:
        """Where it serves."""
        return f"https://127.0.0.1:{self._rack.ports['https']}/"

    @property
    def api(self) -> Api:
        """Its REST API, for the administrator; the certificate is read once for each boot."""
        if self._api is None:
            certificate = self.machine.run(f"cat {CERTIFICATE}")
            self._api = Api(self.url, "admin", self._rack.password, certificate)
        return self._api

    @property
    def has_product_kernel(self) -> bool:
        """Whether the running kernel has the product's patches; Debian's in QEMU has none."""
        patched = "test -e /sys/module/nvmet/parameters/max_block_size"
        return self.attempt(patched).status == 0

    def start(self, *, unplugged: tuple[str, ...] = ()) -> None:
        """Power on, with the cables of the ports `unplugged` pulled, and return at once."""
        self._api = None
        super().start(unplugged=unplugged)

    def wait(self) -> None:
        """Wait until it serves. Raises MachineError."""
        super().wait()
        api = self.api
        deadline = patience.now() + patience.SECONDS
        while True:
            try:
                api.get("cluster")
                return
            except (Refused, OSError) as error:
                if patience.now() > deadline:
                    raise MachineError(f"the array does not serve {self.url}: {error}") from error
            time.sleep(0.5)


class Station:
    """An array and its hosts in `directory`; the other arguments are Rack's.

    With `iso` the array is one that was installed from the product's image. With `user_mode` the
    machines are of User-mode Linux: to be called in `uml.isolated`. No other process has one of the
    same directory meanwhile: raises RackInUse.
    """

    def __init__(
        self,
        directory: Path,
        layout: Layout | None = None,
        *,
        ports: Mapping[str, int] | None = None,
        password: str = "",
        roles: tuple[str, ...] = image.ROLES,
        iso: Path | None = None,
        user_mode: bool = False,
    ) -> None:
        self._lock = rack_lock.take(directory)
        self._images = image.ensure(roles)
        if user_mode:
            self._images = {role: uml.prepare(each) for role, each in self._images.items()}
        elif "array" in roles and product_kernel.is_selected():
            (kernel,) = kernels.ensure(kernels.PRODUCT)
            self._images["array"] = product_kernel.prepare(self._images["array"], kernel)
        self.engine = uml.ENGINE if user_mode else engine.choose(self._images[roles[-1]])
        installed = product_image.ensure(iso, self.engine) if iso else None
        self._array_image = installed.drives if installed else self._images["array"]
        self._new_rack = partial(
            uml.Rack if user_mode else Rack,
            directory,
            layout,
            ports=ports,
            password=password,
            installed=installed,
        )
        self._set_up()

    def _set_up(self) -> None:
        self.rack = self._new_rack()
        self.array = Array(self.rack, self.rack.array, self._array_image, self.engine)

    def host(self, number: int = 1) -> Host:
        """Return host `number`, from 1."""
        return Host(self.rack, self.rack.host(number), self._images["host"], self.engine)

    def switch_on(self, *, with_host: bool) -> None:
        """Boot the array unless it runs, and meanwhile the first host, which is not waited for."""
        if self.array.machine.running:
            return
        host = self.host()
        if with_host and not host.machine.running:
            host.start()
        self.array.boot()

    def erase(self) -> None:
        """Cut the power of every machine and forget its disks: the next boot is the first."""
        self.rack.cut_power()
        for machine in self.rack.started():
            shutil.rmtree(machine.directory)
        self._set_up()
