"""All that an array serves, as the kernel and LVM have it: to be compared over a reboot.

Counters are left out, also those that show an order of creation, and connections. Device numbers,
which change with a boot, become names.
"""

from __future__ import annotations

import json

from lab.station import Array

_READ = r"""
import json, os, re, subprocess
VOLATILE = {"statistics", "fabric_statistics", "info", "hba_info", "dynamic_sessions", "members"}

def run(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout

found = {}
for root in ("/sys/kernel/config/nvmet", "/sys/kernel/config/target"):
    for directory, below, files in os.walk(root):
        below[:] = sorted(name for name in below if name not in VOLATILE)
        for name in below:
            path = os.path.join(directory, name)
            found[path] = os.readlink(path) if os.path.islink(path) else "directory"
        for name in files:
            path = os.path.join(directory, name)
            if name in VOLATILE or not os.stat(path).st_mode & 0o400:
                continue
            try:
                found[path] = open(path).read()
            except OSError as error:
                found[path] = error.strerror
columns = ("info", "--columns", "--noheadings", "--separator", " ", "-o", "major,minor,name")
numbers = dict(
    (":".join(line.split()[:2]), line.split()[2])
    for line in run("dmsetup", *columns).splitlines()
)
for line in run("dmsetup", "table").splitlines():
    name, _, table = line.partition(": ")
    found["dm " + name] = re.sub(r"\b\d+:\d+\b", lambda m: numbers.get(m[0], "disk"), table)
lvs = ("lvs", "--all", "--noheadings", "--options", "vg_uuid,lv_uuid,lv_name,lv_size,segtype")
for line in run(*lvs).splitlines():
    found["lvm " + line.strip()] = ""
assert any(name.startswith("lvm ") for name in found), "LVM sees no volume group"
print(json.dumps(found))
"""
_PASS = """
import logging, sys
from sanstone.core import own_node
from sanstone.core.database import store
from sanstone.kernel.real import real_host
from sanstone.reconcile.database_sink import DatabaseSink
from sanstone.reconcile.loop import Reconciler
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
database = store.engine(store.path())
sink = DatabaseSink(database)
Reconciler(real_host(), database, store.path(), own_node.uuid(), sink).run()
"""


def served(array: Array) -> dict[str, str]:
    """Return the array's exports and devices, by path."""
    state: dict[str, str] = json.loads(array.run("python3 -", stdin=_READ.encode()))
    return state


def steps_of_a_pass(array: Array) -> str:
    """Return the steps that the reconciler would do now: their texts, one a line.

    A pass runs for that in a process of its own, that remembers nothing, in the service's place.
    """
    array.run("systemctl stop sanstone-reconciler")
    try:
        return array.run("umask 007; python3 -", stdin=_PASS.encode())
    finally:
        array.run("systemctl start sanstone-reconciler")
