"""Each module of the collection does what its examples show: tried, done, and done already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from collection import SOURCE, Collection, install
from conftest import Served

EXAMPLES: list[dict[str, Any]] = yaml.safe_load((SOURCE / "generate/examples.yml").read_text())
SECRETS = {
    "{{ chap_password }}": "a secret of chap",
    "{{ dh_hmac_chap_key }}": "DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:",
    "{{ monitor_password }}": "a pass word 1",
}


@pytest.fixture(scope="module")
def collection(array: Served, tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """The collection, and the array that the examples of all modules are played on."""
    return Collection(install(tmp_path_factory.mktemp("collection")), array)


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
