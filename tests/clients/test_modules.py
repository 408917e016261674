"""Each module of the collection does as its examples show: tried, done, and done already."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import collection_tests
import pytest
from collection import Collection
from conftest import served
from targets import AREAS, steps

BY_ANSIBLE_TEST = "nvme"
"""The target that `ansible-test` plays, which has all that targets consist of.

It takes six times the processor for it that playing one in this process takes.
"""
VARIABLES = {"event_index": 1}
FORKED = f"""
connection_plugins = {Path(__file__).with_name("connection")}

[connection]
pipelining = true
"""
"""Settings with which modules are forked, as playbooks' are in `collection`."""


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    """The collection, and the array that the examples of all modules are played on."""
    with served(tmp_path_factory.mktemp("array"), "--equipped") as array:
        yield Collection(array)


@pytest.mark.parametrize("area", sorted({*AREAS} - {BY_ANSIBLE_TEST}))
def test_each_example_of_a_target_changes_something_once(collection: Collection, area: str) -> None:
    for step in steps(area, VARIABLES):
        if step.example:
            tried = collection.module(step.module, check=True, **step.options)
            assert tried.get("changed"), (step.name, tried)
        done = collection.module(step.module, **step.options)
        assert not done.get("failed"), (step.name, done.get("msg"), done)
        if step.example:
            assert done["changed"] and done["diff"] == tried["diff"], (step.name, tried, done)
            again = collection.module(step.module, **step.options)
            assert again.get("changed") is False, (step.name, again)


def test_ansible_test_plays_a_target(collection: Collection, tmp_path: Path) -> None:
    place = collection_tests.copied(tmp_path)
    configuration = {"array": collection.login, **VARIABLES, "ansible_connection": "forked"}
    (place / "tests/integration/integration_config.yml").write_text(json.dumps(configuration))
    with (place / "tests/integration/integration.cfg").open("a") as settings:
        settings.write(FORKED)
    python = collection_tests.with_client(tmp_path / "venv")
    output = collection_tests.run(place, tmp_path, "integration", BY_ANSIBLE_TEST, python=python)
    examples = [step for step in steps(BY_ANSIBLE_TEST, VARIABLES) if step.example]
    for outcome, round_ in (("changed", "tried"), ("changed", "done"), ("ok", "repeated")):
        count = output.count(f"{outcome}: [testhost] => (item={round_})")
        assert count == len(examples) > 0, output
    with collection.client() as client:
        assert list(client.records("svm/svms", {"name": "svm1"})) == []


def test_another_spelling_of_a_value_is_no_change(collection: Collection) -> None:
    login = {"svm": "far", "name": "far1"}
    collection.module("svm", name="far", comment="  ")
    interface = collection.module(
        "ip_interface",
        **login,
        ip={"address": "10.10.9.1", "netmask": "255.255.255.0"},
        location={"home_port": "e0a"},
    )
    assert interface["record"]["ip"]["netmask"] == "24"
    again = collection.module("ip_interface", **login, ip={"netmask": "255.255.255.0"})
    assert not again["changed"]
    collection.module("schedule", name="nightly", cron={"minutes": [0], "hours": [3]})
    assert not collection.module("schedule", name="nightly", cron={"hours": [3]})["changed"]


def test_a_refusal_has_its_code_and_changes_nothing(collection: Collection) -> None:
    for check in (True, False):
        refused = collection.module("qos_policy", check, svm="far", name="a b", fixed={})
        assert refused["failed"] and refused["code"] and refused["target"] == "name"
    assert collection.module("qos_policy_info", filter={"svm.name": "far"})["records"] == []


def test_a_field_that_is_set_only_once_cannot_be_changed(collection: Collection) -> None:
    collection.module("schedule", name="yearly", interval="P365D")
    igroup = {"svm": "far", "name": "group", "os_type": "linux"}
    assert collection.module("igroup", **igroup, protocol="iscsi")["changed"]
    refused = collection.module("igroup", **igroup, protocol="fcp")
    assert refused["failed"] and "protocol" in refused["msg"] and "iscsi" in refused["msg"]
    assert not collection.module("igroup", **igroup, protocol="iscsi")["changed"]


def test_a_missing_object_is_named(collection: Collection) -> None:
    lost = collection.module("disk", name="9.9.9", location_led="on")
    assert lost["failed"] and "disk" in lost["msg"]
    lost = collection.module("svm", name="new", from_name="nothing")
    assert lost["failed"] and "nothing" in lost["msg"]
    lost = collection.module("lun_attribute", svm="far", lun="/vol/x/y", name="a", value="b")
    assert lost["failed"] and "/vol/x/y" in lost["msg"]
    result = collection.module("snapshot", svm="far", volume="x", name="y", state="absent")
    assert result["changed"] is False


def test_check_mode_warns_of_later_steps(collection: Collection) -> None:
    tried = collection.module("volume", True, svm="later", name="vol1", size="1GB")
    assert tried["changed"] and "later" in str(tried["warnings"])
    tried = collection.module("lun_attribute", True, svm="a", lun="/vol/x/y", name="a", value="b")
    assert tried["changed"] and tried["warnings"]


def test_secrets_are_set_on_request_and_never_shown(collection: Collection) -> None:
    account = {"name": "robot", "role": "admin", "account_password": "first pass 1"}
    account |= {"applications": [{"application": "http", "authentication_methods": ["password"]}]}
    result = collection.module("account", **account)
    assert result["changed"] and "first pass" not in str(result)
    account["account_password"] = "second pass 2"
    assert not collection.module("account", **account, update_password="on_create")["changed"]
    assert collection.module("account", **account)["changed"]
    profile = collection.module("totp_profile", account="robot")["record"]
    assert len(profile["secret_key"]) == 32
    assert len(profile["emergency_codes"]) == 5
    assert "secret_key" not in collection.module("totp_profile", account="robot")["record"]


def test_a_certificate_of_somebody_else_is_not_trusted(
    collection: Collection, tmp_path: Path
) -> None:
    other = collection.module("svm_info", ca_path=None)
    assert other["failed"] and "certificate" in other["msg"].lower()


def test_reading(collection: Collection) -> None:
    result = collection.module(
        "svm_info", fields=["name"], filter={"name": "far|fab*"}, order_by=["name desc"]
    )
    assert [record["name"] for record in result["records"]] == ["far"]
    assert "_links" not in str(result)
    assert collection.module("cluster_info")["records"][0]["name"] == "array"
