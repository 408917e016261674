"""Runs Cinder's driver for ONTAP over the life of a volume, as its volume service does.

    python cinder_driver.py CONFIGURATION HOST

CONFIGURATION is a cinder.conf with the stanza `sanstone`; HOST is what Cinder knows of the host
that uses the volume, as JSON. What comes of each step is printed as JSON, on a line of its own. It
waits for a line before it deletes its objects.
"""

from __future__ import annotations

import json
import sys
import uuid
from typing import Any

import cinder.objects
from cinder import context, coordination
from cinder.volume import configuration
from oslo_config import cfg
from oslo_utils import importutils

GIB = 1
STANZA = "sanstone"


class Record(dict[str, Any]):
    """A row of Cinder's database, which is read by attributes and by keys."""

    __getattr__ = dict.__getitem__


def volume(size: int, pool: str) -> Record:
    """Return a volume of so many GiB that is to be in a pool."""
    identity = str(uuid.uuid4())
    nothing = ("volume_type_id", "volume_type", "provider_location", "provider_auth", "provider_id")
    return Record(
        dict.fromkeys((*nothing, "qos_specs")),
        name=f"volume-{identity}",
        id=identity,
        name_id=identity,
        size=size,
        host=f"here@{STANZA}#{pool}",
        metadata={},
        admin_metadata={},
        attach_status="detached",
        display_name="volume",
        project_id="project",
        multiattach=False,
    )


def snapshot(of: Record) -> Record:
    """Return a snapshot of a volume."""
    identity = str(uuid.uuid4())
    return Record(
        name=f"snapshot-{identity}",
        id=identity,
        volume=of,
        volume_name=of.name,
        volume_id=of.id,
        volume_size=of.size,
        size=of.size,
    )


def tell(step: str, what: Any = None) -> None:
    """Print what came of a step."""
    print(json.dumps({"step": step, "result": what}, default=str), flush=True)


def main(file: str, host: dict[str, Any]) -> None:
    """Do all steps. Raises what the driver raises."""
    cinder.objects.register_all()
    # It takes objects that were registered.
    manager = importutils.import_module("cinder.volume.manager")
    cfg.CONF(["--config-file", file], project="cinder")
    coordination.COORDINATOR.start()
    options = configuration.Configuration(manager.volume_backend_opts, config_group=STANZA)
    driver = importutils.import_object(
        options.volume_driver,
        configuration=options,
        host=f"here@{STANZA}",
        db=None,
        cluster_name=None,
        is_vol_db_empty=True,
        active_backend_id=None,
    )
    caller = context.get_admin_context()
    driver.do_setup(caller)
    driver.check_for_setup_error()
    pool = driver.get_volume_stats(True)["pools"][0]
    tell("pool", pool)
    first = volume(GIB, pool["pool_name"])
    driver.create_volume(first)
    first |= driver.create_export(caller, first, host) or {}
    tell("connection", driver.initialize_connection(first, host))
    first["size"] = 2 * GIB
    driver.extend_volume(first, first.size)
    taken = snapshot(first)
    driver.create_snapshot(taken)
    back, copy = volume(2 * GIB, pool["pool_name"]), volume(2 * GIB, pool["pool_name"])
    driver.create_volume_from_snapshot(back, taken)
    driver.create_cloned_volume(copy, first)
    tell("created", [first.name, back.name, copy.name, taken.name])
    if sys.stdin.readline():
        driver.terminate_connection(first, host)
        driver.delete_snapshot(taken)
        for each in (first, back, copy):
            driver.delete_volume(each)
        tell("deleted")
    coordination.COORDINATOR.stop()


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
