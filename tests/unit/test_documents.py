"""The front door and the rooms' pages name files that exist, and each folder is on one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = (
    *("api", "api/sanstone/core", "api/sanstone/kernel", "api/sanstone/reconcile"),
    *("api/sanstone/rules", "api/sanstone/security", "webui", "board", "tests", "ansible"),
)
PAGES = (
    *("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"),
    *("tests/bench/README.md", "board/RELEASES.md"),
    *(f"{room}/README.md" for room in ROOMS),
)
TEXTS = {page: (ROOT / page).read_text() for page in PAGES}
MAKEFILE = (ROOT / "Makefile").read_text()
TOP = ("api", "ansible", "board", "configs", "overlay", "package", "tests", "webui")
PATHS = [
    f"/{path.relative_to(ROOT)}"
    for top in TOP
    for path in (ROOT / top).rglob("*")
    if "node_modules" not in path.parts
]
SUFFIXES = r"\.(?:py|ts|tsx|sh|md|nft|css|mjs|service|timer)"
# A folder or file of ours, from the tree's top, the page's folder, or the API's package.
PATH = re.compile(rf"`((?:\.\./)*[\w.@*{{}}-]+(?:/[\w.@*{{}}-]+)*(?:/|{SUFFIXES}))`")


def pairs(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return the matches of a pattern, with their pages."""
    return sorted(
        {(page, match) for page, text in TEXTS.items() for match in pattern.findall(text)}
    )


@pytest.mark.parametrize(("page", "link"), pairs(re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")))
def test_links_lead_to_files(page: str, link: str) -> None:
    assert ((ROOT / page).parent / link).exists()


@pytest.mark.parametrize(("page", "name"), pairs(PATH))
def test_files_and_folders_are_where_pages_say(page: str, name: str) -> None:
    if name.startswith("output/"):
        return
    if name.startswith("../"):
        assert ((ROOT / page).parent / name).exists()
        return
    assert any(path.endswith(f"/{name.rstrip('/')}") for path in PATHS)


@pytest.mark.parametrize(("page", "target"), pairs(re.compile(r"`make ([a-z][a-z0-9-]*)")))
def test_targets_are_those_of_the_makefile(page: str, target: str) -> None:
    assert re.search(rf"^{target}(?: |:)", MAKEFILE, re.MULTILINE)


def folders() -> list[str]:
    """Return the folders of the product's packages, from the top of the tree."""
    parents = {file.parent for file in (ROOT / "api/sanstone").rglob("*.py")}
    return sorted(str(folder.relative_to(ROOT / "api/sanstone")) for folder in parents)[1:]


@pytest.mark.parametrize("folder", folders())
def test_each_folder_of_the_product_is_on_a_page(folder: str) -> None:
    *_, name = folder.split("/")
    mention = re.compile(rf"(?:^|[`/\[]){re.escape(name)}/", re.MULTILINE)
    assert any(mention.search(text) for text in TEXTS.values())
