"""The folder of the collection: hand-written parts, a module for each resource, and the lists of
modules that Ansible needs.

It is built apart from the sources, so that no half of it can be taken for the whole: those have no
`galaxy.yml`, without which Ansible installs nothing.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from names import BY_HAND, ON_HOSTS
from resources import modules, readings
from texts import information_text, module_text

from sanstone import __version__

HERE = Path(__file__).resolve().parent
BY_HAND_IN = HERE.parent
CONFIGURATION = HERE.parents[1] / "api" / "pyproject.toml"
LEFT_OUT = ("generate", "__pycache__", ".*")
MODULES = "plugins/modules"
NO_GPL = "validate-modules:missing-gplv3-license # it is Apache-2.0, as all of Sanstone"
NESTED = [
    f"{MODULES}/ems_destination.py validate-modules:{test} # message is nested\n"
    for test in ("invalid-argument-name", "nonexistent-parameter-documented")
]
RUNTIME = """\
---
requires_ansible: ">=2.17.0"
action_groups:
  array:
"""


def metadata() -> dict[str, Any]:
    """Return the content of `galaxy.yml`."""
    values: dict[str, Any] = yaml.safe_load(_galaxy())
    return values


def make(place: Path) -> None:
    """Write the collection to the folder `place`, in the place of its former content."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(BY_HAND_IN, place, ignore=shutil.ignore_patterns(*LEFT_OUT))
    texts = module_texts()
    for name, text in texts.items():
        (place / MODULES / f"{name}.py").write_text(text)
    _format(place / MODULES / f"{name}.py" for name in texts)
    for path, text in _lists(texts).items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)


def module_texts() -> dict[str, str]:
    """Return the text of each generated module, by its name."""
    examples = sorted(BY_HAND_IN.glob("tests/integration/targets/*/vars/main.yml"))
    tasks = [task for path in examples for task in yaml.safe_load(path.read_text())["examples"]]
    texts = {}
    for module in modules():
        own = [task for task in tasks if f"sanstone.array.{module.name}" in task]
        texts[module.name] = module_text(module, own)
    return texts | {f"{each.name}_info": information_text(each) for each in readings()}


def _galaxy() -> str:
    return (HERE / "galaxy.yml").read_text() + f"version: {__version__}\n"


def _format(files: Iterable[Path]) -> None:
    """Format Python's text as the project does: people read what a module does."""
    ruff = Path(sys.executable).with_name("ruff")
    subprocess.run([ruff, "format", "--quiet", "--config", CONFIGURATION, *files], check=True)


def _lists(generated: Iterable[str]) -> dict[str, str]:
    """Return the text of each file that names all modules, by its path in the collection."""
    names = sorted([*generated, *BY_HAND])
    licensed = ["plugins/inventory/hosts.py"]
    licensed += [f"{MODULES}/{name}.py" for name in sorted([*names, *ON_HOSTS])]
    ignored = "".join(f"{path} {NO_GPL}\n" for path in licensed) + "".join(NESTED)
    return {
        "galaxy.yml": _galaxy(),
        "meta/runtime.yml": RUNTIME + "".join(f"    - {name}\n" for name in names),
        "tests/sanity/ignore-2.19.txt": ignored,
    }
