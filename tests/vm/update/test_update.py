"""An update as an array does it, with RAUC's own program, on partitions of two mirrored disks.

The machine boots by QEMU's -kernel, so that the reboot itself is played: the kernel's command line
by GRUB is mounted over /proc/cmdline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import slotted_disks
from browser import Browser
from slotted_disks import FOLDER, MINUTES, Package, url_of

from lab import patience
from lab.api import Api, JobFailed, Refused
from lab.station import Array

DISKS = [f"/dev/disk/by-id/virtio-LAB-DISK-{number:02d}" for number in (7, 8)]
# On the array itself: a fast one writes for a second.
KILL_WHILE_IT_WRITES = """
until busctl get-property de.pengutronix.rauc / de.pengutronix.rauc.Installer Progress |
    grep --quiet "Copying image to system"; do :; done
systemctl kill --signal KILL rauc.service 'sanstone-update@*.service'
"""


def eventually(condition: Callable[[], bool]) -> None:
    patience.eventually(condition, MINUTES * 60)


@pytest.fixture(scope="module", autouse=True)
def cleared(station: Any) -> Iterator[None]:
    """Leave the disks and the machine as they were."""
    yield
    if station.array.machine.running:
        slotted_disks.clear(station.array, DISKS)


def variables(array: Array) -> list[dict[str, str]]:
    """Return GRUB's variables on both disks."""
    return slotted_disks.variables(array, DISKS)


def software(api: Api) -> Any:
    return api.get("cluster/software", fields="**")


def download(api: Api, name: str) -> None:
    api.post("cluster/software/download", {"url": url_of(name)})


def packages(api: Api) -> list[str]:
    return [record["version"] for record in api.get("cluster/software/packages")["records"]]


@pytest.mark.spare_disks
def test_an_array_without_slots_refuses(api: Api) -> None:
    assert api.get("cluster/software/images")["records"] == []
    with pytest.raises(Refused, match="not started from a system disk") as refused:
        api.patch("cluster/software", {"version": "9.9.0"})
    assert refused.value.status == 409
    assert "state" not in software(api)


@pytest.mark.spare_disks
def test_its_slots_are_shown(array: Array, api: Api) -> None:
    slotted_disks.make(array, DISKS)
    slotted_disks.make_packages(
        array,
        Package("stranger", "7.7.7", key="stranger"),
        Package("newer", "8.8.8", schema="000000000000"),
        Package("good", "9.9.0", size=100 << 20),
    )
    array.run("systemctl start sanstone-slots.service")
    eventually(lambda: len(api.get("cluster/software/images")["records"]) == 2)
    images = api.get("cluster/software/images", fields="**")["records"]
    shown = [(i["image"], i["is_current"], i["is_default"], i.get("version")) for i in images]
    assert shown == [("image1", True, True, "0.1.0"), ("image2", False, False, None)]


def test_a_package_that_a_stranger_signed_is_refused(array: Array, api: Api) -> None:
    with pytest.raises((JobFailed, Refused), match="cannot be trusted"):
        download(api, "stranger")
    assert api.get("cluster/software/download")["state"] == "failure"
    assert packages(api) == []
    assert array.run("ls -A /var/lib/sanstone/packages") == ""


def test_a_package_that_cannot_take_the_configuration_over_is_refused(
    array: Array, api: Api
) -> None:
    before = variables(array)
    download(api, "newer")
    assert packages(api) == ["8.8.8"]
    with pytest.raises((JobFailed, Refused), match="cannot take over this array's configuration"):
        api.patch("cluster/software", {"version": "8.8.8"})
    assert variables(array) == before
    assert software(api)["state"] == "failed"
    api.delete("cluster/software/packages/8.8.8")
    assert packages(api) == []


def test_an_update_that_is_killed_while_it_writes_starts_again(array: Array, api: Api) -> None:
    download(api, "good")
    api.patch("cluster/software", {"version": "9.9.0"})

    array.run(KILL_WHILE_IT_WRITES, timeout=MINUTES * 60)
    for block in variables(array):
        assert (block["ORDER"], block["a_OK"], block["b_OK"]) == ("a b", "1", "0")
    eventually(lambda: variables(array)[0].get("TRIAL") == "b")
    for block in variables(array):
        assert (block["ORDER"], block["b_OK"], block["b_TRY"]) == ("b a", "1", "2")


def test_both_halves_of_the_mirrors_hold_the_packages_content(array: Array) -> None:
    for disk in DISKS:
        # Blocks that were read from a member before md wrote to it are still in the machine's
        # memory.
        array.run(f"blockdev --flushbufs $(realpath {disk})6 $(realpath {disk})4")
        size = f"$(stat -c %s {FOLDER}/content/system.img)"
        array.run(f"cmp --bytes={size} {FOLDER}/content/system.img $(realpath {disk})6")
        size = f"$(stat -c %s {FOLDER}/content/boot.img)"
        array.run(f"cmp --bytes={size} {FOLDER}/content/boot.img $(realpath {disk})4")


def test_the_new_system_is_kept_once_it_serves(array: Array, api: Api) -> None:
    eventually(lambda: "reboots into it" in software(api)["status_details"][0]["issue"]["message"])
    _boot(array, "a", "b")
    eventually(lambda: _image(api, "image2")["is_current"])
    assert _image(api, "image2")["state"] == "on_trial"
    with pytest.raises(Refused, match="still on trial"):
        api.patch("cluster/software", {"version": "9.9.0"})
    array.run("systemctl start sanstone-slot-good.service")
    eventually(lambda: software(api)["state"] == "completed")
    eventually(lambda: _image(api, "image2")["state"] == "good")
    for block in variables(array):
        assert (block["ORDER"], block["b_TRY"], block["TRIAL"]) == ("b a", "0", "")
    (update,) = [
        r
        for r in api.get("cluster/software/history", fields="**")["records"]
        if r["state"] == "successful"
    ]
    assert (update["from_version"], update["to_version"]) == (software(api)["version"], "9.9.0")


def test_the_way_back_is_activated_by_rauc_without_a_package(array: Array, api: Api) -> None:
    """A runs again, and B holds 9.9.0, which has served: B is tried as it is."""
    api.delete("cluster/software/packages/9.9.0")
    _boot(array, "b", "a")
    eventually(lambda: _image(api, "image1")["is_current"])
    array.run("systemctl start sanstone-slot-good.service")
    eventually(lambda: variables(array)[0]["ORDER"] == "a b")
    eventually(lambda: _image(api, "image2")["can_go_back"])
    assert not _image(api, "image1")["can_go_back"]
    written = _image(api, "image2")["install_date"]
    api.patch("cluster/software", {"version": "9.9.0"})
    eventually(lambda: "reboots into it" in software(api)["status_details"][0]["issue"]["message"])
    for block in variables(array):
        assert (block["ORDER"], block["b_OK"], block["b_TRY"]) == ("b a", "1", "2")
        assert block["TRIAL"] == "b"
    assert _image(api, "image2")["install_date"] == written
    _boot(array, "a", "b")
    array.run("systemctl start sanstone-slot-good.service")
    eventually(lambda: software(api)["state"] == "completed")
    for block in variables(array):
        assert (block["ORDER"], block["b_TRY"], block["TRIAL"]) == ("b a", "0", "")


def test_a_system_that_serves_again_after_its_successor_notes_the_failure(
    array: Array, api: Api, browser: Browser
) -> None:
    """B runs and is good; A is written, tried once in vain, and B is booted again.

    The update is started and followed in the browser.
    """
    browser.do("update", url=url_of("good"), version="9.9.0")
    assert variables(array)[0]["TRIAL"] == "a"
    array.run("systemctl start sanstone-slots.service sanstone-slot-good.service")
    eventually(lambda: software(api)["state"] == "failed")
    for block in variables(array):
        assert (block["ORDER"], block["a_OK"], block["TRIAL"]) == ("b a", "0", "")


def _boot(array: Array, before: str, slot: str) -> None:
    """Play the boot of a slot."""
    # In place: another file would not be the one that is mounted.
    line = f"line=$(sed s/sanstone.slot={before}/sanstone.slot={slot}/ /proc/cmdline)"
    array.run(f'{line}; echo "$line" > /run/update/cmdline')
    array.run("systemctl start sanstone-slots.service")


def _image(api: Api, name: str) -> Any:
    images = api.get("cluster/software/images", fields="**")["records"]
    return next(image for image in images if image["image"] == name)
