"""NetApp's Ansible collection, `netapp.ontap`: a second run of a playbook changes nothing.

That is the collection's own comparison of what it asked for with what the array shows, so it fails
for every field that does not come back as it was sent.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from collection import ANSIBLE, HERE
from conftest import PASSWORD, USER, Served


def play(array: Served, book: str, folder: Path) -> dict[str, dict[str, Any]]:
    """Run a playbook; return the outcome of each task by its name. Fail if any fails."""
    login = {
        "hostname": array.host,
        "http_port": array.port,
        "username": USER,
        "password": PASSWORD,
        "validate_certs": False,
        "use_rest": "always",
    }
    variables = folder / "variables.json"
    variables.write_text(json.dumps({"login": login} | HERE))
    program = Path(sys.executable).with_name("ansible-playbook")
    done = subprocess.run(
        [str(program), str(Path(__file__).with_name(book)), "-e", f"@{variables}"],
        env=os.environ | ANSIBLE,
        capture_output=True,
        text=True,
        check=False,
    )
    start = done.stdout.find("{")
    assert start >= 0, done.stdout + done.stderr
    tasks = json.loads(done.stdout[start:])["plays"][0]["tasks"]
    found = {task["task"]["name"]: task["hosts"]["localhost"] for task in tasks}
    failed = {
        name: [part.get("msg") for part in outcome.get("results", [outcome])]
        for name, outcome in found.items()
        if outcome.get("failed")
    }
    assert done.returncode == 0, json.dumps(failed, indent=1) + done.stderr
    return found


def play_twice(array: Served, book: str, folder: Path) -> None:
    """Run a playbook, and again. Fail unless it changes something, and then nothing."""
    first, second = play(array, book, folder), play(array, book, folder)
    assert any(outcome["changed"] for outcome in first.values())
    changed = {
        name: {key: outcome.get(key) for key in ("modify", "diff", "msg", "results")}
        for name, outcome in second.items()
        if outcome["changed"]
    }
    assert not changed, json.dumps(changed, indent=1)


def test_an_array_is_administered(array: Served, tmp_path: Path) -> None:
    play_twice(array, "administer.yml", tmp_path)
    acted = play(array, "act.yml", tmp_path)
    assert acted["Snapshot of a consistency group"]["changed"]
    play_twice(array, "dismiss.yml", tmp_path)


def test_block_storage_is_built_and_taken_away(array: Served, tmp_path: Path) -> None:
    for book in ("build.yml", "clear.yml", "remove.yml"):
        play_twice(array, book, tmp_path)
