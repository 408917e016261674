"""The reconciler is killed while it works; what was asked for is there all the same."""

from __future__ import annotations

import threading

from snapshot import steps_of_a_pass

from lab.administrator import MIB, Administrator
from lab.station import Array

LUNS = 6
# Below systemd's limit of starts, and spread over the work.
KILLS = 3
KILL = f"""
for round in $(seq {KILLS}); do
    sleep 2
    systemctl kill --signal KILL sanstone-reconciler
done
"""


def test_everything_asked_for_is_served(array: Array, admin: Administrator) -> None:
    igroup = admin.add_igroup("killed", "iqn.2026-11.org.sanstone.lab:nobody")
    volume = admin.add_volume("vol_killed")
    killer = threading.Thread(target=array.run, args=[KILL])
    killer.start()
    luns = [admin.add_lun(volume, f"lun{number}", 8 * MIB) for number in range(LUNS)]
    for lun in luns:
        admin.map_lun(lun, igroup)
    killer.join()

    assert steps_of_a_pass(array) == ""
    backstores = array.run("ls -d /sys/kernel/config/target/core/iblock_*/*/enable")
    assert all(lun["uuid"] in backstores for lun in luns)
    admin.remove("protocols/san/igroups", igroup, allow_delete_while_mapped="true")
    admin.remove("storage/volumes", volume)
    assert array.run("systemctl is-active sanstone-reconciler").strip() == "active"
