"""Restarting the node and shutting it down."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from installed import URL, Installed, installed_array
from simulator import NODE_UUID, Simulator

from fakes import Killed

NODE = f"cluster/nodes/{NODE_UUID}"


@pytest.fixture
def installed(array: Simulator) -> Installed:
    return installed_array(array)


def test_a_restart_is_ordered_once(installed: Installed) -> None:
    array = installed.simulator
    array.do("PATCH", f"{NODE}?action=reboot")
    assert installed.disk.reboot_requested
    installed.disk.reboot_requested = False
    installed.boot("a")
    assert not installed.disk.reboot_requested
    assert array.get("support/ems/events?message.name=node.power")["num_records"] == 1


def test_a_restart_that_was_killed_half_way_does_not_come_after_the_boot(
    installed: Installed,
) -> None:
    array = installed.simulator
    array.kernel.commands.register("systemctl", commands(installed, power_cut))
    with pytest.raises(Killed):
        array.call("PATCH", f"{NODE}?action=reboot")
    installed.disk.reboot_requested = False
    array.kernel.commands.register("systemctl", installed.disk.systemctl)
    array.reboot()
    array.settle()
    assert not installed.disk.reboot_requested


def commands(
    installed: Installed, on: Callable[[str], object]
) -> Callable[[Sequence[str], str], str]:
    """Return a systemctl that calls `on` with its last argument first."""
    usual = installed.disk.systemctl

    def answer(argv: Sequence[str], stdin: str = "") -> str:
        on(argv[-1])
        return usual(argv, stdin)

    return answer


def power_cut(word: str) -> None:
    if word == "reboot":
        raise Killed("the power failed")


def test_a_shutdown_is_ordered(installed: Installed) -> None:
    commands_run: list[str] = []
    systemctl = commands(installed, commands_run.append)
    installed.simulator.kernel.commands.register("systemctl", systemctl)
    installed.simulator.do("PATCH", f"{NODE}?action=shutdown")
    assert "poweroff" in commands_run


def test_a_change_of_power_needs_its_action(installed: Installed) -> None:
    response = installed.simulator.call("PATCH", NODE, {})
    assert response.status_code == 400
    assert response.get_json()["error"]["target"] == "action"


def test_an_update_under_way_is_not_cut_off(installed: Installed) -> None:
    array = installed.simulator
    array.tasks_run = False
    array.call("POST", "cluster/software/download", {"url": URL.format("2.0")})
    assert array.call("PATCH", f"{NODE}?action=reboot").status_code == 409
