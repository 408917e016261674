"""Installs packages that a fresh Debian machine lacks, with apt, and nothing when all are there.

What counts is the command, not the package, since for example Node.js may have come from elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab import commands


@dataclass(frozen=True)
class Dependency:
    """A command (or, with a leading slash, a file) and the Debian package that has it.

    Some packages start `services`, which nobody here needs: they are masked before.
    """

    name: str
    package: str
    services: tuple[str, ...] = ()

    def present(self) -> bool:
        """Return whether the command or file exists."""
        if self.name.startswith("/"):
            return Path(self.name).exists()
        return commands.find(self.name) is not None


LAB = (
    Dependency("qemu-system-x86_64", "qemu-system-x86"),
    Dependency("qemu-img", "qemu-utils"),
    Dependency("mmdebstrap", "mmdebstrap"),
    Dependency("/usr/share/keyrings/debian-archive-keyring.gpg", "debian-archive-keyring"),
    Dependency("mksquashfs", "squashfs-tools"),
    Dependency("mkfs.ext4", "e2fsprogs"),
    Dependency("cpio", "cpio"),
    Dependency("xz", "xz-utils"),
    Dependency("busybox", "busybox-static"),
    Dependency("patch", "patch"),
    Dependency("ssh-keygen", "openssh-client"),
    Dependency("socat", "socat"),
    Dependency("npm", "npm"),
    # `python3 -m venv` needs ensurepip, which Debian packs apart.
    Dependency("/usr/share/doc/python3-venv", "python3-venv"),
)

PRODUCT_IMAGE = (
    Dependency("xorriso", "xorriso"),
    Dependency("sfdisk", "fdisk"),
    Dependency("mcopy", "mtools"),
    Dependency("/usr/share/OVMF/OVMF_CODE_4M.fd", "ovmf"),
)
"""Needed besides, where the product's image is tested."""

BROWSER = (
    Dependency("chromium-headless-shell", "chromium-headless-shell"),
    Dependency("/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf", "fonts-noto-core"),
    Dependency("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "fonts-noto-cjk"),
)
"""Needed besides, where the web interface is tested; without the fonts Japanese is boxes."""

NGINX = Dependency("/usr/sbin/nginx", "nginx-light", ("nginx.service",))

CLIENTS = (
    Dependency("prometheus", "prometheus", ("prometheus.service",)),
    Dependency("promtool", "prometheus"),
    NGINX,
)
"""Needed besides, where clients are tried on an array."""

SERVERS = (
    Dependency("snmpd", "snmpd", ("snmpd.service",)),
    Dependency("snmpget", "snmp"),
    Dependency("snmptrapd", "snmptrapd", ("snmptrapd.service", "snmptrapd.socket")),
    Dependency("smilint", "smitools"),
    Dependency("slapd", "slapd", ("slapd.service",)),
    Dependency("ldapsearch", "ldap-utils"),
    Dependency(
        "/usr/share/doc/samba-ad-dc",
        "samba-ad-dc",
        ("smbd.service", "nmbd.service", "samba-ad-dc.service", "winbind.service"),
    ),
    Dependency("/usr/share/samba/setup", "samba-ad-provision"),
    Dependency("/usr/share/doc/python3-samba", "python3-samba"),
    Dependency("ip", "iproute2"),
    NGINX,
)
"""Needed besides, where the array speaks SNMP, asks directories, and answers behind nginx."""


def install_missing(dependencies: Sequence[Dependency] = LAB) -> None:
    """Install the packages of all missing dependencies; root, or sudo, is needed only then.

    Raises commands.CommandFailed when apt fails.
    """
    missing = [each for each in dependencies if not each.present()]
    packages = sorted({each.package for each in missing})
    if not packages:
        return
    print(f"installing {' '.join(packages)}", flush=True)
    prefix = [] if os.geteuid() == 0 else ["sudo"]
    quiet = {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    services = [service for each in missing for service in each.services]
    # Where systemd does not run, nothing starts them in runlevel 1 (invoke-rc.d(8)).
    if services and Path("/run/systemd/system").is_dir():
        commands.run([*prefix, "systemctl", "mask", *services])
    commands.run([*prefix, "apt-get", "update"], environment=quiet)
    commands.run(
        [*prefix, "apt-get", "install", "--yes", "--no-install-recommends", *packages],
        environment=quiet,
    )
