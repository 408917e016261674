# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""The work of every module of a resource: have an object as its task says, or have none.

The object is found by its names, and one PATCH sends the fields that differ; nothing is sent where
nothing differs. In check mode the array tries the change and reports refusals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.sanstone.array.plugins.module_utils import comparison
from ansible_collections.sanstone.array.plugins.module_utils.connection import (
    MISSING,
    OPTIONS,
    connect,
)
from ansible_collections.sanstone.array.plugins.module_utils.declaration import (
    Members,
    Resource,
)
from ansible_collections.sanstone.array.plugins.module_utils.finding import (
    Impossible,
    NotThere,
    key_of_parent,
    named,
    only,
)

if not MISSING:
    from sanstone.client import NotFound, Refused, StillRunning

if TYPE_CHECKING:
    from sanstone.client import Array, Record

HIDDEN = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
WAITING: dict[str, dict[str, Any]] = {
    "wait": {"type": "bool", "default": True},
    "wait_timeout": {"type": "int", "default": 600},
}
STATE = {"type": "str", "choices": ["present", "absent"], "default": "present"}
UPDATE_PASSWORD = {
    "type": "str",
    "choices": ["always", "on_create"],
    "default": "always",
    # It says when, and is no secret, for which Ansible takes it by its name.
    "no_log": False,
}
NAMES_ONLY = {"type": "str"}


def run(resource: Resource, options: Mapping[str, Any]) -> None:
    """Do what a task asks for. `options` are those that the resource has of its own."""
    spec = {**OPTIONS, **WAITING, **options}
    if resource.creatable:
        spec["state"] = STATE
    if resource.new_name:
        spec["from_name"] = NAMES_ONLY
    if resource.secrets:
        spec["update_password"] = UPDATE_PASSWORD
    module = AnsibleModule(argument_spec=spec, supports_check_mode=True)
    with connect(module) as array:
        array.wait_timeout = module.params["wait_timeout"] if module.params["wait"] else 0
        task = Task(module, array, resource)
        task.run()
    module.exit_json(**task.result)


class Task:
    """One task about one object; `result` is its answer at the end."""

    def __init__(self, module: AnsibleModule, array: Array, resource: Resource) -> None:
        self.params: Mapping[str, Any] = module.params
        self.warn: Callable[[str], None] = module.warn
        self.check: bool = module.check_mode
        self.array, self.resource = array, resource
        self.wanted = comparison.flat(
            {field: self.params[option] for option, field in resource.fields.items()}
        )
        self.result: dict[str, Any] = {"changed": False}
        self.before: dict[str, Any] = {}
        self.after: dict[str, Any] = {}
        # With values that the array shows at no other time, such as a generated secret.
        self.created: Record = {}

    def run(self) -> None:
        """Change what differs."""
        absent = self.params.get("state") == "absent"
        try:
            self.collection = self._collection()
            current = self.find()
        except NotThere:
            if absent:
                return
            if not self.check:
                raise
            current, self.collection = None, ""
        if absent:
            self._remove(current)
        elif current is None:
            self._make()
        else:
            self._change(current)
        if self.result["changed"]:
            self.result["diff"] = {"before": self.before, "after": self.after}
        if not absent:
            shown = self.find() if self.result["changed"] and not self.check else current
            self.result["record"] = comparison.without_links({**self.created, **(shown or {})})

    def find(self) -> Record | None:
        """Return the object with all its fields, or None."""
        costly = sorted(set(self.resource.fields.values()))
        fields = {"fields": ",".join(["*", *costly])}
        if self.resource.single:
            return self._single(fields)
        resource = self.resource
        query = named(resource.identity, self.params, resource.otherwise)
        record: Record | None = only(self.array, self.collection, query | fields)
        return record

    def _single(self, fields: dict[str, str]) -> Record | None:
        """Return the single object of the resource, if it exists."""
        try:
            return self.array.get(self.resource.path, fields)
        except NotFound:
            if not self.resource.creatable:
                raise
            return None

    def _collection(self) -> str:
        """Return the path of the collection, with the keys of its parents."""
        path: str = self.resource.path
        for parent in self.resource.parents:
            key = key_of_parent(self.array, parent, self.params, self.resource.otherwise)
            path = path.replace(f"{{{parent.placeholder}}}", quote(key, safe=""))
        return path

    def _make(self) -> None:
        former = self._former()
        if former is not None:
            self._change(former)
            return
        if not self.resource.creatable:
            raise NotThere(f"There is no such {self.resource.noun}.")
        first = {n: v for n, v in self.wanted.items() if n not in self.resource.later}
        rest = {n: v for n, v in self.wanted.items() if n in self.resource.later}
        self._differ({}, self.wanted)
        body = {**self.resource.implied, **first}
        if self.check and not self.collection:
            self.warn(f"What this {self.resource.noun} belongs to does not exist yet.")
            return
        with self._trying():
            self.created = self.array.create(self.collection, body)
        created = self.find() if rest and not self.check else None
        if created is not None:
            self._change(created)

    def _former(self) -> Record | None:
        """Return the object that is to have another name, None where there is none."""
        option = self.resource.new_name
        if not option or not self.params["from_name"]:
            return None
        kept = self.params
        self.params = {**kept, option: kept["from_name"]}
        current = self.find()
        self.params = kept
        if current is None:
            raise NotThere(f"There is no {self.resource.noun} {kept['from_name']} to rename.")
        return current

    def _change(self, current: Record) -> None:
        differing = self._differing(current)
        fixed = sorted(name for name in differing if name in self.resource.at_first)
        if fixed:
            name = fixed[0]
            raise Impossible(
                f"{name} of this {self.resource.noun} is {comparison.at(current, name)!r}, and "
                f"can be set only when it is created."
            )
        lists = {name: differing.pop(name) for name in self.resource.lists if name in differing}
        place = self._place(current)
        secret = differing.keys() & self.resource.secrets
        if differing and (secret or self._has_effect(place, differing)):
            self._differ(current, differing)
            with self._trying():
                self.array.modify(place, differing)
        for name, entries in lists.items():
            self._change_list(current, place, name, entries)

    def _differing(self, current: Record) -> dict[str, Any]:
        """Return the fields of an object to change, as far as is known here."""
        secret_too = self.params.get("update_password") == "always"
        differing = {}
        for name, value in self.wanted.items():
            shown = comparison.at(current, name)
            if name in self.resource.secrets:
                if secret_too:
                    differing[name] = value
            elif name in self.resource.unlike or (shown is None and name in self.resource.at_first):
                # It says from what the object was created, or how, which is shown nowhere.
                continue
            elif not comparison.same(value, shown):
                differing[name] = value
        return differing

    def _has_effect(self, place: str, body: Mapping[str, Any]) -> bool:
        """Return whether the array would change anything, or refuse to."""
        tried = self._tried(lambda: self.array.modify(place, dict(body)))
        return bool(tried["changes"] or tried["refusals"])

    def _change_list(self, current: Record, place: str, name: str, entries: list[Any]) -> None:
        members: Members = self.resource.lists[name]
        path = f"{place}/{members.path}"
        shown = {
            comparison.entry_key(entry, members.keys): entry
            for entry in self.array.records(path, {"fields": "*"})
        }
        wanted = {
            comparison.entry_key(entry, members.keys): comparison.whole_entry(entry)
            for entry in entries
        }
        changed = {
            key: self._changed_part(name, entry, shown[key])
            for key, entry in wanted.items()
            if key in shown
        }
        if shown.keys() == wanted.keys() and not any(changed.values()):
            return
        self._differ(current, {name: self._shown_entries(name, wanted)})
        for key in sorted(shown.keys() - wanted.keys()):
            with self._trying():
                self.array.delete(_place(shown[key]), self._switches())
        for key, body in changed.items():
            if body:
                with self._trying():
                    self.array.modify(_place(shown[key]), body)
        for key, entry in wanted.items():
            if key not in shown:
                with self._trying():
                    self.array.create(path, entry)

    def _changed_part(self, name: str, entry: Record, shown: Record) -> dict[str, Any]:
        """Return what differs of an entry. A secret is sent with an entry that is new."""
        return {
            part: value
            for part, value in comparison.flat(entry).items()
            if f"{name}.{part}" not in self.resource.secrets
            and not comparison.same(value, comparison.at(shown, part))
        }

    def _shown_entries(self, name: str, entries: Mapping[str, Record]) -> list[dict[str, Any]]:
        return [
            {
                part: HIDDEN if f"{name}.{part}" in self.resource.secrets else value
                for part, value in comparison.flat(entry).items()
            }
            for entry in entries.values()
        ]

    def _remove(self, current: Record | None) -> None:
        if current is None:
            return
        self.result["changed"] = True
        self.before = comparison.shown_part(current, self.wanted)
        with self._trying():
            self.array.delete(self._place(current), self._switches())

    def _place(self, current: Record) -> str:
        """Return the path of the object; where there is one at most, it is the resource's."""
        return self.resource.path if self.resource.single else _place(current)

    def _switches(self) -> dict[str, str]:
        switches = (option for option in self.resource.switches if self.params[option] is not None)
        return {option: str(self.params[option]).lower() for option in switches}

    def _differ(self, current: Record, differing: Mapping[str, Any]) -> None:
        """Note what a change changes."""
        self.result["changed"] = True
        hidden = dict.fromkeys(differing.keys() & self.resource.secrets, HIDDEN)
        self.before |= comparison.shown_part(current, differing) if current else {}
        self.after |= {**differing, **hidden}

    @contextmanager
    def _trying(self) -> Iterator[None]:
        """Send a change; in check mode have it tried, and raise what would refuse it."""
        if not self.check:
            try:
                yield
            except StillRunning as error:
                if self.params["wait"]:
                    raise
                self.result["job"] = error.job
            return
        self.array.dry_run = True
        try:
            yield
        finally:
            self.array.dry_run = False
        tried = self.array.tried
        self.result.setdefault("hosts", []).extend(tried["hosts"])
        missing = [refusal for refusal in tried["refusals"] if _is_of_missing(refusal)]
        for refusal in missing:
            self.warn(f"{refusal['message']} In check mode it may be what an earlier task makes.")
        # What refuses it further may follow from that.
        for refusal in [] if missing else tried["refusals"]:
            raise Refused(400, refusal["code"], refusal["message"], refusal.get("target", ""))

    def _tried(self, change: Callable[[], object]) -> Record:
        self.array.dry_run = True
        try:
            change()
        finally:
            self.array.dry_run = False
        return self.array.tried


def _place(record: Record) -> str:
    return str(record["_links"]["self"]["href"]).removeprefix("/api/")


def _is_of_missing(error: Mapping[str, Any]) -> bool:
    """Return whether a change would be refused because another object does not exist."""
    named = [argument["message"] for argument in error.get("arguments", ())]
    return len(named) == 1 and error["message"] == f"{named[0]} does not exist."
