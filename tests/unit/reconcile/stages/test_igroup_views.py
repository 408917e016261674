"""The LUNs that initiators see through portsets and through igroups in igroups."""

from __future__ import annotations

from scenarios import MIB, san
from simulator import Simulator


def test_a_bound_igroup_is_served_at_its_portset_only(array: Simulator) -> None:
    san(array)
    targets = "/sys/kernel/config/target/iscsi"
    [name] = [n for n in array.kernel.files.listdir(targets) if n.startswith("iqn.")]

    def groups() -> dict[str, list[str]]:
        tags = (t for t in array.kernel.files.listdir(f"{targets}/{name}") if "tpgt_" in t)
        return {t: array.kernel.files.listdir(f"{targets}/{name}/{t}/acls") for t in tags}

    assert all(len(acls) == 1 for acls in groups().values())
    body = {"svm.name": "svm1", "name": "ports1", "interfaces": [{"ip": {"name": "lif1"}}]}
    array.do("POST", "protocols/san/portsets", body)
    group = f"protocols/san/igroups/{array.uuid_of('protocols/san/igroups', 'group1')}"
    array.do("PATCH", group, {"portset": "ports1"})
    assert sorted(len(acls) for acls in groups().values()) == [0, 1]
    array.do("PATCH", group, {"portset": None})
    assert all(len(acls) == 1 for acls in groups().values())


def test_an_igroup_in_another_sees_its_luns(array: Simulator) -> None:
    san(array)
    igroups = "protocols/san/igroups"
    outer = {"svm.name": "svm1", "name": "outer", "os_type": "linux", "protocol": "iscsi"}
    array.do("POST", igroups, outer | {"igroups": [{"name": "group1"}]})
    body = {"svm.name": "svm1", "name": "/vol/vol1/lun2", "os_type": "linux"}
    array.do("POST", "storage/luns", body | {"space.size": 64 * MIB})
    mapped = {"svm.name": "svm1", "lun.name": "/vol/vol1/lun2", "igroup.name": "outer"}
    response = array.call("POST", "protocols/san/lun-maps", mapped | {"logical_unit_number": 0})
    assert response.status_code == 409, "number 0 is another LUN for the initiator"
    record = array.make("protocols/san/lun-maps", mapped)
    assert record["logical_unit_number"] == 1
    text = array.dump()
    assert "/lun_1/" in text[text.index("iqn.1994-05.com.redhat:host1") :]
