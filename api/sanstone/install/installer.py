"""An installation, from the first check to the last unmount.

The order: everything that may be refused is checked before anything is written: the medium's files,
their sizes, the disks, the configuration to be restored from the other disks. Then the disks are
partitioned, the images written and read back, the state created, and at the very end the disks
become bootable: so an interrupted installation does not boot half a system, and starts again from
the medium.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sanstone.install import boot, disks, images, mounts, state, targets
from sanstone.install.answers import Answers
from sanstone.install.boot import Loader
from sanstone.install.disks import Candidate
from sanstone.kernel.host import Host, HostError, LockedError
from sanstone.system import layout

MEDIUM = Path("/medium/sanstone")
WORK = Path("/run/sanstone-install")
SLOT = "a"
_INSTALLED = "sanstone.slot="
log = logging.getLogger("sanstone.install")

Progress = Callable[[str, int, int], None]
"""Called with the current step, the bytes processed, and the bytes in total."""


class CannotInstall(Exception):
    """The installation is refused; nothing was written. The text says why."""


@dataclass(frozen=True)
class Medium:
    """The installation source: the folder `sanstone` of the medium, see `read_medium`."""

    version: str
    boot_image: Path
    system_image: Path
    loader: Loader

    @property
    def size(self) -> int:
        """Return the bytes to write."""
        return self.boot_image.stat().st_size + self.system_image.stat().st_size


def read_medium(folder: Path) -> Medium:
    """Read and check the medium. Raises CannotInstall, WrongLoader or WrongImage."""
    try:
        medium = Medium(
            (folder / "version").read_text().strip(),
            folder / "boot.img",
            folder / "system.img",
            boot.read_loader(folder / "grub"),
        )
        images.check(medium.boot_image, layout.BOOT[SLOT].size)
        images.check(medium.system_image, layout.SYSTEM[SLOT].size)
    except OSError as error:
        text = f"The medium is not complete: {error.filename}: {error.strerror}."
        raise CannotInstall(text) from error
    return medium


def require_live(host: Host) -> None:
    """Raise CannotInstall on a system that runs from its disks: its mirrors must not be stopped."""
    if _INSTALLED in host.files.read("/proc/cmdline"):
        raise CannotInstall("This system is installed. Boot the medium to install it anew.")


def begin_anew(host: Host, work: Path) -> None:
    """Clean up after an interrupted installation. Raises CannotInstall while another one runs."""
    with undisturbed(host, work):
        pass


@contextmanager
def undisturbed(host: Host, work: Path) -> Iterator[None]:
    """Lock out other consoles, and start with nothing mounted and no mirror running.

    The same holds after an error, which stays the one reported. Raises CannotInstall, HostError.
    """
    require_live(host)
    with _alone(host, work), ExitStack() as undo:
        _clear(host, work)
        undo.callback(_clear_or_say, host, work)
        yield
        undo.pop_all()


def _clear(host: Host, work: Path) -> None:
    mounts.unmount_all(host, work)
    targets.stop_mirrors(host)


def install(
    host: Host,
    medium: Medium,
    answers: Answers,
    progress: Progress,
    work: Path,
    seen: Sequence[Candidate] = (),
) -> str:
    """Install. Return a note on the configuration, '' for a new array.

    `seen` are the disks that the user agreed to erase, as they were then. Raises WrongDisk,
    CannotInstall and SetupRefused with nothing written; HostError or OSError after that, too.
    """
    with undisturbed(host, work):
        return _install(host, medium, answers, progress, work, seen)


def _install(
    host: Host,
    medium: Medium,
    answers: Answers,
    progress: Progress,
    work: Path,
    seen: Sequence[Candidate],
) -> str:
    progress("Looking at the disks", 0, 1)
    current = disks.candidates(host)
    disks.require_unchanged(current, seen)
    chosen = disks.choose(
        current,
        answers.disks,
        erase_aggregates=answers.erase_aggregates,
        erase_installed=answers.erase_installed,
    )
    paths = [candidate.path for candidate in chosen]
    copy = state.to_take_back(host, answers, paths)
    progress("Dividing the disks", 0, 1)
    target = targets.make(host, paths)
    _write_images(host, medium, target, progress)
    progress("Beginning the array", 0, 1)
    device = target.device(layout.STATE)
    state.make(host, device)
    with mounts.mounted(host, device, work / "state"):
        note = state.begin(host, work / "state", answers, copy)
    progress("Making the disks bootable", 0, 1)
    boot.install(host, target, medium.loader, work / "esp")
    os.sync()
    progress("Stopping the mirrors", 0, 1)
    targets.stop_mirrors(host)
    progress("Done", 1, 1)
    return note


def _write_images(host: Host, medium: Medium, divided: targets.Targets, progress: Progress) -> None:
    done, total = 0, 2 * medium.size

    def advance(length: int) -> None:
        nonlocal done
        done += length
        progress("Writing the system", done, total)

    for image, partition in (
        (medium.boot_image, layout.BOOT[SLOT]),
        (medium.system_image, layout.SYSTEM[SLOT]),
    ):
        images.write(host, image, divided.device(partition), advance)


def _clear_or_say(host: Host, work: Path) -> None:
    """Clean up; what fails now is cleaned up when the installation starts again."""
    try:
        _clear(host, work)
    except HostError as error:
        log.warning("not undone yet: %s", error)


@contextmanager
def _alone(host: Host, work: Path) -> Iterator[None]:
    """Keep a second console from installing too. Raises CannotInstall when one does."""
    host.files.make_folder(str(work))
    with ExitStack() as stack:
        try:
            stack.enter_context(host.files.locked(str(work / "lock"), wait=False))
        except LockedError:
            raise CannotInstall("Another console changes the disks already.") from None
        yield
