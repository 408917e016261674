"""An aggregate with two layers at each height: created, grown, repaired, booted and destroyed.

The promises with the layers of a release hold with any: each scenario is cut short at each of its
steps, as in `test_crash`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import scenarios
import trial_layers
from cut_short import require_convergence
from machine_state import comparable
from scenarios import SCENARIOS, Scenario, chain, san
from simulator import Simulator, simulated

from sanstone.kernel import names
from sanstone.kernel.host import HostError
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.reconcile import layers
from sanstone.reconcile.stages import raid
from sanstone.reconcile.stages.devices import DevicesMemory

STORAGE = (
    *("create aggregate", "grow aggregate", "replace disk", "delete aggregate"),
    *("create LUN", "grow LUN", "delete LUN", "take snapshot", "convert LUN"),
    *("clone LUN", "overwrite LUN", "restore volume"),
)


def layered(_array: Simulator) -> None:
    """Begin with an array whose later aggregates and devices have layers, unlike any other's."""


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """All aggregates and devices have both trial layers at each height."""
    for height in ("UNDER_MD", "OVER_MD", "OVER_THIN"):
        monkeypatch.setattr(names, height, trial_layers.with_places(height))
    monkeypatch.setattr(layers, "of_aggregate", lambda _uuid: trial_layers.BELOW_THE_GROUP)
    monkeypatch.setattr(
        layers, "of_export", lambda size, _groups: (BlockSize(size), *trial_layers.BOTH)
    )


@pytest.fixture
def scenario() -> Scenario:
    """The steps before the test, unless it has a scenario of its own."""
    return Scenario("", san, scenarios.nothing)


@pytest.fixture
def array(tmp_path: Path, scenario: Scenario) -> Iterator[Simulator]:
    """An array where the scenario begins."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder, chain(layered, scenario.before)) as simulator:
        yield simulator


CUT_SHORT = [scenario for scenario in SCENARIOS if scenario.name in STORAGE]


@pytest.mark.parametrize("scenario", CUT_SHORT, ids=lambda s: s.name)
def test_converges_with_layers_after_a_kill_at_every_step(
    array: Simulator, tmp_path: Path, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    # md's members are mapped devices, whose numbers follow from history.
    monkeypatch.setattr(array, "dump", lambda: "\n".join(comparable(array.kernel)))
    require_convergence(array, tmp_path, scenario)


def stack(array: Simulator) -> dict[str, list[str]]:
    """Return the names of the layers' devices, by height, without the disks' identities."""
    names = [device.name for device in array.kernel.mapper.devices()]
    return {
        "under md": sorted(n.rpartition("-")[2] for n in names if n.startswith("sanstone-disk-")),
        "over md": sorted(n.rpartition("-")[2] for n in names if n.startswith("sanstone-group-")),
    }


def raid_group(array: Simulator) -> dict[str, object]:
    """Return the record of the only RAID group."""
    [record] = array.get("storage/aggregates?fields=block_storage,state")["records"]
    [group] = record["block_storage"]["raid_groups"]
    return dict(group) | {"aggregate": record["state"]}


def test_each_height_has_its_layers_and_a_boot_brings_them_back(array: Simulator) -> None:
    both = ["headed", "plain"]
    for _ in range(2):
        assert stack(array) == {"under md": sorted(both * 6), "over md": both}
        [uuid] = array.reconciler.memory.of(DevicesMemory).live
        assert len(over_thin.live_names(array.kernel.host, uuid)) == 3
        assert (raid_group(array)["state"], raid_group(array)["aggregate"]) == ("clean", "online")
        [group] = array.kernel.storage.arrays.running.values()
        assert all(member.startswith("dm-") for member in group.members)
        array.reboot()
        array.settle()


def test_a_member_that_failed_is_shown_by_its_disk(array: Simulator) -> None:
    [group] = array.kernel.storage.arrays.running.values()
    array.kernel.storage.fail_disk(group.members[1])
    array.reconciler.rescan()
    array.settle()
    assert array.get("storage/disks/1.0.2?fields=state")["state"] == "broken"


def test_a_disk_that_was_pulled_comes_back_with_its_layers(array: Simulator) -> None:
    array.kernel.remove_disk("sdb")
    for _ in range(3):
        array.reconciler.rescan()
        array.settle()
    assert raid_group(array)["missing_disks"] == 1
    array.kernel.add_disk("sdb")
    for _ in range(3):
        array.reconciler.rescan()
        array.settle()
    assert (raid_group(array)["state"], raid_group(array)["missing_disks"]) == ("clean", 0)
    assert len(stack(array)["under md"]) == 12


def test_a_disk_with_a_lost_header_is_reported_and_costs_itself_alone(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    array.kernel.storage.disks.present["sdb"].header.clear()
    array.reboot()
    array.settle()
    events = array.get("support/ems/events?message.name=raid.disk&fields=log_message")["records"]
    assert "/dev/sdb" in events[0]["log_message"]
    monkeypatch.setattr(raid, "GRACE", 0.0)
    for _ in range(2):
        array.settle()
    assert (raid_group(array)["state"], raid_group(array)["aggregate"]) == ("clean", "online")


def test_no_array_is_assembled_of_raw_disks(array: Simulator) -> None:
    """A layer has its disk open, and the bytes behind its header are no signature of the disk."""
    raw = [f"/dev/sd{letter}" for letter in "abcdef"]
    [group] = array.kernel.storage.arrays.running.values()
    command = ["mdadm", "--assemble", "/dev/md/other", f"--uuid={group.uuid}"]
    with pytest.raises(HostError, match="busy"):
        array.kernel.host.commands.run([*command, *raw])
    array.kernel.reboot()
    with pytest.raises(HostError, match="no superblock"):
        array.kernel.host.commands.run([*command, *raw])
    disks = array.kernel.storage.disks.present
    assert all(disks[path.removeprefix("/dev/")].superblock is None for path in raw)


def test_a_group_that_has_grown_grows_its_layers(array: Simulator) -> None:
    [group] = array.kernel.storage.arrays.running.values()
    device = array.kernel.devices.by_name(group.name)
    assert device is not None
    device.size += 1024**3
    array.settle()
    tops = [d.name for d in array.kernel.mapper.devices() if d.name.endswith("-0-plain")]
    [target] = array.kernel.mapper.table(tops[0])
    assert target.length * 512 == device.size - trial_layers.HEADER


def test_disks_of_an_aggregate_that_is_gone_are_empty(array: Simulator) -> None:
    scenarios.delete("storage/luns", "/vol/vol1/lun1", "?allow_delete_while_mapped=true")(array)
    scenarios.delete("storage/volumes", "vol1")(array)
    scenarios.delete("storage/aggregates", "aggr1")(array)
    assert stack(array) == {"under md": [], "over md": []}
    spares = array.get("storage/disks?container_type=spare")["records"]
    assert len(spares) == 8


def test_a_changed_limit_reaches_all_devices(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned = (trial_layers.Headed(), trial_layers.Plain(ahead=512))
    monkeypatch.setattr(layers, "of_export", lambda _size, _groups: tuned)
    array.settle()
    [device] = array.reconciler.memory.of(DevicesMemory).live.values()
    assert over_thin.report(array.kernel.host, device)["plain"] == {"ahead": 512}


def test_a_layer_comes_and_goes_above_a_mapped_lun(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    [uuid] = array.reconciler.memory.of(DevicesMemory).live
    for stack_above in (trial_layers.BOTH[:1], trial_layers.BOTH):
        monkeypatch.setattr(layers, "of_export", lambda _size, _groups, chosen=stack_above: chosen)
        array.settle()
        assert len(over_thin.live_names(array.kernel.host, uuid)) == 1 + len(stack_above)
    assert (
        array.get("storage/luns?fields=status.state")["records"][0]["status"]["state"] == "online"
    )
