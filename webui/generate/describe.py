"""Writes what the web interface is built from: the API's description and the shell's commands.

    python generate/describe.py FOLDER

Types are made of `openapi.json`; `commands.json` tells by a resource's path which commands of the
shell there are, what they call a field, and which columns a list has.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "api"))

from sanstone.core import description
from sanstone.http import openapi
from sanstone.resources import ACTIONS, RESOURCES
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
                    parameter.field: parameter.word for parameter in collection.parameters(verb)
                },
            }
    return {"noun": place.noun, "keys": place.keys, "columns": place.columns, "verbs": verbs}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
