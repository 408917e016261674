"""Limits of throughput in ONTAP's spellings."""

from __future__ import annotations

import pytest
from console import Console

CREATE = "qos policy-group create -policy-group p1 -vserver svm1"
SHOW = "qos policy-group show -fields max-iops,max-mbps"


@pytest.mark.parametrize(
    ("text", "iops", "mbps"),
    [
        ("1000iops", "1000", "0"),
        ("1000IOPS,100MB/s", "1000", "100"),
        ("100mb/s, 1000iops", "1000", "100"),
        ("1.5GB/s", "0", "1500"),
        ("2000KB/s", "0", "2"),
        ("INF", "0", "0"),
        ("none", "0", "0"),
    ],
)
def test_a_limit_is_given_in_one_word(console: Console, text: str, iops: str, mbps: str) -> None:
    console.run(f"{CREATE} -max-throughput {text}")
    assert console.table(SHOW) == [["svm1", "p1", iops, mbps]]


def test_a_new_limit_takes_the_place_of_all_of_the_old_one(console: Console) -> None:
    console.run(f"{CREATE} -max-throughput 1000iops,100MB/s -min-throughput 50iops")
    console.run("qos policy-group modify -policy-group p1 -max-throughput 2000iops")
    assert console.table(f"{SHOW},min-iops") == [["svm1", "p1", "2000", "0", "50"]]


def test_a_limit_is_shown_in_one_word(console: Console) -> None:
    console.run(f"{CREATE} -max-throughput 1000iops,100MB/s -min-throughput 50iops")
    console.run("qos policy-group create -policy-group p2 -vserver svm1")
    assert console.table("qos policy-group show -fields max-throughput,min-throughput") == [
        ["svm1", "p1", "1000IOPS,100MB/s", "50IOPS"],
        ["svm1", "p2", "INF", "0"],
    ]
    assert "invalid argument" in console.refusal("qos policy-group show -max-throughput 5iops")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1000", "is an invalid value"),
        ("1000iops,2000iops", "is an invalid value"),
        ("INF,1000iops", "is an invalid value"),
        ("100KB/s", "limits are kept in whole megabytes per second"),
        ("0.5iops", "limits are kept in whole operations per second"),
    ],
)
def test_an_invalid_limit_is_refused(console: Console, text: str, why: str) -> None:
    assert why in console.refusal(f"{CREATE} -max-throughput {text}")


def test_adaptive_groups_have_commands_of_their_own(console: Console) -> None:
    console.run(f"{CREATE} -max-throughput 1000iops")
    console.run(
        "qos adaptive-policy-group create -policy-group a1 -vserver svm1 -expected-iops 100iops/TB "
        "-peak-iops 1IOPS/GB -absolute-min-iops 75iops -peak-iops-allocation used-space"
    )
    show = "qos adaptive-policy-group show -fields expected-iops,peak-iops,absolute-min-iops"
    assert console.table(show) == [["svm1", "a1", "100", "1024", "75"]]
    console.run("qos adaptive-policy-group modify -policy-group a1 -expected-iops 200")
    assert console.table(show) == [["svm1", "a1", "200", "1024", "75"]]
    message = console.refusal("qos adaptive-policy-group modify -policy-group p1 -expected-iops 1")
    assert "no entries matching" in message
    message = console.refusal("qos adaptive-policy-group modify -policy-group a1 -peak-iops 1x")
    assert '"1x" is an invalid value for field "-peak-iops' in message
