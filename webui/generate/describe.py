"""Writes what the web interface is built from: the API's description, and what its clients call it.

    python generate/describe.py FOLDER

Types are made of `openapi.json`; `commands.json` tells by a resource's path which commands of the
shell there are, what they call a field, and which columns a list has; `modules.json` which module
of the Ansible collection there is, and what its options are; `reference.json` is for the manual.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "api"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "ansible/generate"))

from options import Option
from reference import reference
from resources import Module, modules

from sanstone.core.declaration import description
from sanstone.http import openapi
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.shell import commands
from sanstone.shell.collection import Collection
from sanstone.shell.description import read


def main(folder: Path) -> None:
    """Write the files."""
    declared = (*RESOURCES, *ACTIONS)
    described = {
        "openapi.json": openapi.describe(declared),
        "commands.json": {
            collection.resource.path: _commands(collection)
            for collection in commands.collections(read(description.describe(declared))).values()
            if not collection.place.only
        },
        "modules.json": {module.resource.path: _module(module) for module in modules()},
        "reference.json": reference(),
    }
    folder.mkdir(exist_ok=True)
    for name, content in described.items():
        (folder / name).write_text(json.dumps(content, separators=(",", ":")))


def _commands(collection: Collection) -> dict[str, Any]:
    place = collection.place
    plain = [verb for verb in commands.verbs(collection) if verb not in place.verbs]
    verbs = {}
    for verb in plain:
        # The first of its kind is the plain one; a command for a new name comes later.
        if verb.does != "show" and verb.does not in verbs:
            verbs[verb.does] = {
                "words": " ".join(commands.path_of(collection, verb)),
                "parameters": {
                    parameter.field: parameter.word
                    for parameter in collection.parameters(verb)
                    if not parameter.number
                },
            }
    return {"noun": place.noun, "keys": place.keys, "columns": place.columns, "verbs": verbs}


def _module(module: Module) -> dict[str, Any]:
    """Return what a task has to say: by what the object and those above it are found, and options.

    Fields are named as in the API, beside the option that has their value.
    """
    said = module.said
    identity = dict(said.get("identity", {}))
    for parent in said.get("parents", ()):
        for field, name in parent["identity"].items():
            # Of an object above, `name` is shown in the reference to it.
            identity[f"{name}.name" if field == "name" else field] = name
    return {
        "name": module.name,
        "identity": identity,
        "fields": said["fields"],
        "options": {name: _option(each) for name, each in module.options.items()},
        "required": [name for name, each in module.options.items() if each.required],
        "switches": list(said.get("switches", ())),
        "renames": "new_name" in said,
    }


def _option(option: Option) -> Any:
    """Return an option as JSON: its suboptions, in a list if it is one of such, or true."""
    if not option.options:
        return True
    inner = {name: _option(each) for name, each in option.options.items()}
    return [inner] if option.elements else inner


if __name__ == "__main__":
    main(Path(sys.argv[1]))
