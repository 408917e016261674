# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""What the inventory tells of hosts that have several initiators."""

from __future__ import annotations

from ansible_collections.sanstone.array.plugins.inventory.hosts import by_name


def test_initiators_of_one_name_are_one_host_that_is_as_its_worst_paths() -> None:
    lost = {"name": "host1", "state": "lost", "initiator": "iqn.a", "svm": {"name": "svm1"}}
    well = {"name": "host1", "state": "active", "initiator": "iqn.b", "svm": {"name": "svm1"}}
    never = {"name": "iqn.c", "state": "never", "initiator": "iqn.c"}
    grouped = {"igroups": [{"name": "cluster1"}], "addresses": ["10.0.0.1"]}
    found = by_name([lost, well | grouped, never])
    assert found["host1"] == {
        "sanstone_state": "lost",
        "sanstone_initiators": ["iqn.a", "iqn.b"],
        "sanstone_addresses": ["10.0.0.1"],
        "sanstone_transport_protocols": [],
        "sanstone_svms": ["svm1"],
        "sanstone_igroups": ["cluster1"],
        "sanstone_subsystems": [],
    }
    assert found["iqn.c"]["sanstone_initiators"] == ["iqn.c"]
