"""An array's system disk is lost; its aggregates bring the configuration back, its host goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from carried import wait_until_carried

from lab import commands, product_image
from lab.initiator import Iscsi
from lab.installer import answer_until_summary
from lab.machine import Machine
from lab.patience import eventually
from lab.product_image import SYSTEM_SERIAL, SYSTEM_SIZE
from lab.screen import DOWN, ENTER, SPACE, Screen
from lab.server import BOOT_SECONDS, INSTALL_SECONDS, from_the_menu
from lab.station import Array, Station

PASSWORD = "a tower of before 7"


class Bay:
    """The bay of the array's system disk, and the console to sit at; the medium is in its drive."""

    def __init__(self, station: Station, iso: Path) -> None:
        self._station = station
        # See lab.server.Server: nobody gives the kernel parameters here.
        self._hardware = replace(station.rack.array.hardware, medium=iso, processors=1)
        self._drives = product_image.ensure(iso, station.engine).drives

    @property
    def disk(self) -> Path:
        """The file of the system disk; where it is gone, the next boot has a new one, installed."""
        return self._hardware.disks[0].path

    def switch_on(self, *, from_medium: bool) -> Machine:
        """Power on the array."""
        hardware = replace(self._hardware, medium_first=from_medium)
        machine = Machine(self._station.rack.array.directory, hardware)
        self._station.rack.power_on(machine, self._drives, self._station.engine)
        return machine

    @contextmanager
    def sit_down(self, entry: str, keys: str) -> Iterator[Screen]:
        """Choose an entry of the medium's menu; the power is cut at the end."""
        machine = self.switch_on(from_medium=True)
        screen = machine.sit_down()
        from_the_menu(screen, entry, keys)
        yield screen
        machine.power_off_hard()


@pytest.fixture
def thrown_away(station: Station) -> Iterator[None]:
    """An installation of this module lacks the emulator's parameters: no other test gets it."""
    yield
    station.erase()


@pytest.fixture
def lose_system_disk(array: Array, station: Station, iso: Path) -> Callable[[], Bay]:
    """A function that takes power and system disk from the array, once its aggregate carries
    all."""

    def lose() -> Bay:
        wait_until_carried(array)
        array.power_off_hard()
        bay = Bay(station, iso)
        bay.disk.unlink()
        return bay

    return lose


@pytest.fixture
def host_goes_on(iscsi: Iscsi, disk: str, unharmed: Callable[[], bool]) -> Callable[[], bool]:
    """A check that all paths come back, and that the host reads its data."""

    def ask() -> bool:
        eventually(lambda: [path.state for path in iscsi.paths(disk)] == ["active ready"] * 2)
        return unharmed()

    return ask


def test_by_installing_on_an_empty_disk(
    thrown_away: None,
    array: Array,
    station: Station,
    host_goes_on: Callable[[], bool],
    lose_system_disk: Callable[[], Bay],
) -> None:
    own = {"name": "admin", "password": PASSWORD}
    array.api.post("security/authentication/password", own)
    bay = lose_system_disk()
    commands.run(["qemu-img", "create", "-q", "-f", "qcow2", bay.disk, str(SYSTEM_SIZE)])
    with bay.sit_down("serial console", DOWN) as screen:
        screen.see("Install on a disk", seconds=BOOT_SECONDS)
        screen.type(ENTER)
        screen.see(SYSTEM_SERIAL, "holds: empty")
        screen.type(SPACE + ENTER)
        screen.see("These disks belong to an array", "LAB-DISK-01", "Take it back")
        screen.type(ENTER)
        answer_until_summary(screen, station.rack.password, more_of_the_name="-1")
        screen.type(f"erase vda{ENTER}")
        screen.see("taken back from the aggregates", seconds=INSTALL_SECONDS)
    assert bay.switch_on(from_medium=False).wait_until_booted() == "running"

    assert host_goes_on()
    # The name is that of the array before, the password that of this installation.
    assert array.api.get("cluster")["name"] == "sanstone"


def test_by_the_rescue_entry_of_a_system_that_is_installed(
    array: Array, host_goes_on: Callable[[], bool], lose_system_disk: Callable[[], Bay]
) -> None:
    """It has an array of its own, which no aggregate belongs to."""
    bay = lose_system_disk()
    with bay.sit_down("Rescue: a shell, serial console", DOWN * 5) as screen:
        screen.see("What do you want to do?", seconds=BOOT_SECONDS)
        screen.type(DOWN * 2 + ENTER)
        screen.see('Found: the array "sanstone"', "type: replace", seconds=BOOT_SECONDS)
        screen.type(f"replace{ENTER}")
        screen.see("Boot the installed system")
        screen.type(ENTER)
        screen.see("What do you want to do?")
    array.boot()

    assert host_goes_on()
    events = array.api.get("support/ems/events", message__name="configuration.restored")
    assert events["records"]
