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

import pytest
from conftest import PASSWORD, USER, Served

HERE = Path(__file__).parent


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
    given = {"login": login, "ansible_python_interpreter": sys.executable}
    variables.write_text(json.dumps(given))
    program = Path(sys.executable).with_name("ansible-playbook")
    done = subprocess.run(
        [str(program), str(HERE / book), "-e", f"@{variables}"],
        env=os.environ
        | {
            "ANSIBLE_STDOUT_CALLBACK": "ansible.posix.json",
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "ANSIBLE_NOCOLOR": "1",
        },
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


def test_a_playbook_of_actions_runs(array: Served, tmp_path: Path) -> None:
    play(array, "administer.yml", tmp_path)
    assert play(array, "act.yml", tmp_path)["Snapshot of a consistency group"]["changed"]
    play(array, "dismiss.yml", tmp_path)


@pytest.mark.parametrize(
    "book", ["administer.yml", "dismiss.yml", "build.yml", "clear.yml", "remove.yml"]
)
def test_a_playbook_changes_nothing_the_second_time(
    array: Served, book: str, tmp_path: Path
) -> None:
    first, second = play(array, book, tmp_path), play(array, book, tmp_path)
    assert any(outcome["changed"] for outcome in first.values())
    changed = {
        name: {key: outcome.get(key) for key in ("modify", "diff", "msg", "results")}
        for name, outcome in second.items()
        if outcome["changed"]
    }
    assert not changed, json.dumps(changed, indent=1)
