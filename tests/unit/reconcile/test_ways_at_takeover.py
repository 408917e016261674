"""A host that comes by another way, at a takeover too, never takes another LUN for its LUN 0."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scenarios import MIB
from two_nodes import OF_SVM, Pair, two_serving_nodes

from sanstone.core.database.store import writing
from sanstone.kernel import names
from sanstone.kernel.host import HostError
from sanstone.model.san import LunMap

LUNS, OTHER_IQN = "storage/luns", "iqn.2026-11.org.example:other"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """An array of two nodes that serve hosts."""
    with two_serving_nodes(tmp_path) as pair:
        yield pair


def test_a_lif_that_comes_waits_for_the_lun_0_of_its_hosts(pair: Pair) -> None:
    lun = pair.first.uuid_of(LUNS, "/vol/vol2/lun")
    group = {"name": "group2", "os_type": "linux", "initiators": [{"name": OTHER_IQN}]}
    pair.first.do("POST", "protocols/san/igroups", OF_SVM | group)
    pair.first.reboot()
    pair.first.kernel.interrupt.fail_when(
        lambda step: step.startswith("dm ") and names.device(lun) in step, HostError("no memory")
    )
    pair.settle()
    pair.running.remove(pair.first)
    with writing(pair.first.database) as session:
        igroup = pair.first.uuid_of("protocols/san/igroups", "group2")
        svm = pair.first.uuid_of("svm/svms", "svm1")
        keys = {"lun_uuid": lun, "igroup_uuid": igroup, "svm_uuid": svm}
        session.add(LunMap(**keys, logical_unit_number=0))
    pair.settle()
    pair.take_over()
    pair.running.append(pair.first)
    pair.settle()
    assert "np/10.10.1.1:3260" in pair.first.dump()
    assert "np/10.10.2.1:3260" not in pair.first.dump()
    pair.first.kernel.interrupt.clear()
    pair.settle()
    assert "np/10.10.2.1:3260" in pair.first.dump()
    assert pair.first.dump().count(f"{lun}/wwn/vpd_unit_serial") == 1


def test_a_lun_on_standby_stays_exported_when_it_cannot_follow_its_object(pair: Pair) -> None:
    lun = pair.first.uuid_of(LUNS, "/vol/vol2/lun")
    pair.first.kernel.interrupt.fail_when(
        lambda step: step.startswith("dm ") and names.device(lun) in step, HostError("no memory")
    )
    steps = pair.first.kernel.interrupt.log
    before = len(steps)
    response = pair.second.call("PATCH", f"{LUNS}/{lun}", {"space.size": 96 * MIB})
    assert "no memory" in response.get_data(as_text=True)
    assert [step for step in steps[before:] if step.startswith(("rmdir", "unlink"))] == []
