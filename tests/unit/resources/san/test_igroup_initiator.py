"""The members of one igroup as a collection of their own."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array

HOST = "iqn.1994-05.com.redhat:host1"
OTHER = "iqn.1994-05.com.redhat:host2"


@pytest.fixture
@prepared_once
def path(api: Array) -> str:
    """The initiators of an iSCSI igroup that has HOST."""
    api.svm()
    body = {
        "svm.name": "svm1",
        "name": "hosts",
        "os_type": "linux",
        "protocol": "iscsi",
    }
    created = api.make("protocols/san/igroups", body | {"initiators": [HOST]})
    return f"protocols/san/igroups/{created['uuid']}/initiators"


def names(api: Array, path: str) -> list[str]:
    """Return the members' names."""
    return [record["name"] for record in api.records(path)]


def test_join(api: Array, path: str) -> None:
    response = api.call("POST", path, {"name": OTHER, "comment": "second"})
    assert response.status_code == 201
    assert response.headers["Location"] == f"/api/{path}/{OTHER}"
    record = api.get(f"{path}/{OTHER}")
    assert (record["name"], record["comment"]) == (OTHER, "second")
    assert record["igroup"]["name"] == "hosts"
    assert names(api, path) == [HOST, OTHER]


def test_several_join_at_once_or_none(api: Array, path: str) -> None:
    api.refuse("POST", path, "5374035", {"records": [{"name": OTHER}, {"name": HOST}]})
    more = [{"name": OTHER}, {"name": "eui.0123456789abcdef", "comment": "c"}]
    assert api.call("POST", path, {"records": more}).status_code == 201
    assert names(api, path) == ["eui.0123456789abcdef", HOST, OTHER]


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("5374035", {"name": HOST}),
        ("5374039", {"name": "20:00:00:50:56:00:00:01"}),
        ("5373993", {"name": "host2"}),
        ("5374033", {"comment": "nobody"}),
        ("5374035", {"records": [{"name": OTHER}, {"name": OTHER}]}),
    ],
)
def test_invalid_initiators_are_refused(
    api: Array, path: str, code: str, body: dict[str, Any]
) -> None:
    api.refuse("POST", path, code, body)


def test_the_comment_changes(api: Array, path: str) -> None:
    api.patch(f"{path}/{HOST}", {"comment": "c"})
    assert api.get(f"{path}/{HOST}")["comment"] == "c"


@pytest.mark.parametrize("spelling", [HOST, HOST.replace(":", "%3A")])
def test_leave(api: Array, path: str, spelling: str) -> None:
    api.delete(f"{path}/{spelling}")
    assert names(api, path) == []


WINDOWS = "iqn.1991-05.com.example:WIN-Host01"


@pytest.mark.parametrize("spelling", [WINDOWS, WINDOWS.lower(), WINDOWS.upper()])
def test_an_initiator_is_found_by_the_spelling_of_its_name(
    api: Array, path: str, spelling: str
) -> None:
    api.make(path, {"name": WINDOWS})
    assert api.get(f"{path}/{spelling}")["name"] == WINDOWS.lower()
    for query in (spelling, f"!{HOST}", f'"{spelling}"', f"{spelling[:30]}*", f"x|{spelling}"):
        assert names(api, f"{path}?name={query}") == [WINDOWS.lower()], query
    igroups = f"protocols/san/igroups?initiators.name={HOST},{spelling}"
    assert names(api, igroups) == ["hosts"]
    api.delete(f"{path}/{spelling}")
    assert names(api, path) == [HOST]


def test_many_leave_by_the_names_that_were_given(api: Array, path: str) -> None:
    api.make(path, {"name": WINDOWS})
    twice = {"records": [{"name": WINDOWS}, {"name": WINDOWS.upper()}]}
    api.refuse("DELETE", path, "262188", twice)
    assert api.call("DELETE", path, {"records": [{"name": WINDOWS}]}).status_code == 200
    api.make(path, {"name": WINDOWS})
    assert api.call("DELETE", f"{path}?name={WINDOWS}").get_json() == {"num_records": 1}
    assert names(api, path) == [HOST]


def test_an_initiator_is_found_by_its_alias(api: Array) -> None:
    api.svm()
    alias = {"svm.name": "svm1", "alias": "Host1", "wwpn": "2000005056000001"}
    api.make("network/fc/wwpn-aliases", alias)
    body = {"svm.name": "svm1", "name": "fabric", "os_type": "linux", "protocol": "fcp"}
    created = api.make("protocols/san/igroups", body | {"initiators": ["Host1"]})
    path = f"protocols/san/igroups/{created['uuid']}/initiators"
    for query in ("Host1", "2000005056000001", "20:00:00:50:56:00:00:01"):
        assert api.get(f"{path}/{query}")["name"] == "20:00:00:50:56:00:00:01"
        assert names(api, f"{path}?name={query}") == ["20:00:00:50:56:00:00:01"]
        assert names(api, f"protocols/san/igroups?initiators.name={query}") == ["fabric"]
    assert names(api, f"{path}?name=Host2") == []
    api.delete(f"{path}/Host1")
    assert names(api, path) == []


def test_the_igroup_is_found_by_its_uuid_in_any_spelling(api: Array, path: str) -> None:
    uuid = path.split("/")[3]
    shouted = path.replace(uuid, uuid.upper())
    assert names(api, shouted) == [HOST]
    assert api.make(shouted, {"name": WINDOWS})["igroup"]["uuid"] == uuid
    assert names(api, f"protocols/san/igroups?uuid={uuid.upper()}|x") == ["hosts"]
    assert names(api, f"protocols/san/igroups?uuid={uuid.upper()[:20]}*") == ["hosts"]


def test_of_an_igroup_that_does_not_exist(api: Array, path: str) -> None:
    missing = "protocols/san/igroups/00000000-0000-4000-8000-000000000000/initiators"
    api.refuse("GET", missing, "4")
    api.refuse("POST", missing, "4", {"name": OTHER})
    api.refuse("DELETE", f"{path}/{OTHER}", "4")


def test_an_initiator_with_a_lun_through_an_igroup_above_cannot_be_removed(
    api: Array, path: str
) -> None:
    api.disks(4)
    api.aggregate()
    api.volume()
    api.lun()
    body = {"svm.name": "svm1", "name": "all", "os_type": "linux", "igroups": [{"name": "hosts"}]}
    above = api.make("protocols/san/igroups", body)
    api.make("protocols/san/lun-maps", {"lun.name": "/vol/vol1/lun1", "igroup.name": "all"})
    igroup = path.removesuffix("/initiators")
    nested = f"protocols/san/igroups/{above['uuid']}/igroups/{igroup.rpartition('/')[2]}"
    for place in (f"{path}/{HOST}", igroup, nested):
        api.refuse("DELETE", place, "1254213")
    api.delete(f"{path}/{HOST}?allow_delete_while_mapped=true")
