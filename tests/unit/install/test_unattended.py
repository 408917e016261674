"""`sanstone-install` with answers: it asks nothing, reports its steps, and stops at an error."""

from __future__ import annotations

import fcntl
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from machine import Machine

from fakes.files import Text
from lab import product_image
from sanstone.install import main, patience, state

PASSWORD = "correct horse 1"
ANSWERS: dict[str, Any] = {"disks": ["first"], "host_name": "san1", "password": PASSWORD}


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that takes no time to begin."""
    monkeypatch.setattr(state, "begin", lambda *_: "")


@pytest.fixture(autouse=True)
def here(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine is the one in memory."""
    monkeypatch.setattr(main, "real_host", lambda: machine.host)
    monkeypatch.setattr(main, "WORK", machine.folder / "work")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, medium_folder: Path) -> Any:
    """Run the command, for the medium and with more arguments."""

    def start(*arguments: str) -> None:
        words = ["sanstone-install", "--medium", str(medium_folder), *arguments]
        monkeypatch.setattr(sys, "argv", words)
        main.main()

    return start


def answer_file(machine: Machine, **changed: Any) -> str:
    file = machine.folder / "answers.json"
    file.write_text(json.dumps({**ANSWERS, **changed}))
    return str(file)


def power(machine: Machine) -> list[tuple[str, ...]]:
    return [call for call in machine.kernel.commands.calls if call[0] == "systemctl"]


def test_an_installation_reports_its_steps(
    machine: Machine, run: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--answers", answer_file(machine))
    output = capsys.readouterr().out
    lines = output.splitlines()
    assert lines[0] == "Installing Sanstone 1.2 as san1."
    assert "Dividing the disks" in lines
    assert "Writing the system: 100 %" in lines
    assert lines[-1] == product_image.INSTALLED, "the lab waits for it"
    assert len(lines) == len(set(lines)) < 25
    assert PASSWORD not in output
    assert power(machine) == [("systemctl", "reboot")]


def test_the_end_follows_the_answers(machine: Machine, run: Any) -> None:
    run("--answers", answer_file(machine, after="poweroff"))
    assert power(machine) == [("systemctl", "poweroff")]


def test_a_machine_that_shall_stay_stays(machine: Machine, run: Any) -> None:
    run("--answers", answer_file(machine), "--stay")
    assert power(machine) == []


def test_the_command_line_of_the_kernel_names_the_answers(machine: Machine, run: Any) -> None:
    there = machine.file_system("LABEL=ANSWERS")
    there.mkdir(parents=True)
    (there / "san1.json").write_text(json.dumps(ANSWERS))
    line = "quiet sanstone.install=LABEL=ANSWERS:/san1.json"
    machine.kernel.files.place("/proc/cmdline", Text(line))
    run()
    assert power(machine) == [("systemctl", "reboot")]


def test_a_disk_that_is_found_late_is_waited_for(
    machine: Machine, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.kernel.remove_disk("sdc")
    monkeypatch.setattr(patience, "PATIENCE", 180.0)
    monkeypatch.setattr(time, "sleep", lambda _: machine.kernel.add_disk("sdc"))
    run("--answers", answer_file(machine, disks=["serial:SERIAL-sdc"]))
    assert "/dev/sdc7" in machine.partitions


def test_another_boot_of_the_medium_changes_nothing(machine: Machine, run: Any) -> None:
    run("--answers", answer_file(machine))
    before = machine.kernel.dump()
    (machine.file_system("/dev/sda7") / "kept").touch()
    with pytest.raises(SystemExit, match="Sanstone is installed already, on /dev/sda"):
        run("--answers", answer_file(machine))
    assert machine.kernel.dump() == before
    assert (machine.file_system("/dev/sda7") / "kept").exists()
    assert power(machine) == [("systemctl", "reboot")]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"host_name": "-"}, "host_name: A letter"),
        ({"disks": ["serial:NOBODY"]}, "serial:NOBODY: No disk has this name"),
    ],
)
def test_an_error_is_reported_and_nothing_is_written(
    machine: Machine, run: Any, changed: dict[str, Any], reason: str
) -> None:
    with pytest.raises(SystemExit, match=reason) as ended:
        run("--answers", answer_file(machine, **changed))
    assert str(ended.value).startswith("sanstone-install: ")
    assert not machine.contents
    assert power(machine) == []


def test_a_missing_file_is_an_error(machine: Machine, run: Any) -> None:
    with pytest.raises(SystemExit, match="No such file"):
        run("--answers", str(machine.folder / "nowhere.json"))


def test_two_consoles_do_not_install_at_once(machine: Machine, run: Any) -> None:
    work = machine.folder / "work"
    work.mkdir()
    with (work / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(SystemExit, match="Another console changes the disks already"):
            run("--answers", answer_file(machine))
    assert not machine.contents
    run("--answers", answer_file(machine))
    assert machine.contents
