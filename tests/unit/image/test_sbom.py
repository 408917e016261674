"""The SBOM lists files that come from npm."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from image import sbom

DIGEST = bytes(range(64))
LOCKED = {
    "version": "1.4.0",
    "license": "Apache-2.0",
    "integrity": f"sha512-{base64.b64encode(DIGEST).decode()}",
}

BUILT = [{"name": "react", "path": "node_modules/react", "version": "", "licence": "", "text": ""}]


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    """The output of generate-cyclonedx for two packages."""
    file = tmp_path / "sanstone.cdx.json"
    document = {
        "components": [{"bom-ref": "nginx"}, {"bom-ref": "sanstone"}],
        "dependencies": [
            {"ref": "sanstone-image", "dependsOn": ["sanstone"]},
            {"ref": "nginx", "dependsOn": []},
            {"ref": "sanstone", "dependsOn": ["nginx"]},
        ],
    }
    file.write_text(json.dumps(document))
    return file


def completed(answer: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    built = answer.with_name("licences.json")
    built.write_text(json.dumps(BUILT))
    monkeypatch.setattr(sbom, "BUILT", built)
    monkeypatch.setattr(sys, "argv", ["image.sbom", str(answer)])
    sbom.main()
    read: dict[str, Any] = json.loads(answer.read_text())
    return read


def test_the_browser_of_the_documentation_is_there(
    answer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *others, browser, _react = completed(answer, monkeypatch)["components"]
    assert [each["bom-ref"] for each in others] == ["nginx", "sanstone"]
    locked = json.loads(sbom.LOCK.read_text())["packages"]["node_modules/swagger-ui-dist"]
    assert browser["name"] == "swagger-ui-dist"
    assert browser["version"] == locked["version"]
    assert browser["purl"] == f"pkg:npm/swagger-ui-dist@{locked['version']}"
    assert browser["licenses"] == [{"expression": "Apache-2.0"}]


def test_parts_of_the_web_interface_are_listed(
    answer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    react = completed(answer, monkeypatch)["components"][-1]
    locked = json.loads(sbom.LOCK.read_text())["packages"]["node_modules/react"]
    assert react["purl"] == f"pkg:npm/react@{locked['version']}"


def test_the_product_depends_on_it(answer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = completed(answer, monkeypatch)
    browser, react = (each["bom-ref"] for each in document["components"][-2:])
    depends = {each["ref"]: each["dependsOn"] for each in document["dependencies"]}
    assert depends["sanstone"] == ["nginx", react, browser]
    assert depends["sanstone-image"] == ["sanstone"]
    assert depends[browser] == []


def test_packages_only_in_the_lock_file_are_not_shipped() -> None:
    lock = {"packages": {"node_modules/@a/b": LOCKED, "node_modules/c": LOCKED}}
    recipe = "install $(WEBUI)/node_modules/@a/b/x.js $(WEBUI)/node_modules/@a/b/y.css"
    assert [each["name"] for each in sbom.shipped(recipe, lock)] == ["@a/b"]


def test_a_scope_and_a_hash_are_written_as_their_standards_want() -> None:
    component = sbom.component("@a/b", LOCKED)
    assert component["purl"] == "pkg:npm/%40a/b@1.4.0"
    assert component["hashes"] == [{"alg": "SHA-512", "content": DIGEST.hex()}]


def test_a_package_that_is_not_locked_is_named() -> None:
    with pytest.raises(KeyError, match="node_modules/c"):
        sbom.shipped("cp $(WEBUI)/node_modules/c/x.js", {"packages": {}})


def test_another_hash_is_refused() -> None:
    with pytest.raises(ValueError, match="c has no SHA-512 but sha1"):
        sbom.component("c", {**LOCKED, "integrity": "sha1-AAAA"})


def test_an_sbom_without_the_product_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 1"):
        sbom.complete({"components": [], "dependencies": []}, [])
