"""`sanstone-rescue`: the menu of the rescue entry, on the live system, as root.

It opens a shell, resets the administrator's password of the installed system, restores that
system's configuration from its aggregates, replaces a dead one of its two disks, or has that system
accept an older release. Apart from a new disk, it only changes the installed system's state; the
system then boots from its disks as usual.

Anyone at the console with a medium can read the disks anyway, so there is no password here. A
system that runs from its disks is not changed while it runs: its rescue entry has only the shell.
"""

from __future__ import annotations

import os
from pathlib import Path

from marshmallow import ValidationError

from sanstone import setup
from sanstone.core.database import store
from sanstone.install import answers, disks, installer, mirror, questions, screens, state
from sanstone.install.installer import MEDIUM, WORK
from sanstone.install.main import EXPECTED
from sanstone.install.screens import Back, Interrupted
from sanstone.kernel import programs
from sanstone.kernel.host import Host, MissingPrograms
from sanstone.kernel.real import real_host
from sanstone.reconcile import restore
from sanstone.reconcile.tasks import configuration
from sanstone.security import password_hashes
from sanstone.system import bundles, floor, slots

_SHELL, _PASSWORD, _CONFIGURATION = "shell", "password", "configuration"
_MIRROR, _OLDER, _REBOOT = "mirror", "older", "reboot"
_MENU = [
    (_SHELL, "Open a shell"),
    (_PASSWORD, "Give the administrator of the installed system a new password"),
    (_CONFIGURATION, "Take the configuration back from the aggregates"),
    (_MIRROR, "Put a new disk in the place of a dead system disk"),
    (_OLDER, "Let the installed system be updated to an older release, once"),
    (_REBOOT, "Reboot"),
]
_INSTALLED_MENU = [item for item in _MENU if item[0] in (_SHELL, _REBOOT)]
_WORD = "replace"


def main() -> None:
    """Show the menu until the machine reboots."""
    os.umask(0o077)
    host = real_host()
    try:
        host.commands.require(programs.INSTALLER)
    except MissingPrograms as error:
        # The shell is needed even more then.
        screens.tell("something is missing", str(error))
    while menu(host, WORK):
        pass
    host.commands.run(["systemctl", "reboot"])


def menu(host: Host, work: Path, medium: Path = MEDIUM) -> bool:
    """Show the menu once and run the choice; return False for a reboot."""
    try:
        chosen = _choose(host)
        if chosen == _SHELL:
            print("Exit returns to the menu.", flush=True)
            host.commands.run_on_terminal(["bash", "-l"])
        elif chosen == _PASSWORD:
            _reset_password(host, work)
        elif chosen == _CONFIGURATION:
            _take_back(host, work)
        elif chosen == _MIRROR:
            _complete_mirror(host, work, medium)
        elif chosen == _OLDER:
            _accept_older(host, work)
    except Interrupted:
        return True
    except EXPECTED as error:
        screens.tell("it did not work", str(error))
        return True
    return chosen != _REBOOT


def _choose(host: Host) -> str | Back:
    text, offered = "What do you want to do?", _MENU
    if slots.booted(host):
        text += "\nFor a new password, the configuration or a new system disk, boot the medium."
        offered = _INSTALLED_MENU
    return screens.choose("rescue", text, offered, _SHELL)


def _reset_password(host: Host, work: Path) -> None:
    text = "New password of admin: at least 8 characters, letters and digits."
    password = screens.ask("password", text, check=answers.check_password, secret=True)
    if isinstance(password, Back):
        return

    def same(text: str) -> None:
        if text != password:
            raise ValidationError("This is not what you typed before.")

    if isinstance(screens.ask("password", "The same again:", check=same, secret=True), Back):
        return
    with installer.undisturbed(host, work), state.installed(host, work / "state"):
        state.set_password(work / "state", password_hashes.hash_password(password))
    screens.tell("password", "admin has the new password, and is not locked.")


def _take_back(host: Host, work: Path) -> None:
    with installer.undisturbed(host, work):
        search = restore.newest_copy(host, read_only=True)
    if search.copy is None:
        text = f"{search.arrays} RAID groups of ours, no readable configuration. {search.why}"
        screens.tell("configuration", text)
        return
    text = (
        f"Found: the array {configuration.identify(search.copy)}.\n"
        f"The newest copy has age {search.copy.age}. {search.why}\n"
        "It takes the place of the installed system's configuration, which is kept beside it."
    )
    if not screens.agree("configuration", text, _WORD):
        return
    with installer.undisturbed(host, work), state.installed(host, work / "state"):
        state.use(work / "state")
        setup.check_readable(search.copy, store.path())
        why = "the rescue entry orders that"
        setup.take_back(host.files, store.path(), search.copy, why)
    screens.tell("configuration", "Done. Boot the installed system.")


def _accept_older(host: Host, work: Path) -> None:
    """Ask for a release below the floor of updates, and have it accepted (see `floor`)."""
    text = "The older release, as its package calls itself. Its faults come back with it."
    version = screens.ask("older release", text, check=_check_release)
    if isinstance(version, Back):
        return
    with installer.undisturbed(host, work), state.installed(host, work / "state"):
        floor.accept(host.files, work / "state", version)
    text = f"One update to release {version} will be accepted, from its package, as usual."
    screens.tell("older release", text)


def _check_release(text: str) -> None:
    try:
        bundles.require_release(text)
    except bundles.BundleRefused as error:
        raise ValidationError(str(error)) from error


def _complete_mirror(host: Host, work: Path, medium: Path) -> None:
    remaining = mirror.look(host, work)
    if remaining.unfinished:
        screens.work("mirror", lambda report: mirror.finish(host, remaining, medium, report, work))
        remaining = mirror.look(host, work)
    if len(remaining.disks) == 2:
        screens.tell("mirror", "Both system disks are whole, and the server starts from either.")
        return
    other_disks = [c for c in disks.candidates(host) if c.path not in remaining.disks]
    fitting = [c for c in other_disks if not mirror.obstacle(c, remaining)]
    unusable = [
        f"Not usable: {c}: {mirror.obstacle(c, remaining)}" for c in other_disks if c not in fitting
    ]
    text = "\n".join(
        [f"The system disk that is left: {remaining.disks[0]}", *questions.first(unusable)]
    )
    if not fitting:
        screens.tell("mirror", f"{text}\nThere is no disk for the place of the other.")
        return
    values = [(c, f"{c}\n      holds: {c.holds}") for c in fitting]
    chosen = screens.choose("mirror", text, values, fitting[0])
    if isinstance(chosen, Back) or not questions.agree_to_erase("mirror", [], [chosen]):
        return
    screens.work("mirror", lambda report: mirror.complete(host, remaining, chosen, report, work))
    screens.tell(
        "mirror",
        "The server starts from either disk. Boot the installed system: the new disk gets the "
        "state from the other meanwhile, and the array says when the mirror is whole.",
    )
