"""ib_srpt, the module that serves SRP, and the identifier by which hosts ask for its targets.

A host logs in to a target by 16 bytes: twice the module's `srpt_service_guid`, which all ports have
in common, and which hosts call `id_ext` and `ioc_guid`. Left alone it is that of whichever RDMA
device the module sees first, so that hosts would find the array under another one after a boot. It
can be set when the module is loaded and only then (srpt_add_one() and the module's parameters in
drivers/infiniband/ulp/srpt/ib_srpt.c).
"""

from __future__ import annotations

from sanstone.kernel.host import Host

MODULE = "ib_srpt"
IDENTIFIER = f"/sys/module/{MODULE}/parameters/srpt_service_guid"


def load(host: Host, identifier: str) -> None:
    """Load the module with an identifier, 16 hexadecimal digits. Raises HostError.

    One that is loaded already keeps its own.
    """
    if not host.files.exists(IDENTIFIER):
        host.commands.run(["modprobe", MODULE, f"srpt_service_guid=0x{identifier}"])


def identifier(host: Host) -> str:
    """Return the identifier that the module has, 16 hexadecimal digits, '' if it is not loaded.

    Raises FileError.
    """
    files = host.files
    return files.read(IDENTIFIER).removeprefix("0x") if files.exists(IDENTIFIER) else ""
