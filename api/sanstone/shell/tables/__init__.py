"""ONTAP's names for the array's resources; one module for each part of the command tree.

Only what differs from a declaration stands here. See `sanstone.shell.place` for the vocabulary.
"""

from __future__ import annotations

from sanstone.shell.tables import cluster, network, nvme, san, security, statistics, storage, svm

PLACES = (
    *storage.PLACES,
    *svm.PLACES,
    *san.PLACES,
    *nvme.PLACES,
    *network.PLACES,
    *cluster.PLACES,
    *security.PLACES,
    *statistics.PLACES,
)
DIRECTORIES = {
    "cluster": "The array as a whole",
    "cluster web": "The web server and its certificate",
    "cluster identity": "Name, contact and location of the array",
    "event": "What happened",
    "event log": "The log of events",
    "job": "Changes that were asked for",
    "lun": "LUNs: block devices for iSCSI and Fibre Channel",
    "lun igroup": "Groups of initiators",
    "lun igroup initiator": "The initiators of a group",
    "lun mapping": "Which LUN an igroup sees",
    "lun mapping reporting-nodes": "Nodes through which a mapped LUN is seen",
    "lun portset": "Groups of ports",
    "network": "The network",
    "network interface": "Logical interfaces (LIFs)",
    "network interface service-policy": "What a LIF may serve",
    "network port": "Ethernet ports",
    "network route": "Static routes",
    "qos": "Limits of throughput",
    "security": "Accounts, roles, certificates",
    "security audit log": "Who changed what, and what was denied",
    "security certificate": "Certificates and the array's own authority",
    "security login": "Accounts",
    "security login message": "What is shown at a login",
    "security login publickey": "Public keys for SSH",
    "security login role": "Roles: what accounts may do",
    "security login role config": "Rules for passwords",
    "security login role privilege": "The privileges of a role",
    "statistics": "What hosts and the array do",
    "statistics metrics": "Operations, throughput and latency over time",
    **{f"statistics metrics {what}": f"Figures of a {what}" for what in statistics.OF.values()},
    "storage": "Aggregates and disks",
    "storage aggregate": "Aggregates: RAID groups under one pool",
    "storage disk": "Disks",
    "system": "The machine",
    "system node": "The nodes of the array",
    "volume": "Volumes: containers of LUNs and namespaces",
    "volume snapshot": "Snapshots",
    "vserver": "Storage virtual machines (SVMs)",
    "vserver fcp": "The Fibre Channel service",
    "vserver iscsi": "The iSCSI service",
    "vserver iscsi security": "Logins of initiators",
    "vserver iscsi session": "Initiators that are logged in",
    "vserver nvme": "The NVMe service",
    "vserver nvme namespace": "Namespaces: block devices for NVMe",
    "vserver nvme subsystem": "Subsystems: groups of hosts and the namespaces they see",
    "vserver nvme subsystem controller": "Hosts that are connected",
    "vserver nvme subsystem host": "The hosts of a subsystem",
    "vserver nvme subsystem map": "Which namespaces a subsystem has",
}
"""One line of help for each directory."""
