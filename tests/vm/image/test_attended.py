"""Somebody sits at a server's serial console and installs from the medium."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lab import patience
from lab.installer import answer_until_summary
from lab.screen import DOWN, ENTER, SPACE, Screen
from lab.server import BOOT_SECONDS, INSTALL_SECONDS, Server, from_the_menu

PASSWORD = "tower of rings 7"


def answer(screen: Screen, disks: int) -> None:
    """Answer the installer's questions, with its proposals where it has any."""
    screen.see("Install on a disk", seconds=BOOT_SECONDS)
    screen.type(ENTER)
    screen.see("BAY-1", "holds: empty")
    screen.type((SPACE + DOWN) * disks + ENTER)
    answer_until_summary(screen, PASSWORD, more_of_the_name="-1")
    names = "vda" if disks == 1 else "vda vdb"
    screen.type(f"erase {names}{ENTER}")
    screen.see("This is a new array", seconds=INSTALL_SECONDS)
    screen.type(ENTER)


@pytest.mark.parametrize(("uefi", "disks"), [(False, 2), (True, 1)], ids=["bios", "uefi"])
def test_the_installed_array_boots_and_serves(
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
            start(server, without_bay=bay)
            await_degraded(server)
            start(server)
            await_whole(server)
        replace_disk(server, 1)
        start(server)
        await_whole(server)
        start(server, without_bay=2)
        await_degraded(server)
        assert server.api(PASSWORD).get("cluster")["name"] == "sanstone-1"


def start(server: Server, without_bay: int = 0) -> None:
    server.machine.power_off_hard()
    server.switch_on(without_bay=without_bay).see("login:", seconds=BOOT_SECONDS)
    assert server.machine.wait_until_booted() == "running"


def newest_event(server: Server) -> str:
    """The newest event about the mirror of system disks."""
    query = {"message__name": "system.mirror*", "order_by": "time desc"}
    records = server.api(PASSWORD).get("support/ems/events", **query)["records"]
    return str(records[0]["message"]["name"]) if records else ""


def await_degraded(server: Server) -> None:
    assert "[2/1]" in server.machine.run("cat /proc/mdstat")
    patience.eventually(lambda: newest_event(server) == "system.mirror.degraded")


def await_whole(server: Server) -> None:
    whole = "! grep -F -e '[2/1]' -e recovery /proc/mdstat"
    patience.eventually(lambda: server.machine.attempt(whole).status == 0, 600)
    patience.eventually(lambda: newest_event(server) == "system.mirror.degraded.resolved", 120)


def replace_disk(server: Server, bay: int) -> None:
    """Put an empty disk into a bay, and from the medium into the mirror."""
    server.machine.power_off_hard()
    server.replace_disk(bay)
    screen = server.switch_on(from_medium=True)
    from_the_menu(screen, "Rescue: a shell, serial console", DOWN * 5)
    screen.see("What do you want to do?", seconds=BOOT_SECONDS)
    screen.type(DOWN * 3 + ENTER)
    screen.see(f"BAY-{bay}-NEW", "holds: empty", seconds=120)
    screen.type(ENTER)
    screen.see("To agree, type: erase vda")
    screen.type(f"erase vda{ENTER}")
    screen.see("The server starts from either disk", seconds=INSTALL_SECONDS)
    screen.type(ENTER)
    screen.see("What do you want to do?")


def test_the_medium_runs_an_array_and_installs_nothing(rent: Callable[..., Server]) -> None:
    server = rent()
    screen = server.switch_on()
    from_the_menu(screen, "live, nothing is installed: serial console", DOWN * 3)
    screen.see("login:", seconds=BOOT_SECONDS)
    assert server.machine.wait_until_booted() == "running"
    assert "/dev/vda" not in server.machine.run("mount")
    assert server.machine.run("wipefs --noheadings /dev/vda") == ""
    shown = server.machine.console.read_text(errors="replace")
    assert "password" in shown, "the first start shows the password of admin"
