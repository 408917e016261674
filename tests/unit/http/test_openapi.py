"""The description is valid OpenAPI 3.1, complete, and true."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import toy
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import OpenAPIV31SpecValidator
from sqlalchemy import Engine
from toy_api import LOGIN, Toys, answer

from sanstone.core.declaration.resource import CREATE, MODIFY, Field, Resource
from sanstone.http import (
    empty_lists,
    oidc,
    openapi,
    prometheus,
    sessions,
    software_upload,
    support_download,
)
from sanstone.http.app import create_app
from sanstone.resources.declared import ACTIONS, RESOURCES

ALL = (*RESOURCES, *(resource for resource in toy.RESOURCES if resource.path.startswith("toys/")))
DESCRIPTION = openapi.describe(ALL)
SCHEMAS = DESCRIPTION["components"]["schemas"]
each_resource = pytest.mark.parametrize("resource", ALL, ids=lambda resource: resource.path)


def _conforms(value: Any, schema: str) -> None:
    root = {"$ref": f"#/components/schemas/{schema}", "components": DESCRIPTION["components"]}
    errors = Draft202012Validator(root).iter_errors(value)
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


def _paths(resource: Resource[Any]) -> list[str]:
    collection = f"/{resource.path}"
    own = [key for key in resource.keys if f"{{{key}}}" not in resource.path]
    instance = collection + "".join(f"/{{{key}}}" for key in own)
    return [collection] if resource.single else [collection, instance]


def _properties(schema: dict[str, Any], prefix: str = "") -> dict[str, dict[str, Any]]:
    """Return the properties of a schema, by dotted name; a reference is one."""
    properties: dict[str, dict[str, Any]] = {}
    for name, part in schema["properties"].items():
        if "description" in part:
            properties[prefix + name] = part
        if "object" in part.get("type", ()):
            properties |= _properties(part, f"{prefix}{name}.")
    return properties


def test_the_description_is_valid() -> None:
    """Of the first resource of each kind, since operations differ by kind; schemas follow below."""
    kinds = {(r.methods, r.single, "{" in r.path, bool(r.options)): r for r in reversed(ALL)}
    described = openapi.describe((*kinds.values(), *ACTIONS))
    errors = OpenAPIV31SpecValidator(described).iter_errors()
    assert [error.message for error in errors] == []
    assert DESCRIPTION["openapi"] == "3.1.0"


def test_all_schemas_are_valid() -> None:
    for name, schema in SCHEMAS.items():
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object", name


def test_patterns_mean_the_same_to_all_clients() -> None:
    r"""`\Z`, `(?P<…>` and the like are Python's alone."""
    patterns = re.findall(r'"pattern": "((?:[^"\\]|\\.)*)"', json.dumps(DESCRIPTION))
    assert patterns
    for pattern in patterns:
        assert not re.search(r"\\\\[AZ]|\(\?[Pa-z#]", pattern), pattern


def test_operations_have_names_of_their_own() -> None:
    names = [
        operation["operationId"]
        for path in DESCRIPTION["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
    ]
    assert len(names) == len(set(names))


@each_resource
def test_every_path_and_method_is_described(resource: Resource[Any]) -> None:
    for path in _paths(resource):
        described = {method.upper() for method in DESCRIPTION["paths"][path]} - {"PARAMETERS"}
        instance = path != f"/{resource.path}"
        assert described == resource.methods - ({"POST"} if instance else set())


EMPTY = (path.translate(str.maketrans("<>", "{}")) for path in empty_lists.EMPTY)
OF_NO_RESOURCE = (
    *(sessions.PATH, oidc.PATH, oidc.LOGIN, prometheus.PATH, software_upload.PATH),
    support_download.DESCRIBED,
)
UNDECLARED = ("private/cli/", *EMPTY)


def test_nothing_else_is_described(toys: Engine) -> None:
    described = set(openapi.describe((*RESOURCES, *ACTIONS))["paths"])
    expected = {path for resource in RESOURCES for path in _paths(resource)}
    expected |= {f"/{action.path}" for action in ACTIONS}
    expected |= {path.removeprefix("/api") for path in OF_NO_RESOURCE}
    assert described == expected
    rules = {
        rule.rule.removeprefix("/api")
        .replace("<anything:", "<")
        .replace("<", "{")
        .replace(">", "}")
        .replace("__", ".")
        for rule in create_app().url_map.iter_rules()
    }
    undeclared = {rule for rule in rules if rule.lstrip("/").startswith(UNDECLARED)} - described
    assert rules - {"/openapi.json", "/declarations.json"} - undeclared == described


@each_resource
def test_fields_are_described_as_declared(resource: Resource[Any]) -> None:
    name = resource.path.replace("/", "_").replace("-", "_")
    name = re.sub(r"{[^}]*}_", "", name)
    properties = _properties(SCHEMAS[name])
    secret = {node.name for node in resource.fields if isinstance(node, Field) and node.secret}
    assert properties.keys() == {node.name for node in resource.fields} - secret
    for access, method, suffix in ((CREATE, "POST", "create"), (MODIFY, "PATCH", "modify")):
        names = {node.name for node in resource.fields if node.access & access}
        if method in resource.methods:
            names |= {option.name for option in resource.options}
        assert _properties(SCHEMAS[f"{name}_{suffix}"]).keys() == names
    for node in resource.fields:
        if node.name in properties:
            assert properties[node.name]["description"] == node.doc
            assert properties[node.name].get("readOnly", False) is not bool(node.access)


@each_resource
def test_filters_are_described(resource: Resource[Any]) -> None:
    if resource.single:
        return
    operation = DESCRIPTION["paths"][f"/{resource.path}"]["get"]
    described = {parameter["name"] for parameter in operation["parameters"]}
    assert {leaf for node in resource.fields for leaf in node.leaves} <= described


def test_secrets_are_only_taken() -> None:
    assert "chap" in SCHEMAS["toys_shelves_create"]["properties"]
    assert "chap" not in SCHEMAS["toys_shelves"]["properties"]


def test_required_fields_are_marked() -> None:
    assert SCHEMAS["toys_shelves_create"]["required"] == ["name", "svm"]
    assert "required" not in SCHEMAS["toys_shelves_modify"]
    boxes = SCHEMAS["toys_shelves_create"]["properties"]["boxes"]["items"]
    assert boxes["required"] == ["name"]


def test_an_answer_is_as_described(api: Toys) -> None:
    api.svm()
    uuid = api.shelf("a", boxes=["x", "y"], comment="c", **{"chap.password": "open sesame"})
    for path in (f"toys/shelves/{uuid}?fields=**", "toys/shelves?fields=**", "toys/planets"):
        body = api.get(path)
        for record in body.get("records", [body]):
            _conforms(record, path.split("/")[0] + "_" + re.split(r"[/?]", path)[1])
    _conforms(api.get(f"toys/shelves/{uuid}/boxes/x"), "toys_shelves_boxes")
    _conforms(answer(api.call("POST", "toys/shelves", {}), 400), "error")
    _conforms(answer(api.call("POST", "svm/svms", {"name": "b"}), 202), "job_link")


def test_a_body_as_described_is_taken(api: Toys) -> None:
    api.svm()
    body = {
        "name": "a",
        "svm": {"name": "svm1"},
        "space": {"size": 7},
        "ip": {"netmask": "255.0.0.0"},
        "chap": {"password": "open sesame"},
        "boxes": [{"name": "x", "number": 1}],
        "friends": [{"name": "svm1"}],
    }
    _conforms(body, "toys_shelves_create")
    answer(api.call("POST", "toys/shelves", body), 201)


@pytest.mark.parametrize(
    "body",
    [
        {"name": "a b", "svm": {"name": "svm1"}},
        {"name": "", "svm": {"name": "svm1"}},
        {"name": "a", "svm": {"name": "svm1"}, "space": {"size": -1}},
        {"name": "a", "svm": {"name": "svm1"}, "color": "blue"},
        {"name": "a", "svm": {"name": "svm1"}, "boxes": [{"number": 1}]},
        {"name": "a"},
    ],
)
def test_a_body_that_is_not_as_described_is_refused(api: Toys, body: dict[str, Any]) -> None:
    api.svm()
    with pytest.raises(AssertionError):
        _conforms(body, "toys_shelves_create")
    assert api.call("POST", "toys/shelves", body).status_code == 400


def test_the_description_is_served_to_everybody(toys: Engine) -> None:
    response = create_app().test_client().get("/api/openapi.json")
    assert answer(response, 200) == json.loads(json.dumps(openapi.describe((*RESOURCES, *ACTIONS))))
    assert LOGIN[1] not in response.text
