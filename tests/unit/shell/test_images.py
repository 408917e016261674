"""Updates from the shell, in ONTAP's words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console import Console
from installed import URL, Installed, installed_array
from served import served


@pytest.fixture
def updatable(tmp_path: Path) -> Iterator[tuple[Console, Installed]]:
    """A shell on an array that was installed, and that array, which reboots when it is to."""
    with served(tmp_path) as (simulator, array):
        installed = installed_array(simulator)
        installed.reboots = True
        console = Console(array)
        console.run("set -confirmations off")
        yield console, installed


def images(console: Console) -> list[list[str]]:
    rows = console.run("system image show -fields is-default,is-current,version").splitlines()
    return [row.split()[1:] for row in rows[2:4]]


def test_a_package_is_fetched_and_installed(updatable: tuple[Console, Installed]) -> None:
    console, _ = updatable
    assert images(console) == [["image1", "true", "true", "1.0"], ["image2", "false", "false", "-"]]
    console.run(f"cluster image package get -url {URL.format('2.0')}")
    assert "success" in console.run("cluster image package show-download-progress")
    assert "2.0" in console.run("cluster image package show-repository")
    assert "2.0" in console.run("cluster image package show")
    console.run("cluster image update -version 2.0")
    assert images(console) == [
        ["image1", "false", "false", "1.0"],
        ["image2", "true", "true", "2.0"],
    ]
    assert "completed" in console.run("cluster image show-update-progress")
    assert "successful" in console.run("cluster image show-update-history")
    console.run("cluster image package delete -version 2.0")
    assert "no entries" in console.run("cluster image package show")


def test_the_way_back_needs_no_package(updatable: tuple[Console, Installed]) -> None:
    console, installed = updatable
    installed.disk.schemas["a"] = "old now"
    console.run(f"system image update -package {URL.format('2.0')}")
    assert images(console)[1] == ["image2", "true", "true", "2.0"]
    assert "true" in console.run("system image show -image image1 -fields can-go-back")
    console.run("cluster image update -version 1.0")
    assert images(console) == [
        ["image1", "true", "true", "1.0"],
        ["image2", "false", "false", "2.0"],
    ]


def test_one_command_downloads_and_updates(updatable: tuple[Console, Installed]) -> None:
    console, installed = updatable
    console.run(f"system image update -package {URL.format('3.0')}")
    assert installed.disk.releases["b"] == "3.0"


def test_impossible_updates_are_refused(updatable: tuple[Console, Installed]) -> None:
    console, _ = updatable
    status, output = console.attempt("cluster image update -version 7.0")
    assert status and 'Package "7.0" does not exist' in output
    status, output = console.attempt("cluster image cancel-update")
    assert status and "No update is in progress" in output


def test_a_node_is_restarted_and_halted(updatable: tuple[Console, Installed]) -> None:
    console, installed = updatable
    installed.reboots = False
    console.run("system node reboot -node array-01")
    assert installed.disk.reboot_requested
    console.run("system node halt -node array-01")
    assert "node.power" in console.run("event log show -message-name node.power")
