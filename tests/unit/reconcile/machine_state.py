"""The state of a fake machine, in forms that can be compared between two machines."""

from __future__ import annotations

import difflib
import re

from fakes import FakeKernel
from fakes.thin_pool import ThinPool
from sanstone.kernel import names

DEVICE = re.compile(r"BlockNode\(major=(\d+), minor=(\d+)\)|\bdm-(\d+)\b")
"""A mapped device, by its numbers."""


def comparable(kernel: FakeKernel) -> list[str]:
    """Return the machine's state without numbers that the kernel hands out as things come."""
    devices = {(d.major, d.minor): d.name for d in kernel.mapper.devices()}
    of_minor = {minor: name for (_, minor), name in devices.items()}

    def device(match: re.Match[str]) -> str:
        major, minor, mapped = (int(number or 0) for number in match.groups())
        name = of_minor.get(mapped) if match[3] else devices.get((major, minor))
        return name or match[0]

    text = DEVICE.sub(device, kernel.dump())
    text = re.sub(r"Link\(index=\d+, (name='[\w-]+'), mac_address='[^']*'", r"Link(\1", text)
    ports = {link.index: link.name for link in kernel.network.links()}

    def svm_name(match: re.Match[str]) -> str:
        svm, index = divmod(int(match[1]), 10000)
        return f"table={svm} of {ports.get(index, index)}"

    # LIO keeps a name or secret that was unset as the word that unset it.
    text = text.replace("= NULL\n", "= \n")
    # The directories of devices stay when the last one goes.
    ignored = {f"{path} Directory()" for path in (names.NODES, names.GROUP_NODES)}
    lines = re.sub(r"table=(\d{5,})", svm_name, text).splitlines()
    return sorted(line for line in lines if line not in ignored)


def difference(is_now: list[str], should_be: list[str]) -> str:
    """Return the differences from the expected state, '' for none."""
    lines = difflib.unified_diff(should_be, is_now, "should be", "is", lineterm="", n=0)
    return "\n".join(lines)


def pools(kernel: FakeKernel) -> dict[str, ThinPool]:
    """Return the content of each pool, by its device-mapper name."""
    groups = kernel.storage.groups.groups.values()
    return {f"{group.name}-pool": group.pool for group in groups if group.pool}
