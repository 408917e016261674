"""An array with late state, or a slow one, starts all the same."""

from __future__ import annotations

import ssl
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from urllib.error import HTTPError

import pytest

from lab import engine, patience
from lab.patience import eventually
from lab.qemu import Disk
from lab.station import Array, Station

LATE = 150.0
"""Seconds after power-on; by default systemd gives a disk up after 90."""
GIVEN_UP = "systemd.default_device_timeout_sec=90"
"""As in the product: in the lab's machines systemd is patient with all disks."""
TENTH, OF_EMULATED = "10%", "50%"
"""A processor that QEMU emulates has a fifth of the speed of one of User-mode Linux."""
SLOW = """
mkdir -p /run/systemd/system/sanstone-reconciler.service.d
cat > /run/systemd/system/sanstone-reconciler.service.d/slow.conf <<END
[Service]
CPUQuota={quota}
TimeoutStartSec=60
END
systemctl daemon-reload
systemctl restart sanstone-reconciler
"""
CLEAR = """
rm -r /run/systemd/system/sanstone-reconciler.service.d
systemctl daemon-reload
systemctl restart sanstone-reconciler
"""


@pytest.fixture
def without_state(array: Array) -> Iterator[Disk]:
    """The array was started without the disk that its state is on."""
    whole = array.machine.hardware
    state = next((disk for disk in whole.disks if disk.label == "sanstone-state"), None)
    if state is None:
        pytest.skip("the state of an installed array is on its system disk")
    others = tuple(disk for disk in whole.disks if disk is not state)
    array.stop()
    array.machine.hardware = replace(whole, disks=others, parameters=(*whole.parameters, GIVEN_UP))
    array.start()
    yield state
    array.power_off_hard()
    array.machine.hardware = whole
    array.boot()


def page(array: Array, path: str = "") -> tuple[int, str]:
    """Return status and text of a page, whatever its certificate; 0 where nobody serves it."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    try:
        url = array.url + path
        with urllib.request.urlopen(url, timeout=patience.SECONDS, context=anybody) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


@pytest.mark.qemu
def test_an_array_waits_for_its_state_and_says_so(array: Array, without_state: Disk) -> None:
    eventually(lambda: page(array)[0] == 503)
    assert "sanstone-state" in page(array)[1]
    assert "sanstone-state" in page(array, "api/cluster")[1]
    eventually(lambda: float(array.run("cut --delimiter ' ' --fields 1 /proc/uptime")) > LATE)
    assert array.run("systemctl list-units --failed --no-legend").strip() == ""
    # systemd makes the mount point, where it is not there.
    below = "! test -e /var/lib/sanstone || ls -A /var/lib/sanstone"
    assert array.run(below).strip() == "", "nothing is below the mount point"
    assert "waits for the disk" in array.machine.console.read_text(errors="replace")
    array.machine.plug_in_disk(without_state.path, "LAB-STATE")
    array.wait()
    assert array.run("mountpoint /var/lib/sanstone")
    assert array.api.get("cluster")["name"]


def test_a_reconciler_at_a_tenth_of_the_speed_comes_up(array: Array, station: Station) -> None:
    try:
        array.run(SLOW.format(quota=OF_EMULATED if station.engine == engine.TCG else TENTH))
        shown = array.run("systemctl show --property=NRestarts,ActiveState sanstone-reconciler")
        assert set(shown.split()) == {"NRestarts=0", "ActiveState=active"}
    finally:
        array.run(CLEAR)
