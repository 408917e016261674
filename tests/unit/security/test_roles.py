"""Which request a role allows."""

from __future__ import annotations

import pytest

from sanstone.security import roles
from sanstone.security.roles import METHODS, allowed, by_path, covers

ROLE = {
    "/api": "none",
    "/api/storage": "readonly",
    "/api/storage/volumes": "read_create_modify",
    "/api/storage/volumes/*/snapshots": "all",
    "/api/storage/*/secret": "none",
}

BUT_SECURITY = {"/api": "all", "/api/security": "readonly", "/api/security/roles": "all"}


@pytest.mark.parametrize(
    ("path", "access"),
    [
        ("/api/svm/svms", "none"),
        ("/api/storage", "readonly"),
        ("/api/storage/", "readonly"),
        ("/api/storage/luns/some-uuid", "readonly"),
        ("/api/storagepools", "none"),
        ("/api/storage/volumes/some-uuid", "read_create_modify"),
        ("/api/storage/volumes/some-uuid/snapshots", "all"),
        ("/api/storage/volumes/some-uuid/snapshots/another", "all"),
        ("/api/storage/luns/secret", "none"),
        ("/apis/storage", "none"),
        ("/", "none"),
    ],
)
def test_the_longest_path_that_leads_to_a_request_counts(path: str, access: str) -> None:
    assert allowed(ROLE, path) == METHODS[access]


def test_of_equally_long_paths_the_plainer_counts() -> None:
    assert allowed({"/api/*": "all", "/api/svm": "none"}, "/api/svm/svms") == METHODS["none"]


def test_of_equally_plain_paths_that_which_allows_least_counts() -> None:
    one, other = {"/api/*/x": "none"}, {"/api/y/*": "all"}
    for privileges in (one | other, other | one):
        assert allowed(privileges, "/api/y/x") == METHODS["none"]


BY_COMMAND = {
    "DEFAULT": "readonly",
    "lun": "all",
    "lun igroup": "none",
    "volume": "none",
    "/api/storage/volumes/*/snapshots": "all",
}


@pytest.mark.parametrize(
    ("path", "access"),
    [
        ("/api/cluster", "readonly"),
        ("/api/storage/luns/some-uuid", "all"),
        ("/api/protocols/san/lun-maps", "all"),
        ("/api/protocols/san/igroups/some-uuid/initiators", "none"),
        ("/api/storage/volumes", "none"),
        ("/api/storage/snapshot-policies", "none"),
        ("/api/storage/volumes/some-uuid/snapshots", "all"),
    ],
)
def test_directories_of_commands_stand_for_their_requests(path: str, access: str) -> None:
    assert allowed(by_path(BY_COMMAND), path) == METHODS[access]


def test_of_directories_with_one_path_that_which_allows_least_counts() -> None:
    one, other = {"network": "all"}, {"network port": "none"}
    for privileges in (one | other, other | one):
        assert allowed(by_path(privileges), "/api/network/ethernet/ports") == METHODS["none"]
    assert by_path(ROLE) == ROLE
    assert by_path({"no such": "all"}) == {}


def test_granting_a_directory_needs_all_of_its_paths() -> None:
    assert covers({"lun": "all"}, {"lun igroup": "all", "/api/storage/luns": "readonly"})
    assert not covers({"/api/storage/luns": "all"}, {"lun": "readonly"})
    assert not covers({"lun": "all"}, {"DEFAULT": "readonly"})


@pytest.mark.parametrize(
    ("path", "access", "hides"),
    [
        ("/api/storage/luns/some-uuid", "none", True),
        ("/api/storage/luns/some-uuid/attributes", "none", True),
        ("/api/storage/*/some-uuid", "none", True),
        ("/api/storage/luns/some-uuid", "readonly", False),
        ("/api/storage/volumes/some-uuid", "none", False),
        ("/api/storage/luns", "none", False),
        ("/api/storage", "none", False),
    ],
)
def test_privileges_that_hide_objects_of_a_collection(path: str, access: str, hides: bool) -> None:
    privileges = {"/api": "all", path: access}
    assert roles.hides_beneath(privileges, "/api/storage/luns") is hides


@pytest.mark.parametrize(
    ("mine", "theirs", "enough"),
    [
        ({"/api": "all"}, ROLE, True),
        (ROLE, {"/api": "all"}, False),
        (ROLE, ROLE, True),
        ({"/api/storage": "all"}, {"/api/storage/luns": "readonly"}, True),
        ({"/api/storage": "readonly"}, {"/api/storage/luns": "read_create"}, False),
        ({"/api/storage": "all", "/api/storage/luns": "none"}, {"/api/storage": "all"}, False),
        ({"/api/storage": "all"}, {"/api/svm": "none"}, True),
        ({}, {"/api": "readonly"}, False),
        (BUT_SECURITY, {**BUT_SECURITY, "/api/*/certificates": "all"}, False),
        (BUT_SECURITY, {**BUT_SECURITY, "/api/*/certificates": "readonly"}, True),
        (BUT_SECURITY, {**BUT_SECURITY, "/api/*/roles/*": "all"}, True),
        ({"/api": "all", "/api/*/x": "none"}, {"/api/y/*": "all"}, False),
        ({"/api": "all", "/api/*/x": "none"}, {"/api/y/*/z": "all", "/api/*/x": "none"}, False),
    ],
)
def test_nobody_can_give_more_than_they_have(
    mine: dict[str, str], theirs: dict[str, str], enough: bool
) -> None:
    assert covers(mine, theirs) is enough


def test_built_in_roles_of_an_svm_reach_nothing_of_the_array() -> None:
    for privileges in roles.BUILT_IN_FOR_SVMS.values():
        assert allowed(privileges, "/api/security/roles") == METHODS["none"]
        assert allowed(privileges, "/api/security/audit/messages") == METHODS["none"]
        assert allowed(privileges, "/api/support/ems/events") == METHODS["none"]
