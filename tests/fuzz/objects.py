"""The objects on the array, by kind, as answers showed them: requests are about these.

Deleted ones are remembered too, for requests to objects that are not there any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from sanstone.core.declaration.resource import Reference, References
from sanstone.resources.declared import RESOURCES

MOST_GONE = 20
KINDS: dict[type[Any], str] = {}
"""By table the path of the resource that has it as its own."""
for _resource in sorted(RESOURCES, key=lambda resource: -len(resource.path)):
    if _resource.keys == ("uuid",):
        KINDS[_resource.model] = _resource.path


@dataclass(frozen=True)
class Object:
    """An object. `place` is its path without /api/; `svm` is the name of its SVM, '' for none."""

    place: str
    uuid: str = ""
    name: str = ""
    svm: str = ""

    @classmethod
    def of(cls, record: dict[str, Any]) -> Object | None:
        """Return the object that a record of an answer shows, None if it has no link."""
        link = record.get("_links", {}).get("self", {}).get("href", "")
        if not link:
            return None
        owner = record.get("svm") or record.get("owner") or {}
        uuid, name = record.get("uuid", ""), record.get("name", "")
        return cls(link.removeprefix("/api/"), str(uuid), str(name), str(owner.get("name", "")))


@dataclass
class Objects:
    """Objects by the path of their resource."""

    there: dict[str, dict[str, Object]] = field(default_factory=dict)
    deleted: list[Object] = field(default_factory=list)
    next_pages: list[str] = field(default_factory=list)
    """Links to next pages that were not followed yet."""

    def copy(self) -> Objects:
        """Return a copy to go on with."""
        return replace(self, there={k: dict(v) for k, v in self.there.items()}, deleted=[])

    def note(self, path: str, each: Object) -> None:
        """Note an object of a resource."""
        self.there.setdefault(path, {})[each.place] = each

    def forget(self, place: str) -> None:
        """Note that an object is gone, with those below it."""
        for objects in self.there.values():
            for known in [k for k in objects if k == place or k.startswith(f"{place}/")]:
                self.deleted.append(objects.pop(known))
        del self.deleted[:-MOST_GONE]

    def any(self, random: Random, path: str, svm: str = "") -> Object | None:
        """Return an object of a resource, of an SVM or of none if there is one."""
        objects = list(self.there.get(path, {}).values())
        own = [each for each in objects if each.svm in (svm, "")] if svm else objects
        return random.choice(own or objects) if objects else None

    def target(self, random: Random, node: Reference | References, svm: str) -> Object | None:
        """Return an object that a reference may mean."""
        return self.any(random, KINDS.get(node.to, ""), svm)

    def anything(self, random: Random) -> Object | None:
        """Return an object of any kind."""
        kinds = [path for path, objects in self.there.items() if objects]
        return self.any(random, random.choice(kinds)) if kinds else None
