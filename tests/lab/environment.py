"""output/lab/env: how to reach the machines of `make run`, for shells, scripts and tests.

A file of shell assignments with mode 0600, since the password is in it.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from lab import guest
from lab.machine import Machine
from lab.rack import Rack

COMMENTS = """\
# Written by `make run`. All ports are on 127.0.0.1.
# The data ports lead to 10.0.2.15, the address of the management port e0M, at 3260 and 4420: they
# answer once a LIF on e0M with that address offers iSCSI or NVMe/TCP. Hosts of the lab use LIFs on
# the data networks instead: 10.10.1.0/24 (e0a, e0c, e0d) and 10.10.2.0/24 (e0b), below .100.
"""


def write(rack: Rack, hosts: list[Machine]) -> Path:
    """Write the file for the machines of `rack` and return its path."""
    ports = rack.ports
    values = {
        "SANSTONE_URL": f"https://127.0.0.1:{ports['https']}/",
        "SANSTONE_USER": "admin",
        "SANSTONE_PASSWORD": rack.password,
        "SANSTONE_HTTPS_PORT": str(ports["https"]),
        "SANSTONE_SSH_PORT": str(ports["ssh"]),
        "SANSTONE_ISCSI_PORT": str(ports["iscsi"]),
        "SANSTONE_NVME_PORT": str(ports["nvme"]),
        "SANSTONE_ROOT_SSH": ssh(ports["ssh"]),
    }
    for host in hosts:
        (port,) = host.hardware.forwards
        values["SANSTONE_HOST_SSH"] = ssh(port)
    path = rack.directory / "env"
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(COMMENTS)
        file.writelines(f"{name}={shlex.quote(value)}\n" for name, value in values.items())
    return path


def read(path: Path) -> dict[str, str]:
    """Return the assignments in the file at `path`."""
    words = shlex.split(path.read_text(), comments=True)
    return dict(word.split("=", 1) for word in words)


def initiator_name(host: Machine) -> str:
    """Return the name by which a host logs in to iSCSI targets."""
    return f"iqn.2026-11.org.sanstone.lab:host{host.hardware.number}"


def ssh(port: int) -> str:
    """Return a command line that opens a root shell in the machine whose SSH is at `port`."""
    # A machine's key is new whenever its state is: pinning it would only teach people to ignore the
    # warning, and the connection never leaves 127.0.0.1.
    options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR"]
    words = ["ssh", "-i", str(guest.SSH_KEY), "-p", str(port)]
    for option in options:
        words += ["-o", option]
    return shlex.join([*words, "root@127.0.0.1"])
