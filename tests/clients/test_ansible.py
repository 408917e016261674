"""NetApp's Ansible collection, `netapp.ontap`: a second run of a playbook changes nothing.

The collection compares its own request with the array's answer, so it fails for every field that
does not come back as it was sent.
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

Outcomes = dict[str, dict[str, Any]]
"""Those of a playbook's tasks by their names."""


def play(array: Served, folder: Path, *books: str) -> list[Outcomes]:
    """Run playbooks, one after the other, and return their outcomes. Fail if any task fails.

    Ansible packs each module once for all of them, which takes longer than to run it.
    """
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
        [program, *map(Path(__file__).with_name, books), "-e", f"@{variables}"],
        env=os.environ | ANSIBLE,
        capture_output=True,
        text=True,
        check=False,
    )
    # After each playbook it prints the results of all so far.
    _, begin, results = f"\n{done.stdout}".rpartition("\n{")
    assert begin, done.stdout + done.stderr
    plays = [
        {task["task"]["name"]: task["hosts"]["localhost"] for task in each["tasks"]}
        for each in json.loads("{" + results)["plays"]
    ]
    failed = {
        name: [part.get("msg") for part in outcome.get("results", [outcome])]
        for outcomes in plays
        for name, outcome in outcomes.items()
        if outcome.get("failed")
    }
    assert done.returncode == 0, json.dumps(failed, indent=1) + done.stderr
    return plays


def play_twice(array: Served, folder: Path, book: str) -> None:
    """Run a playbook, and again. Fail unless it changes something, and then nothing."""
    first, second = play(array, folder, book, book)
    assert any(outcome["changed"] for outcome in first.values())
    changed = {
        name: {key: outcome.get(key) for key in ("modify", "diff", "msg", "results")}
        for name, outcome in second.items()
        if outcome["changed"]
    }
    assert not changed, json.dumps(changed, indent=1)


def test_an_array_is_administered(array: Served, tmp_path: Path) -> None:
    play_twice(array, tmp_path, "administer.yml")
    [acted] = play(array, tmp_path, "act.yml")
    assert acted["Snapshot of a consistency group"]["changed"]
    assert acted["Service policy of its own with other services"]["changed"]
    play_twice(array, tmp_path, "dismiss.yml")


def test_block_storage_is_built_and_taken_away(array: Served, tmp_path: Path) -> None:
    for book in ("build.yml", "clear.yml", "remove.yml"):
        play_twice(array, tmp_path, book)
