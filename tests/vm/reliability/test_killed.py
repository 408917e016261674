"""Reconciler and API are killed while they work; accepted changes are there all the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from snapshot import steps_of_a_pass

from lab.administrator import MIB, Administrator, Record
from lab.api import Refused
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array

LUNS = 6
# Below systemd's limit of starts. Each comes amid work, when the reconciler says that it writes.
# For a while after one, on a busy machine, systemd names the process that was killed; the journal
# gets no more lines of it.
KILLS = 3
OF_UNIT = "systemctl show --value --property MainPID sanstone-reconciler"
KILL = f"""
killed=0
for kill in $(seq {KILLS}); do
    until pid=$({OF_UNIT}) && [ $pid != 0 ] && [ $pid != $killed ]; do sleep 0.1; done
    journalctl --lines 0 --follow --output cat _PID=$pid | grep --quiet '^write '
    systemctl kill --signal KILL sanstone-reconciler
    killed=$pid
done
"""


def test_every_accepted_object_is_served(array: Array, admin: Administrator) -> None:
    igroup = admin.add_igroup("killed", "iqn.2026-11.org.sanstone.lab:nobody")
    volume = admin.add_volume("vol_killed")
    luns: list[Record] = []
    with ThreadPoolExecutor() as beside:
        killer = beside.submit(array.run, KILL)
        while len(luns) < LUNS or not killer.done():
            luns.append(admin.add_lun(volume, f"lun{len(luns)}", 8 * MIB))
            admin.map_lun(luns[-1], igroup)
        killer.result()

    assert steps_of_a_pass(array) == ""
    backstores = array.run("ls -d /sys/kernel/config/target/core/iblock_*/*/enable")
    assert all(lun["uuid"] in backstores for lun in luns)
    admin.remove("protocols/san/igroups", igroup, allow_delete_while_mapped="true")
    admin.remove("storage/volumes", volume)
    assert array.run("systemctl is-active sanstone-reconciler").strip() == "active"


def answers(admin: Administrator) -> bool:
    """Return whether the API answers; nobody does, or the web server alone, while it starts."""
    try:
        return bool(admin.api.get("cluster")["uuid"])
    except (Refused, OSError):
        return False


def test_the_api_comes_back_and_hosts_go_on(
    array: Array, admin: Administrator, iscsi: Iscsi, disk: str
) -> None:
    """As where memory runs out: it goes first, a worker of it or all."""
    main_process = array.run("systemctl show --value --property MainPID sanstone-api").strip()
    array.run(f"kill -KILL $(pgrep --oldest --parent {main_process})")
    eventually(lambda: answers(admin))
    unit = array.run("systemctl show --value --property MainPID sanstone-api").strip()
    assert unit == main_process
    array.run("systemctl kill --signal KILL sanstone-api")
    iscsi.host.run(f"dd if={disk} of=/dev/null bs=1M count=4 iflag=direct")
    eventually(lambda: answers(admin))
    assert array.run("systemctl is-active sanstone-api").strip() == "active"
