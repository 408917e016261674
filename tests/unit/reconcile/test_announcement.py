"""The announcer reads the file that the reconciler writes for it."""

from __future__ import annotations

from dataclasses import replace

from sanstone.reconcile import announcement
from sanstone.reconcile.announcement import Announcement

ONE = Announcement(
    link="e0a",
    address="10.10.1.1",
    prefix_length=24,
    interface_uuid="00000042-0000-4000-8000-000000000042",
    interface_name='l"if\n1',
    type="_nvme-disc._tcp",
    port=8009,
    text=("p=tcp", "nqn=n"),
)


def test_a_written_announcement_is_read_back() -> None:
    other = replace(ONE, link="e0b", address="fd00::1")
    assert announcement.from_text(announcement.to_text([other, ONE])) == (ONE, other)


def test_the_order_makes_no_difference() -> None:
    other = replace(ONE, address="10.10.1.2")
    assert announcement.to_text([ONE, other]) == announcement.to_text([other, ONE])


def test_nothing_is_no_text() -> None:
    assert announcement.to_text([]) == ""
    assert announcement.from_text("") == ()
