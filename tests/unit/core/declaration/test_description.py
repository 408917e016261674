"""The declarations as data hold all that a client needs, and no more."""

from __future__ import annotations

import json
from typing import Any

from sanstone.core.declaration.description import describe
from sanstone.resources.declared import RESOURCES

DESCRIBED: dict[str, Any] = {r["path"]: r for r in describe(RESOURCES)["resources"]}


def field(path: str, name: str) -> dict[str, Any]:
    """Return the description of one field."""
    description: dict[str, Any] = next(f for f in DESCRIBED[path]["fields"] if f["name"] == name)
    return description


def test_every_resource_is_described() -> None:
    assert DESCRIBED.keys() == {resource.path for resource in RESOURCES}
    assert json.loads(json.dumps(DESCRIBED)) == DESCRIBED


def test_a_resource() -> None:
    volumes = DESCRIBED["storage/volumes"]
    assert volumes["methods"] == ["DELETE", "GET", "PATCH", "POST"]
    assert volumes["keys"] == ["uuid"] and "single" not in volumes
    assert "force" in [option["name"] for option in volumes["options"]]
    assert DESCRIBED["cluster"]["single"] is True


def test_a_field() -> None:
    size = field("storage/luns", "space.size")
    assert (size["kind"], size["create"], size["modify"]) == ("size", True, True)
    assert field("svm/svms", "name")["required"] is True
    state = field("storage/volumes", "state")
    assert state["choices"] == ["online", "offline"] and state["default"] == "online"
    assert "create" not in field("storage/volumes", "uuid")


def test_kinds_are_those_of_core_types() -> None:
    assert field("storage/namespaces", "space.block_size")["kind"] == "size"
    assert field("network/ip/routes", "destination.address")["kind"] == "network_address"


def test_references_name_their_targets() -> None:
    assert field("storage/luns", "svm")["to"] == "svm/svms"
    assert field("storage/volumes", "aggregates") | {"doc": ""} == {
        "name": "aggregates",
        "doc": "",
        "create": True,
        "kind": "references",
        "to": "storage/aggregates",
    }


def test_lists_name_the_field_of_a_bare_text() -> None:
    initiators = field("protocols/san/igroups", "initiators")
    assert initiators["bare"] == "name"
    assert [item["name"] for item in initiators["items"]] == ["name", "comment"]


def test_no_secret_is_given_away_by_its_default() -> None:
    password = field("protocols/san/iscsi/credentials", "chap.inbound.password")
    assert password["secret"] is True and "default" not in password
