"""The modules that run on hosts leave alone what is not of the array.

`vm/automation` has them work.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.testing import patch_module_args
from collection import install

OURS, OTHER = "iqn.2026-11.org.example:ours", "iqn.2026-11.org.example:other"
RECORDED = f"10.0.0.1:3260,1 {OURS}\n10.0.1.1:3260,2 {OURS}\n10.0.0.9:3260,1 {OTHER}\n"
SESSIONS = (
    f"tcp: [1] 10.0.0.1:3260,1 {OURS} (non-flash)\ntcp: [2] 10.0.0.9:3260,1 {OTHER} (non-flash)\n"
)
NAMES = {"hostnqn": "nqn.2014-08.org.example:host", "hostid": "d3f2d7f2-0001"}
PORTS = [{"transport": "tcp", "traddr": "10.0.0.1", "trsvcid": "4420"}]
CHAP = {"key": "a host's key", "array_key": "an array's key", "subsystem": "nqn.ours"}
OTHERS = {"nqn": "nqn.other", "ports": [{"traddr": "10.0.0.9", "dhchap_ctrl_key": "other"}]}
ANSWER = """#!/bin/sh
# What it was asked is in `asked`, what it says in a file of its name and arguments.
echo "$(basename "$0") $*" >> "{folder}/asked"
said="{folder}/$(basename "$0") $*"
[ ! -e "$said" ] || cat "$said"
"""

Part = Callable[[str], Any]


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Part:
    """Import a part of the collection."""
    sys.path.append(str(install(tmp_path_factory.mktemp("collection"))))
    return lambda name: importlib.import_module(
        f"ansible_collections.sanstone.array.plugins.{name}"
    )


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a host's programs, which do nothing and say what files there say."""
    for name in ("iscsiadm", "lsblk", "multipath", "udevadm"):
        (tmp_path / name).write_text(ANSWER.format(folder=tmp_path))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path


def run(module: Any, **options: Any) -> Mapping[str, Any]:
    """Run a module and return its result, with `failed` where it failed."""
    said = io.StringIO()
    quiet = contextlib.redirect_stdout(said), contextlib.suppress(SystemExit)
    with patch_module_args(options), quiet[0], quiet[1]:
        module.main()
    result: Mapping[str, Any] = json.loads(said.getvalue())
    return result


def test_targets_of_other_arrays_are_not_left(part: Part, programs: Path) -> None:
    (programs / "iscsiadm --mode=node").write_text(RECORDED)
    (programs / "iscsiadm --mode=session").write_text(SESSIONS)
    left = run(part("modules.host_iscsi"), portals=["10.0.0.1"], state="absent")
    assert left["changed"] and left["targets"] == [OURS]
    asked = (programs / "asked").read_text().splitlines()
    node = "iscsiadm --mode=node --portal"
    assert asked[2:] == [
        f"{node}=10.0.0.1:3260,1 --targetname={OURS} --logout",
        f"{node}=10.0.0.1:3260,1 --targetname={OURS} --op=delete",
        f"{node}=10.0.1.1:3260,2 --targetname={OURS} --op=delete",
    ]


def test_the_one_target_that_is_asked_for_is_left(part: Part, programs: Path) -> None:
    (programs / "iscsiadm --mode=node").write_text(RECORDED.replace("10.0.0.9", "10.0.0.1"))
    given = {"portals": ["10.0.0.1"], "target": OTHER, "_ansible_check_mode": True}
    left = run(part("modules.host_iscsi"), state="absent", **given)
    assert left["targets"] == [OTHER]
    assert "--op=delete" not in (programs / "asked").read_text()


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ({"name": "mpatha-part1", "type": "part", "mountpoint": "/srv"}, "mpatha-part1 at /srv"),
        ({"name": "vg0-data", "type": "lvm", "mountpoint": None}, "vg0-data (lvm)"),
        ({"name": "mpatha-part1", "type": "part", "mountpoint": None}, None),
    ],
)
def test_disks_that_the_host_uses_are_refused(
    part: Part, programs: Path, held: dict[str, Any], told: str | None
) -> None:
    joins = {"name": "mpatha", "type": "mpath", "mountpoint": None, "children": [held]}
    disks = [
        {"name": name, "type": "disk", "mountpoint": None, "children": [joins]} for name in "ab"
    ]
    listed = programs / "lsblk --json --output NAME,TYPE,MOUNTPOINT a b"
    listed.write_text(json.dumps({"blockdevices": disks}))
    found = run(module_that_joins(part), names=["a", "b"])
    if told:
        assert told in found["msg"] and found["failed"]
        tried = run(module_that_joins(part), names=["a", "b"], _ansible_check_mode=True)
        assert told in str(tried["warnings"])
    else:
        assert found["maps"] == ["mpatha"]


def module_that_joins(part: Part) -> Any:
    """Return a module that asks what joins disks."""
    host_disks = part("module_utils.host_disks")

    class Module:
        @staticmethod
        def main() -> None:
            spec = {"names": {"type": "list", "elements": "path"}}
            module = host_disks.AnsibleModule(argument_spec=spec, supports_check_mode=True)
            module.exit_json(maps=host_disks.joined(module, module.params["names"]))

    return Module


def test_what_is_joined_or_another_vendors_is_not_joined(part: Part, tmp_path: Path) -> None:
    vendors = {"sda": "SANSTONE", "sdb": "SANSTONE", "sdc": "SANSTONE", "sdd": "ATA"}
    for number, (name, vendor) in enumerate(vendors.items()):
        (tmp_path / name / "device").mkdir(parents=True)
        (tmp_path / name / "holders").mkdir()
        told = {"vendor": f"{vendor:8}", "model": f"{'LUN':16}", "wwid": f"naa.600140{number // 2}"}
        for attribute, value in told.items():
            (tmp_path / name / "device" / attribute).write_text(f"{value}\n")
    (tmp_path / "sdc/holders/dm-0").mkdir()
    # Two paths to one LUN.
    assert part("modules.host_multipath").single(tmp_path) == ["36001400"]


def test_a_record_is_set_once_and_keeps_the_rest(part: Part) -> None:
    settled = part("modules.host_iscsi").settled
    record = "# BEGIN RECORD 2.1\nnode.name = a\nnode.startup = manual\n# END RECORD\n"
    after = settled(record, {"node.startup": "automatic", "node.session.auth.username": "a b = c"})
    assert after.splitlines()[1:] == [
        "node.name = a",
        "node.startup = automatic",
        "node.session.auth.username = a b = c",
        "# END RECORD",
    ]
    assert settled(after, {"node.session.auth.username": "a b = c"}) == after


def test_a_password_that_would_be_two_lines_is_refused(part: Part, programs: Path) -> None:
    chap = {"user": "host1", "password": "one\nnode.startup = manual"}
    refused = run(part("modules.host_iscsi"), portals=["10.0.0.1"], chap=chap)
    assert refused["failed"] and "printable" in refused["msg"]
    assert not (programs / "asked").exists()


def test_keys_of_other_arrays_stay(part: Part) -> None:
    nvme = part("modules.host_nvme")
    there = [{**NAMES, "subsystems": [OTHERS]}, {"hostnqn": "nqn.another", "dhchap_key": "x"}]
    after = nvme.with_keys(there, NAMES, CHAP, PORTS)
    ours = {"nqn": "nqn.ours", "ports": [{**PORTS[0], "dhchap_ctrl_key": "an array's key"}]}
    assert after[0] == {**NAMES, "dhchap_key": "a host's key", "subsystems": [OTHERS, ours]}
    assert after[1:] == there[1:]
    assert nvme.with_keys(after, NAMES, CHAP, PORTS) == after
    # The other subsystem may need the host's key.
    left = nvme.without_keys(after, NAMES, CHAP)
    assert left == [{**NAMES, "subsystems": [OTHERS], "dhchap_key": "a host's key"}, there[1]]


def test_nothing_is_left_of_keys_that_were_alone(part: Part) -> None:
    nvme = part("modules.host_nvme")
    after = nvme.with_keys([], NAMES, CHAP, PORTS)
    assert nvme.without_keys(after, NAMES, CHAP) == []
