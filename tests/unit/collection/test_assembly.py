"""The collection has the modules written by hand and one for every resource."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import sanstone
from sanstone.resources.declared import RESOURCES
from sanstone.resources.storage.disk import METHODS

REPOSITORY = Path(__file__).parents[3]
GENERATE = REPOSITORY / "ansible" / "generate"
ARCHIVE = "sanstone-array.tar.gz"


@pytest.fixture(scope="module")
def collection_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a collection that was assembled over an older one."""
    folder = tmp_path_factory.mktemp("collection")
    former = folder / "ansible_collections/sanstone/array/plugins/modules/former.py"
    former.parent.mkdir(parents=True)
    former.touch()
    subprocess.run([sys.executable, str(GENERATE), str(folder)], check=True)
    return folder


def test_the_collection_has_a_module_for_every_resource_and_those_by_hand(
    collection_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(GENERATE))
    names = importlib.import_module("names")
    place = collection_folder / "ansible_collections/sanstone/array"
    modules = {path.stem for path in (place / "plugins/modules").glob("*.py")}
    expected = {each.module for each in names.NAMES.values()} | {*names.BY_HAND, *names.ON_HOSTS}
    expected |= {f"{name}_info" for name in names.READ_ONLY.values()}
    assert expected <= modules
    assert {name for name in modules - expected if not name.endswith("_info")} == set()
    grouped = yaml.safe_load((place / "meta/runtime.yml").read_text())["action_groups"]["array"]
    assert set(grouped) == modules - set(names.ON_HOSTS)
    assert (place / "roles/provision").is_dir()
    assert not (place / "generate").exists()
    metadata = yaml.safe_load((place / "galaxy.yml").read_text())
    assert metadata["version"] == sanstone.__version__


def test_the_sources_alone_cannot_be_installed() -> None:
    """They would be taken for a collection without modules."""
    assert not {"galaxy.yml", "MANIFEST.json"} & {path.name for path in GENERATE.parent.iterdir()}


def test_the_archive_of_the_same_is_the_same(collection_folder: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(GENERATE), str(tmp_path)], check=True)
    assert (collection_folder / ARCHIVE).read_bytes() == (tmp_path / ARCHIVE).read_bytes()


def test_every_resource_that_can_be_changed_has_a_module_or_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(GENERATE))
    names = importlib.import_module("names")
    changeable = {resource.path for resource in RESOURCES if resource.methods != {"GET"}}
    assert changeable == names.NAMES.keys() | names.LEFT_OUT.keys()
    assert not names.NAMES.keys() & names.LEFT_OUT.keys()


def test_the_module_that_erases_disks_has_every_method() -> None:
    source = GENERATE.parent / "plugins/modules/disk_erase.py"
    values = {
        ast.unparse(target): ast.literal_eval(node.value)
        for node in ast.parse(source.read_text()).body
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call)
        for target in node.targets
    }
    documented = yaml.safe_load(values["DOCUMENTATION"])["options"]["method"]["choices"]
    assert values["METHODS"] == documented == list(METHODS)
