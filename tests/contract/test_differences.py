"""The page *Differences from ONTAP* names paths and commands that there are."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from api_paths import shortest

from sanstone.core.declaration import description as declarations
from sanstone.core.names import NVME_MODEL, SCSI_PRODUCT, SCSI_VENDOR
from sanstone.http import openapi
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.security import command_directories
from sanstone.shell import arguments, commands, description, tree, words

FOLDER = Path(__file__).parents[2] / "overlay/usr/share/sanstone/docs/differences"
PAGE = (FOLDER / "index.html").read_text()
CODE = [html.unescape(text) for text in re.findall(r"<code>(.*?)</code>", PAGE)]
PATHS = sorted({text.removeprefix("/api/") for text in CODE if text.startswith("/api/")})
FOUND = commands.collections(description.read(declarations.describe((*RESOURCES, *ACTIONS))))
ROOT = commands.build(FOUND.values())
LINES = [
    line
    for block in re.findall(r"<pre>(.*?)</pre>", PAGE, re.DOTALL)
    for line in html.unescape(block).replace("\n    ", " ").splitlines()
]
DIRECTORIES = re.findall(
    r"<td><code>([a-z ]+)</code></td>\s*<td>((?:\s*<code>/api/[^<]*</code>,?)+)\s*</td>", PAGE
)


@pytest.mark.parametrize("path", PATHS)
def test_paths_are_the_apis(path: str) -> None:
    known = [re.sub(r"{[^}]*}", "*", resource.path) for resource in (*RESOURCES, *ACTIONS)]
    assert any(each == path or each.startswith(f"{path}/") for each in known)


@pytest.mark.parametrize("line", LINES)
def test_lines_of_the_shell_can_be_typed(line: str) -> None:
    [typed] = words.commands(line.removeprefix("sanstone::> "))
    texts = [word.text for word in typed]
    node, count = tree.find(ROOT, ROOT, texts[: texts.index("-vserver")])
    assert isinstance(node, tree.Command)
    assert arguments.bind(node, typed[count:], "admin").bound


@pytest.mark.parametrize(("directory", "told"), DIRECTORIES)
def test_a_directory_stands_for_the_paths_that_the_page_tells(directory: str, told: str) -> None:
    names = {html.unescape(path) for path in re.findall(r"<code>(.*?)</code>", told)}
    assert names == set(shortest(command_directories.paths(directory)))


def test_names_are_those_that_hosts_see() -> None:
    for name in (SCSI_VENDOR, SCSI_PRODUCT, NVME_MODEL):
        assert f"<code>{name}</code>" in PAGE


def test_the_api_leads_to_it() -> None:
    told = openapi.describe((*RESOURCES, *ACTIONS))["info"]["description"]
    assert "(/docs/differences/)" in told
