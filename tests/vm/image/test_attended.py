"""Somebody sits at a server's serial console and installs from the medium."""

from __future__ import annotations

from collections.abc import Callable

import patience
import pytest

from lab.installer import answer_until_summary
from lab.screen import DOWN, ENTER, SPACE, Screen
from lab.server import BOOT_SECONDS, Server, from_the_menu

PASSWORD = "tower of rings 7"
INSTALL_SECONDS = 1800.0
"""Writing two slots and hashing a password, on an emulated processor."""


def answer(screen: Screen, disks: int) -> None:
    """Answer what the installer asks, with what it proposes where it does."""
    screen.see("Install on a disk", seconds=BOOT_SECONDS)
    screen.type(ENTER)
    screen.see("BAY-1", "holds: empty")
    screen.type((SPACE + DOWN) * disks + ENTER)
    answer_until_summary(screen, PASSWORD, more_of_the_name="-1")
    names = "vda" if disks == 1 else "vda vdb"
    screen.type(f"erase {names}{ENTER}")
    screen.see("A new array was begun", seconds=INSTALL_SECONDS)
    screen.type(ENTER)


@pytest.mark.parametrize(("uefi", "disks"), [(False, 2), (True, 1)], ids=["bios", "uefi"])
def test_what_was_installed_boots_and_serves(
    rent: Callable[..., Server], uefi: bool, disks: int
) -> None:
    server = rent(disks=disks, uefi=uefi)
    screen = server.switch_on()
    from_the_menu(screen, "serial console", DOWN)
    answer(screen, disks)

    screen.see("login:", seconds=BOOT_SECONDS)
    assert server.machine.wait_until_booted() == "running"
    assert "sanstone.slot=a" in server.machine.run("cat /proc/cmdline")
    mirrored = server.machine.run("cat /proc/mdstat").count("active raid1")
    assert mirrored >= 2 if disks == 2 else mirrored == 0
    assert server.api(PASSWORD).get("cluster")["name"] == "sanstone-1"
    if disks == 2:
        for bay in (2, 1):
            lose_and_return(server, bay)


def lose_and_return(server: Server, bay: int) -> None:
    """Start the server without a system disk, and again with it."""

    def start(without_bay: int = 0) -> None:
        server.machine.power_off_hard()
        server.switch_on(without_bay=without_bay).see("login:", seconds=BOOT_SECONDS)
        assert server.machine.wait_until_booted() == "running"

    def told() -> str:
        query = {"message__name": "system.mirror*", "order_by": "time desc"}
        records = server.api(PASSWORD).get("support/ems/events", **query)["records"]
        return str(records[0]["message"]["name"]) if records else ""

    start(without_bay=bay)
    assert "[2/1]" in server.machine.run("cat /proc/mdstat")
    patience.eventually(lambda: told() == "system.mirror.degraded")
    start()
    whole = "! grep -F -e '[2/1]' -e recovery /proc/mdstat"
    patience.eventually(lambda: server.machine.attempt(whole).status == 0, 600)
    patience.eventually(lambda: told() == "system.mirror.degraded.resolved", 120)


def test_the_medium_runs_an_array_and_installs_nothing(rent: Callable[..., Server]) -> None:
    server = rent()
    screen = server.switch_on()
    from_the_menu(screen, "live, nothing is installed: serial console", DOWN * 3)
    screen.see("login:", seconds=BOOT_SECONDS)
    assert server.machine.wait_until_booted() == "running"
    assert "/dev/vda" not in server.machine.run("mount")
    assert server.machine.run("wipefs --noheadings /dev/vda") == ""
    shown = server.machine.console.read_text(errors="replace")
    assert "password" in shown, "the first start tells the password of admin"
