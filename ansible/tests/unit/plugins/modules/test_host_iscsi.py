# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""Targets of other arrays are left alone. `vm/automation` has the module work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ansible_collections.sanstone.array.plugins.modules import host_iscsi

OURS, OTHER = "iqn.2026-11.org.example:ours", "iqn.2026-11.org.example:other"
RECORDED = f"10.0.0.1:3260,1 {OURS}\n10.0.1.1:3260,2 {OURS}\n10.0.0.9:3260,1 {OTHER}\n"
SESSIONS = (
    f"tcp: [1] 10.0.0.1:3260,1 {OURS} (non-flash)\ntcp: [2] 10.0.0.9:3260,1 {OTHER} (non-flash)\n"
)

Run = Callable[..., Any]


def test_targets_of_other_arrays_are_not_left(run: Run, programs: Path) -> None:
    (programs / "iscsiadm --mode=node").write_text(RECORDED)
    (programs / "iscsiadm --mode=session").write_text(SESSIONS)
    left = run(host_iscsi, portals=["10.0.0.1"], state="absent")
    assert left["changed"] and left["targets"] == [OURS]
    commands = (programs / "commands").read_text().splitlines()
    node = "iscsiadm --mode=node --portal"
    assert commands[2:] == [
        f"{node}=10.0.0.1:3260,1 --targetname={OURS} --logout",
        f"{node}=10.0.0.1:3260,1 --targetname={OURS} --op=delete",
        f"{node}=10.0.1.1:3260,2 --targetname={OURS} --op=delete",
    ]


def test_the_one_target_that_the_task_names_is_left(run: Run, programs: Path) -> None:
    (programs / "iscsiadm --mode=node").write_text(RECORDED.replace("10.0.0.9", "10.0.0.1"))
    given = {"portals": ["10.0.0.1"], "target": OTHER, "_ansible_check_mode": True}
    left = run(host_iscsi, state="absent", **given)
    assert left["targets"] == [OTHER]
    assert "--op=delete" not in (programs / "commands").read_text()


def test_a_record_is_set_once_and_keeps_the_rest() -> None:
    record = "# BEGIN RECORD 2.1\nnode.name = a\nnode.startup = manual\n# END RECORD\n"
    after = host_iscsi.settled(
        record, {"node.startup": "automatic", "node.session.auth.username": "a b = c"}
    )
    assert after.splitlines()[1:] == [
        "node.name = a",
        "node.startup = automatic",
        "node.session.auth.username = a b = c",
        "# END RECORD",
    ]
    assert host_iscsi.settled(after, {"node.session.auth.username": "a b = c"}) == after


def test_a_password_that_would_be_two_lines_is_refused(run: Run, programs: Path) -> None:
    chap = {"user": "host1", "password": "one\nnode.startup = manual"}
    refused = run(host_iscsi, portals=["10.0.0.1"], chap=chap)
    assert refused["failed"] and "printable" in refused["msg"]
    assert not (programs / "commands").exists()
