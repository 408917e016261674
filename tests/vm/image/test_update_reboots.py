"""Updates of an installed array with real reboots: there and back, cut by power, and a bad one.

The packages lie on a CD in the array, from which a web server of the array's own hands them out:
the lab's management network leads nowhere.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab import commands, patience
from lab.administrator import MIB
from lab.agent import GuestCommandFailed, GuestTimeout
from lab.api import Api, Refused
from lab.initiator import Iscsi
from lab.product_image import partition
from lab.station import Array, Station

MINUTES = 30.0
CUTS = 20
LONGEST = 240.0
"""Seconds after which the power is cut at the latest: an update with its reboot takes as long."""
OTHER_SLOT = {"image1": "image2", "image2": "image1"}
SYSTEM_PARTITION = {"image1": 5, "image2": 6}
SERVE = """
mkdir -p /run/packages
mount -o ro /dev/sr0 /run/packages
systemd-run --quiet --unit packages --working-directory /run/packages \
    python3 -m http.server --bind 127.0.0.1 8000
# The array would not connect to itself: so every name leads there.
install -d /run/systemd/system/sanstone-web-client.service.d
cat > /run/systemd/system/sanstone-web-client.service.d/own-server.conf <<DROPIN
[Service]
ExecStart=
ExecStart=$(sed -n '1s/^#!//p' /usr/bin/sanstone-web-client) -c "from sanstone.kernel.web import \
destination, server; destination.resolved = lambda _host, port, _kind: \
[(2, ('127.0.0.1', port))]; server.main()"
DROPIN
systemctl daemon-reload
systemctl stop sanstone-web-client.service
"""
STOP = """
systemctl stop packages sanstone-web-client.service
umount /run/packages
rm -r /run/systemd/system/sanstone-web-client.service.d
systemctl daemon-reload
"""
Condition = Callable[[], bool]


def eventually(condition: Condition) -> None:
    patience.eventually(condition, MINUTES * 60)


@pytest.fixture(scope="module")
def disc(iso: Path, update: Path, tmp_path_factory: Any) -> Path:
    """A CD with two packages: of the release that the image is of, and of another."""
    folder: Path = tmp_path_factory.mktemp("packages")
    for name, bundle in (("own", iso.with_suffix(".raucb")), ("other", update)):
        (folder / f"{name}.raucb").symlink_to(bundle)
    disc = folder.with_suffix(".iso")
    commands.run(
        ["xorriso", "-as", "mkisofs", "-quiet", "-rock", "-follow-links", "-o", disc, folder]
    )
    return disc


@pytest.fixture
def packages(array: Array, api: Api, disc: Path) -> dict[str, str]:
    """The release for each image, by its name: its package is to be written there. The other one
    runs."""
    releases = {record["version"] for record in records(api, "packages")}
    if not releases:
        node = {"node-name": "packages", "read-only": True}
        file = {"driver": "file", "filename": str(disc)}
        array.machine.monitor("blockdev-add", driver="raw", file=file, **node)
        drive = {"driver": "scsi-cd", "bus": "system.0", "drive": "packages"}
        array.machine.monitor("device_add", id="disc", **drive)
        patience.eventually(lambda: array.attempt("test -b /dev/sr0").status == 0)
        array.run(SERVE)
        for name in ("own", "other"):
            api.post(
                "cluster/software/download",
                {"url": f"http://packages.example.org:8000/{name}.raucb"},
            )
        array.run(STOP)
        array.machine.monitor("device_del", id="disc")
        releases = {record["version"] for record in records(api, "packages")}
    assert len(releases) == 2, releases
    current = running(api)
    [other] = releases - {str(current["version"])}
    here = str(current["image"])
    return {here: str(current["version"]), OTHER_SLOT[here]: other}


def records(api: Api, what: str) -> list[Any]:
    answer: list[Any] = api.get(f"cluster/software/{what}", fields="**")["records"]
    return answer


def running(api: Api) -> Any:
    return next(image for image in records(api, "images") if image["is_current"])


def images(api: Api) -> dict[str, str]:
    """Return in which state each slot is."""
    return {record["image"]: record["state"] for record in records(api, "images")}


def updating(api: Api, packages: dict[str, str]) -> bool:
    """Have the other slot written and booted, unless that is under way. Return whether it is now.

    It is no more, but for being judged, where the array went back from a release on trial.
    """
    current = running(api)
    other = OTHER_SLOT[str(current["image"])]
    if api.get("cluster/software", fields="state").get("state") == "in_progress":
        return bool(current["state"] == "on_trial" or images(api)[other] != "on_trial")
    api.patch("cluster/software", {"version": packages[other]})
    update = api.get("cluster/software", fields="pending_version")
    assert update["pending_version"] == packages[other]
    return True


def holds(array: Array, question: Callable[[Api], bool]) -> bool:
    """Return whether something holds of an array; no while that is on its way down or up."""
    try:
        return question(array.api)
    except (Refused, OSError, GuestTimeout, GuestCommandFailed):
        return False


def settled(array: Array, image: str) -> Condition:
    """Return the question whether the array runs this image and keeps it."""

    def is_good(api: Api) -> bool:
        current = running(api)
        return bool(current["image"] == image and current["state"] == "good")

    return lambda: holds(array, is_good)


def test_there_and_back(
    array: Array,
    api: Api,
    packages: dict[str, str],
    iscsi: Iscsi,
    disk: str,
    unharmed: Condition,
) -> None:
    here = str(running(api)["image"])
    for image in (OTHER_SLOT[here], here):
        api.patch("cluster/software", {"version": packages[image]})
        eventually(settled(array, image))
        array.wait()
        assert array.api.get("cluster/software")["version"] == packages[image]
        eventually(lambda: [path.state for path in iscsi.paths(disk)] == ["active ready"] * 2)
        assert unharmed()
        slot = "a" if image == "image1" else "b"
        assert f"sanstone.slot={slot}" in array.run("cat /proc/cmdline")


def test_the_power_is_cut_at_any_moment(
    array: Array, packages: dict[str, str], iscsi: Iscsi, disk: str, unharmed: Condition
) -> None:
    """After each cut the array boots, from either slot, and the host's data are there."""
    seed = time.time_ns()
    moments = random.Random(seed)
    for cut in range(CUTS):
        eventually(lambda: holds(array, lambda api: updating(api, packages)))
        moment = moments.uniform(0, LONGEST)
        time.sleep(moment)
        array.power_off_hard()
        array.start()
        eventually(lambda: holds(array, lambda api: bool(api.get("cluster")["name"])))
        eventually(lambda: "active ready" in [path.state for path in iscsi.paths(disk)])
        situation = f"seed {seed}, cut {cut} after {moment:.0f} s: {images(array.api)}"
        print(situation)
        assert unharmed(), situation
    eventually(lambda: holds(array, lambda api: running(api)["state"] == "good"))
    array.wait()


def test_a_system_that_does_not_come_up_is_left(
    array: Array, api: Api, station: Station, packages: dict[str, str]
) -> None:
    """The new slot is spoilt before its first boot: GRUB tries it and goes back."""
    eventually(lambda: holds(array, lambda api: running(api)["state"] == "good"))
    here = str(running(api)["image"])
    other = OTHER_SLOT[here]
    api.patch("cluster/software", {"version": packages[other]})

    def written(api: Api) -> bool:
        details = api.get("cluster/software", fields="**")["status_details"]
        return "reboots into it" in details[0]["issue"]["message"]

    eventually(lambda: holds(array, written))
    array.power_off_hard()
    system = station.rack.array.hardware.disks[0]
    start = partition(system.base or system.path, SYSTEM_PARTITION[other])
    commands.run(["qemu-io", "-c", f"write -q -P 0x5a {start} {64 * MIB}", system.path])
    array.start()
    eventually(settled(array, here))
    array.wait()
    # The system before says so once it serves.
    eventually(lambda: array.api.get("cluster/software", fields="state")["state"] == "failed")
