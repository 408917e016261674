"""The screens, as they are seen and typed on over a serial line."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from attended_console import attend
from terminal import Terminal

from lab.installer import answer_until_summary
from lab.screen import CTRL_C, DOWN, ENTER, ESCAPE, SPACE
from sanstone.security import password_hashes

PASSWORD = "tower of rings 7"
Start = Callable[..., Terminal]


@pytest.fixture
def start(tmp_path: Path, medium_folder: Path) -> Iterator[Start]:
    """Switch a machine on that has a terminal; it is off at the end."""
    terminals = []

    def begin(*options: str) -> Terminal:
        terminals.append(Terminal(partial(attend, tmp_path, medium_folder, *options)))
        return terminals[-1]

    yield begin
    for terminal in terminals:
        terminal.process.kill()
        terminal.process.join()


def test_an_installation_on_two_disks(start: Start, tmp_path: Path) -> None:
    terminal = start()
    terminal.see("Sanstone 1.2", "Install on a disk", "Run the array from the medium")
    terminal.type(ENTER)
    terminal.see("/dev/sda 8.0 GiB", "SERIAL-sda", "holds: empty", "nvme0n1", "mounted at /")
    terminal.type(ENTER)
    terminal.see("Mark one disk with Space")
    terminal.type(ENTER)
    terminal.see("holds: empty")
    terminal.type(SPACE + DOWN + SPACE + ENTER)
    terminal.see("Name of the array")
    terminal.type("_1" + ENTER)
    terminal.see("A letter, then letters, digits and hyphens")
    terminal.type("\b\b-1" + ENTER)
    terminal.see("Address of the management port")
    terminal.type(DOWN + ENTER)
    terminal.see("such as 192.0.2.10/24")
    terminal.type("192.0.2.10" + ENTER)
    terminal.see("An address with its prefix length")
    terminal.type("/24" + ENTER)
    terminal.see("Gateway")
    terminal.type("192.0.2.1" + ENTER)
    terminal.see("Addresses of DNS servers, 3 at most")
    terminal.type("192.0.2.53, dns2" + ENTER)
    terminal.see("Entry 2: This must be an IP address")
    terminal.type("\b" * 4 + "192.0.2.54" + ENTER)
    terminal.see("Names or addresses of NTP servers, 10 at most")
    terminal.type("ntp.example.org 192.0.2.123" + ENTER)
    terminal.see("Time zone")
    terminal.type("x" + ENTER)
    terminal.see("is not a time zone")
    terminal.type("\b" + ENTER)
    terminal.see("Password of admin")
    terminal.type("short" + ENTER)
    terminal.see("at least 8 characters")
    terminal.type("\b" * 5 + PASSWORD + ENTER)
    terminal.see("The same again")
    assert PASSWORD not in terminal.shown
    terminal.type("another 1" + ENTER)
    terminal.see("not what you typed before")
    terminal.type("\b" * 9 + PASSWORD + ENTER)
    terminal.see(
        *("sanstone-1", "192.0.2.10/24, gateway 192.0.2.1"),
        *("192.0.2.53 192.0.2.54", "ntp.example.org 192.0.2.123"),
        *("/dev/sdb", "erase sda sdb"),
    )
    terminal.type("yes" + ENTER)
    terminal.see("Nothing happens until you type")
    assert not (tmp_path / "file-systems").exists()
    terminal.type("\b\b\b" + "erase sda sdb" + ENTER)
    terminal.see("This is a new array", "Remove the medium when the screen goes dark")
    terminal.type(ENTER)
    terminal.see("THEN reboot")
    assert terminal.end() == 0
    database = tmp_path / "file-systems/_dev_md_state/database/sanstone.db"
    with closing(sqlite3.connect(database)) as connection:
        [(hashed,)] = connection.execute("SELECT password FROM account")
        assert password_hashes.verify_password(hashed, PASSWORD)
        array = connection.execute("SELECT name, name_servers FROM cluster").fetchall()
        assert array == [("sanstone-1", '["192.0.2.53", "192.0.2.54"]')]
        servers = connection.execute("SELECT server FROM ntp_server ORDER BY server").fetchall()
        assert servers == [("192.0.2.123",), ("ntp.example.org",)]


def test_back_and_away(start: Start, tmp_path: Path) -> None:
    terminal = start()
    terminal.see("Install on a disk")
    terminal.type(ENTER)
    terminal.see("holds: empty")
    terminal.type(SPACE + ENTER)
    terminal.see("Name of the array")
    terminal.type(ESCAPE)
    terminal.see("holds: empty")
    terminal.type(ESCAPE)
    terminal.see("Install on a disk")
    terminal.type(CTRL_C)
    terminal.see("Leave the installer?")
    terminal.type(ENTER)
    terminal.see("Install on a disk")
    terminal.type(CTRL_C)
    terminal.see("Leave the installer?")
    terminal.type(DOWN + ENTER)
    terminal.see("LEFT")
    assert terminal.end() == 0
    assert not (tmp_path / "file-systems").exists()


def test_a_disk_of_an_aggregate_takes_a_word_more(start: Start, tmp_path: Path) -> None:
    terminal = start("aggregate")
    terminal.see("Install on a disk")
    terminal.type(ENTER)
    terminal.see("holds: a disk of an aggregate")
    terminal.type(DOWN + SPACE + ENTER)
    answer_until_summary(terminal, PASSWORD)
    terminal.type("erase sdb" + ENTER)
    terminal.see("until you type: erase aggregate sdb")
    assert not (tmp_path / "file-systems").exists()


def test_an_installed_system_takes_a_word_more(start: Start, tmp_path: Path) -> None:
    terminal = start("installed")
    terminal.see("Install on a disk")
    terminal.type(ENTER)
    terminal.see("holds: an installed Sanstone system")
    terminal.type(DOWN + DOWN + SPACE + ENTER)
    answer_until_summary(terminal, PASSWORD)
    terminal.type("erase sdc" + ENTER)
    terminal.see("until you type: erase installed sdc")
    assert not (tmp_path / "file-systems").exists()
    terminal.type("\b" * 3 + "installed sdc" + ENTER)
    terminal.see("This is a new array")


def test_an_unreadable_array_is_reported_and_left_alone_on_request(
    start: Start, tmp_path: Path
) -> None:
    terminal = start("aggregate")
    terminal.see("Install on a disk")
    for choice in (ENTER, DOWN + ENTER):
        terminal.type(ENTER)
        terminal.see("holds: a disk of an aggregate")
        terminal.type(SPACE + ENTER)
        terminal.see("These disks belong to an array", "/dev/sdb")
        terminal.type(choice)
        answer_until_summary(terminal, PASSWORD)
        terminal.type("erase sda" + ENTER)
        if choice == ENTER:
            terminal.see("no copy of it was found", "can start again")
            terminal.type(ENTER)
            terminal.see("Install on a disk")
    terminal.see("This is a new array")


def test_the_medium_runs_the_array(start: Start) -> None:
    terminal = start()
    terminal.see("Run the array from the medium")
    terminal.type(DOWN + ENTER)
    terminal.see("THEN live")
    assert terminal.end() == 0


def test_a_damaged_medium_is_reported(start: Start, medium_folder: Path) -> None:
    (medium_folder / "boot.img").unlink()
    terminal = start()
    terminal.see("The medium is not complete", "boot.img")
