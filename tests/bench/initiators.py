"""A host's logins to the array's LUNs and namespaces, and its log-outs."""

from __future__ import annotations

from lab.machine import Machine


def log_in(host: Machine, address: str, target: str, initiator: str, lun: int) -> str:
    """Log in to an iSCSI target as `initiator` and return the device of a LUN, a /dev/sdX.

    Never its name by path, which has colons: fio takes them for separators of names (fio(1),
    `filename`), makes files of the parts and measures those. There is one path, so multipathd is
    stopped: it would have requests fail 5 s after the path is lost, where they shall wait for it.
    """
    host.run("systemctl stop multipathd.socket multipathd.service && multipath -F")
    host.run(f"echo InitiatorName={initiator} > /etc/iscsi/initiatorname.iscsi")
    host.run("systemctl restart iscsid")
    host.run(f"iscsiadm -m discovery -t sendtargets -p {address}")
    node = f"iscsiadm -m node -T {target} -p {address}"
    host.run(f"{node} -o update -n node.session.timeo.replacement_timeout -v 3600")
    host.run(f"{node} --login")
    path = f"/dev/disk/by-path/ip-{address}:3260-iscsi-{target}-lun-{lun}"
    # A login is over before the kernel has looked for LUNs.
    appear = f"udevadm wait --timeout=60 --settle {path} && readlink -e {path}"
    return host.run(appear, timeout=100).strip()


def connect(host: Machine, address: str, subsystem: str, host_nqn: str) -> str:
    """Connect to an NVMe subsystem as `host_nqn` and return the path of its first namespace."""
    where = f"--transport=tcp --traddr={address} --trsvcid=4420 --nqn={subsystem}"
    patience = "--ctrl-loss-tmo=-1 --reconnect-delay=1"
    host.run(f"nvme connect {where} --hostnqn={host_nqn} {patience}")
    script = f"""
        udevadm settle
        cd /sys/class/nvme-subsystem
        subsystem=$(dirname "$(grep --files-with-matches --line-regexp {subsystem} */subsysnqn)")
        ls "$subsystem" | grep --max-count=1 --extended-regexp '^nvme[0-9]+n[0-9]+$'
    """
    return "/dev/" + host.run(script).strip()


def disconnect(host: Machine) -> None:
    """End all sessions."""
    host.run("iscsiadm -m node --logoutall=all && nvme disconnect-all")
    host.run("iscsiadm -m node -o delete")
