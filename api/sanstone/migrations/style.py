"""The style of migrations, given to what Alembic writes when the declared tables have changed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from alembic.autogenerate.rewriter import Rewriter
from alembic.operations import ops
from sqlalchemy import Column, DefaultClause

_SETTINGS = Path(__file__).parents[2] / "pyproject.toml"
_ALEMBICS_OWN = (
    (r"^ *# ### .*\n", ""),
    (r"\bbatch_op\b", "table"),
    (r", schema=None", ""),
    (r"^\n(?=    with )", ""),
)

value_of_rows = Rewriter()
"""Gives rows that are there the value of a new column: its default in the model, if that is plain.

SQLite refuses a column without one that is never NULL. The declared tables have no such defaults,
so that it is dropped once the rows have it.
"""


@value_of_rows.rewrites(ops.ModifyTableOps)
def _add_and_drop_defaults(
    _context: Any, _revision: Any, modified: ops.ModifyTableOps
) -> list[ops.MigrateOperation]:
    table, dropped = modified.table_name, []
    for added in modified.ops:
        if isinstance(added, ops.AddColumnOp) and _needs_default(added.column):
            added.column.server_default = _plain_default(added.column)
            change = ops.AlterColumnOp(table, added.column.name, modify_server_default=None)
            dropped.append(change)
    return [modified, ops.ModifyTableOps(table, dropped)] if dropped else [modified]


def _needs_default(column: Column[Any]) -> bool:
    return not column.nullable and column.default is not None and column.default.is_scalar


def _plain_default(column: Column[Any]) -> DefaultClause:
    """Return the default of the model as SQLite writes it: True is 1."""
    value: Any = column.default.arg  # type: ignore[union-attr]
    return DefaultClause(str(int(value)) if isinstance(value, bool) else str(value))


def file_name(message: str) -> str:
    """Return the name of a migration's file, which is its subject: "Add the ports" is `the_ports`.

    Raises ValueError where the message is not a verb and its object.
    """
    words = re.findall(r"[a-z0-9]+", message.lower())[1:]
    if not words:
        raise ValueError(f'"{message}" has to be a verb and its object, as in "Add contacts"')
    return "_".join(words)


def give_style(path: Path) -> None:
    """Write the file anew without Alembic's own style.

    Raises CalledProcessError where Ruff, which comes with the tests' virtualenv, refuses it.
    """
    text = path.read_text()
    for pattern, replacement in _ALEMBICS_OWN:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    path.write_text(text)
    ruff = (sys.executable, "-m", "ruff")
    for command in (("check", "--fix", "--quiet"), ("format", "--quiet")):
        subprocess.run((*ruff, *command, "--config", _SETTINGS, path), check=True)
