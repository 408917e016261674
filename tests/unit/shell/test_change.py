"""Creating, changing, deleting: requests, questions and output."""

from __future__ import annotations

import pytest
from console import Console

from sanstone.shell.show import NOTHING


def paths(console: Console) -> list[str]:
    return [row[1] for row in console.table("lun show")]


def test_a_creation_is_reported(console: Console) -> None:
    assert console.run("lun create svm1 /vol/vol2/x -size 1.5g -ostype lin") == (
        "Created a LUN of size 1.50GB (1610612736)"
    )
    assert console.table("lun show -path /vol/vol2/x -fields ostype")[0][2] == "linux"


def test_a_job_is_reported(console: Console) -> None:
    output = console.run("volume create svm1 vol3 -size 1g")
    job = output.removeprefix("[Job ").split("]")[0]
    assert output == f"[Job {job}] Job succeeded: Successful"
    assert console.table(f"job show -id {job} -fields state") == [[job, "success"]]


def test_an_igroup_is_created_with_its_initiators(console: Console) -> None:
    console.run(
        "igroup create svm1 g2 -ostype linux -initiator iqn.1994-05.com.x:a,iqn.1994-05.com.x:b"
    )
    console.run("igroup add svm1 g2 iqn.1994-05.com.x:c,iqn.1994-05.com.x:d")
    assert len(console.table("igroup initiator show -igroup g2")) == 4


def test_luns_are_created_with_a_group_and_mapped(console: Console) -> None:
    console.run("igroup create svm1 g2 -ostype linux")
    console.run(
        "consistency-group create svm1 together -luns /vol/new/a,/vol/new/b -luns-space-size 1g "
        "-luns-os-type linux -luns-lun-maps-igroup g2"
    )
    assert [row[1:3] for row in console.table("lun mapping show -igroup g2")] == [
        ["/vol/new/a", "g2"],
        ["/vol/new/b", "g2"],
    ]


def test_an_initiator_is_removed_by_the_name_that_it_was_added_by(console: Console) -> None:
    console.run("igroup create svm1 g2 -ostype windows")
    console.run("igroup add svm1 g2 iqn.1991-05.com.example:WIN-Host01")
    console.answers = [True]
    console.run("igroup remove svm1 g2 iqn.1991-05.com.example:WIN-Host01")
    assert console.run("igroup initiator show -igroup g2") == NOTHING


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "lun create svm1 /vol/vol1/lun1 -size 1g -ostype linux",
            'command failed: "/vol/vol1/lun1" already exists.',
        ),
        (
            "lun create svm9 /vol/vol1/lun9 -size 1g -ostype linux",
            'command failed: vserver "svm9" does not exist.',
        ),
        (
            "lun create svm1 lun9 -size 1g -ostype linux",
            'command failed: Invalid value for field "-path": This must be a path of the form '
            "/vol/<volume>/<name>.",
        ),
        (
            "lun create svm1 /vol/vol1/l -size 1x -ostype linux",
            '"1x" is an invalid value for field "-size {<integer>[KB|MB|GB|TB|PB]}"',
        ),
        (
            "igroup add svm1 group9 iqn.1994-05.com.x:a",
            'command failed: There is no igroup "svm1", "group9".',
        ),
        ("lun modify svm1 /vol/vol1/lun1", "Nothing was given that could be changed."),
        ("lun modify svm1 /vol/vol1/nope -comment x", "There are no entries matching your query."),
    ],
)
def test_refusals(console: Console, line: str, message: str) -> None:
    assert console.refusal(line) == f"Error: {message}"


def test_changing_one(console: Console) -> None:
    assert console.run("lun modify svm1 /vol/vol1/lun1 -comment new") == ""
    assert console.table("lun show -fields comment")[0][2] == "new"
    console.run('lun modify svm1 /vol/vol1/lun1 -comment ""')
    assert console.table("lun show -fields comment")[0][2] == "-"


def test_changing_all_that_match(console: Console) -> None:
    assert console.run("lun modify svm1 * -comment new") == "2 entries were modified."
    assert console.run("lun modify {-ostype windows} -comment win") == "1 entry was modified."
    assert [row[2] for row in console.table("lun show -fields comment")] == ["new", "win"]


def test_a_name_that_is_not_unique_is_refused_without_a_query(console: Console) -> None:
    for vserver in ("svm1", "svm2"):
        console.run(
            f"network interface create {vserver} lif1 -address 10.1.1.{vserver[-1]} "
            "-netmask 24 -home-port e0a"
        )
    message = console.refusal("network interface modify -lif lif1 -status-admin down")
    assert message == "Error: 2 entries match; give -vserver as well."
    console.run("network interface modify -vserver svm2 -lif lif1 -status-admin down")
    assert console.run("network interface modify -vserver * -lif lif1 -status-admin up") == (
        "2 entries were modified."
    )


def test_a_deletion_asks_for_confirmation(console: Console) -> None:
    status, output = console.attempt("lun delete svm1 /vol/vol1/lun1")
    assert (status, output) == (1, "") and "/vol/vol1/lun1" in paths(console)
    assert console.questions == [
        'Warning: Are you sure you want to delete LUN "/vol/vol1/lun1" in Vserver "svm1"? {y|n}:'
    ]
    console.answers = [True]
    console.run("lun delete svm1 /vol/vol1/lun1")
    assert paths(console) == ["/vol/vol1/lun2"]


def test_each_of_several_deletions_asks_for_confirmation(console: Console) -> None:
    console.answers = [False, True]
    status, output = console.attempt("lun delete svm1 *")
    assert (status, output) == (1, "1 entry was deleted.")
    assert paths(console) == ["/vol/vol1/lun1"]


def test_confirmations_can_be_switched_off(console: Console) -> None:
    console.run("set -confirmations off; lun delete svm1 *")
    assert console.questions == [] and paths(console) == []


def test_options(console: Console) -> None:
    console.run("set -confirmations off; lun map svm1 /vol/vol1/lun1 group1")
    assert "mapped" in console.refusal("lun delete svm1 /vol/vol1/lun1")
    console.run("lun delete svm1 /vol/vol1/lun1 -force")
    assert paths(console) == ["/vol/vol1/lun2"]


@pytest.mark.parametrize(
    ("line", "show", "value"),
    [
        ("volume offline svm1 vol1", "volume show -volume vol1 -fields state", "offline"),
        ("volume size svm1 vol1 -new-size 40g", "volume show -volume vol1 -fields size", "40GB"),
        ("volume rename svm1 vol2 -newname v", "volume show -volume v -fields size", "30GB"),
        ("lun resize svm1 /vol/vol1/lun1 -size 2g", "lun show -path *lun1 -fields size", "2GB"),
        ("lun resize svm1 /vol/vol1/lun1 -size +1g", "lun show -path *lun1 -fields size", "2GB"),
        ("volume size svm1 vol1 +512m", "volume show -volume vol1 -fields size", "20.50GB"),
        ("volume modify svm1 vol1 -size -5g", "volume show -volume vol1 -fields size", "15GB"),
        (
            "lun create svm1 -volume vol1 -lun l -t aix -size 1g -class regular",
            "lun show -path /vol/vol1/l -fields ostype",
            "aix",
        ),
        (
            "vserver create svm3 -rootvolume root -aggregate aggr1 "
            "-rootvolume-security-style unix -foreground true",
            "vserver show -vserver svm3 -fields aggr-list",
            "-",
        ),
        (
            "network interface create svm1 lif1 -role data -firewall-policy data "
            "-data-protocol iscsi -address 10.1.1.1 -netmask 255.255.255.0 -home-port e0a",
            "network interface show -lif lif1 -fields service-policy",
            "default-data-iscsi",
        ),
        (
            "network interface create svm1 lif1 -data-protocol iscsi,nvme-tcp "
            "-address 10.1.1.1 -netmask 24 -home-port e0a",
            "network interface show -lif lif1 -fields service-policy",
            "default-data-blocks",
        ),
        (
            "nvme namespace create svm1 /vol/vol1/n -size 1g -ostype vmware",
            "nvme namespace show -fields block-size",
            "512B",
        ),
        (
            "nvme namespace create svm1 /vol/vol1/n -size 1g -ostype linux -block-size 4KB",
            "nvme namespace show -fields block-size",
            "4KB",
        ),
        ("lun offline svm1 /vol/vol1/lun1", "lun show -path *lun1 -fields state", "offline"),
        (
            "lun move-in-volume svm1 /vol/vol1/lun1 -new-path /vol/vol1/n",
            "lun show -path *n -fields ostype",
            "linux",
        ),
        ("vserver stop svm2", "vserver show -vserver svm2 -fields admin-state", "stopped"),
        (
            "vserver remove-protocols svm2 -protocols fcp,nvme",
            "vserver show -vserver svm2 -fields nvme-allowed",
            "false",
        ),
        ("igroup rename svm1 group1 -new-name g", "igroup show -igroup g -fields ostype", "linux"),
        (
            "cluster identity modify -location here",
            "cluster identity show -fields location",
            "here",
        ),
    ],
)
def test_commands_of_their_own(console: Console, line: str, show: str, value: str) -> None:
    console.answers = [True]
    console.run(line)
    assert console.table(show)[0][-1] == value


def test_each_volume_grows_by_the_given_size(console: Console) -> None:
    assert console.run("lun resize svm1 * -size +1g") == "2 entries were modified."
    assert [row[-1] for row in console.table("lun show -fields size")] == ["2GB", "2.50GB"]
    message = console.refusal("volume size svm1 vol2 -30g")
    assert message == "Error: 30GB cannot become smaller by that much."
    assert console.run("volume size svm1 vol2 -10g") == (
        'vol size: Volume "svm1:vol2" size set to 20GB.'
    )


def test_a_clone_is_created_shown_and_split_off(console: Console) -> None:
    console.run("snapshot create svm1 vol1 s1")
    console.run(
        "volume clone create -vserver svm1 -flexclone c1 -type RW -parent-vserver svm1 "
        "-parent-volume vol1 -parent-snapshot s1 -space-guarantee none -foreground true"
    )
    assert console.table("volume clone show") == [["svm1", "c1", "svm1", "vol1", "s1"]]
    message = console.refusal("volume clone split start -vserver svm1 -flexclone vol1")
    assert message == "Error: There are no entries matching your query."
    console.run("volume clone split start -vserver svm1 -flexclone c1 -foreground true")
    assert "no entries" in console.run("volume clone split show")
    assert "no entries" in console.run("clone show")
    assert console.table("volume show -volume c1 -fields state") == [["svm1", "c1", "online"]]


def test_an_igroup_is_bound_to_a_portset_and_unbound(console: Console) -> None:
    console.run("network interface create svm1 lif1 -address 10.1.1.1 -netmask 24 -home-port e0a")
    console.run("lun portset create svm1 ps1 -protocol iscsi -port-name lif1")
    show = "igroup show -fields portset"
    console.run("lun igroup bind -vserver svm1 -igroup group1 -portset ps1")
    assert console.table(show) == [["svm1", "group1", "ps1"]]
    console.run("lun igroup unbind -vserver svm1 -igroup group1")
    assert console.table(show) == [["svm1", "group1", "-"]]


def test_programs_get_no_question_where_ontap_has_none(console: Console) -> None:
    console.run("lun map svm1 /vol/vol1/lun1 group1")
    status, _ = console.attempt("lun unmap svm1 /vol/vol1/lun1 group1")
    assert status == 1 and len(console.questions) == 1, "a user gets a question"
    console.questions.clear()
    console.session.interactive = False
    console.run("lun unmap -vserver svm1 -path /vol/vol1/lun1 -igroup group1")
    console.run("igroup remove svm1 group1 iqn.1994-05.com.redhat:host1; igroup delete svm1 group1")
    assert console.questions == [] and "no entries" in console.run("lun mapping show; igroup show")
    status, _ = console.attempt("lun delete svm1 /vol/vol1/lun1")
    assert status == 1 and len(console.questions) == 1, (
        "programs too have to confirm a loss of data"
    )


def test_a_lun_is_converted_and_back(console: Console) -> None:
    to_namespace = "vserver nvme namespace convert-from-lun svm1 -lun-path /vol/vol1/lun1"
    to_lun = "lun convert-from-namespace -vserver svm1 -namespace-path /vol/vol1/lun1"
    assert console.run(to_namespace) == 'The LUN "/vol/vol1/lun1" is a namespace now.'
    assert "/vol/vol1/lun1" not in paths(console)
    assert [row[1] for row in console.table("vserver nvme namespace show")] == ["/vol/vol1/lun1"]
    console.run("set -dry-run on")
    assert "/vol/vol1/lun1" in console.run(to_lun)
    console.run("set -dry-run off")
    assert console.run(to_lun) == 'The namespace "/vol/vol1/lun1" is a LUN now.'
    assert "/vol/vol1/lun1" in paths(console)
    assert "-lun-path" in console.refusal("vserver nvme namespace convert-from-lun svm1")


def test_lists_of_words_are_given_between_commas_and_cleared_by_a_dash(console: Console) -> None:
    modify = "cluster identity modify"
    console.run(f"{modify} -name-servers 192.0.2.1,192.0.2.2 -dns-domains a.org,b.org")
    output = console.run("cluster identity show")
    assert "Name Servers: 192.0.2.1, 192.0.2.2" in output
    assert "DNS Domains: a.org, b.org" in output
    console.run(f"{modify} -name-servers -")
    assert "Name Servers: -" in console.run("cluster identity show")
    assert "IP address" in console.refusal(f"{modify} -name-servers 192.0.2.1,x")


def test_name_servers_as_those_of_a_vserver(console: Console) -> None:
    dns = "vserver services name-service dns"
    [[array]] = console.table("cluster identity show -fields name")
    line = "-domains a.org -name-servers 192.0.2.1,192.0.2.2"
    console.run(f"{dns} create -vserver {array} {line}")
    console.run(f"dns modify {array} -name-servers 192.0.2.3")
    assert console.table("dns show") == [[array, "a.org", "192.0.2.3"]]
    assert "Name Servers: 192.0.2.3" in console.run("cluster identity show")
    console.run(f"{dns} create -vserver svm1 {line}")
    assert "Name Servers: 192.0.2.1, 192.0.2.2" in console.run("dns show -vserver svm1")
    console.answers = [True, True]
    assert console.run("dns delete *") == "2 entries were deleted."
    assert "no entries" in console.run("dns show")


def test_time_servers(console: Console) -> None:
    for server in ("ntp.example.org", "192.0.2.123"):
        console.run(f"cluster time-service ntp server create -server {server}")
    show = "cluster time-service ntp server show"
    assert [row[0] for row in console.table(show)] == ["192.0.2.123", "ntp.example.org"]
    console.answers = [True]
    console.run("cluster time-service ntp server delete -server ntp.example.org")
    assert [row[0] for row in console.table(show)] == ["192.0.2.123"]


def test_missing_secrets_are_prompted_for(console: Console) -> None:
    line = "iscsi security create svm1 iqn.1994-05.com.x:a -auth-type chap -user-name u -password"
    console.secrets = ["a long secret", "a long secret"]
    console.run(line)
    assert console.questions == ["Enter the password: ", "Enter it again: "]
    rows = console.table("iscsi security show -initiator-name *:a -fields auth-type")
    assert rows == [["svm1", "iqn.1994-05.com.x:a", "chap"]]
    console.secrets = ["a long secret", "another secret"]
    assert console.refusal(line) == "Error: the two are not the same"


def test_a_target_is_registered_anew_at_its_name_server(console: Console) -> None:
    console.run("vserver iscsi create -vserver svm1")
    console.run("vserver iscsi isns create -vserver svm1 -address 10.10.1.53")
    console.run("vserver iscsi isns update -vserver svm1")
    console.run("vserver iscsi isns stop -vserver svm1")
    assert "is switched off" in console.refusal("vserver iscsi isns update -vserver svm1")
    assert "svm2" in console.refusal("vserver iscsi isns update -vserver svm2")


def test_lists_of_objects_are_given_as_lists_of_their_fields(console: Console) -> None:
    line = "igroup create svm1 g3 -ostype linux -initiator iqn.1994-05.com.x:a,iqn.1994-05.com.x:b"
    console.run(f"{line} -initiator-comment one,two")
    assert [row[3] for row in console.table("igroup initiator show -igroup g3")] == ["one", "two"]
    message = console.refusal(f"{line.replace('g3', 'g4')} -initiator-comment a,b,c")
    assert message == "Error: initiators: 3 entries, but 2 values for name."


def test_a_sentence_about_what_was_done(console: Console) -> None:
    assert console.run("volume online svm1 vol1") == 'Volume "svm1:vol1" is now online.'
    assert console.run("volume size svm1 vol1 -new-size 40g") == (
        'vol size: Volume "svm1:vol1" size set to 40g.'
    )


def test_routes_are_deleted_by_their_network(console: Console) -> None:
    console.run("set -confirmations off; network route create svm1 10.20.0.0/16 10.10.1.1")
    console.run("network route delete -vserver svm1 -destination 10.20.0.0/16")
    assert console.run("network route show").startswith("There are no entries")


def test_without_an_adapter_there_is_no_fibre_channel(console: Console) -> None:
    message = console.refusal("vserver fcp create -vserver svm1")
    assert message == "Error: command failed: The array has no Fibre Channel adapter."
    for line in ("vserver fcp show", "network fcp adapter show"):
        assert "no entries" in console.run(line)
