"""The page *Differences from ONTAP* names paths and commands that there are."""

from __future__ import annotations

import re

import manual_text
import pytest
from api_paths import shortest

from sanstone.core.declaration import description as declarations
from sanstone.core.names import NVME_MODEL, SCSI_PRODUCT, SCSI_VENDOR
from sanstone.http import openapi
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.security import command_directories
from sanstone.shell import arguments, commands, description, tree, words

PAGE = manual_text.read("differences")
CODE = [" ".join(text.split()) for text in re.findall(r"(?<!`)`([^`]+)`(?!`)", PAGE)]
PATHS = sorted({text.removeprefix("/api/") for text in CODE if text.startswith("/api/")})
COLLECTIONS = commands.collections(description.read(declarations.describe((*RESOURCES, *ACTIONS))))
ROOT = commands.build(COLLECTIONS.values())
LINES = [
    line
    for block in manual_text.blocks("differences", "shell")
    for line, _ in manual_text.typed(block)
]
DIRECTORIES = re.findall(r"^\| `([a-z ]+)` \| ((?:`/api/[^`]*`(?:, )?)+) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("path", PATHS)
def test_paths_are_the_apis(path: str) -> None:
    paths = [re.sub(r"{[^}]*}", "*", resource.path) for resource in (*RESOURCES, *ACTIONS)]
    assert any(each == path or each.startswith(f"{path}/") for each in paths)


@pytest.mark.parametrize("line", LINES)
def test_lines_of_the_shell_can_be_typed(line: str) -> None:
    [typed] = words.commands(line)
    texts = [word.text for word in typed]
    node, count = tree.find(ROOT, ROOT, texts[: texts.index("-vserver")])
    assert isinstance(node, tree.Command)
    assert arguments.bind(node, typed[count:], "admin").bound


def test_examples_were_found() -> None:
    assert PATHS and LINES and DIRECTORIES


@pytest.mark.parametrize(("directory", "cell"), DIRECTORIES)
def test_a_directory_stands_for_the_paths_on_the_page(directory: str, cell: str) -> None:
    names = set(re.findall(r"`([^`]*)`", cell))
    assert names == set(shortest(command_directories.paths(directory)))


def test_names_are_those_that_hosts_see() -> None:
    for name in (SCSI_VENDOR, SCSI_PRODUCT, NVME_MODEL):
        assert f"`{name}`" in PAGE


def test_the_api_leads_to_it() -> None:
    text = openapi.describe((*RESOURCES, *ACTIONS))["info"]["description"]
    assert "(/docs/differences/)" in text
