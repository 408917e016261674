"""`show`: queries, fields and forms of output."""

from __future__ import annotations

import pytest
from console import Console

from sanstone.shell import show
from sanstone.shell.collection import Collection
from sanstone.shell.description import ResourceData
from sanstone.shell.parameters import Parameter
from sanstone.shell.place import Place


def test_a_table(console: Console) -> None:
    assert console.run("lun show").splitlines() == [
        "Vserver Path           State  Mapped   OS Type   Size",
        "------- -------------- ------ -------- ------- ------",
        "svm1    /vol/vol1/lun1 online unmapped linux      1GB",
        "svm1    /vol/vol1/lun2 online unmapped windows 1.50GB",
        "2 entries were displayed.",
    ]


def test_one_entry_is_not_counted(console: Console) -> None:
    assert console.run("lun show -path *lun1").splitlines()[2:] == [
        "svm1    /vol/vol1/lun1 online unmapped linux    1GB"
    ]


def test_a_search_finds_objects_of_all_kinds(console: Console) -> None:
    assert console.run("search lun2").splitlines() == [
        "Kind         Name           Vserver",
        "------------ -------------- -------",
        "storage/luns /vol/vol1/lun2 svm1",
    ]
    names = [row[1] for row in console.table("search vol")]
    assert names == ["vol1", "vol2", "/vol/vol1/lun1", "/vol/vol1/lun2"], "the best comes first"
    assert console.run("search -query nowhere") == "There are no entries matching your query."
    assert "-query" in console.refusal("search")


def test_a_search_in_one_vserver(console: Console) -> None:
    console.run("vserver context svm2")
    assert console.run("search vol") == "There are no entries matching your query."


def test_nothing_matches(console: Console) -> None:
    assert console.run("lun show -size >1p") == "There are no entries matching your query."


def test_one_object_is_shown_whole(console: Console) -> None:
    lines = console.run("lun show -vserver svm1 -path /vol/vol1/lun2").splitlines()
    values = dict(line.strip().split(": ", 1) for line in lines)
    assert values["Vserver"] == "svm1" and values["Size"] == "1.50GB"
    assert values["Comment"] == "two" and values["Mapped"] == "unmapped"
    assert values["Igroup"] == "-"
    assert len({line.index(":") for line in lines}) == 1


def test_instances(console: Console) -> None:
    lines = console.run("lun show -instance").splitlines()
    assert lines.count("") == 1 and lines[-1] == "2 entries were displayed."


def test_fields_are_chosen_by_their_parameters(console: Console) -> None:
    assert console.run("volume show -fields size,stat").splitlines() == [
        "vserver volume size state",
        "------- ------ ---- ------",
        "svm1    vol1   20GB online",
        "svm1    vol2   30GB online",
        "2 entries were displayed.",
    ]
    assert console.run("volume show -fields size,volume,vserver,state").splitlines()[0] == (
        "vserver volume size state"
    ), "keys are shown once, at the front"
    assert console.refusal("volume show -fields sise") == (
        'Error: invalid argument "-sise". Did you mean "-size"?'
    )


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("-size >20g", ["vol2"]),
        ("-size 20g..25g", ["vol1"]),
        ("-size 20g|30g", ["vol1", "vol2"]),
        ("-volume vol1", ["vol1"]),
        ("-volume vol1,vol2", ["vol1", "vol2"]),
        ("-volume { vol2 }", ["vol2"]),
        ("-volume !vol1", ["vol2"]),
        ("-volume !vol1,!vol2", []),
        ("-volume !vol1, !none", ["vol2"]),
        ("-volume v*,!vol1", ["vol2"]),
        ("-volume none, vol2", ["vol2"]),
        ("-volume v*2", ["vol2"]),
        ("-state !online", []),
        ("-aggregate aggr*", ["vol1", "vol2"]),
        ("-space-guarantee none -volume *1", ["vol1"]),
        ("-comment -", ["vol1", "vol2"]),
        ("-comment !-", []),
        ("{-size <25g}", ["vol1"]),
    ],
)
def test_queries(console: Console, query: str, names: list[str]) -> None:
    output = console.run(f"volume show {query} -fields state")
    assert [name for name in ("vol1", "vol2") if name in output] == names


def test_maps_are_shown_with_luns_as_on_ontap(console: Console) -> None:
    console.run("lun map svm1 /vol/vol1/lun1 group1 -lun-id 7")
    console.run("igroup create svm1 group2 -ostype windows; lun map svm1 /vol/vol1/lun2 group2")
    maps = console.table("lun mapping show")
    assert maps == [
        ["svm1", "/vol/vol1/lun1", "group1", "7", "iscsi"],
        ["svm1", "/vol/vol1/lun2", "group2", "0", "mixed"],
    ]
    assert console.table("lun show -m") == maps
    assert console.table("lun show -m -vserver svm1 -lun lun1 -fields lun-id") == [maps[0][:4]]
    assert console.table("lun mapping show -volume vol1 -lun *2") == maps[1:]
    message = console.refusal("lun show -m -size 1g")
    assert message == 'Error: argument "-size" cannot be used with "-m"'


def test_a_secret_is_neither_shown_nor_queried(console: Console) -> None:
    console.run(
        "vserver iscsi security create svm1 iqn.1994-05.com.redhat:host1 -auth-type chap "
        '-user-name host -password "a long secret"'
    )
    output = console.run("vserver iscsi security show -instance")
    assert "chap" in output and "secret" not in output
    assert "invalid argument" in console.refusal("vserver iscsi security show -password a*")


def test_objects_below_another_are_shown_with_it(console: Console) -> None:
    console.run("igroup create svm1 group2 -ostype linux -initiator iqn.1994-05.com.redhat:host2")
    assert console.table("igroup initiator show") == [
        ["svm1", "group1", "iqn.1994-05.com.redhat:host1", "-"],
        ["svm1", "group2", "iqn.1994-05.com.redhat:host2", "-"],
    ]
    assert console.table("igroup initiator show -igroup *2") == [
        ["svm1", "group2", "iqn.1994-05.com.redhat:host2", "-"]
    ]


def test_a_network_is_written_as_one(console: Console) -> None:
    console.run("network route create svm1 10.20.0.0/16 10.10.1.1")
    assert console.table("network route show -destination 10.20.0.0/16") == [
        ["svm1", "10.20.0.0/16", "10.10.1.1", "20"]
    ]
    assert console.run("network route show -destination 10.20.0.0/17").startswith("There are no")


def test_words_of_the_api_become_the_shells(console: Console) -> None:
    console.run("network interface create svm1 lif1 -address 10.1.1.1 -netmask 24 -home-port e0a")
    assert console.table(
        "network interface show -fields services,status-admin -services data-i*"
    ) == [["svm1", "lif1", "data-core,", "data-iscsi,", "data-nvme-tcp", "up"]]


def test_output_for_scripts(console: Console) -> None:
    console.run('set -showseparator ";" -units raw')
    assert console.run("lun show -fields size,comment -path *2").splitlines() == [
        "vserver;path;size;comment;",
        "Vserver;Path;Size;Comment;",
        "svm1;/vol/vol1/lun2;1610612736;two;",
    ]


def test_all_fields(console: Console) -> None:
    console.run('set -showallfields true -showseparator ","')
    heading, _, *rows = console.run("vserver show").splitlines()
    assert len(rows) == 2 and len(heading.split(",")) > 20


def test_numbers_are_in_their_own_order() -> None:
    rows = [{"node": "a", "index": number} for number in (9, 10, 2)]
    keys = [Parameter("node", "text", "", "node"), Parameter("seqnum", "integer", "", "index")]
    log = Collection(ResourceData("x", "", frozenset(), (), False, False, {}), Place("x", "x", "x"))
    log.__dict__["keys"] = keys
    assert [row["index"] for row in show._sorted(log, rows)] == [2, 9, 10]


def test_a_narrow_terminal(console: Console) -> None:
    console.columns = 48
    assert all(len(line) <= 48 for line in console.run("lun show").splitlines())


def test_a_single_object_is_always_shown_whole(console: Console) -> None:
    assert "Name: array" in console.run("cluster identity show")
