"""Service policies: built in, the same for each SVM."""

from __future__ import annotations

import pytest
from in_process import Array

POLICIES = "network/ip/service-policies"


def test_each_svm_has_the_built_in_policies(api: Array) -> None:
    api.svm("svm1")
    api.svm("svm2")
    for svm in ("svm1", "svm2"):
        found = api.records(f"{POLICIES}?svm.name={svm}&fields=services,is_built_in,scope")
        services = {record["name"]: record["services"] for record in found}
        assert services["default-data-iscsi"] == ["data_core", "data_iscsi"]
        assert services["default-data-nvme-tcp"] == ["data_core", "data_nvme_tcp"]
        assert services["default-data-blocks"] == ["data_core", "data_iscsi", "data_nvme_tcp"]
        assert all(record["is_built_in"] and record["scope"] == "svm" for record in found)


def test_identities_are_unique_and_lead_to_the_policy(api: Array) -> None:
    api.svm("svm1")
    api.svm("svm2")
    listed = api.records(POLICIES)
    assert len({record["uuid"] for record in listed}) == len(listed)
    for record in listed:
        assert api.get(f"{POLICIES}/{record['uuid']}")["name"] == record["name"]


def test_management_has_a_policy_of_its_own(api: Array) -> None:
    [record] = api.records(f"{POLICIES}?scope=cluster")
    assert record["name"] == "default-management"


@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
def test_policies_cannot_be_made_or_changed(api: Array, method: str) -> None:
    services = ["data_core", "data_fcp"]
    path = POLICIES if method == "POST" else f"{POLICIES}/{api.records(POLICIES)[0]['uuid']}"
    error = api.refuse(method, path, "3", {"name": "mine", "services": services})
    assert "built in" in error["message"]
    assert "default-data-iscsi (data_core, data_iscsi)" in error["message"]
