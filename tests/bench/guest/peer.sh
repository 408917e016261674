#!/bin/bash
# Runs in the array: makes COUNT LUNs, then COUNT namespaces, as the administrator of a plain Linux
# target would, on a pool in memory. Prints the clock before, between and after, in nanoseconds.
#
#     peer.sh COUNT
#
# The reconciler must be stopped: it removes objects that it does not know.
set -e
target=iqn.2026-11.org.sanstone.lab:peer
subsystem=/sys/kernel/config/nvmet/subsystems/nqn.2026-11.org.sanstone.lab:peer
# The array's own settings admit no disks but RAID groups.
export LVM_SYSTEM_DIR=/run/bench/lvm
mkdir -p "$LVM_SYSTEM_DIR"

volume() {
    lvcreate --quiet --quiet --virtualsize 16M --thinpool peer/pool --name "$1"
}

[ -b /dev/ram4 ] || modprobe brd rd_nr=5 rd_size=131072
vgcreate --quiet --quiet peer /dev/ram4
lvcreate --quiet --quiet --type thin-pool --size 96M --name pool peer
targetcli /iscsi create "$target" > /dev/null
mkdir "$subsystem"

before=$(date +%s%N)
for n in $(seq "$1"); do
    volume "lun$n"
    targetcli /backstores/block create "lun$n" "/dev/peer/lun$n" > /dev/null
    targetcli "/iscsi/$target/tpg1/luns" create "/backstores/block/lun$n" > /dev/null
done
between=$(date +%s%N)
for n in $(seq "$1"); do
    volume "namespace$n"
    mkdir "$subsystem/namespaces/$n"
    echo -n "/dev/peer/namespace$n" > "$subsystem/namespaces/$n/device_path"
    echo 1 > "$subsystem/namespaces/$n/enable"
done
after=$(date +%s%N)

for namespace in "$subsystem"/namespaces/*; do
    echo 0 > "$namespace/enable"
    rmdir "$namespace"
done
rmdir "$subsystem"
targetcli clearconfig confirm=True > /dev/null
vgremove --quiet --quiet --force peer
wipefs --quiet --all /dev/ram4
echo "$before $between $after"
