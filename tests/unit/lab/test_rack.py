"""Which machines a rack knows."""

from __future__ import annotations

from pathlib import Path

from lab.rack import Rack


def test_other_programs_in_a_rack_are_no_machines(tmp_path: Path) -> None:
    for name in ("array/machine.pid", "host/machine.pid", "host2/machine.pid", "demo/switch.pid"):
        file = tmp_path / name
        file.parent.mkdir()
        file.touch()
    started = Rack(tmp_path).started()
    assert [machine.hardware.name for machine in started] == ["host2", "host", "array"]
