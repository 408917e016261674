"""Writes the modules of the collection, and the lists that Ansible wants of them.

    python ansible/generate [--check]

Run it after a change of what a resource declares. With `--check` it writes nothing, and fails when
a module is not as it would write it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "api"))

from names import BY_HAND, ON_HOSTS  # noqa: E402
from resources import modules, readings  # noqa: E402
from texts import information_text, module_text  # noqa: E402

COLLECTION = HERE.parent
FOLDER = COLLECTION / "plugins" / "modules"
EXAMPLES = sorted(COLLECTION.glob("tests/integration/targets/*/vars/main.yml"))
LISTS = COLLECTION / "meta/runtime.yml", COLLECTION / "tests/sanity/ignore-2.19.txt"
NO_GPL = "validate-modules:missing-gplv3-license # it is Apache-2.0, as all of Sanstone"
NESTED = [
    f"plugins/modules/ems_destination.py validate-modules:{test} # message is nested\n"
    for test in ("invalid-argument-name", "nonexistent-parameter-documented")
]
RUNTIME = """\
---
# Written by `python ansible/generate`.
requires_ansible: ">=2.17.0"
action_groups:
  array:
"""
CONFIGURATION = HERE.parents[1] / "api" / "pyproject.toml"


def written() -> dict[str, str]:
    """Return the text of each file by its path."""
    tasks = [task for path in EXAMPLES for task in yaml.safe_load(path.read_text())["examples"]]
    texts = {}
    for module in modules():
        own = [task for task in tasks if f"sanstone.array.{module.name}" in task]
        texts[f"{module.name}.py"] = module_text(module, own)
    for reading in readings():
        texts[f"{reading.name}_info.py"] = information_text(reading)
    written = {str(FOLDER / name): formatted(texts[name]) for name in sorted(texts)}
    names = sorted([*(name.removesuffix(".py") for name in texts), *BY_HAND])
    listed = "".join(f"    - {name}\n" for name in names)
    licensed = ["plugins/inventory/hosts.py"]
    licensed += [f"plugins/modules/{name}.py" for name in sorted([*names, *ON_HOSTS])]
    ignored = "".join(f"{path} {NO_GPL}\n" for path in licensed) + "".join(NESTED)
    return {**written, str(LISTS[0]): RUNTIME + listed, str(LISTS[1]): ignored}


def formatted(text: str) -> str:
    """Return Python's text as the project formats it."""
    ruff = Path(sys.executable).with_name("ruff")
    command = [str(ruff), "format", "--quiet", "--config", str(CONFIGURATION), "-"]
    done = subprocess.run(command, input=text, check=True, capture_output=True, text=True)
    return done.stdout


def main() -> int:
    """Write the modules, or compare them; return the exit status."""
    by_hand = {*BY_HAND, *ON_HOSTS}
    paths = [*(path for path in FOLDER.glob("*.py") if path.stem not in by_hand), *LISTS]
    there = {str(path): path.read_text() for path in paths if path.exists()}
    wanted = written()
    changed = sorted(
        path for path in there.keys() | wanted.keys() if there.get(path) != wanted.get(path)
    )
    if "--check" in sys.argv[1:]:
        for path in changed:
            print(f"{path} is not what the API declares: run python ansible/generate")
        return 1 if changed else 0
    for path in changed:
        if path in wanted:
            Path(path).parent.mkdir(exist_ok=True)
            Path(path).write_text(wanted[path])
        else:
            Path(path).unlink()
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
