"""Parity: for each package of the lab image from Debian the product has Buildroot's.

A package that is added to the lab alone would pass all tests and be missing in every array.
"""

from __future__ import annotations

import re

from image.repository import REPOSITORY
from lab import debian

# Buildroot's option for each of Debian's names. Without one: the kernel and systemd
# are choices of the defconfig.
COUNTERPARTS = {
    "dbus": "INIT_SYSTEMD",
    "dosfstools": "PACKAGE_DOSFSTOOLS_MKFS_FAT",
    "e2fsprogs": "PACKAGE_E2FSPROGS",
    "ethtool": "PACKAGE_ETHTOOL",
    "fdisk": "PACKAGE_UTIL_LINUX_BINARIES",
    "iproute2": "PACKAGE_IPROUTE2",
    "ipmitool": "PACKAGE_IPMITOOL",
    "keyutils": "PACKAGE_KEYUTILS",
    "kmod": "INIT_SYSTEMD",
    "ktls-utils": "PACKAGE_KTLS_UTILS",
    "libnss-systemd": "PACKAGE_SYSTEMD_USERDB",
    "ldap-utils": "PACKAGE_OPENLDAP_CLIENTS",
    "linux-image-amd64": "LINUX_KERNEL",
    "lvm2": "PACKAGE_LVM2",
    "mdadm": "PACKAGE_MDADM",
    "nftables": "PACKAGE_NFTABLES",
    "nginx-light": "PACKAGE_NGINX",
    "nvme-cli": "PACKAGE_NVME",
    "nvmetcli": "PACKAGE_NVMETCLI",
    "openssh-server": "PACKAGE_OPENSSH",
    "openssl": "PACKAGE_LIBOPENSSL_BIN",
    "python3": "PACKAGE_PYTHON3",
    "rasdaemon": "PACKAGE_RASDAEMON",
    "rauc": "PACKAGE_RAUC",
    "rauc-service": "PACKAGE_RAUC_DBUS",
    "sg3-utils": "PACKAGE_SG3_UTILS",
    "smartmontools": "PACKAGE_SMARTMONTOOLS",
    "snmpd": "PACKAGE_NETSNMP_SERVER",
    "squashfs-tools": "PACKAGE_SQUASHFS",
    "sqlite3": "PACKAGE_PYTHON3_SQLITE",
    "systemd": "INIT_SYSTEMD",
    "systemd-sysv": "INIT_SYSTEMD",
    "targetcli-fb": "PACKAGE_TARGETCLI",
    "thin-provisioning-tools": "PACKAGE_THIN_PROVISIONING_TOOLS",
    "udev": "INIT_SYSTEMD",
}
DEFCONFIG = REPOSITORY / "configs/sanstone_x86_64_defconfig"


def requested_options() -> set[str]:
    """Return the options, without BR2_, that the defconfig sets or the product selects."""
    selected = (REPOSITORY / "package/sanstone/Config.in").read_text()
    symbols = re.findall(r"select BR2_(\w+)", selected)
    return {*symbols, *re.findall(r"^BR2_(\w+)=", DEFCONFIG.read_text(), re.MULTILINE)}


def test_every_package_of_the_lab_has_its_counterpart() -> None:
    names = {*debian.packages("array"), *debian.UNSTABLE_PACKAGES["array"]}
    assert names - COUNTERPARTS.keys() == set()
    symbols = requested_options()
    assert {name for name in names if COUNTERPARTS[name] not in symbols} == set()


def test_every_python_package_of_the_lab_is_selected() -> None:
    pins = (REPOSITORY / "api/requirements.txt").read_text()
    names = re.findall(r"^([\w.-]+)==", pins, re.MULTILINE)
    options = {f"PACKAGE_PYTHON_{re.sub(r'[-.]', '_', name).upper()}" for name in names}
    assert options - requested_options() == set()


def test_the_image_has_the_overlay_of_the_lab() -> None:
    overlay = re.search(r'^BR2_ROOTFS_OVERLAY="(.*)"$', DEFCONFIG.read_text(), re.MULTILINE)
    assert overlay
    assert "$(BR2_EXTERNAL_SANSTONE_PATH)/overlay" in overlay[1].split()
