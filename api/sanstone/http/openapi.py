"""The OpenAPI 3.1 description of the API, derived from the resources' declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from sanstone import __version__
from sanstone.core import confirmations
from sanstone.core.declaration import types
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    Access,
    Field,
    Node,
    Reference,
    References,
    Resource,
)
from sanstone.core.declaration.values import BARE
from sanstone.http import (
    constants,
    oidc,
    prometheus,
    rehearsals,
    sessions,
    software_upload,
    support_download,
)
from sanstone.http.answers import HAL, PLAIN
from sanstone.http.empty_lists import undeclared

_DESCRIPTION = (
    "The REST API of a Sanstone array. Resources, fields, units, error codes and jobs are those of "
    "ONTAP's REST API; what differs is on [one page](/docs/differences/). Sizes are in bytes, "
    "times are ISO 8601, in UTC. What an account may do depends on its role (403 with code 6). "
    "A parameter of a request that is no condition, such as `force` or "
    "`restore_to.snapshot.name`, may be in its body instead. With `dry_run=true` a request that "
    "changes something only tells what it would do. The headers X-Dot-SVM-Name and "
    "X-Dot-SVM-UUID confine a call to one SVM, as accounts of an SVM always are. Programs log in "
    "with each request; the web interface has a session (`security/session`), whose writing "
    "requests carry X-CSRF-Token. Programs that follow changes poll "
    "`cluster/changes` every few seconds.\n\n"
    "Collections of ONTAP that are always empty here:\n\n"
    "| path | why |\n| --- | --- |\n"
    "{empty}"
    "\nFields that are the same on every array, since it does nothing else:\n\n"
)
_CONTROL: dict[str, tuple[dict[str, Any], str]] = {
    "confirm_within": (
        {
            "type": "integer",
            "minimum": confirmations.SHORTEST,
            "maximum": confirmations.LONGEST,
        },
        "Seconds within which the change must be confirmed, by PATCH of its job with "
        "`action=confirm`, once it is in effect and the job is paused. Otherwise it is taken back.",
    ),
    "dry_run": (
        {"type": "boolean"},
        "Whether to only tell what the request would do: refusals, changes, hosts connected now, "
        "whether it may cut off the caller, and aggregates whose capacity changes.",
    ),
    "fields": ({"type": "string"}, "Fields to show, comma-separated; `*` and `**` for all."),
    "max_records": (
        {"type": "integer", "minimum": 1},
        "Records of one page, 10,000 at most.",
    ),
    "offset": (
        {"type": "integer", "minimum": 0, "maximum": 2**63 - 1},
        "Records before the page's first; the next pages go on by the link `next`.",
    ),
    "order_by": ({"type": "string"}, "Fields to sort by, each with `asc` or `desc`."),
    "return_records": ({"type": "boolean"}, "Whether the answer holds records."),
    "return_total": (
        {"type": "boolean", "default": False},
        "Whether the answer holds `total_records`: how many match, on all pages together.",
    ),
    "return_timeout": (
        {"type": "integer", "minimum": 0, "maximum": 120},
        "Seconds to wait for the end of the job: what ends within them is answered by 200 or 201, "
        "or refused as the machine refused it. By default a request whose resource changes by a "
        "job is answered by that at once.",
    ),
}


def describe(resources: Iterable[Resource[Any]]) -> dict[str, Any]:
    """Return the description of resources and actions as a dictionary."""
    resources = tuple(resources)
    plugin = MarshmallowPlugin()
    spec = APISpec(
        title="Sanstone REST API",
        version=__version__,
        openapi_version="3.1.0",
        plugins=[plugin],
        info={"description": _described(resources)},
        servers=[{"url": "/api"}],
        security=[{"basic": []}, {"session": []}],
    )
    spec.components.security_scheme("basic", {"type": "http", "scheme": "basic"})
    cookie = {"type": "apiKey", "in": "cookie", "name": sessions.COOKIE}
    spec.components.security_scheme("session", cookie)
    spec.components.schema("error", _error_schema())
    spec.components.schema("job_link", _job_schema())
    spec.components.schema("rehearsal", rehearsals.describe())
    for resource in resources:
        describer = _Describer(spec, plugin, resource)
        if isinstance(resource, Action):
            describer.add_action(resource)
        else:
            describer.add()
    for path, described in ({sessions.PATH: sessions.describe()} | oidc.describe()).items():
        path = path.removeprefix("/api")
        spec.path(path, operations=_login_operations(path, described))
    spec.path(software_upload.PATH.removeprefix("/api"), operations=_upload_operations())
    for path, operations, keys in (
        (support_download.DESCRIBED, support_download.describe(), support_download.KEYS),
        (prometheus.PATH.removeprefix("/api"), prometheus.describe(), []),
    ):
        operations["get"]["responses"]["default"] = {"description": "Refused."} | _content("error")
        spec.path(path, operations=operations, parameters=keys)
    return spec.to_dict()


def _described(resources: Sequence[Resource[Any]]) -> str:
    """Return the head of the description, before all resources."""
    empty = undeclared(resource.path for resource in resources)
    rows = "".join(f"| `/{path}` | {reason} |\n" for path, reason in empty.items())
    table = rows.translate(str.maketrans("<>", "{}"))
    return _DESCRIPTION.format(empty=table) + constants.table(resources)


class _Describer:
    """Adds one resource's schemas and paths to the description."""

    def __init__(self, spec: APISpec, plugin: MarshmallowPlugin, resource: Resource[Any]) -> None:
        self.spec, self.plugin, self.resource = spec, plugin, resource
        self.name = re.sub(r"{[^}]*}/", "", resource.path).replace("/", "_").replace("-", "_")

    def add(self) -> None:
        resource, name = self.resource, self.name
        nodes = resource.fields
        self.spec.components.schema(name, self._object(nodes, None))
        if resource.answer:
            once = self._object((*nodes, *resource.answer), None)
            self.spec.components.schema(f"{name}_created", once)
        for access, method, suffix in ((CREATE, "POST", "create"), (MODIFY, "PATCH", "modify")):
            options = resource.options if method in resource.methods else ()
            taken = (*nodes, *(replace(option, access=access) for option in options))
            self.spec.components.schema(f"{name}_{suffix}", self._object(taken, access))
        in_path = re.findall(r"{([^}]*)}", resource.path)
        collection = self._operations(instance=False)
        self.spec.path(f"/{resource.path}", operations=collection, parameters=self._keys(in_path))
        own = [key for key in resource.keys if key not in in_path]
        if own and not resource.single:
            path = f"/{resource.path}" + "".join(f"/{{{key}}}" for key in own)
            keys = self._keys([*in_path, *own])
            self.spec.path(path, operations=self._operations(instance=True), parameters=keys)

    def add_action(self, action: Action) -> None:
        """Add the one operation of an action."""
        self.spec.components.schema(f"{self.name}_create", self._object(action.fields, CREATE))
        self.spec.components.schema(self.name, self._object(action.answer, None))
        in_path = re.findall(r"{([^}]*)}", action.path)
        operation = self._operation("POST", False) | {"summary": action.doc}
        done = {"description": "Done."} | _content(self.name)
        operation["responses"] = self._responses("POST", False) | {"201": done}
        self.spec.path(
            f"/{action.path}", operations={"post": operation}, parameters=self._keys(in_path)
        )

    def _keys(self, names: list[str]) -> list[dict[str, Any]]:
        return [
            {"name": name, "in": "path", "required": True, "schema": self._leaf(name)}
            for name in names
        ]

    def _leaf(self, name: str) -> dict[str, Any]:
        candidates = (n for n in self.resource.fields if name == n.name or name in n.leaves)
        node = next(candidates, None)
        return self._type(node.type) if isinstance(node, Field) else {"type": "string"}

    def _type(self, kind: types.Type) -> dict[str, Any]:
        schema = self.plugin.converter.field2property(kind) | kind.schema  # type: ignore[union-attr]
        if isinstance(kind, types.ListOf):
            schema["items"] = self._type(kind.entry)
        if kind.good:
            schema["examples"] = list(kind.good)
        return schema

    def _object(self, nodes: Iterable[Node], access: Access | None) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object", "properties": {}}
        for node in nodes:
            if access is None and isinstance(node, Field) and node.secret:
                continue
            if access is not None and not node.access & access:
                continue
            place = schema
            *parents, last = node.name.split(".")
            for parent in parents:
                child = place["properties"].setdefault(parent, {"type": "object"})
                place = child
                place.setdefault("properties", {})
            if access is not None and last in BARE and place is not schema:
                place["type"] = ["object", "string"]
            # A reference `lun` and a field `lun.node.name` share one object.
            before = place["properties"].get(last, {}).get("properties", {})
            described = place["properties"][last] = self._node(node, access)
            if before:
                described["properties"] |= before
            # A required leaf makes its parents required too, down from the top.
            if access == CREATE and node.required:
                self._require(schema, node.name)
        return schema

    @staticmethod
    def _require(schema: dict[str, Any], name: str) -> None:
        for part in name.split("."):
            required = schema.setdefault("required", [])
            if part not in required:
                required.append(part)
            schema = schema["properties"][part]

    def _node(self, node: Node, access: Access | None) -> dict[str, Any]:
        if isinstance(node, Field):
            schema = self._type(node.type) | {"description": node.doc}
            if node.default is not None:
                schema["default"] = node.default
        elif isinstance(node, Reference):
            schema = _reference() | {"description": node.doc}
        elif isinstance(node, References):
            schema = {"type": "array", "description": node.doc, "items": _reference()}
        else:
            items = self._object(node.fields, access)
            schema = {"type": "array", "description": node.doc, "items": items}
        if access is None and not node.access:
            schema["readOnly"] = True
        return schema

    def _operations(self, instance: bool) -> dict[str, Any]:
        resource = self.resource
        methods = {"GET"} | (resource.methods & {"PATCH", "DELETE"})
        if not instance:
            methods |= resource.methods & {"POST"}
        order = [m for m in ("GET", "POST", "PATCH", "DELETE") if m in methods]
        return {method.lower(): self._operation(method, instance) for method in order}

    def _operation(self, method: str, instance: bool) -> dict[str, Any]:
        single = instance or self.resource.single
        controls = ["fields"] if method == "GET" else ["return_timeout"]
        if method != "GET" and not isinstance(self.resource, Action):
            controls.append("dry_run")
        if method != "GET" and self.resource.confirmable:
            controls.append("confirm_within")
        if method == "GET" and not single:
            controls += ["max_records", "offset", "order_by", "return_records", "return_total"]
        elif method == "POST":
            controls.append("return_records")
        parameters = [_parameter(name, *_CONTROL[name]) for name in controls]
        if method != "GET" or self.resource.methods == {"GET"}:
            for option in self.resource.options:
                parameters.append(_parameter(option.name, self._type(option.type), option.doc))
        if method != "POST" and not single:
            parameters += self._filters()
        operation: dict[str, Any] = {
            "tags": [self.resource.path.split("/")[0]],
            "summary": _SUMMARIES[method, single].format(self.resource.path.rpartition("/")[2]),
            "description": f"{self.resource.doc} {self.resource.refusal}".strip(),
            "operationId": f"{method.lower()}_{self.name}{'' if single else '_collection'}",
            "parameters": parameters,
            "responses": self._responses(method, single),
        }
        if method in ("POST", "PATCH"):
            suffix = "create" if method == "POST" else "modify"
            operation["requestBody"] = _taken(f"{self.name}_{suffix}") | {
                "required": method == "POST" and any(n.required for n in self.resource.fields)
            }
        return operation

    def _filters(self) -> list[dict[str, Any]]:
        shown = (n for n in self.resource.fields if not (isinstance(n, Field) and n.secret))
        names = [name for node in shown for name in node.leaves]
        text = "Only objects whose field matches; ONTAP's query operators are understood."
        return [_parameter(name, {"type": "string"}, text) for name in names]

    def _responses(self, method: str, single: bool) -> dict[str, Any]:
        error = {"description": "Refused; nothing was changed."} | _content("error")
        if method == "GET":
            success = {"description": "Found."}
            success |= _content(self.name) if single else _records(self.name, total=True)
            same = {"description": "As in the answer whose ETag was sent in If-None-Match."}
            known = {"304": same} if self.resource.etag else {}
            return {"200": success, **known, "default": error}
        responses = {
            "202": {"description": "A job was started."} | _content("job_link"),
            "default": error,
        }
        tried = {"$ref": "#/components/schemas/rehearsal"}
        either = {"anyOf": [_records_schema(self.name), tried]}
        if method != "POST":
            return {"200": {"description": "Done, or only tried."} | _answered(either)} | responses
        if not isinstance(self.resource, Action):
            simulates = any(option.name == "simulate" for option in self.resource.options)
            shape = either if simulates else tried
            responses["200"] = {"description": "Only tried."} | _answered(shape)
        once = "_created" if self.resource.answer else ""
        responses["201"] = {"description": "Done."} | _records(f"{self.name}{once}")
        return responses


_SUMMARIES = {
    ("GET", False): "List {}",
    ("GET", True): "Show one of {}",
    ("POST", False): "Create in {}",
    ("POST", True): "Create {}",
    ("PATCH", False): "Change all {} that a query matches",
    ("PATCH", True): "Change one of {}",
    ("DELETE", False): "Delete all {} that a query matches",
    ("DELETE", True): "Delete one of {}",
}


def _login_operations(path: str, described_by_method: dict[str, Any]) -> dict[str, Any]:
    """Return the operations of logging in and out at a path, which belong to no resource."""
    error = {"description": "Refused."} | _content("error")
    operations = {}
    for method, described in described_by_method.items():
        status, shown = described.pop("answer")
        done = {"description": "Done."} | (_answered(shown) if shown else {})
        responses = {status: done, "default": error}
        named = {"operationId": f"{method}{path.replace('/', '_')}", "tags": ["security"]}
        operations[method] = described | named | {"responses": responses}
    return operations


def _upload_operations() -> dict[str, Any]:
    """Return the operation of uploading a package, which belongs to no resource."""
    shown = _answered(software_upload.described_answer())
    responses = {
        "200": {"description": "The piece is there."} | shown,
        "202": {"description": "The whole file is there, and is looked at."} | shown,
        "default": {"description": "Refused."} | _content("error"),
    }
    named = {"operationId": "post_cluster_software_upload", "tags": ["cluster"]}
    return {"post": software_upload.describe() | named | {"responses": responses}}


def _reference() -> dict[str, Any]:
    text = {"type": "string"}
    return {"type": "object", "properties": {"name": text, "uuid": text | {"format": "uuid"}}}


def _parameter(name: str, schema: dict[str, Any], text: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, "description": text}


def _taken(schema: str) -> dict[str, Any]:
    return {"content": {PLAIN: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}}


def _answered(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {media_type: {"schema": schema} for media_type in (HAL, PLAIN)}}


def _content(schema: str) -> dict[str, Any]:
    return _answered({"$ref": f"#/components/schemas/{schema}"})


def _records(schema: str, *, total: bool = False) -> dict[str, Any]:
    return _answered(_records_schema(schema, total=total))


def _records_schema(schema: str, *, total: bool = False) -> dict[str, Any]:
    items = {"type": "array", "items": {"$ref": f"#/components/schemas/{schema}"}}
    properties: dict[str, Any] = {"records": items, "num_records": {"type": "integer"}}
    if total:
        text = "How many match, on all pages together, where `return_total` is true."
        properties["total_records"] = {"type": "integer", "description": text}
    return {"type": "object", "properties": properties}


def _error_schema() -> dict[str, Any]:
    text = {"type": "string"}
    argument = {"type": "object", "properties": {"code": text, "message": text}}
    arguments = {
        "type": "array",
        "items": argument,
        "description": "Parts of the message as they stand in it, for who translates the rest.",
    }
    error = {
        "type": "object",
        "required": ["message", "code"],
        "properties": {
            "message": text,
            "code": text | {"pattern": "^[0-9]+$"},
            "target": text,
            "arguments": arguments,
        },
    }
    return {"type": "object", "required": ["error"], "properties": {"error": error}}


def _job_schema() -> dict[str, Any]:
    job = {"type": "object", "properties": {"uuid": {"type": "string", "format": "uuid"}}}
    return {"type": "object", "required": ["job"], "properties": {"job": job}}
