"""A host reads its LUN's data from the namespace that the LUN was converted to, and the reverse."""

from __future__ import annotations

from typing import Any

import pytest
from provisioned import connect, log_in
from snapshot import steps_of_a_pass

from lab.administrator import MIB, Administrator, Record
from lab.api import Refused
from lab.initiator import Iscsi, Nvme
from lab.station import Array, Host
from lab.workload import Workload

LUNS, NAMESPACES = "storage/luns", "storage/namespaces"
LUN_MAPS, SUBSYSTEM_MAPS = "protocols/san/lun-maps", "protocols/nvme/subsystem-maps"
BLOCK = 16384
SIZE, WRITTEN = 256 * MIB, 8 * MIB


def convert(admin: Administrator, into: str, source: str, record: Record) -> Record:
    """Make an object of another kind of one, and return it."""
    body = {"svm.name": admin.svm, f"convert.{source}.name": record["name"]}
    (result,) = admin.api.post(into, body, return_records="true")["records"]
    return dict(result)


def thin_device(array: Array, record: Record) -> tuple[str, str, str]:
    """Return the sectors, the kind and the thin id of an object's exported device."""
    table = array.run(f"dmsetup table sanstone-{record['uuid']}").split()
    return table[1], table[2], table[4]


def test_data_stays_where_it_is(
    array: Array, admin: Administrator, host: Host, iscsi: Iscsi, nvme: Nvme
) -> None:
    igroup = admin.add_igroup("group_converted", iscsi.name)
    subsystem = admin.add_subsystem("sub_converted", {"nqn": nvme.name})
    volume = admin.add_volume("vol_converted")
    lun = admin.add_lun(volume, "both", SIZE)
    admin.map_lun(lun, igroup)
    below = thin_device(array, lun)
    by_scsi = Workload(host, "scsi", log_in(iscsi, lun), WRITTEN, BLOCK)
    by_scsi.start()
    by_scsi.wait()
    with pytest.raises(Refused, match="is mapped"):
        convert(admin, NAMESPACES, "lun", lun)
    iscsi.log_out()
    admin.api.delete(f"{LUN_MAPS}/{lun['uuid']}/{igroup['uuid']}")

    namespace = convert(admin, NAMESPACES, "lun", lun)
    assert thin_device(array, namespace) == below
    # Data that are not on the disks yet are lost: the conversion is not.
    array.power_off_hard()
    array.boot()
    assert names(admin, LUNS) == []
    admin.map_namespace(namespace, subsystem)
    drive = connect(nvme, namespace)
    assert host.run(f"blockdev --getss --getsize64 {drive}").split() == ["512", str(SIZE)]
    Workload(host, "scsi", drive, WRITTEN, BLOCK).reread()
    by_nvme = Workload(host, "nvme", drive, WRITTEN, BLOCK)
    by_nvme.start()
    by_nvme.wait()
    nvme.disconnect()
    admin.api.delete(f"{SUBSYSTEM_MAPS}/{subsystem['uuid']}/{namespace['uuid']}")

    again = convert(admin, LUNS, "namespace", namespace)
    assert names(admin, NAMESPACES) == []
    assert again["serial_number"] != lun["serial_number"]
    admin.map_lun(again, igroup)
    Workload(host, "nvme", log_in(iscsi, again), WRITTEN, BLOCK).reread()
    assert thin_device(array, again) == below
    assert steps_of_a_pass(array) == ""
    iscsi.log_out()
    admin.remove("protocols/san/igroups", igroup, allow_delete_while_mapped="true")
    forced = {"allow_delete_while_mapped": "true", "allow_delete_with_hosts": "true"}
    admin.remove("protocols/nvme/subsystems", subsystem, **forced)
    admin.remove("storage/volumes", volume)


def names(admin: Administrator, path: str) -> list[Any]:
    """Return the paths of the objects of a kind in this test's volume."""
    query = {"location.volume.name": "vol_converted"}
    return [record["name"] for record in admin.api.get(path, **query)["records"]]
