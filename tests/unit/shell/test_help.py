"""`?`, `help` and `man`."""

from __future__ import annotations

import pytest
from console import Console


def test_a_directory(unplugged: Console) -> None:
    lines = unplugged.run("lun ?").splitlines()
    words = [line.split(maxsplit=1) for line in lines]
    assert ["igroup>", "Groups of initiators"] in words
    assert ["create", "Create a LUN"] in words
    assert unplugged.run("help lun").splitlines() == lines


def test_the_top(unplugged: Console) -> None:
    output = unplugged.run("?")
    assert "volume>" in output and "exit" in output


def test_every_directory_is_explained(unplugged: Console) -> None:
    def walk(directory: str) -> list[str]:
        lines = unplugged.run(f"{directory} ?").splitlines()
        bare = [f"{directory} {line.strip()}" for line in lines if line.endswith(">")]
        below = [line.split(">")[0].strip() for line in lines if ">" in line.split("  ")[1]]
        return bare + [each for word in below for each in walk(f"{directory} {word}".strip())]

    assert walk("") == []


@pytest.mark.parametrize(
    ("line", "texts", "absent"),
    [
        ("lu?", ["lun>", "create"], ["volume>"]),
        ("lun cr?", ["create"], ["show"]),
        ("igr?", ["igroup>"], []),
        ("zzz?", ['There is nothing that begins with "zzz".'], []),
        ("lun create ?", ["[-vserver] <vserver name>", "[ -comment <text> ]"], ["-serial"]),
        ("lun create -co?", ["-comment"], ["-path"]),
        ("lun create -ostype ?", ["{aix|hpux", "      linux"], ["-path"]),
        ("lun create -ostype l?", ["      linux"], ["      aix"]),
        ("rows ?", ["[-rows] <integer>"], []),
        ("lun delete ?", ["[ -force [{true|false}] ]"], []),
        ("volume show ?", ["[ -instance ]", "-size"], ["-vserver-uuid"]),
    ],
)
def test_questions(unplugged: Console, line: str, texts: list[str], absent: list[str]) -> None:
    output = unplugged.run(line)
    assert [text for text in texts if text not in output] == []
    assert [text for text in absent if text in output] == []


def test_values_from_the_array(console: Console) -> None:
    assert console.run("volume show -volume ?").splitlines()[1:] == ["      vol1", "      vol2"]


def test_a_question_within_quotation_marks_is_text(console: Console) -> None:
    console.run('lun modify svm1 /vol/vol1/lun1 -comment "why ?"')
    assert "why ?" in console.run("lun show -fields comment")


def test_a_question_that_leads_nowhere(unplugged: Console) -> None:
    assert "not a recognized command" in unplugged.refusal("foo bar ?")


def test_the_manual(unplugged: Console) -> None:
    output = unplugged.run("man lun resize")
    assert "lun resize - Change the size of a LUN" in output
    assert "lun resize [-vserver] <vserver name> [-path] <path> -size" in output
    assert "REST: space.size." in output
    assert "Manual: https://<array>/docs/commands/lun/#lun-resize" in output
    assert "COMMANDS" in unplugged.run("man lun")
    assert 'invalid argument "x"' in unplugged.refusal("man lun resize x")
