"""An array whose state comes late waits for it, and writes nothing where it will be mounted."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from image.repository import REPOSITORY

STATE = "/var/lib/sanstone"
MOUNT = "var-lib-sanstone.mount"
OVERLAY = REPOSITORY / "overlay"
FOLDERS = (OVERLAY / "usr/lib/systemd/system", OVERLAY / "etc/systemd/system")
INSTALLED = REPOSITORY / "board/common/initramfs/installed.d/etc/systemd/system"
UNITS = {
    unit.name: unit.read_text()
    for folder in FOLDERS
    for unit in folder.glob("*.*[a-z]")
    if unit.is_file()
}
LATE = (OVERLAY / f"usr/lib/systemd/system/{MOUNT}.d/late.conf").read_text()


def settings(text: str, key: str) -> list[str]:
    """Return the words of a unit's settings of a key."""
    return [word for line in re.findall(rf"(?m)^{key}=(.*)$", text) for word in line.split()]


WITHOUT = {
    # They decide on a system that does not serve, whatever it lacks, and write when it does.
    *("sanstone-slot-good.service", "sanstone-slot-deadline.service"),
    # The agent starts with settings that the reconciler writes, and its other half with it.
    *("sanstone-snmp.service", "sanstone-snmp-subagent.service"),
}


@cache
def waits(name: str) -> bool:
    """Return whether a unit does not start without the state."""
    text = UNITS.get(name, "")
    if STATE in settings(text, "RequiresMountsFor"):
        return True
    return any(waits(other) for other in settings(text, "Requires"))


def users() -> list[str]:
    """Return the services that do something with the state."""
    keys = r"(Exec\w+|ReadWritePaths|BindPaths|WorkingDirectory|Environment)"
    return [
        name
        for name, text in UNITS.items()
        if re.search(rf"(?m)^{keys}=.*{STATE}", text) and name.endswith(".service")
    ]


@pytest.mark.parametrize("name", sorted(set(users()) - WITHOUT))
def test_users_of_the_state_wait_for_it(name: str) -> None:
    assert waits(name)


@pytest.mark.parametrize(
    "name", ["nginx.service", "sanstone-api.service", "sanstone-reconciler.service"]
)
def test_serving_units_wait_for_the_state(name: str) -> None:
    assert waits(name)


def test_at_boot_nothing_is_created_below_the_states_mount_point() -> None:
    """systemd-tmpfiles-setup.service may run before."""
    for file in (OVERLAY / "usr/lib/tmpfiles.d").iterdir():
        paths = [line.split()[1] for line in file.read_text().splitlines() if line[:1].isalpha()]
        assert [path for path in paths if Path(path).is_relative_to(STATE)] == []


@pytest.mark.parametrize(
    "text",
    [LATE, *(mount.read_text() for mount in INSTALLED.glob("*.mount"))],
)
def test_the_rest_of_the_boot_does_not_wait_for_it(text: str) -> None:
    """By default a mount comes before local-fs.target (systemd.mount(5), Default Dependencies)."""
    assert settings(text, "DefaultDependencies") == ["no"]
    assert settings(text, "Before") == settings(text, "Conflicts") == ["umount.target"]


def test_waiting_for_the_state_has_no_limit() -> None:
    [what] = settings(UNITS[MOUNT], "What")
    device = what.removeprefix("/").replace("-", r"\x2d").replace("/", "-")
    for text in (
        (FOLDERS[0] / f"{device}.device.d/late.conf").read_text(),
        # That of an installed system, by which name it ever goes.
        (REPOSITORY / "board/common/initramfs/installed").read_text(),
    ):
        assert settings(text, "JobRunningTimeoutSec") == ["infinity"]


def test_a_failed_setup_is_tried_again() -> None:
    assert settings(UNITS["sanstone-setup.service"], "OnFailure") == ["sanstone-retry.timer"]
    retried = UNITS["sanstone-retry.timer"]
    assert settings(retried, "RemainAfterElapse") == ["no"], "else it elapses once"
    assert settings(UNITS["sanstone-retry.service"], "StartLimitIntervalSec") == ["0"]
