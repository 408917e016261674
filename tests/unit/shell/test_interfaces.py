"""LIFs as ONTAP's scripts create them: options without effect here are refused."""

from __future__ import annotations

import pytest
from console import Console

CREATE = (
    "network interface create -vserver svm1 -lif lif1 -role data -address 10.10.1.1 "
    "-netmask 255.255.255.0 -home-node array-01 -home-port e0a -status-admin up -auto-revert false"
)
SHOW = "network interface show -fields service-policy,failover-policy"
IDLE = "-is-dns-update-enabled false -listen-for-dns-query false -dns-zone none"


@pytest.mark.parametrize(
    ("arguments", "policy"),
    [
        ("-data-protocol iscsi -failover-policy system-defined", "default-data-iscsi"),
        ("-data-protocol nvme-tcp -failover-policy disabled", "default-data-nvme-tcp"),
        ("-data-protocol iscsi -failover-policy home_port_only", "default-data-iscsi"),
        (f"-data-protocol iscsi -firewall-policy data {IDLE}", "default-data-iscsi"),
        ("-data-protocol none -firewall-policy mgmt", "default-management"),
        ("-data-protocol iscsi -service-policy default-data-iscsi", "default-data-iscsi"),
    ],
)
def test_arguments_of_ontap_are_accepted(console: Console, arguments: str, policy: str) -> None:
    console.run(f"{CREATE} {arguments}")
    goes = "broadcast-domain-wide" if policy == "default-management" else "disabled"
    assert console.table(SHOW) == [["svm1", "lif1", policy, goes]]
    assert console.table(f"network interface show -failover-policy {goes} -fields lif")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            "-failover-policy nowhere",
            'is an invalid value for field "-failover-policy {disabled|system-defined|local-only|',
        ),
        ("-data-protocol iscsi,fcp", "Fibre Channel has interfaces of its own"),
        (
            "-data-protocol iscsi -firewall-policy mgmt",
            '"-firewall-policy" contradicts "-data-protocol".',
        ),
        (
            "-data-protocol iscsi -service-policy default-data-nvme-tcp",
            'contradicts "-',
        ),
        ("-is-dns-update-enabled true", "is an invalid value"),
    ],
)
def test_arguments_without_effect_are_refused(console: Console, arguments: str, why: str) -> None:
    assert why in console.refusal(f"{CREATE} {arguments}")


@pytest.mark.parametrize("protocol", ["fcp", "fc-nvme"])
def test_fibre_channel_has_a_command_of_its_own(console: Console, protocol: str) -> None:
    message = console.refusal(
        f"network interface create -vserver svm1 -lif fc1 -role data -data-protocol {protocol} "
        "-home-node array-01 -home-port 9z -status-admin up -failover-policy disabled"
    )
    assert message == "Error: command failed: The array has no Fibre Channel adapter."


def test_a_lif_migrates_and_comes_home(console: Console) -> None:
    console.run(f"{CREATE} -data-protocol iscsi -failover-policy local-only")
    show = "network interface show -fields home-port,curr-port,is-home,failover-policy"
    migrate = "net int migrate -vserver svm1 -lif lif1 -destination-node array-01"
    console.run(f"{migrate} -destination-port e0b")
    assert console.table(show) == [["svm1", "lif1", "e0a", "e0b", "false", "local-only"]]
    console.run("network interface revert *")
    assert console.table(show) == [["svm1", "lif1", "e0a", "e0a", "true", "local-only"]]


def test_a_service_policy_is_created_and_changed_by_its_services(console: Console) -> None:
    directory = "network interface service-policy"
    console.run(f"{directory} create svm1 mine -services data-core,data-iscsi")
    console.run(f"{CREATE} -service-policy mine")
    console.run(f"{directory} add-service svm1 mine -service data-nvme-tcp,management-ssh")
    console.run(f"{directory} remove-service svm1 mine -service data-iscsi")
    output = console.run(f"{directory} show svm1 mine -fields services")
    assert "data-core,data-nvme-tcp,management-ssh" in output.replace(" ", "")
    console.run(f"{directory} rename svm1 mine -new-name yours")
    assert console.table("network interface show -fields service-policy") == [
        ["svm1", "lif1", "yours"]
    ]
    console.answers = [True]
    assert "lif1" in console.refusal(f"{directory} delete svm1 yours")


def test_a_service_policy_of_the_management_has_no_vserver(console: Console) -> None:
    directory = "network interface service-policy"
    console.run(f"{directory} create -policy web -services management-https")
    assert "web" in console.run(f"{directory} show -policy web")
    console.answers = [True]
    console.run(f"{directory} delete -policy web")
