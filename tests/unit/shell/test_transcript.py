"""A storage engineer's published session runs as it stands.

Only the node is the simulated array's. The session expects an interface group and a VLAN on it:
they are created first, with ONTAP's commands.
"""

from __future__ import annotations

import pytest
from console import Console

HOST_NQN = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"
PLACE = "-netmask-length 16 -home-node array-01 -home-port a0a-1092"
LIF = "network interface create -vserver nvme -lif"
ISCSI, NVME = "-service-policy default-data-iscsi", "-service-policy default-data-nvme-tcp"
PORTS = (
    "network port ifgrp create -node array-01 -ifgrp a0a -distr-func ip -mode multimode_lacp",
    "network port ifgrp add-port -node array-01 -ifgrp a0a -port e0c",
    "network port ifgrp add-port -node array-01 -ifgrp a0a -port e0d",
    "network port vlan create -node array-01 -vlan-name a0a-1092",
)
TRANSCRIPT = (
    ("vserver create -vserver nvme -data-services data-iscsi,data-nvme-tcp", "Job succeeded"),
    ("vserver add-protocols -vserver nvme -protocols iscsi,nvme", ""),
    ("network route create -vserver nvme -destination 0.0.0.0/0 -gateway 10.92.0.1", ""),
    ("volume create -vserver nvme -volume nvme -size 100g -security-style unix", "Job succeeded"),
    ("volume create -vserver nvme -volume iscsi -size 100g -security-style unix", "Job succeeded"),
    (f"{LIF} lif1 -address 10.92.4.131 {PLACE} {ISCSI}", ""),
    (f"{LIF} lif2 -address 10.92.4.132 {PLACE} {NVME}", ""),
    (f"{LIF} lif3 -address 10.92.4.133 {PLACE} {ISCSI}", ""),
    (f"{LIF} lif4 -address 10.92.4.134 {PLACE} {NVME}", ""),
    ("vserver nvme create -vserver nvme", ""),
    ("vserver iscsi create -vserver nvme", ""),
    (
        "lun create -vserver nvme -path /vol/iscsi/disk.lun -size 80g -ostype linux",
        "Created a LUN of size 80GB (85899345920)",
    ),
    (
        "igroup create -vserver nvme -igroup linux -ostype linux -protocol iscsi "
        "-initiator iqn.1994-05.com.redhat:52106ff8cfe5",
        "",
    ),
    ("lun map -vserver nvme -path /vol/iscsi/disk.lun -igroup linux", ""),
    (
        "nvme namespace create -vserver nvme -path /vol/nvme/disk.ns -size 80g -ostype linux",
        "Created a namespace of size 80GB (85899345920).",
    ),
    ("nvme subsystem create -vserver nvme -subsystem subsys1 -ostype linux", ""),
    (f"nvme subsystem host add -vserver nvme -subsystem subsys1 -host-nqn {HOST_NQN}", ""),
    ("nvme subsystem map add -vserver nvme -subsystem subsys1 -path /vol/nvme/disk.ns", ""),
)


def test_the_transcript_runs_with_its_results(bare: Console) -> None:
    for line in PORTS:
        assert bare.run(line) == ""
    for line, answer in TRANSCRIPT:
        output = bare.run(line)
        assert answer in output and bool(answer) == bool(output), f"{line}\n{output}"
    details = bare.run("lun show -vserver nvme -path /vol/iscsi/disk.lun")
    assert "State: online" in details and "Mapped: mapped" in details
    assert bare.table("network interface show -fields address,service-policy,home-port")[2] == [
        *("nvme", "lif3", "10.92.4.133", "default-data-iscsi", "a0a-1092"),
    ]
    assert [row[:2] + row[-1:] for row in bare.table("network interface show")] == [
        ["nvme", f"lif{number}", "true"] for number in (1, 2, 3, 4)
    ]
    assert HOST_NQN in bare.run("nvme subsystem host show -vserver nvme -subsystem subsys1")
    assert bare.table("nvme namespace show -vserver nvme -fields size,subsystem") == [
        ["nvme", "/vol/nvme/disk.ns", "80GB", "subsys1"]
    ]
    assert bare.table("vserver show -fields nvme-enabled,fcp-allowed") == [
        ["nvme", "true", "false"]
    ]


def test_a_node_that_does_not_exist_is_named(console: Console) -> None:
    message = console.refusal(
        "network interface create -vserver svm1 -lif lif1 -address 10.92.4.131 -netmask-length 16 "
        "-home-node cl3n2 -home-port e0a"
    )
    assert message == 'Error: command failed: node "cl3n2" does not exist.'


@pytest.mark.parametrize("verb", ["vserver nvme", "nvme", "vserver iscsi", "iscsi"])
def test_services_are_found_from_the_top_by_their_own_names(console: Console, verb: str) -> None:
    console.run(f"{verb} create -vserver svm1")
    assert "svm1" in console.run(f"{verb} show")
