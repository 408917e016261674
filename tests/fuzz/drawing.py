"""The next request of a sequence, from the declarations and the objects that are there."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from examples import Body

from fuzz import values
from fuzz.bodies import Bodies, Resource
from fuzz.objects import Objects
from fuzz.request import Request, Trouble
from sanstone.core.declaration.resource import Field
from sanstone.http.call import PLACEHOLDER
from sanstone.http.empty_lists import EMPTY
from sanstone.http.private_cli_tables import TABLES
from sanstone.resources.declared import ACTIONS, RESOURCES

CERTAIN = (
    "security/certificates",
    "security/certificate-signing-request",
    "security/certificates/{uuid}/sign",
)
"""Resources that generate keys, by a program that takes a second for each."""
MANY = (
    *("storage/luns", "storage/namespaces", "storage/volumes", "protocols/san/igroups"),
    *("protocols/san/lun-maps", "protocols/nvme/subsystem-maps", "protocols/nvme/subsystems"),
    *("storage/volumes/{volume.uuid}/snapshots", "network/ip/interfaces"),
    *("protocols/san/igroups/{igroup.uuid}/initiators", "application/consistency-groups"),
)
"""Resources that are drawn more often than the rest."""
FORCED = (
    *("allow_delete_while_mapped", "allow_delete_with_hosts", "allow_delete_while_bound", "force"),
)
KINDS = {
    "look at many": 34,
    "look at one": 24,
    "create": 21,
    "change": 19,
    "delete": 8,
    "several": 4,
    "by query": 3,
    "act": 2,
    "command": 1,
    "odd": 4,
}
ACTORS = {"admin": 80, "tenant": 12, "watcher": 5, "nobody": 1, "stranger": 2}
TROUBLES = {Trouble.NONE: 120, Trouble.REFUSED: 3, Trouble.KILLED: 2, Trouble.POWER_CUT: 1}
STEPS = (1, 2, 3, 5, 8, 13, 21, 34)


class Drawing:
    """Draws requests."""

    def __init__(self, random: Random, objects: Objects, svm: str) -> None:
        self._random, self._objects, self._svm = random, objects, svm
        self._bodies = Bodies(random, objects)
        self._number = 0

    def draw(self) -> Request:
        """Return a request."""
        self._number += 1
        actor = self._choose(ACTORS)
        method, path, query, body = self._drawn(self._choose(KINDS), actor)
        if self._chance(0.01):
            query += [("x" * self._random.choice((1, 5000)), "1")]
        text = f"/api/{path}" + (f"?{urlencode(query, errors='surrogatepass')}" if query else "")
        trouble = self._choose(TROUBLES) if method in ("POST", "PATCH", "DELETE") else Trouble.NONE
        step = self._random.choice(STEPS) if trouble else 0
        return Request(self._number, actor, method, text, body, self._headers(), trouble, step)

    def _drawn(self, kind: str, actor: str) -> tuple[str, str, list[tuple[str, str]], str | None]:
        svm = self._svm if actor == "tenant" else ""
        if kind == "command":
            path = self._random.choice(tuple(TABLES))
            return "GET", f"private/cli/{path}", self._command_query(), None
        if kind == "odd":
            return self._odd()
        if kind == "act":
            return self._action(svm)
        if kind == "look at many" and self._objects.next_pages and self._chance(0.5):
            page = self._objects.next_pages.pop()
            return "GET", page.removeprefix("/api/"), [], None
        methods = {"create": "POST", "change": "PATCH", "delete": "DELETE"}
        method = methods.get(kind) or (
            self._random.choice(("PATCH", "DELETE")) if kind in ("several", "by query") else "GET"
        )
        if kind == "several" and self._chance(0.4):
            method = "POST"
        resource = self._resource(method)
        options = self._options(resource, method)
        if kind == "create":
            body = self._bodies.written(self._bodies.creation(resource, svm))
            return method, self._collection(resource), options, body
        if kind == "several":
            return self._several(resource, method, svm, options)
        if kind in ("look at many", "by query"):
            changes = self._bodies.change(resource, svm) if method == "PATCH" else None
            text = None if changes is None else self._bodies.written(changes)
            query = self._query(resource) if method == "GET" else options + self._filters(resource)
            return method, self._collection(resource), query, text
        place = self._place(resource, svm)
        if method == "PATCH":
            body = self._bodies.written(self._bodies.change(resource, svm))
            return method, place, options, body
        if method == "DELETE":
            text = json.dumps(dict(options)) if options and self._chance(0.2) else None
            return method, place, [] if text else options, text
        return method, place, self._fields(resource), None

    def _resource(self, method: str) -> Resource:
        able = [r for r in RESOURCES if method in r.methods]
        if method in ("PATCH", "DELETE") and self._chance(0.9):
            able = [r for r in able if r.single or self._objects.there.get(r.path)] or able
        often = [r for r in able if r.path in MANY]
        if method != "GET" and often and self._chance(0.5):
            return self._random.choice(often)
        resource = self._random.choice(able if self._chance(0.98) else RESOURCES)
        return (
            self._random.choice(able) if resource.path in CERTAIN and method == "POST" else resource
        )

    def _collection(self, resource: Resource) -> str:
        path, _, rest = resource.path.partition("/{")
        if not rest:
            return path
        above = self._objects.any(self._random, path)
        last = rest.rpartition("}")[2]
        place = above.place if above else PLACEHOLDER.sub("x", f"{path}/{{{rest}")
        if above and rest.count("{") and path == "security/roles" and "/" not in above.place:
            return path
        return f"{place}{last}"

    def _place(self, resource: Resource, svm: str) -> str:
        if resource.single:
            return resource.path
        if self._objects.deleted and self._chance(0.03):
            return self._random.choice(self._objects.deleted).place
        known = self._objects.any(self._random, resource.path, svm if self._chance(0.9) else "")
        if known is None or self._chance(0.02):
            other = self._objects.anything(self._random) if self._chance(0.5) else None
            key = other.uuid if other else self._random.choice(values.TEXTS)
            return f"{self._collection(resource)}/{quote(key, safe='', errors='surrogatepass')}"
        return known.place

    def _several(
        self, resource: Resource, method: str, svm: str, options: list[tuple[str, str]]
    ) -> tuple[str, str, list[tuple[str, str]], str]:
        """Return a request about a list of objects."""
        records: list[Any] = []
        for _ in range(self._random.choice((1, 2, 2, 3))):
            if method == "POST":
                records.append(self._bodies.creation(resource, svm))
                continue
            record: Body = self._bodies.change(resource, svm) if method == "PATCH" else {}
            target = self._objects.any(self._random, resource.path, svm)
            keys = [key for key in resource.keys if f"{{{key}}}" not in resource.path]
            parts = target.place.split("/")[-len(keys) :] if target and keys else []
            records.append(record | dict(zip(keys, parts, strict=False)))
        body = self._bodies.written({"records": records})
        return method, self._collection(resource), options, body

    def _action(self, svm: str) -> tuple[str, str, list[tuple[str, str]], str]:
        able = [a for a in ACTIONS if a.path not in CERTAIN or self._chance(0.1)]
        action = self._random.choice(able)
        path = action.path
        if PLACEHOLDER.search(path):
            above, last = path.split("/{")[0], path.rpartition("}")[2]
            known = self._objects.any(self._random, above)
            path = (known.place if known else f"{above}/x") + last
        return "POST", path, [], self._bodies.written(self._bodies.creation(action, svm))

    def _odd(self) -> tuple[str, str, list[tuple[str, str]], str | None]:
        """Return a request that no resource is for."""
        known = self._objects.anything(self._random)
        place = known.place if known else "cluster"
        empty = self._random.choice(tuple(EMPTY)).replace("<aggregate>", "x")
        text = quote(self._random.choice(values.TEXTS), safe="/%", errors="surrogatepass")
        odd: tuple[tuple[str, str, str | None], ...] = (
            ("OPTIONS", place, None),
            ("HEAD", place, None),
            ("PUT", place, "{}"),
            ("POST", place, "{}"),
            ("TRACE", place, None),
            ("GET", empty, None),
            ("POST", empty, "{}"),
            ("GET", f"{place}/{text}", None),
            ("GET", text, None),
            ("DELETE", f"{place}//", None),
            ("GET", "metrics", None),
            ("GET", "security/session", None),
            ("DELETE", "security/session", None),
            (
                "POST",
                "security/session",
                self._bodies.written({"name": "mallory", "password": text}),
            ),
            ("GET", "security/session/oidc", None),
            ("POST", "security/session", self._bodies.written({"code": text, "state": text})),
            ("GET", f"/{place}", None),
        )
        method, path, body = self._random.choice(odd)
        return method, path, [], body

    def _query(self, resource: Resource) -> list[tuple[str, str]]:
        """Return a query of a collection."""
        query = self._fields(resource)
        if self._chance(0.4):
            query += self._filters(resource)
        names = [leaf for node in resource.fields for leaf in node.leaves]
        if self._chance(0.25):
            chosen = self._random.sample(names, min(len(names), self._random.choice((1, 1, 2))))
            order = (
                f"{name}{self._random.choice(('', ' asc', ' desc', ' up'))}" for name in chosen
            )
            query.append(("order_by", ",".join(order)))
        if self._chance(0.25):
            most = self._random.choice(("1", "2", "3", "1", "2", "0", "10000", "10001", "-1", "x"))
            query.append(("max_records", most))
        if self._chance(0.03):
            start = self._random.choice(
                ("W10", "e30", "WyJhIiwiYiJd", "!", "W251bGwsbnVsbF0", "WzEsMl0")
            )
            query.append(("start", start))
        if self._chance(0.06):
            query.append(("return_records", self._random.choice(("false", "true", "maybe"))))
        return query + self._options(resource, "GET")

    def _fields(self, resource: Resource) -> list[tuple[str, str]]:
        if self._chance(0.4):
            return []
        names = [node.name for node in resource.fields]
        few = self._random.sample(names, min(len(names), self._random.choice((1, 2, 3))))
        some = ",".join(few)
        texts = ("*", "**", some, some, f"{some},no_such", f"{few[0]}.*", f" {some} ,,")
        query = [("fields", self._random.choice(texts))]
        if self._chance(0.05):
            query.append(("ignore_unknown_fields", self._random.choice(("true", "false", "7"))))
        return query

    def _filters(self, resource: Resource) -> list[tuple[str, str]]:
        names = [leaf for node in resource.fields for leaf in node.leaves] or ["name"]
        name = self._random.choice(names)
        if self._chance(0.5) and "name" in names:
            name = "name"
        known = self._objects.any(self._random, resource.path)
        text = self._random.choice(values.TEXTS)
        if known and self._chance(0.7):
            text = known.uuid if name.endswith("uuid") else known.name
        node = next((n for n in resource.fields if n.name == name), None)
        if isinstance(node, Field) and self._chance(0.5):
            text = str(values.good(self._random, node.type))
        forms = (
            text,
            f"!{text}",
            f"{text}|{text}x",
            f"{text[:2]}*",
            "*",
            "null",
            "!null",
            f"<{text}",
        )
        more = (
            f">={text}",
            f'"{text}"',
            f"{text}..{text}",
            f"1..{text}",
            f"!!{text}|",
            f"{text} {text}",
        )
        return [(name, self._random.choice((*forms, *more)))]

    def _options(self, resource: Resource, method: str) -> list[tuple[str, str]]:
        options = []
        for option in resource.options:
            if self._chance(0.55 if option.name in FORCED and method == "DELETE" else 0.06):
                wrong = self._chance(0.1)
                draw = values.bad if wrong else values.good
                value = (
                    True if option.name in FORCED and not wrong else draw(self._random, option.type)
                )
                options.append((option.name, str(value)))
        if method != "GET" and self._chance(0.1):
            timeout = self._random.choice((*("0", "1", "120") * 6, "121", "-1", "x", "1.5"))
            options.append(("return_timeout", timeout))
        if method == "POST" and self._chance(0.3):
            options.append(
                ("return_records", self._random.choice((*("true", "true", "false") * 6, "x")))
            )
        return options

    def _command_query(self) -> list[tuple[str, str]]:
        query = []
        if self._chance(0.5):
            query.append(("fields", self._random.choice(("*", "size,state", "uuid", "no-such"))))
        if self._chance(0.5):
            query.append(("vserver", self._random.choice(("svm1", "*", "a|svm2", "[", "!svm1"))))
        return query

    def _headers(self) -> dict[str, str]:
        headers = {}
        if self._chance(0.06):
            text = self._random.choice((self._bodies.svm(), "nothing", "*", "a" * 300))
            headers["X-Dot-SVM-Name"] = text
        if self._chance(0.02):
            known = self._objects.any(self._random, "svm/svms")
            headers["X-Dot-SVM-UUID"] = known.uuid if known else "x"
        if self._chance(0.15):
            accepted = ("application/json", "application/hal+json", "text/html", "*/*", ";;", "")
            headers["Accept"] = self._random.choice(accepted)
        return headers

    def _chance(self, of: float) -> bool:
        return self._random.random() < of

    def _choose(self, weighted: dict[Any, int]) -> Any:
        return self._random.choices(list(weighted), list(weighted.values()))[0]
