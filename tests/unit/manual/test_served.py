"""The web server has the manual below /docs/, and beside it the API's description."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from nginx import behind_nginx
from simulator import simulated

Get = Callable[[str], tuple[int, str]]
FILES = (
    "web/docs/tasks/luns/index.html",
    "web/docs/monitoring/index.html",
    "docs/monitoring/rules.yml",
    "docs/api/index.html",
)


@pytest.fixture
def get(tmp_path: Path) -> Iterator[Get]:
    """Ask a web server in front of an array with some files, and return status and text."""
    with simulated(tmp_path) as array:
        own = {"type": "server", "common_name": "array", "name": "array"}
        array.make("security/certificates", own)
        array.do("PATCH", "cluster/web", {"certificate.name": "array"})
        for name in FILES:
            file = tmp_path / "share" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(name)
        with behind_nginx(array) as port:
            trusting = ssl.create_default_context()
            trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE

            def answer_to(path: str) -> tuple[int, str]:
                try:
                    url = f"https://127.0.0.1:{port}{path}"
                    with urlopen(url, context=trusting) as answer:
                        return answer.status, answer.read().decode()
                except HTTPError as error:
                    return error.code, ""

            yield answer_to


@pytest.mark.parametrize("path", ["/docs/tasks/luns/", "/docs/tasks/luns"])
def test_a_page_of_the_manual_is_served(get: Get, path: str) -> None:
    assert get(path) == (200, "web/docs/tasks/luns/index.html")


@pytest.mark.parametrize("path", ["/docs/api/", "/docs/api"])
def test_the_description_of_the_api_is_beside_it(get: Get, path: str) -> None:
    assert get(path) == (200, "docs/api/index.html")


def test_a_page_and_the_files_that_it_is_about_have_one_address(get: Get) -> None:
    assert get("/docs/monitoring/") == (200, "web/docs/monitoring/index.html")
    assert get("/docs/monitoring/rules.yml") == (200, "docs/monitoring/rules.yml")


def test_a_page_that_there_is_not_is_not_found(get: Get) -> None:
    assert get("/docs/tasks/none/")[0] == 404
