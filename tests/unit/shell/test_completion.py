"""Tab offers the next words, with the names that the array has now."""

from __future__ import annotations

import pytest
from console import Console, Unplugged

from sanstone.client.errors import Unreachable
from sanstone.shell.completion import complete


def words(console: Console, line: str) -> list[str]:
    return [candidate.text for candidate in complete(console.session, line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("vol", ["volume "]),
        ("lun m", ["map ", "mapping ", "modify ", "move ", "move-in-volume "]),
        ("rows 1; lun resi", ["resize "]),
        ("igro", ["igroup "]),
        ("lun create -os", ["-ostype "]),
        ("lun create -ostype sol", ["solaris ", "solaris_efi "]),
        ("lun create -ostype linux -os", []),
        ("lun delete -force ", ["true ", "false "]),
        ("volume show -fields size,stat", ["size,state "]),
        ("set ", ["-confirmations ", "-rows "]),
        ("set -units K", ["KB "]),
        ("set -units k", ["KB "]),
        ("foo bar ", []),
        ("lun show -nope ", []),
        ('lun create -comment "a b', []),
        ("network interface modify -status-admin ", ["up ", "down "]),
    ],
)
def test_words_without_an_array(unplugged: Console, line: str, expected: list[str]) -> None:
    offered = words(unplugged, line)
    assert offered == expected if line != "set " else set(expected) <= set(offered)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("volume show -vserver ", ["svm1 "]),
        ("volume create -vserver svm", ["svm1 ", "svm2 "]),
        ("volume show svm1 -volume vol", ["vol1 ", "vol2 "]),
        ("volume delete svm1 vol2", ["vol2 "]),
        ("volume show svm2 -volume ", []),
        ("lun show -path /vol/vol1/l", ["/vol/vol1/lun1 ", "/vol/vol1/lun2 "]),
        ("lun create -vserver svm1 -path /vol/", ["/vol/vol1/", "/vol/vol2/"]),
        ("lun create -vserver svm1 -path /vol/vol2", ["/vol/vol2/"]),
        ("lun create -vserver svm1 -path /vol/vol2/", []),
        ("lun map -vserver svm1 -path /vol/vol1/lun1 -igroup ", ["group1 "]),
        ("lun map svm1 /vol/vol1/lun1 gr", ["group1 "]),
        ("igroup add svm1 -igroup g", ["group1 "]),
        ("igroup remove svm1 group1 iqn", ["iqn.1994-05.com.redhat:host1 "]),
        ("volume create -aggregate ", ["aggr1 "]),
        ("lun unmap -volume ", ["vol1 ", "vol2 "]),
        ("volume show -volume vol1, ", ["vol1 ", "vol2 "]),
        ("network interface create -home-port e0", ["e0M ", "e0a ", "e0b ", "e0c ", "e0d "]),
        ("network interface create -home-node ", ["array-01 "]),
        ("storage aggregate create -disklist 1.0.1,1.0.2", ["1.0.1,1.0.2 "]),
    ],
)
def test_names_from_the_array(console: Console, line: str, expected: list[str]) -> None:
    assert words(console, line) == expected


def test_parameters_that_are_given_are_not_offered_again(console: Console) -> None:
    offered = words(console, "lun create -vserver svm1 -")
    assert "-path " in offered and "-vserver " not in offered


def test_a_candidate_takes_the_place_of_what_was_typed(console: Console) -> None:
    (candidate,) = complete(console.session, 'volume show svm1 "vol2')
    assert (candidate.text, candidate.start) == ("vol2 ", 17)


def test_an_array_that_does_not_answer_disturbs_nobody(
    unplugged: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    def records(*_: object) -> None:
        raise Unreachable("gone")

    monkeypatch.setattr(Unplugged, "records", records, raising=False)
    assert words(unplugged, "lun show -path /vol") == []
