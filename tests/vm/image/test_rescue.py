"""The medium's rescue entry, on a server that has an installed system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lab import product_image
from lab.screen import DOWN, ENTER
from lab.server import BOOT_SECONDS, Server, from_the_menu
from lab.station import Station

PASSWORD = "a new tower of 7"


def test_an_administrator_without_the_password_is_let_in(
    rent: Callable[..., Server], iso: Path, station: Station
) -> None:
    server = rent(copied=[product_image.ensure(iso, station.engine).disk])
    screen = server.switch_on(from_medium=True)
    from_the_menu(screen, "Rescue: a shell, serial console", DOWN * 5)

    screen.see("What do you want to do?", seconds=BOOT_SECONDS)
    screen.type(ENTER)
    screen.see("Exit returns to the menu")
    screen.type("ls /medium/sanstone; exit\r")
    screen.see("system.img", "What do you want to do?")

    screen.type(DOWN + ENTER)
    screen.see("New password of admin")
    screen.type(PASSWORD + ENTER)
    screen.see("The same again")
    screen.type(PASSWORD + ENTER)
    screen.see("admin has the new password")
    screen.type(ENTER)
    screen.see("What do you want to do?")
    server.machine.power_off_hard()

    screen = server.switch_on()
    screen.see("login:", seconds=BOOT_SECONDS)
    assert server.machine.wait_until_booted() == "running"
    assert server.api(PASSWORD).get("cluster")["name"] == "sanstone"
