"""Words find commands: whole, abbreviated, from wherever one is."""

from __future__ import annotations

import pytest
from console import Console

from sanstone.shell import tree
from sanstone.shell.errors import ShellError


def path(console: Console, line: str) -> str:
    node, _ = tree.find(console.session.root, console.session.here, line.split())
    return " ".join(node.path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lun show", "lun show"),
        ("vol sh", "volume show"),
        ("vol show-s", "volume show-space"),
        ("vol eff on", "volume efficiency on"),
        ("snap rest", "volume snapshot restore"),
        ("lun mov start", "lun move start"),
        ("lun cre", "lun create"),
        ("LUN Show", "lun show"),
        ("net int sh", "network interface show"),
        ("net int service show", "network interface service-policy show"),
        ("igroup add", "lun igroup add"),
        ("igr cre", "lun igroup create"),
        ("aggr show", "storage aggregate show"),
        ("disk show", "storage disk show"),
        ("nvme sub host add", "vserver nvme subsystem host add"),
        ("nvme namespace create", "vserver nvme namespace create"),
        ("subsystem show", "vserver nvme subsystem show"),
        ("iscsi start", "vserver iscsi start"),
        ("vserver nvme", "vserver nvme"),
        ("lun map", "lun map"),
        ("node show", "system node show"),
        ("ver", "version"),
        ("fcp show", "vserver fcp show"),
        ("fcp cre", "vserver fcp create"),
        ("fcp adapter show", "network fcp adapter show"),
        ("ipspace show", "network ipspace show"),
        ("broadcast-domain show", "network port broadcast-domain show"),
        ("net port broad show", "network port broadcast-domain show"),
        ("plex show", "storage aggregate plex show"),
        ("cluster image show", "cluster image show"),
        ("sys image show", "system image show"),
        ("snapshot create", "volume snapshot create"),
        ("snap policy show", "volume snapshot policy show"),
        ("snapm show", "snapmirror show"),
        ("consistency-group snapshot create", "consistency-group snapshot create"),
        ("clone split start", "volume clone split start"),
    ],
)
def test_commands_are_found(unplugged: Console, line: str, expected: str) -> None:
    assert path(unplugged, line) == expected


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("luun show", '"luun" is not a recognized command. Did you mean "lun"?'),
        ("lun shwo", '"shwo" is not a recognized command. Did you mean "show"?'),
        (
            "fcp",
            'Ambiguous command "fcp". Possible matches include: network fcp, vserver fcp.',
        ),
        (
            "fcp qqq",
            'Ambiguous command "fcp". Possible matches include: network fcp, vserver fcp.',
        ),
        ("qqq", '"qqq" is not a recognized command'),
        ("v", 'Ambiguous command "v". Possible matches include: version, volume, vserver.'),
        (
            "lun m",
            'Ambiguous command "m". Possible matches include: map, mapping, modify, move, '
            "move-in-volume.",
        ),
    ],
)
def test_unknown_commands_are_refused(unplugged: Console, line: str, text: str) -> None:
    with pytest.raises(ShellError) as caught:
        path(unplugged, line)
    assert str(caught.value) == text


def test_a_directory_is_entered_and_left(unplugged: Console) -> None:
    for line, prompt in (
        ("storage", "sanstone::storage> "),
        ("disk", "sanstone::storage disk> "),
        ("up", "sanstone::storage> "),
        ("top", "sanstone::> "),
        ("nvme sub", "sanstone::vserver nvme subsystem> "),
        ("lun", "sanstone::lun> "),
    ):
        unplugged.run(line)
        assert unplugged.session.prompt == prompt


def test_the_directory_one_is_in_comes_first(unplugged: Console) -> None:
    unplugged.run("lun")
    assert path(unplugged, "igroup show") == "lun igroup show"
    assert path(unplugged, "map") == "lun map"
    assert path(unplugged, "volume show") == "volume show"
