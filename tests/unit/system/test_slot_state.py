"""RAUC's five commands."""

from __future__ import annotations

import pytest
from system_disk import SystemDisk

from fakes.files import Text
from sanstone.kernel.host import HostError
from sanstone.system import slot_state
from sanstone.system.slot_state import BadRequest


def test_raucs_queries_and_settings_of_an_update(mirror: SystemDisk) -> None:
    def ask(*request: str) -> str:
        return slot_state.answer(mirror.kernel.host, request)

    assert (ask("get-current"), ask("get-primary")) == ("a", "a")
    assert (ask("get-state", "a"), ask("get-state", "b")) == ("good", "bad")
    assert ask("set-primary", "b") == ""
    assert (ask("get-current"), ask("get-primary"), ask("get-state", "b")) == ("a", "b", "good")
    assert mirror.variables["/dev/vda2"] == mirror.variables["/dev/vdb2"]
    assert ask("set-state", "b", "bad") == ""
    assert ask("get-state", "b") == "bad"
    assert ask("set-state", "b", "good") == ""
    assert ask("get-state", "b") == "good"


@pytest.mark.parametrize(
    "request_", [[], ["get-state"], ["get-state", "c"], ["set-state", "a", "x"]]
)
def test_an_unknown_command_is_refused(disk: SystemDisk, request_: list[str]) -> None:
    before = dict(disk.variables["/dev/vda2"])
    with pytest.raises(BadRequest):
        slot_state.answer(disk.kernel.host, request_)
    assert disk.variables["/dev/vda2"] == before


def test_a_live_system_reports_no_slots(disk: SystemDisk) -> None:
    disk.kernel.files.place("/proc/cmdline", Text("quiet"))
    with pytest.raises(HostError, match="no slots"):
        slot_state.answer(disk.kernel.host, ["get-primary"])
