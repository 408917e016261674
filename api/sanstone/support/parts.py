"""The parts of a support bundle: by name, a function that returns the text of each.

Every part is an allow-list. The configuration is what REST shows, so that fields that are secret in
their declarations are not in it; of the kernel's targets the attributes that authenticate are left
out, and of encrypted devices the key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from sqlalchemy import Engine

from sanstone.core.database.store import reading
from sanstone.core.declaration import fields, query
from sanstone.core.declaration.resource import Reader, Resource
from sanstone.kernel.host import FileError, Host, Target
from sanstone.kernel.storage import lvm
from sanstone.resources.declared import RESOURCES
from sanstone.support import statistics

Part = Callable[[], str]
LIMIT = 45.0
"""Seconds that one command may take."""
_CONFIGFS = "/sys/kernel/config"
_PLACES = {"target": f"{_CONFIGFS}/target", "nvmet": f"{_CONFIGFS}/nvmet"}
_SECRET_FOLDERS = frozenset({"auth", "discovery_auth"})
_SECRET_WORDS = ("key", "password", "secret", "userid")
_COMMANDS = {
    "journal.txt": (
        *("journalctl", "--no-pager", "--quiet", "--output=short-iso"),
        *("--since=-3d", "--lines=80000"),
    ),
    "kernel-log.txt": (
        *("journalctl", "--no-pager", "--quiet", "--dmesg", "--output=short-precise"),
        "--lines=20000",
    ),
    "audit-log.txt": (
        *("journalctl", "--no-pager", "--quiet", "--output=short-iso"),
        *("--unit=sanstone-api.service", "--since=-30d", "--lines=20000"),
    ),
    "units.txt": ("systemctl", "list-units", "--all", "--full", "--no-pager", "--plain"),
    "network/firewall.txt": ("nft", "list", "ruleset", "inet"),
    "storage/lsblk.json": ("lsblk", "--json", "--bytes", "--output", "NAME,SIZE,TYPE,RO,MODEL"),
}
_FILES = {
    "kernel/mdstat.txt": "/proc/mdstat",
    "kernel/memory.txt": "/proc/meminfo",
    "kernel/processors.txt": "/proc/stat",
    "kernel/uptime.txt": "/proc/uptime",
    "kernel/release.txt": "/proc/sys/kernel/osrelease",
    "kernel/command-line.txt": "/proc/cmdline",
    "kernel/modules.txt": "/proc/modules",
    "kernel/mounts.txt": "/proc/mounts",
    "kernel/interrupts.txt": "/proc/interrupts",
    "kernel/pressure-of-memory.txt": "/proc/pressure/memory",
    "kernel/pressure-of-disks.txt": "/proc/pressure/io",
}
_NOT_SHOWN = frozenset(
    {
        "cluster/search",
        "cluster/changes",
        "security/audit/messages",
        "storage/aggregates/{aggregate.uuid}/plexes",
    }
)
"""Answers that exist only for a question, as the figures of one object; and the audit log: its
database is in the API's own folder, where root opens nothing, and the journal has each of its
records too."""


def parts(host: Host, database: Engine) -> dict[str, Part]:
    """Return all parts, by the names of their files."""
    collectors: dict[str, Part] = {
        name: partial(host.commands.run, argv, time_limit=LIMIT) for name, argv in _COMMANDS.items()
    }
    collectors |= {name: partial(host.files.read, path) for name, path in _FILES.items()}
    collectors |= {
        f"kernel/{name}.txt": partial(_tree, host, path) for name, path in _PLACES.items()
    }
    collectors |= {
        "kernel/device-mapper.txt": partial(_mapped, host),
        "storage/lvm.json": partial(_groups, host),
        "network/network.json": partial(_network, host),
        **statistics.parts(),
    }
    for resource in RESOURCES:
        if resource.path not in _NOT_SHOWN and not resource.path.endswith("}/metrics"):
            collectors[f"rest/{_file(resource)}.json"] = partial(_shown, database, resource)
    return collectors


def _file(resource: Resource[Any]) -> str:
    return resource.path.replace("{", "").replace("}", "")


def _shown(database: Engine, resource: Resource[Any]) -> str:
    """Return REST's records of all objects, one in a line. Raises ApiError."""
    nodes = fields.chosen(resource, ["*"], (), False, False)
    with reading(database) as session:
        reader = Reader(session)
        rows = query.match_all(resource, reader, ())
        reader.expect(rows)
        records = [fields.show(nodes, row, reader, False) for row in rows]
        return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)


def _tree(host: Host, path: str) -> str:
    """Return the attributes below a folder of configfs, each with its path. Raises FileError."""
    return "".join(f"{line}\n" for line in _below(host, path))


def _below(host: Host, folder: str) -> Iterator[str]:
    for name in host.files.listdir(folder):
        path = f"{folder}/{name}"
        if host.files.is_link(path):
            yield f"{path} -> {host.files.readlink(path)}"
        elif host.files.is_dir(path):
            yield path
            if name not in _SECRET_FOLDERS:
                yield from _below(host, path)
        elif any(word in name for word in _SECRET_WORDS):
            yield f"{path} (left out)"
        else:
            yield f"{path} = {_value(host, path)}"


def _value(host: Host, path: str) -> str:
    """Return an attribute's text; some can only be written, or say nothing in a certain state."""
    try:
        return host.files.read(path).replace("\n", "\n    ")
    except FileError as error:
        return f"({error})"


def _mapped(host: Host) -> str:
    """Return tables and states of all device-mapper devices. Raises RequestError."""
    lines = []
    for device in host.mapper.devices():
        state = host.mapper.state(device.name)
        lines.append(f"{device.name} {device.uuid} {device.major}:{device.minor} {state}")
        lines += [f"  table  {_target(each)}" for each in host.mapper.table(device.name)]
        lines += [f"  status {_target(each)}" for each in host.mapper.status(device.name)]
    return "".join(f"{line}\n" for line in lines)


def _target(target: Target) -> str:
    # An encrypted device's arguments are its cipher, its key and more.
    arguments = "(left out)" if target.kind == "crypt" else target.arguments
    return f"{target.start} {target.length} {target.kind} {arguments}"


def _groups(host: Host) -> str:
    """Return LVM's report on the groups on our arrays. Raises HostError."""
    names = [name for name in host.files.listdir("/sys/block") if name.startswith("md")]
    groups = lvm.report(host, [f"/dev/{name}" for name in names]) if names else []
    return _json([asdict(group) for group in groups])


def _network(host: Host) -> str:
    """Return links, addresses, routes and rules. Raises RequestError."""
    doors: dict[str, Callable[[], Sequence[Any]]] = {
        "links": host.network.links,
        "addresses": host.network.addresses,
        "routes": host.network.routes,
        "rules": host.network.rules,
    }
    return _json({name: [asdict(each) for each in read()] for name, read in doors.items()})


def _json(content: Any) -> str:
    return json.dumps(content, indent=2)
