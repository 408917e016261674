"""Roles by directories of commands, created and changed as on ONTAP."""

from __future__ import annotations

from console import Console

from sanstone.shell.show import NOTHING

CREATE = "security login role create"
SHOW = "security login role show"


def test_the_first_privilege_comes_with_its_role(console: Console) -> None:
    console.run(f'{CREATE} -vserver svm1 -role r1 -cmddirname "volume snapshot" -access readonly')
    console.run(f'{CREATE} -vserver svm1 -role r1 -cmddirname lun -query ""')
    console.run(f"{CREATE} -role r1 -cmddirname DEFAULT -access none")
    console.run(f"{CREATE} -vserver array -role r1 -cmddirname volume")
    assert console.table(f"{SHOW} -fields access") == [
        ["r1", "array", "DEFAULT", "none"],
        ["r1", "array", "volume", "all"],
        ["r1", "svm1", "lun", "all"],
        ["r1", "svm1", "volume", "snapshot", "readonly"],
    ]
    assert console.table(f"{SHOW} -vserver svm1 -cmddirname vol*") == [
        ["r1", "svm1", "volume", "snapshot", "readonly"]
    ]
    output = console.run(f"{SHOW} -vserver svm1 -role r1 -cmddirname lun")
    assert "Command/Directory: lun" in output


def test_an_unknown_directory_is_refused(console: Console) -> None:
    assert (
        "a query cannot"
        in console.refusal(f'{CREATE} -role r1 -cmddirname lun -query "-vserver svm1"').lower()
    )
    assert "or a directory of commands" in console.refusal(f'{CREATE} -role r1 -cmddirname "lun x"')
    assert console.run(SHOW) == NOTHING


def test_privileges_change_and_go(console: Console) -> None:
    console.run(f"{CREATE} -role r1 -cmddirname lun")
    console.run(f"{CREATE} -role r1 -cmddirname volume")
    console.run("security login role modify -role r1 -cmddirname lun -access readonly")
    assert console.table(SHOW)[0] == ["r1", "array", "lun", "readonly"]
    console.answers = [True]
    console.run("security login role delete -role r1 -cmddirname lun")
    assert console.table(SHOW) == [["r1", "array", "volume", "all"]]


def test_a_dry_run_makes_none(console: Console) -> None:
    console.run("set -dry-run on")
    assert console.run(f"{CREATE} -role r1 -cmddirname lun")
    console.run("set -dry-run off")
    assert console.run(SHOW) == NOTHING


def test_an_account_is_created_with_the_words_of_older_scripts(console: Console) -> None:
    console.run(f"{CREATE} -role r1 -cmddirname lun")
    console.secrets = ["A long pass 1", "A long pass 1"]
    console.run(
        "security login create -username bob -application ssh -authmethod password -role r1 "
        "-password"
    )
    assert console.table("security login show -user-or-group-name bob -fields role")[0][:2] == [
        "bob",
        "array",
    ]
