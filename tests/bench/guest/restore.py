"""Runs in the array: takes exports and their devices away and brings them back in several ways.

    restore.py clear              remove all exports of Sanstone's, and their thin devices
    restore.py record FILE        one pass of the reconciler in this process, noted in FILE
    restore.py devices FILE       make the devices in FILE, and nothing else
    restore.py floor FILE ROOT    the writes in FILE that lie under ROOT, and nothing else
    restore.py serve              the reconciler as systemd starts it, until it says it is ready
    restore.py run PROGRAM …      any program
    restore.py count              how many LUNs and namespaces are exported

Prints a JSON object. Times are seconds of this machine's clock. The service must be stopped.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sanstone.core import own_node
from sanstone.core.database import store
from sanstone.kernel import names, plan
from sanstone.kernel.host import Host, MappedDevice, Target
from sanstone.kernel.plan import Failure, Step
from sanstone.kernel.real import real_host
from sanstone.kernel.target import configfs, lio, nvmet
from sanstone.reconcile.database_sink import DatabaseSink
from sanstone.reconcile.loop import Reconciler
from sanstone.reconcile.modules import prepare
from sanstone.reconcile.turn import Turn

Operation = tuple[str, str, str]


def clear() -> dict[str, Any]:
    """Apply the plan to an empty tree, and remove the devices."""
    host = real_host()
    failures: list[Failure] = []
    for driver in (nvmet, lio):
        failures += plan.apply(host, configfs.plan(driver.read(host), configfs.Tree()))
    for device in _thin_devices(host):
        host.mapper.remove(device.name)
        host.files.unlink(_node(device))
    return {"failures": [str(failure) for failure in failures]}


def _thin_devices(host: Host) -> list[MappedDevice]:
    """Return Sanstone's devices, which all lie in a pool here."""
    return [device for device in host.mapper.devices() if names.uuid_of_device(device.uuid)]


def record(file: str) -> dict[str, Any]:
    """Reconcile once, with a watch on `Turn.apply`."""
    applied: list[Step] = []
    spent = 0.0
    original = Turn.apply

    def watched(turn: Turn, steps: Sequence[Step]) -> list[Failure]:
        nonlocal spent
        applied.extend(steps)
        started = time.perf_counter()
        try:
            return original(turn, steps)
        finally:
            spent += time.perf_counter() - started

    Turn.apply = watched  # type: ignore[method-assign, assignment]
    started = time.perf_counter()
    host = real_host()
    prepare(host)
    database = store.engine(store.path())
    sink = DatabaseSink(database)
    Reconciler(host, database, store.path(), own_node.uuid(), sink).run()
    total = time.perf_counter() - started
    operations = [_operation(step.text) for step in applied if not step.text.startswith("run ")]
    tables = {device.name: _only_target(host, device) for device in _thin_devices(host)}
    Path(file).write_text(json.dumps({"operations": operations, "devices": tables}))
    return {"total": total, "apply": spent, "steps": len(operations)}


def _only_target(host: Host, device: MappedDevice) -> tuple[str, int, str, str]:
    """Return a thin device's own UUID, sectors, node, and its place in the pool."""
    [target] = host.mapper.table(device.name)
    if target.kind != "thin":
        raise ValueError(f"{device.name} is no thin device but {target}")
    return device.uuid, target.length, _node(device), target.arguments


def _node(device: MappedDevice) -> str:
    return names.device_node(names.uuid_of_device(device.uuid))


def devices(file: str) -> dict[str, Any]:
    """Make the devices as fast as Python can, with the nodes by which exports name them."""
    host = real_host()
    mapper, nodes = host.mapper, host.files
    tables = json.loads(Path(file).read_text())["devices"]
    started = time.perf_counter()
    for name, (uuid, sectors, node, arguments) in tables.items():
        device = mapper.create(name, uuid)
        mapper.load(name, [Target(0, sectors, "thin", arguments)])
        mapper.resume(name)
        nodes.make_block_node(node, device.major, device.minor)
    return {"loop": time.perf_counter() - started, "devices": len(tables)}


def _operation(text: str) -> Operation:
    """Parse a step's text: "mkdir PATH", "write PATH VALUE", "link PATH -> TARGET"."""
    verb, _, rest = text.partition(" ")
    path, _, value = rest.partition(" ")
    return verb, path, value.removeprefix("-> ")


def floor(file: str, root: str) -> dict[str, Any]:
    """Do the operations under `root` as fast as Python can."""
    loaded = [tuple(operation) for operation in json.loads(Path(file).read_text())["operations"]]
    operations = [operation for operation in loaded if operation[1].startswith(root)]
    started = time.perf_counter()
    for verb, path, value in operations:
        if verb == "write":
            descriptor = os.open(path, os.O_WRONLY)
            os.write(descriptor, value.encode())
            os.close(descriptor)
        elif verb == "mkdir":
            os.mkdir(path)  # noqa: PTH102 - nothing between us and the kernel
        else:
            os.symlink(value, path)  # noqa: PTH211
    return {"loop": time.perf_counter() - started, "operations": len(operations)}


def serve() -> dict[str, Any]:
    """Start the reconciler, wait for READY=1 and end it."""
    address = "\0sanstone-bench"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(address)
        receiver.settimeout(600)
        environment = {**os.environ, "NOTIFY_SOCKET": address.replace("\0", "@")}
        started = time.perf_counter()
        process = subprocess.Popen(
            ["/usr/bin/sanstone-reconciler"], env=environment, stderr=subprocess.DEVNULL
        )
        while b"READY=1" not in receiver.recv(4096):
            continue
        spent = time.perf_counter() - started
        process.terminate()
        process.wait()
    return {"spent": spent}


def run(*argv: str) -> dict[str, Any]:
    """Run a program and time it."""
    started = time.perf_counter()
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - started
    output = (done.stdout + done.stderr).strip()[-2000:]
    return {"spent": spent, "status": done.returncode, "output": output}


def count() -> dict[str, Any]:
    """Count the exports that hosts could use."""
    groups = Path(lio.ROOT, "iscsi").glob("iqn.*/tpgt_*")
    mapped = sum(1 for group in groups for _ in group.glob("acls/*/lun_*"))
    namespaces = Path(nvmet.ROOT, "subsystems").glob("*/namespaces/*/enable")
    enabled = sum(1 for path in namespaces if path.read_text().strip() == "1")
    return {"luns": mapped, "namespaces": enabled}


VERBS: dict[str, Callable[..., dict[str, Any]]] = {
    "clear": clear,
    "record": record,
    "devices": devices,
    "floor": floor,
    "serve": serve,
    "run": run,
    "count": count,
}


if __name__ == "__main__":
    print(json.dumps(VERBS[sys.argv[1]](*sys.argv[2:])))
