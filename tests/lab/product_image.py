"""The product's image, installed: what an array boots where `SANSTONE_IMAGE` names an ISO.

The ISO is installed once, unattended, on a virtual disk, from which each array of the lab has a
copy that only keeps what it changes. Then it boots as a server does: firmware, GRUB, a slot.
Nothing is added to the system on the disk: the lab's agent and root's SSH key come in as systemd
credentials (systemd.system-credentials(7)), in the firmware's tables. Only GRUB's menu is given the
kernel parameters that the emulator needs.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab import commands, fingerprint, guest, paths
from lab.engine import Engine
from lab.image import Drives
from lab.password import random_password

SYSTEM_SERIAL = "LAB-SYSTEM"
SYSTEM_SIZE = 8 << 30
"""Bytes; an installation wants 4421 MiB at least (api/sanstone/system/layout.py)."""
INSTALL_SECONDS = 3600
ESP = 2
UNIT = guest.FILES / "common/usr/lib/systemd/system/lab-agent.service"
AGENT = guest.FILES / "common/usr/lib/sanstone-lab/agent.py"
KERNEL_LINE = "linux /bzImage quiet"
INSTALLED = "This is a new array."
"""What the installer says on the console at its end."""


class NotInstalled(Exception):
    """The image could not be installed; the text ends with the end of the console's log."""


@dataclass(frozen=True)
class Installed:
    """The files of an installation in `directory`."""

    directory: Path

    @property
    def drives(self) -> Drives:
        """How to boot it."""
        return Drives(self.directory.name, tuple(sorted(self.directory.glob("*.string"))))

    @property
    def disk(self) -> Path:
        """The system disk, as the installation left it; not to be written to."""
        return self.directory / "system.raw"

    @property
    def password(self) -> str:
        """The password of the array's administrator."""
        return (self.directory / "password").read_text()


def ensure(iso: Path, engine: Engine) -> Installed:
    """Install the image unless that was done. Raises NotInstalled, commands.CommandFailed."""
    guest.ensure_ssh_key()
    key = fingerprint.of([iso, UNIT, AGENT, guest.SSH_KEY, engine.name, Path(__file__)])
    installed = Installed(paths.IMAGES / f"installed-{key}")
    if installed.directory.exists():
        return installed
    # One is 2 GB; remains of a failed one go too.
    for old in paths.IMAGES.glob("installed-*"):
        shutil.rmtree(old)
    work = installed.directory.with_name(f"installed-{key}.partial")
    work.mkdir(parents=True)
    _write(work / "password", random_password())
    write_credentials(work)
    print(f"installing {iso.name} ...", flush=True)
    _install(iso, work, engine)
    _add_parameters(work, engine.parameters)
    work.rename(installed.directory)
    return installed


def write_credentials(directory: Path) -> None:
    """Write strings for the firmware's tables into `directory`, with the lab's credentials."""
    for name, text in _credentials().items():
        encoded = base64.b64encode(text.encode()).decode()
        _write(directory / f"{name}.string", f"io.systemd.credential.binary:{name}={encoded}")


def _credentials() -> dict[str, str]:
    """Return the credentials by name: a unit, what it runs, what wants it, and root's key."""
    unit = UNIT.read_text().replace(
        "/usr/lib/sanstone-lab/agent.py", "${CREDENTIALS_DIRECTORY}/lab.agent"
    )
    return {
        "systemd.extra-unit.lab-agent.service": f"{unit}ImportCredential=lab.agent\n",
        "systemd.unit-dropin.sysinit.target": "[Unit]\nWants=lab-agent.service\n",
        "lab.agent": AGENT.read_text(),
        "ssh.authorized_keys.root": guest.SSH_KEY.with_suffix(".pub").read_text(),
    }


def _install(iso: Path, work: Path, engine: Engine) -> None:
    """Boot the medium's kernel with the answers on a disk of their own, and wait for its end."""
    boot = work / "boot"
    extract: commands.Argv = ["xorriso", "-osirrox", "on", "-indev", iso, "-extract", "/boot", boot]
    commands.run(extract)
    answers = work / "answers"
    answers.mkdir()
    answers_content = {
        "disks": [f"serial:{SYSTEM_SERIAL}"],
        "host_name": "sanstone",
        "password": (work / "password").read_text(),
        "after": "poweroff",
    }
    _write(answers / "answers.json", json.dumps(answers_content))
    commands.run(["mkfs.ext4", "-q", "-L", "ANSWERS", "-d", answers, work / "answers.raw", "4M"])
    with (work / "system.raw").open("wb") as file:
        file.truncate(SYSTEM_SIZE)
    parameters = [
        "quiet",
        "console=ttyS0",
        *engine.parameters,
        "sanstone.install=LABEL=ANSWERS:/answers.json",
    ]
    words = ["qemu-system-x86_64", "-machine", "q35,usb=off", *engine.options]
    words += ["-smp", "2", "-m", "2048", "-nodefaults", "-no-user-config", "-display", "none"]
    words += ["-no-reboot", "-serial", f"file:{work / 'console.log'}"]
    words += ["-kernel", str(boot / "bzImage"), "-initrd", str(boot / "initramfs")]
    words += ["-append", " ".join(parameters)]
    words += ["-device", "virtio-scsi-pci", "-device", "scsi-cd,drive=medium"]
    words += ["-drive", f"file={iso},id=medium,if=none,format=raw,readonly=on"]
    for name, serial in (("system", SYSTEM_SERIAL), ("answers", "LAB-ANSWERS")):
        drive = f"file={work / name}.raw,id={name},if=none,format=raw,discard=unmap"
        words += ["-drive", f"{drive},detect-zeroes=unmap"]
        words += ["-device", f"virtio-blk-pci,drive={name},serial={serial}"]
    output = _run(words, work / "console.log")
    if INSTALLED not in output:
        raise NotInstalled(output)


def _run(words: Sequence[str], console: Path) -> str:
    """Run a machine until it switches itself off and return the end of what it said."""
    deadline = time.monotonic() + INSTALL_SECONDS
    with subprocess.Popen(words, stdin=subprocess.DEVNULL) as process:
        while process.poll() is None:
            output = console.read_text(errors="replace") if console.exists() else ""
            if "Failed to start" in output or time.monotonic() > deadline:
                process.kill()
                break
            time.sleep(2)
    return console.read_text(errors="replace")[-4000:] if console.exists() else ""


def _add_parameters(work: Path, parameters: Sequence[str]) -> None:
    """Add the emulator's parameters to GRUB's menu, with all output on its console."""
    disk = work / "system.raw"
    esp = f"{disk}@@{partition(disk, ESP)}"
    menu = work / "grub.cfg"
    commands.run(["mcopy", "-i", esp, "::/grub/grub.cfg", menu])
    text = menu.read_text()
    if KERNEL_LINE not in text:
        raise NotInstalled(f"GRUB's menu has no line {KERNEL_LINE!r}")
    menu.write_text(text.replace(KERNEL_LINE, " ".join([KERNEL_LINE, *parameters])))
    commands.run(["mcopy", "-o", "-i", esp, menu, "::/grub/grub.cfg"])


def partition(disk: Path, number: int) -> int:
    """Return where a partition of a raw disk begins, in bytes."""
    table = json.loads(commands.run(["sfdisk", "--json", disk]))["partitiontable"]
    return int(table["partitions"][number - 1]["start"]) * int(table["sectorsize"])


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text)
