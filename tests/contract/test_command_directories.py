"""The directories of a role stand for the requests of the shell's commands in them."""

from __future__ import annotations

import re

import pytest
from api_paths import shortest

from sanstone.core.declaration import description as declarations
from sanstone.resources.declared import ACTIONS, RESOURCES
from sanstone.security.command_directories import _PATHS, paths
from sanstone.shell import commands, description

SHOWN_TOO = "statistics"
"""A directory whose commands show figures of other directories' objects."""
REQUESTS = [
    (collection.place.directory, "/api/" + re.sub(r"{[^}]*}", "*", collection.resource.path))
    for collection in commands.collections(
        description.read(declarations.describe((*RESOURCES, *ACTIONS)))
    ).values()
]
"""Each directory of commands with a path that these ask."""
DIRECTORIES = sorted(
    {" ".join(name.split()[:count]) for name in _PATHS for count in range(1, len(name.split()) + 1)}
)


def within(directory: str, outer: str) -> bool:
    """Return whether a directory is another, or below it."""
    return directory == outer or directory.startswith(f"{outer} ")


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_a_directory_stands_for_the_requests_of_its_commands(directory: str) -> None:
    requested = [path for place, path in REQUESTS if within(place, directory)]
    assert shortest(paths(directory)) == shortest(requested)


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_a_directory_allows_nothing_else(directory: str) -> None:
    for place, path in REQUESTS:
        if any(path.startswith(f"{each}/") for each in paths(directory)):
            assert within(place, directory) or within(place, SHOWN_TOO), path


def test_data_is_within_reach() -> None:
    for directory in ("lun", "volume", "vserver", "network", "storage", "qos", "job"):
        assert paths(directory)
