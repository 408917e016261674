"""The array's functions, as licenses."""

from __future__ import annotations

from in_process import SERIAL, Array

PATH = "cluster/licensing/licenses"


def test_licenses_list_the_arrays_functions(api: Array) -> None:
    names = [record["name"] for record in api.records(PATH)]
    assert names == ["fcp", "flexclone", "iscsi", "nvme_of", "snaprestore"]
    [feature] = api.records(f"{PATH}?name=flexclone&fields=*")
    assert (feature["scope"], feature["state"]) == ("cluster", "compliant")
    [license] = feature["licenses"]
    assert (license["owner"], license["serial_number"], license["active"]) == (
        "array1",
        SERIAL,
        True,
    )
    assert api.get(f"{PATH}/iscsi")["name"] == "iscsi"


def test_missing_functions_have_no_license(api: Array) -> None:
    assert api.records(f"{PATH}?state=unlicensed") == []
    assert api.records(f"{PATH}?name=snapmirror") == []
    api.refuse("GET", f"{PATH}/nfs", "4")


def test_no_key_is_taken_or_removed(api: Array) -> None:
    for method, path in (("POST", PATH), ("DELETE", f"{PATH}/iscsi")):
        response = api.call(method, path, {"keys": ["A"]})
        assert response.status_code == 405
        assert "is included" in response.get_json()["error"]["message"]
