"""An import of one module of the tables gives all of them."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest
from sqlalchemy.orm import DeclarativeBase

from sanstone import model
from sanstone.core.database.store import Base
from sanstone.model.activity import ActivityBase

_CONFIGURE = """
import sys, sanstone.model.{name}
from sqlalchemy.orm import configure_mappers
from sanstone.core.database.store import Base
configure_mappers()
print(*sorted(Base.metadata.tables))
"""


def test_the_package_has_every_module() -> None:
    assert sorted(model.__all__) == [info.name for info in pkgutil.iter_modules(model.__path__)]


def test_one_module_brings_the_whole_schema() -> None:
    """In a process of its own, since others have imported everything in this one."""
    command = [sys.executable, "-c", _CONFIGURE.format(name="svm")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    of_model = {
        mapper.class_.__tablename__
        for mapper in Base.registry.mappers
        if mapper.class_.__module__.startswith("sanstone.model.")
    }
    assert of_model <= set(printed.split())


@pytest.mark.parametrize("base", [Base, ActivityBase])
def test_tables_are_in_the_model_or_belong_to_the_machinery(base: type[DeclarativeBase]) -> None:
    modules = {mapper.class_.__module__ for mapper in base.registry.mappers}
    ours = {module for module in modules if module.startswith("sanstone.")}
    elsewhere = {module for module in ours if not module.startswith("sanstone.model.")}
    names = (
        *("database.change", "database.epoch", "database.last_changes"),
        *("events", "jobs", "long_jobs", "observed"),
    )
    machinery = {f"sanstone.core.{name}" for name in names}
    assert elsewhere <= machinery
