"""SQLite for tests with a database of their own: all share the compiled statements.

SQLAlchemy keeps compiled statements by engine and by dialect. Compiling those of a request and of a
turn of the reconciler anew takes longer than most tests.

Nor do they wait for the disk: power cuts are those of the fake machine, and on a busy disk a commit
takes longer than the change.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from sanstone.core.database import store

OF_PRODUCT = store.PRAGMAS
"""The product's settings of its connections."""
NO_WAITING = "synchronous=OFF"
_compiled: dict[Any, Any] = {}


class AlikeDialect(SQLiteDialect_pysqlite):
    """The dialect of SQLite. All of a process are equal, since all are configured alike."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AlikeDialect)

    def __hash__(self) -> int:
        return hash(AlikeDialect)

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Let the engine use the statements that others compiled."""
        engine.update_execution_options(compiled_cache=_compiled)


def register() -> None:
    """Have later engines share compiled statements, and not wait for disks."""
    registry.register("sqlite", __name__, AlikeDialect.__name__)
    store.PRAGMAS = (*OF_PRODUCT, NO_WAITING)
