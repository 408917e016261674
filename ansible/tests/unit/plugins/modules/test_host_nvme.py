# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""Which keys are in the host's configuration. `vm/automation` has the module work."""

from __future__ import annotations

from ansible_collections.sanstone.array.plugins.modules import host_nvme as nvme

NAMES = {"hostnqn": "nqn.2014-08.org.example:host", "hostid": "d3f2d7f2-0001"}
PORTS = [{"transport": "tcp", "traddr": "10.0.0.1", "trsvcid": "4420"}]
CHAP = {"key": "a host's key", "array_key": "an array's key", "subsystem": "nqn.ours"}
OTHERS = {"nqn": "nqn.other", "ports": [{"traddr": "10.0.0.9", "dhchap_ctrl_key": "other"}]}


def test_keys_of_other_arrays_stay() -> None:
    there = [{**NAMES, "subsystems": [OTHERS]}, {"hostnqn": "nqn.another", "dhchap_key": "x"}]
    after = nvme.with_keys(there, NAMES, CHAP, PORTS)
    ours = {"nqn": "nqn.ours", "ports": [{**PORTS[0], "dhchap_ctrl_key": "an array's key"}]}
    assert after[0] == {**NAMES, "dhchap_key": "a host's key", "subsystems": [OTHERS, ours]}
    assert after[1:] == there[1:]
    assert nvme.with_keys(after, NAMES, CHAP, PORTS) == after
    # The other subsystem may need the host's key.
    left = nvme.without_keys(after, NAMES, CHAP)
    assert left == [{**NAMES, "subsystems": [OTHERS], "dhchap_key": "a host's key"}, there[1]]


def test_nothing_is_left_of_keys_that_were_alone() -> None:
    after = nvme.with_keys([], NAMES, CHAP, PORTS)
    assert nvme.without_keys(after, NAMES, CHAP) == []
