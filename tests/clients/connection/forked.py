"""Ansible's connection `local`, but modules run in processes that are forked and not started.

A process would import a good part of Ansible out of an archive that nobody has compiled: half of
a task's time of the processor. A fork has it already, and the imports of our modules too, which
counts where one task runs a module several times. All else is as users have it: the module
is the one that Ansible has packed, with the same input and output. `vm/automation` starts
processes.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import tempfile
from typing import Any

from ansible.plugins.connection import local

DOCUMENTATION = """
name: forked
short_description: run modules in forks of this process
description:
  - Ansible reads which options there are without running this.
author: Sanstone
extends_documentation_fragment:
  - connection_pipelining
"""

with contextlib.suppress(ModuleNotFoundError):
    importlib.import_module("ansible_collections.sanstone.array.plugins.module_utils.objects")


class Connection(local.Connection):
    """A connection to this machine."""

    transport = "forked"

    def exec_command(
        self, cmd: str, in_data: bytes | None = None, sudoable: bool = True
    ) -> tuple[int, bytes, bytes]:
        """Run a module, which is the input of a Python, or another command."""
        if in_data is None:
            result: tuple[int, bytes, bytes] = super().exec_command(cmd, in_data, sudoable)
            return result
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            child = os.fork()
            if not child:
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                status = 1
                try:
                    status = _run(in_data)
                finally:
                    # The parent of this process goes on elsewhere.
                    os._exit(status)
            _, status = os.waitpid(child, 0)
            texts = []
            for file in (output, errors):
                file.seek(0)
                texts.append(file.read())
            return os.waitstatus_to_exitcode(status), texts[0], texts[1]


def _run(module: bytes) -> int:
    """Run a module in this process, and return its exit status. It prints its failures itself."""
    sys.argv = ["module"]
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    status: Any = None
    try:
        exec(compile(module, "module", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        status = end.code
    sys.stdout.flush()
    sys.stderr.flush()
    return int(status or 0)
