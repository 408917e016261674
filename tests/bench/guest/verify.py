"""Runs in the array: the least that verifying all LUNs and namespaces once can take.

Prints the seconds of processor time in which bare calls read every attribute, directory and link
that the array has in the targets, and each device's state and use.
"""

from __future__ import annotations

import os
import re
import time

from sanstone.kernel import names
from sanstone.kernel.real import real_host
from sanstone.kernel.target import lio, nvmet
from sanstone.kernel.target.configfs import Attribute, Link

_INFO = re.compile("/control$")
"""Nobody can read `control`: the `info` of a backstore has its device instead."""


def read_attribute(path: str) -> None:
    """Read an attribute as cheaply as Python can."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


def main() -> None:
    """Find the exports, then read them by bare calls."""
    host = real_host()
    nodes = lio.read(host).nodes | nvmet.read(host, lambda: None).nodes
    attributes = [path for path, node in nodes.items() if isinstance(node, Attribute)]
    readable = [_INFO.sub("/info", path) for path in attributes]
    links = [path for path, node in nodes.items() if isinstance(node, Link)]
    directories = nodes.keys() - set(attributes) - set(links)
    devices = [d.name for d in host.mapper.devices() if names.uuid_of_device(d.uuid)]
    started = time.process_time()
    for path in readable:
        read_attribute(path)
    for path in (*links, *directories):
        os.lstat(path)
    for device in devices:
        host.mapper.state(device)
        host.mapper.status(device)
    print(time.process_time() - started)


main()
