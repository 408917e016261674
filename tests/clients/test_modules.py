"""Each module of the collection does what its examples show: tried, done, and done already."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from collection import SOURCE, Collection, install
from conftest import served

EXAMPLES: list[dict[str, Any]] = yaml.safe_load((SOURCE / "generate/examples.yml").read_text())
SECRETS = {
    "{{ bind_password }}": "a secret of the directory",
    "{{ chap_password }}": "a secret of chap",
    "{{ client_secret }}": "a secret of the provider",
    "{{ dh_hmac_chap_key }}": "DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:",
    "{{ monitor_password }}": "a pass word 1",
    "{{ snmp_authentication_password }}": "a signing secret",
    "{{ snmp_privacy_password }}": "a hiding secret",
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    """The collection, and the array that the examples of all modules are played on."""
    with served(tmp_path_factory.mktemp("array"), "--equipped") as array:
        yield Collection(install(tmp_path_factory.mktemp("collection")), array)


@pytest.fixture(scope="module")
def event(collection: Collection) -> int:
    """The number of an event that nobody has acknowledged."""
    with collection.client() as client:
        said = {
            "computer_name": "host1",
            "event_source": "test",
            "app_version": "1",
            "event_id": 1,
            "category": "test",
            "event_description": "A test.",
            "severity": "error",
            "autosupport_required": False,
        }
        client.create("support/ems/application-logs", said)
        [found, *_] = client.records("support/ems/events")
    return int(found["index"])


def filled(value: Any, variables: dict[str, Any]) -> Any:
    """Return a value with values for its variables."""
    if isinstance(value, dict):
        return {name: filled(part, variables) for name, part in value.items()}
    if isinstance(value, list):
        return [filled(part, variables) for part in value]
    return variables.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("task", EXAMPLES, ids=[task["name"] for task in EXAMPLES])
def test_an_example_changes_something_once(
    collection: Collection, event: int, task: dict[str, Any]
) -> None:
    [name] = task.keys() - {"name"}
    module = name.removeprefix("sanstone.array.")
    options = filled(task[name], SECRETS | {"{{ event_index }}": event})
    tried = collection.module(module, check=True, **options)
    assert tried.get("changed"), tried
    done = collection.module(module, **options)
    assert done.get("changed"), done
    assert done["diff"] == tried["diff"]
    again = collection.module(module, **options)
    assert again["changed"] is False, again


def test_what_is_spelled_otherwise_is_no_change(collection: Collection) -> None:
    login = {"svm": "far", "name": "far1"}
    collection.module("svm", name="far", comment="  ")
    made = collection.module(
        "ip_interface",
        **login,
        ip={"address": "10.10.9.1", "netmask": "255.255.255.0"},
        location={"home_port": "e0a"},
    )
    assert made["record"]["ip"]["netmask"] == "24"
    again = collection.module("ip_interface", **login, ip={"netmask": "255.255.255.0"})
    assert not again["changed"]
    assert not collection.module("schedule", name="nightly", cron={"hours": [3]})["changed"]


def test_a_refusal_is_told_with_its_code_and_changes_nothing(collection: Collection) -> None:
    for check in (True, False):
        refused = collection.module("qos_policy", check, svm="far", name="a b", fixed={})
        assert refused["failed"] and refused["code"] and refused["target"] == "name"
    assert collection.module("qos_policy_info", filter={"svm.name": "far"})["records"] == []


def test_what_is_set_only_once_cannot_be_changed(collection: Collection) -> None:
    collection.module("schedule", name="yearly", interval="P365D")
    given = {"svm": "far", "name": "group", "os_type": "linux"}
    assert collection.module("igroup", **given, protocol="iscsi")["changed"]
    refused = collection.module("igroup", **given, protocol="fcp")
    assert refused["failed"] and "protocol" in refused["msg"] and "iscsi" in refused["msg"]
    assert not collection.module("igroup", **given, protocol="iscsi")["changed"]


def test_what_is_not_there_is_told(collection: Collection) -> None:
    lost = collection.module("disk", name="9.9.9", location_led="on")
    assert lost["failed"] and "disk" in lost["msg"]
    lost = collection.module("svm", name="new", from_name="nothing")
    assert lost["failed"] and "nothing" in lost["msg"]
    lost = collection.module("lun_attribute", svm="far", lun="/vol/x/y", name="a", value="b")
    assert lost["failed"] and "/vol/x/y" in lost["msg"]
    gone = collection.module("snapshot", svm="far", volume="x", name="y", state="absent")
    assert gone["changed"] is False


def test_in_check_mode_what_comes_later_is_warned_of(collection: Collection) -> None:
    tried = collection.module("volume", True, svm="later", name="vol1", size="1GB")
    assert tried["changed"] and "later" in str(tried["warnings"])
    tried = collection.module("lun_attribute", True, svm="a", lun="/vol/x/y", name="a", value="b")
    assert tried["changed"] and tried["warnings"]


def test_secrets_are_set_when_asked_for_and_never_told(collection: Collection) -> None:
    given = {"name": "robot", "role": "admin", "account_password": "first pass 1"}
    given |= {"applications": [{"application": "http", "authentication_methods": ["password"]}]}
    made = collection.module("account", **given)
    assert made["changed"] and "first pass" not in str(made)
    given["account_password"] = "second pass 2"
    assert not collection.module("account", **given, update_password="on_create")["changed"]
    assert collection.module("account", **given)["changed"]
    told = collection.module("totp_profile", account="robot")["record"]
    assert len(told["secret_key"]) == 32
    assert len(told["emergency_codes"]) == 5
    assert "secret_key" not in collection.module("totp_profile", account="robot")["record"]


def test_a_certificate_of_somebody_else_is_not_trusted(
    collection: Collection, tmp_path: Path
) -> None:
    other = collection.module("svm_info", ca_path=None)
    assert other["failed"] and "certificate" in other["msg"].lower()


def test_reading(collection: Collection) -> None:
    found = collection.module(
        "svm_info", fields=["name"], filter={"name": "far|fab*"}, order_by=["name desc"]
    )
    assert [record["name"] for record in found["records"]] == ["far"]
    assert "_links" not in str(found)
    assert collection.module("cluster_info")["records"][0]["name"] == "array-1"
