"""Each request and command of the manual does as the manual says, by each way."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import subprocess
import sys
import tempfile
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import manual_text
import pytest
import yaml
from console import Console
from manual_text import Block
from passwords import hashed_quickly
from served import served
from shelved_disks import attach
from simulator import Simulator, simulated

from sanstone.core.declaration import description as declarations
from sanstone.http import openapi
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.shell import arguments, commands, description, tree, words

FIRST = "first-day"
GENERATE = Path(__file__).parents[3] / "ansible/generate"
PAGES = [page for page in manual_text.pages() if manual_text.blocks(page, "shell", "rest")]
WAYS = ["gui", "shell", "rest"]
SECRET = "a new passw0rd"
ROOT = commands.build(
    commands.collections(description.read(declarations.describe((*RESOURCES, *ACTIONS)))).values()
)
OPERATIONS = openapi.describe((*RESOURCES, *ACTIONS))["paths"]


def deliver(array: Simulator) -> None:
    """Have a newly delivered array, on a machine with Fibre Channel and a shelf."""
    array.kernel.fibre_channel.plug()
    attach(array.kernel)
    array.read_disks()


def first_day(array: Simulator) -> None:
    """Have an array on the evening of its first day."""
    deliver(array)
    for block in manual_text.blocks(FIRST, "rest"):
        send(array, block)
    array.settle()


def lose_a_disk(array: Simulator) -> None:
    """Pull a disk of the array's aggregate."""
    first_day(array)
    array.kernel.remove_disk("sdb")
    array.reconciler.rescan()
    array.settle()


BEGINNINGS = {FIRST: deliver, "tasks/replace-a-disk": lose_a_disk}
"""The state of the array at the beginning of a page, where it is not the first day's end."""


def send(array: Simulator, block: Block) -> None:
    """Send the requests of a block, which must all succeed."""
    for method, path, body in manual_text.requests(block):
        path = re.sub(r"{([^}:]*):([^}]*)}", lambda m: array.uuid_of(*m.groups()), path)
        path = path.removeprefix("/api/")
        answer = array.do(method, path, json.loads(body) if body else None)
        if method == "GET" and "num_records" in answer:
            assert answer["num_records"], f"{path} shows nothing"


def type_in(console: Console, block: Block) -> None:
    """Type the lines of a block, which must all go well and be answered as it says."""
    for line, answers in manual_text.typed(block):
        console.answers, console.secrets = [True] * 3, [SECRET] * 4
        lines = [" ".join(each.split()) for each in console.run(line).splitlines()]
        for answer in answers:
            pattern = " ".join(answer.split()).replace("[", "[[]").replace("…", "*")
            assert any(fnmatchcase(each, pattern) for each in lines), f"{line}: {answer}\n{lines}"


@pytest.mark.parametrize("page", [FIRST, *(page for page in PAGES if page.startswith("tasks/"))])
def test_a_task_is_shown_by_each_way(page: str) -> None:
    """Or says which modules Ansible lacks, and leads to the way without them."""
    wrong = [
        ways
        for ways, line in manual_text.groups(page)
        if ways != [*WAYS, "ansible"]
        and (ways != WAYS or "ansible.md#without-a-module" not in line)
    ]
    assert manual_text.groups(page)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES)
def test_requests_are_answered(page: str, tmp_path: Path) -> None:
    begin = BEGINNINGS.get(page, first_day)
    with hashed_quickly(), simulated(tmp_path, begin) as array:
        for block in manual_text.blocks(page, "rest"):
            if block.runs:
                send(array, block)


@pytest.mark.parametrize("page", PAGES)
def test_commands_give_the_answers_of_the_page(page: str, tmp_path: Path) -> None:
    begin = BEGINNINGS.get(page, first_day)
    with hashed_quickly(), served(tmp_path, begin) as (_, array):
        console = Console(array)
        for block in manual_text.blocks(page, "shell"):
            if block.runs:
                type_in(console, block)


def _unrun(way: str) -> list[Block]:
    candidates = (block for page in PAGES for block in manual_text.blocks(page, way))
    return [block for block in candidates if not block.runs]


@pytest.mark.parametrize("block", _unrun("shell"), ids=lambda block: block.page)
def test_commands_that_need_a_machine_can_be_typed(block: Block) -> None:
    for line, _ in manual_text.typed(block):
        [command] = words.commands(line)
        texts = [word.text for word in command]
        verb = next((at for at, text in enumerate(texts) if text.startswith("-")), len(texts))
        node, count = tree.find(ROOT, ROOT, texts[:verb])
        assert isinstance(node, tree.Command), line
        assert arguments.bind(node, command[count:], "admin").bound or verb == len(texts), line


@pytest.mark.parametrize("block", _unrun("rest"), ids=lambda block: block.page)
def test_requests_that_need_a_machine_are_the_apis(block: Block) -> None:
    for method, path, body in manual_text.requests(block):
        place = path.partition("?")[0].removeprefix("/api")
        pattern = re.sub(r"{[^}]*:[^}]*}", "{}", place)
        paths = [p for p in OPERATIONS if re.sub(r"{[^}]*}", "{}", p) == pattern]
        assert paths and method.lower() in OPERATIONS[paths[0]], f"{method} {path}"
        json.loads(body or "{}")


@cache
def _collection() -> Path:
    """Make the collection, and return its plugins."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    subprocess.run([sys.executable, str(GENERATE), str(folder)], check=True)
    return folder / "ansible_collections/sanstone/array/plugins"


@cache
def _options(module: str) -> dict[str, Any]:
    """Return the options of a module of the collection, as it documents them."""
    documented = _documentation(f"modules/{module}")
    options: dict[str, Any] = documented.get("options", {})
    for name in documented["extends_documentation_fragment"]:
        fragment = _documentation(f"doc_fragments/{name.rpartition('.')[2]}")
        # A play says once what all of its tasks share.
        for common, each in fragment.get("options", {}).items():
            options[common] = each | {"required": False}
    return options


def _documentation(path: str) -> dict[str, Any]:
    text = (_collection() / f"{path}.py").read_text()
    documentation = re.search(r'DOCUMENTATION = r"""(.*?)"""', text, re.DOTALL)
    assert documentation
    read: dict[str, Any] = yaml.safe_load(documentation[1])
    return read


TASKS = [
    pytest.param(task, id=f"{page}-{number}")
    for page in manual_text.pages()
    for block in manual_text.blocks(page, "ansible")
    for number, task in enumerate(yaml.safe_load(block.text))
]


@pytest.mark.parametrize("task", TASKS)
def test_tasks_have_options_that_there_are(task: dict[str, Any]) -> None:
    [(name, values)] = ((key, value) for key, value in task.items() if "." in key)
    check(name, values or {}, _options(name.removeprefix("sanstone.array.")))


def check(place: str, parameters: dict[str, Any], options: dict[str, Any]) -> None:
    """Assert that each parameter is an option, of its type, and that no required one lacks."""
    assert parameters.keys() <= options.keys(), f"{place}: {parameters.keys() - options.keys()}"
    lacking = {name for name, each in options.items() if each.get("required")} - parameters.keys()
    assert not lacking, f"{place}: {lacking}"
    for name, value in parameters.items():
        option = options[name]
        values = value if option["type"] == "list" else [value]
        assert isinstance(values, list), f"{place}.{name}"
        for each in values:
            choices = option.get("choices")
            assert not choices or each in choices, f"{place}.{name}: {each}"
            if "suboptions" in option:
                check(f"{place}.{name}", each, option["suboptions"])
