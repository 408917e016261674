"""The machine that we run on."""

from __future__ import annotations

from sanstone.kernel.host import Host
from sanstone.kernel.real.blocks import RealBlocks
from sanstone.kernel.real.commands import RealCommands
from sanstone.kernel.real.disk_commands import RealDiskCommands
from sanstone.kernel.real.fabric_services import RealFabricServices
from sanstone.kernel.real.files import RealFiles
from sanstone.kernel.real.log import RealLog
from sanstone.kernel.real.mapper import RealMapper
from sanstone.kernel.real.network import RealNetwork


def real_host() -> Host:
    """Return the doors to this machine. Changing anything through them needs root."""
    return Host(
        RealFiles(),
        RealBlocks(),
        RealCommands(),
        RealMapper(),
        RealNetwork(),
        RealLog(),
        RealFabricServices(),
        RealDiskCommands(),
    )
