"""`sanstone-install`: installs Sanstone from the live system.

Without answers it asks, on the terminal that it runs on. With `--answers`, or with
`sanstone.install=` on the kernel's command line (see `sources`), it asks nothing, reports its steps
line by line, and reboots or switches off at its end; it stops at an error and says which.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from sanstone import setup
from sanstone.install import answers, disks, installer, questions, screens, sources
from sanstone.install.answers import POWER_OFF, REBOOT
from sanstone.install.boot import WrongLoader
from sanstone.install.installer import MEDIUM, WORK, CannotInstall
from sanstone.install.patience import patiently
from sanstone.kernel import programs
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.real import real_host
from sanstone.kernel.storage import disk_arrival

EXPECTED = (
    answers.WrongAnswers,
    disks.WrongDisk,
    CannotInstall,
    WrongLoader,
    HostError,
    OSError,
    setup.SetupRefused,
    SQLAlchemyError,
)
"""Errors that an installation may fail with; the text of each is for the user."""
_INSTALL, _LIVE, _OFF = "install", "live", "off"
_STEP = 10
"""Percent of the images between two progress lines of an unattended installation."""


def main() -> None:
    """Install, or report why not and exit with status 1."""
    parser = argparse.ArgumentParser(prog="sanstone-install", description=__doc__)
    parser.add_argument(
        "--medium", type=Path, default=MEDIUM, help="folder with boot.img and so on"
    )
    parser.add_argument("--answers", default="", help="file with the answers: ask nothing")
    parser.add_argument("--stay", action="store_true", help="do not reboot at the end")
    options = parser.parse_args()
    os.umask(0o077)
    host = real_host()
    end = _stay if options.stay else lambda after: _end(host, after)
    try:
        host.commands.require(programs.INSTALLER)
        source = sources.on_command_line(host.files.read("/proc/cmdline"))
        if options.answers:
            unattended(host, options.medium, Path(options.answers).read_text(), end, WORK)
        elif source:
            text = sources.read(host, source, WORK / "answers")
            unattended(host, options.medium, text, end, WORK)
        else:
            attended(host, options.medium, end, WORK)
    except EXPECTED as error:
        sys.exit(f"sanstone-install: {error}")


def unattended(host: Host, medium: Path, text: str, end: Callable[[str], None], work: Path) -> None:
    """Install according to the answers, with a line for each step. Raises one of EXPECTED."""
    parsed = answers.parse(text)
    content = installer.read_medium(medium)
    print(f"Installing Sanstone {content.version} as {parsed.host_name}.", flush=True)
    last_line = ""

    def report(step: str, done: int, total: int) -> None:
        nonlocal last_line
        percent = 100 * done // max(total, 1) // _STEP * _STEP
        line = f"{step}: {percent} %" if total > 1 else step
        if line != last_line:
            print(line, flush=True)
        last_line = line

    report("Waiting for the disks", 0, 1)
    disk_arrival.wait(host)
    patiently(
        lambda: disks.require_present(disks.candidates(host), parsed.disks), disks.MissingDisk
    )
    note = installer.install(host, content, parsed, report, work)
    print(note or "This is a new array.", flush=True)
    end(parsed.after)


def attended(host: Host, medium: Path, end: Callable[[str], None], work: Path) -> None:
    """Ask the user and install, until the user is done."""
    problem = after = ""
    while not after:
        try:
            if problem:
                screens.tell("it did not work", f"{problem}\n\nYou can start again.")
            problem = ""
            after = _dialogue(host, medium, work)
        except screens.Interrupted:
            if _really_leaves():
                return
        except EXPECTED as error:
            problem = str(error)
    end(after)


def _dialogue(host: Host, medium: Path, work: Path) -> str:
    """Go through the screens once. Return what comes next, '' to start again."""
    content = installer.read_medium(medium)
    text = f"Sanstone {content.version}. This medium installs it, or runs it as it is."
    values = [
        (_INSTALL, "Install on a disk of this machine, or on two that mirror each other"),
        (_LIVE, "Run the array from the medium; nothing is installed"),
        (_OFF, "Switch off"),
    ]
    chosen = screens.choose("welcome", text, values, _INSTALL)
    if chosen is screens.BACK:
        return ""
    if chosen != _INSTALL:
        return POWER_OFF if chosen == _OFF else _LIVE
    installer.begin_anew(host, work)
    answered = questions.ask(host)
    if answered is None:
        return ""
    parsed, seen = answered
    note = screens.work(
        "installing", lambda report: installer.install(host, content, parsed, report, work, seen)
    )
    screens.tell(
        "installed",
        f"{note or 'This is a new array.'}\n\n"
        "Enter starts the machine anew. Remove the medium when the screen goes dark.",
    )
    return REBOOT


def _really_leaves() -> bool:
    values = [(False, "No, go back to the beginning"), (True, "Yes, leave")]
    try:
        return screens.choose("leave", "Leave the installer?", values, False) is True
    except screens.Interrupted:
        return True


def _end(host: Host, after: str) -> None:
    """Reboot, power off, or continue as a live array. Raises CommandError."""
    argv = {
        REBOOT: ["systemctl", "reboot"],
        POWER_OFF: ["systemctl", "poweroff"],
        _LIVE: ["systemctl", "isolate", "--no-block", "multi-user.target"],
    }[after]
    host.commands.run(argv)


def _stay(after: str) -> None:
    print(f"Done; {after} is left to you.", flush=True)
