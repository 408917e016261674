"""Settings, and the shell's own commands."""

from __future__ import annotations

import pytest
from console import Console

from sanstone.shell import running
from sanstone.shell.errors import Left


def test_raising_the_privilege_is_confirmed(unplugged: Console) -> None:
    status, _ = unplugged.attempt("set -privilege advanced")
    assert status == 1 and unplugged.session.prompt == "sanstone::> "
    assert "potentially dangerous" in unplugged.questions[0]
    unplugged.answers = [True]
    unplugged.run("set adv")
    assert unplugged.session.prompt == "sanstone::*> "
    unplugged.run("lun")
    assert unplugged.session.prompt == "sanstone::lun*> "
    unplugged.run("set admin")
    assert len(unplugged.questions) == 2


def test_scripts_raise_it_without_a_question(unplugged: Console) -> None:
    unplugged.run("set -privilege diag -confirmations off")
    assert unplugged.questions == [] and unplugged.session.settings.privilege == "diagnostic"


def test_settings_are_shown(unplugged: Console) -> None:
    unplugged.run('set -units GB -showseparator "|"')
    output = unplugged.run("set")
    assert "units: GB" in output and 'showseparator: "|"' in output and "privilege: admin" in output


@pytest.mark.parametrize("line", ["set -units XB", "set -confirmations maybe", "set -rows x"])
def test_bad_settings(unplugged: Console, line: str) -> None:
    assert "is an invalid value for field" in unplugged.refusal(line)


def test_history_and_redo(console: Console) -> None:
    console.run("version")
    console.run("rows 5")
    assert console.run("history").splitlines()[:2] == ["   1  version", "   2  rows 5"]
    assert console.run("redo ver").splitlines() == ["version", console.run("version")]
    assert console.run("redo 2").splitlines() == ["rows 5"]
    assert 'no "nope"' in console.refusal("redo nope")


def test_a_repeated_command_may_fail_again(unplugged: Console) -> None:
    unplugged.attempt("foo")
    assert unplugged.refusal("redo").splitlines() == [
        "foo",
        'Error: "foo" is not a recognized command',
    ]


def test_leaving(unplugged: Console) -> None:
    for line in ("exit", "quit"):
        with pytest.raises(Left):
            running.run(unplugged.session, line)


def test_working_in_one_vserver(console: Console) -> None:
    console.run("network interface create svm2 lif1 -address 10.1.1.1 -netmask 24 -home-port e0a")
    assert 'Vserver "nope" does not exist' in console.refusal("vserver context nope")
    console.run("vserver context svm1")
    assert console.session.prompt == "svm1::> "
    assert console.run("network interface show").startswith("There are no entries")
    console.run("volume create -volume vol9 -size 1g")
    assert "invalid argument" in console.refusal("volume create -vserver svm2 -volume v -size 1g")
    console.run("exit")
    assert console.session.prompt == "sanstone::> "
    assert console.table("volume show -volume vol9 -fields state") == [["svm1", "vol9", "online"]]


def test_the_version(console: Console) -> None:
    assert console.run("version").startswith("Sanstone ")
