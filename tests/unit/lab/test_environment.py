"""output/lab/env is read back as it was written, by the lab and by a shell."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest

from lab import environment, guest, paths
from lab.rack import Rack

PASSWORDS = ["simple", "with space", 'it\'s $HOME; "quoted" `x` #no']


@pytest.mark.parametrize("password", PASSWORDS)
def test_awkward_password_survives(tmp_path: Path, password: str) -> None:
    rack = Rack(tmp_path, password=password)
    path = environment.write(rack, [rack.host()])
    assert environment.read(path)["SANSTONE_PASSWORD"] == password
    script = f'. {path}; printf %s "$SANSTONE_PASSWORD"'
    shell = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert shell.stdout == password


def test_the_first_host_has_the_name_that_make_run_prints_and_the_readme_maps(
    tmp_path: Path,
) -> None:
    host = Rack(tmp_path).host()
    name = environment.initiator_name(host)
    script = (guest.FILES / "host/usr/lib/sanstone-lab/identity").read_text()
    assert f'"InitiatorName={name}"'.replace(str(host.hardware.number), "$number") in script
    assert f"-initiator {name}\n" in (paths.REPOSITORY / "README.md").read_text()


def test_nobody_else_can_read_the_password(tmp_path: Path) -> None:
    path = environment.write(Rack(tmp_path), [])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_password_stays_that_of_the_first_boot(tmp_path: Path) -> None:
    first = Rack(tmp_path, password="first")
    assert Rack(tmp_path, password="second").password == "second"
    for disk in first.array.hardware.disks:
        disk.path.touch()
    assert Rack(tmp_path, password="third").password == "second"
