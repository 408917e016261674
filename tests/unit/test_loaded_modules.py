"""Only the API and support bundles load the declarations of resources."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

API = Path(__file__).parents[2] / "api"
SCRIPTS: dict[str, str] = tomllib.loads((API / "pyproject.toml").read_text())["project"]["scripts"]
PROGRAMS = {name: main.partition(":")[0] for name, main in SCRIPTS.items()}
SUPPORT = PROGRAMS.pop("sanstone-support")
# It is imported when the program runs, as the revisions of the database are.
PROGRAMS["reconciler"] = "sanstone.reconcile.main"
LOADED = """
import sys, {modules}
sanstone.migrate.revisions()
print(*(name for name in sys.modules if name.startswith("sanstone")))
"""


def loaded(*modules: str) -> set[str]:
    """Return the product's modules that programs have loaded when they have started."""
    code = LOADED.format(modules=", ".join(("sanstone.migrate", *modules)))
    process = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(API)}, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    return set(process.stdout.split())


def test_programs_beside_the_api_load_no_declaration() -> None:
    modules = loaded(*PROGRAMS.values())
    assert PROGRAMS["reconciler"] in modules
    assert not {name for name in modules if name.startswith("sanstone.resources")}


def test_support_bundles_have_what_the_api_declares() -> None:
    assert "sanstone.resources.declared" in loaded(SUPPORT)
