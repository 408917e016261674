"""The collection `sanstone.array` for tests: its modules in this process, and its playbooks.

A module runs in a tenth of the time that a task of ansible-playbook takes, so that each example can
be tried three times.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ansible
from ansible.module_utils.testing import patch_module_args
from conftest import PASSWORD, REPOSITORY, USER, Served

COLLECTIONS = REPOSITORY / "output" / "collection"
"""Where `make collection` puts it, for Ansible to find it there."""
SOURCE = COLLECTIONS / "ansible_collections" / "sanstone" / "array"
ANSIBLE = {
    "ANSIBLE_STDOUT_CALLBACK": "ansible.posix.json",
    "ANSIBLE_LOCALHOST_WARNING": "false",
    "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
    "ANSIBLE_NOCOLOR": "1",
    # A module comes by standard input, and not in a file, to a process that `connection` forks.
    "ANSIBLE_PIPELINING": "true",
    "ANSIBLE_CONNECTION_PLUGINS": str(Path(__file__).with_name("connection")),
    "ANSIBLE_CALLBACK_PLUGINS": str(Path(__file__).with_name("callback")),
    "ANSIBLE_CALLBACKS_ENABLED": "imported",
    # Each module would read the authorities of this machine, 140 and more, to believe none of them.
    "SSL_CERT_FILE": os.devnull,
    "SSL_CERT_DIR": os.devnull,
}
"""Settings for results in JSON, and for half of the processor's time."""
HERE = {"ansible_python_interpreter": sys.executable, "ansible_connection": "forked"}
"""Variables with which tasks run on this machine, by its environment."""


@dataclass(frozen=True)
class Collection:
    """The collection, and the array that it is to run."""

    array: Served

    @property
    def login(self) -> dict[str, Any]:
        """The options of the connection, verified by the array's certificate."""
        return {
            "url": f"https://{self.array.host}:{self.array.port}",
            "username": USER,
            "password": PASSWORD,
            "ca_path": str(self.array.certificate),
        }

    def client(self) -> Any:
        """Return the client that the modules use themselves."""
        self._find()
        client = importlib.import_module("sanstone.client")
        authority = str(self.array.certificate)
        return client.Array(client.remote(self.login["url"], USER, PASSWORD, authority=authority))

    def _find(self) -> None:
        if str(COLLECTIONS) not in sys.path:
            sys.path += [str(COLLECTIONS), str(REPOSITORY / "api")]

    def module(self, name: str, /, check: bool = False, **options: Any) -> dict[str, Any]:
        """Run a module, and return its result, with `failed` where it failed."""
        self._find()
        path = f"ansible_collections.sanstone.array.plugins.modules.{name}"
        loaded = importlib.import_module(path)
        arguments = self.login | options | {"_ansible_check_mode": check, "_ansible_diff": True}
        output = io.StringIO()
        quiet = contextlib.redirect_stdout(output), contextlib.suppress(SystemExit)
        with patch_module_args(arguments), quiet[0], quiet[1]:
            loaded.main()
        result: dict[str, Any] = json.loads(output.getvalue())
        return result

    def play(self, book: Path, *options: str, **variables: Any) -> dict[str, Any]:
        """Run a playbook, and return the results of its callback. Fail if a task fails.

        The environment says how to reach the array, unless there is a variable `login`.
        """
        settings = json.dumps(HERE | variables)
        command = ["ansible-playbook", str(book), "-e", settings, *options]
        return self.ansible(*command, reach="login" not in variables)

    def ansible(self, program: str, *arguments: str, reach: bool = True) -> dict[str, Any]:
        """Run a program of Ansible's, and return its JSON output. Fail if it fails."""
        environment = ANSIBLE | {
            "ANSIBLE_COLLECTIONS_PATH": f"{COLLECTIONS}:{Path(ansible.__file__).parents[1]}",
            "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true",
            "PYTHONPATH": str(REPOSITORY / "api"),
        }
        if reach:
            environment |= {
                "SANSTONE_URL": self.login["url"],
                "SANSTONE_USER": USER,
                "SANSTONE_PASSWORD": PASSWORD,
                "SANSTONE_CA_PATH": str(self.array.certificate),
            }
        done = subprocess.run(
            [str(Path(sys.executable).with_name(program)), *arguments],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        result: dict[str, Any] = json.loads(done.stdout[done.stdout.find("{") :])
        return result


def changed(result: dict[str, Any]) -> list[str]:
    """Return the names of the tasks that changed something."""
    return [
        task["task"]["name"]
        for play in result["plays"]
        for task in play["tasks"]
        for outcome in task["hosts"].values()
        if outcome.get("changed")
    ]
