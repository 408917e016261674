"""Words are bound to parameters."""

from __future__ import annotations

import pytest
from console import Console

from sanstone.shell import arguments, tree
from sanstone.shell.words import commands


def bind(console: Console, line: str, privilege: str = "admin") -> dict[str, str]:
    ((*words,),) = commands(line)
    session = console.session
    names = [w.text for w in words if not w.quoted and not w.text.startswith(("-", "{"))]
    node, count = tree.find(session.root, session.here, names)
    assert isinstance(node, tree.Command)
    bound = arguments.bind(node, words[count:], privilege)
    return {word: value.text for word, value in {**bound.bound, **bound.extended}.items()}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lun show", {}),
        ("lun show svm1 /vol/v/l", {"vserver": "svm1", "path": "/vol/v/l"}),
        ("lun show -vs svm1 -state off", {"vserver": "svm1", "state": "off"}),
        ("lun show -path /vol/v/l svm1", {"vserver": "svm1", "path": "/vol/v/l"}),
        ("lun show /vol/v/l -vs svm1", {"vserver": "svm1", "path": "/vol/v/l"}),
        ("lun show -instance -os linux", {"instance": "true", "ostype": "linux"}),
        ("lun show -fields size,state", {"fields": "size,state"}),
        ("lun show -size >1g", {"size": ">1g"}),
        ("lun show -comment -", {"comment": "-"}),
        ('lun show -comment "-state"', {"comment": "-state"}),
        (
            "lun delete svm1 /vol/v/l -force",
            {"vserver": "svm1", "path": "/vol/v/l", "force": "true"},
        ),
        ("lun delete {-state offline}", {"state": "offline"}),
        ("lun modify {-size >1g} -comment x", {"size": ">1g", "comment": "x"}),
        ("lun create v -volume vol -lun l", {"vserver": "v", "path": "/vol/vol/l"}),
        ("lun modify v -volume vol -lun l -comment x", {"vserver": "v", "path": "/vol/vol/l"}),
        ("lun show -volume vol -lun l", {"volume": "vol", "lun": "l"}),
        ("lun mapping show -volume vol", {"path": "/vol/vol/*"}),
        ("lun attribute show -volume vol -lun l", {"path": "/vol/vol/l"}),
        ("igroup create v g -t linux -p fcp -i a", {"ostype": "linux", "protocol": "fcp"}),
        ("lun delete v -volume vol -lun * -f", {"path": "/vol/vol/*", "force": "true"}),
        ("igroup create v g -ostype linux a b,c d", {"initiator": "a,b,c,d"}),
        ("igroup create v g -initiator a, b ,c -ostype linux", {"initiator": "a,b,c"}),
        ("igroup add v g a, b", {"initiator": "a,b"}),
        ("igroup remove v g a, b", {"initiator": "a,b"}),
        ('lun modify v p -comment "a," -size 1g', {"comment": "a,", "size": "1g"}),
        ("volume size v vol +1g", {"new-size": "+1g"}),
        ("lun create v p -class regular", {"class": "regular"}),
        ("volume offline v vol -foreground", {"foreground": "true"}),
    ],
)
def test_arguments(unplugged: Console, line: str, expected: dict[str, str]) -> None:
    bound = bind(unplugged, line)
    assert {word: bound.get(word) for word in expected or bound} == expected


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("lun show -patth x", 'invalid argument "-patth". Did you mean "-path"?'),
        ("lun show a b c", 'invalid argument "c"'),
        ("lun create v -volume vol -size 1g", 'Missing required parameter: "-lun <text>"'),
        ("lun create v -size 1g", 'Missing required parameter: "-path <path>"'),
        ("lun delete v p -volume vol -lun l", '"-volume" cannot be given beside "-path"'),
        ("lun create v p -comment a, b", 'invalid argument "b"'),
        (
            "lun create v p -class vvol",
            '"vvol" is an invalid value for field "-class {regular}"',
        ),
        ("lun show -path", 'missing value for field "-path <path>"'),
        ("lun show -path -state x", 'missing value for field "-path <path>"'),
        ("lun show -path a -path b", 'argument "-path" is given twice'),
        (
            "lun resize svm1 /vol/v/l",
            'Missing required parameter: "-size {[+|-]<integer>[KB|MB|GB|TB|PB]}"',
        ),
        ("volume show -space-s x", 'Ambiguous argument "-space-s". Possible matches include'),
        ("volume show -vserver-uuid x", "invalid argument"),
    ],
)
def test_refusals(unplugged: Console, line: str, text: str) -> None:
    assert unplugged.refusal(line).startswith(f"Error: {text}")


def test_some_parameters_need_a_privilege(unplugged: Console) -> None:
    assert bind(unplugged, "volume show -vserver-uuid x", "advanced") == {"vserver-uuid": "x"}
