"""The order of the slots, as a GRUB that follows the rules of `boot_order` sees it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from system_disk import FRESH

from sanstone.system import boot_order
from sanstone.system.grub_environment import Environment


def grub(variables: Environment) -> tuple[str, Environment]:
    """Return the slot that GRUB boots, and its variables: the rules of its menu."""
    for slot in variables["ORDER"].split():
        tries = int(variables[f"{slot}_TRY"])
        if variables[f"{slot}_OK"] == "1" and tries < boot_order.TRIES:
            return slot, variables | {f"{slot}_TRY": str(tries + 1)}
    first = variables["ORDER"].split()[0]
    return first, variables | {"a_TRY": "0", "b_TRY": "0"}


def boot_often(
    variables: Environment, slot: str, note: Callable[[Environment, str], Environment]
) -> None:
    """Boot ten times, always into `slot`; each boot calls `note`."""
    for _ in range(10):
        booted, variables = grub(variables)
        assert booted == slot
        variables = note(variables, booted)


def test_an_array_that_was_just_installed_stays_where_it_is() -> None:
    slot, variables = grub(boot_order.settle(FRESH, "a"))
    assert slot == "a"
    assert boot_order.primary(variables) == "a"
    assert not boot_order.is_good(variables, "b")


def test_a_slot_that_is_activated_is_booted_and_kept_once_it_serves() -> None:
    slot, variables = grub(boot_order.activate(FRESH, "b"))
    assert slot == "b"
    assert boot_order.on_trial(variables, "b")
    variables = boot_order.settle(variables, "b")
    assert not boot_order.on_trial(variables, "b")
    boot_often(variables, "b", boot_order.settle)


def test_one_boot_that_fails_falls_back_for_good() -> None:
    variables = boot_order.mark_good(FRESH, "a")
    slot, variables = grub(boot_order.activate(variables, "b"))
    assert slot == "b"
    slot, variables = grub(variables)
    assert slot == "a"
    variables = boot_order.settle(variables, "a")
    for _ in range(10):
        slot, variables = grub(variables)
        assert slot == "a"


def test_where_the_wanted_slot_is_unknown_the_first_that_serves_is_kept() -> None:
    slot, variables = grub(boot_order.UNKNOWN)
    assert (slot, boot_order.on_trial(variables, "a")) == ("a", True)
    boot_often(boot_order.settle(variables, "a"), "a", boot_order.settle)
    slot, variables = grub(variables)
    assert slot == "b"
    boot_often(boot_order.settle(variables, "b"), "b", boot_order.settle)


def test_where_the_wanted_slot_is_unknown_neither_is_given_up_for_one_boot() -> None:
    """As one that a power cut interrupted: the older release sends the array back."""
    _, variables = grub(boot_order.UNKNOWN)
    slot, variables = grub(variables)
    assert slot == "b"
    boot_often(boot_order.try_again(variables, "b"), "a", boot_order.come_up)


def test_a_slot_that_is_being_written_is_never_booted() -> None:
    variables = boot_order.mark_bad(boot_order.activate(FRESH, "b"), "b")
    assert not boot_order.is_good(variables, "b")
    assert grub(variables)[0] == "a"


def test_a_slot_that_proved_itself_has_three_boots() -> None:
    variables = boot_order.mark_good(boot_order.mark_good(FRESH, "b"), "a")
    booted = []
    for _ in range(4):
        slot, variables = grub(variables)
        booted.append(slot)
    assert booted == ["a", "a", "a", "b"]


def test_power_cuts_of_a_system_that_has_started_are_not_counted() -> None:
    variables = boot_order.mark_good(boot_order.mark_good(FRESH, "b"), "a")
    boot_often(variables, "a", boot_order.come_up)


def test_a_start_proves_neither_a_trial_nor_a_fallback() -> None:
    trial = boot_order.activate(FRESH, "b")
    assert boot_order.come_up(trial, "b") == trial
    assert boot_order.come_up(trial, "a") == trial


def test_a_fallback_that_does_not_serve_gives_way_again() -> None:
    variables = boot_order.mark_good(boot_order.mark_good(FRESH, "b"), "a")
    for _ in range(4):
        slot, variables = grub(variables)
    assert slot == "b"
    assert boot_order.given_up(variables, "b")
    assert grub(boot_order.try_again(variables, "b"))[0] == "a"


def test_a_slot_that_is_chosen_in_the_menu_is_wanted_and_the_other_still_good() -> None:
    variables = boot_order.mark_good(boot_order.mark_good(FRESH, "b"), "a")
    variables = boot_order.settle(variables | {"b_TRY": "1"}, "b")
    assert boot_order.primary(variables) == "b"
    assert boot_order.is_good(variables, "a")
    boot_often(variables, "b", boot_order.settle)


def test_a_trial_that_somebody_prevented_in_the_menu_does_not_come_later() -> None:
    variables = boot_order.settle(boot_order.activate(FRESH, "b"), "a")
    boot_often(variables, "a", boot_order.settle)
    assert not boot_order.is_good(variables, "b")


def test_a_trial_without_a_way_back_ends() -> None:
    """Neither slot serves: the array stays where it last went, and does not go round."""
    variables = boot_order.mark_good(FRESH, "a")
    booted, variables = grub(boot_order.activate(variables, "b"))
    fallback, variables = grub(variables)
    assert (booted, fallback) == ("b", "a")
    assert not boot_order.given_up(variables, "a")
    variables = boot_order.try_again(variables, "a")
    assert not boot_order.on_trial(variables, "b")
    boot_often(variables, "b", boot_order.come_up)


@pytest.mark.parametrize(
    ("variables", "running"),
    [
        (FRESH, "a"),
        (boot_order.activate(FRESH, "b"), "a"),
        (boot_order.mark_bad(boot_order.settle(boot_order.activate(FRESH, "b"), "b"), "b"), "a"),
    ],
    ids=["the wanted slot itself", "the other waits for its trial", "the other is bad"],
)
def test_a_system_without_another_to_go_to_stays(variables: Environment, running: str) -> None:
    assert boot_order.try_again(variables, running) == variables


def test_variables_that_make_no_sense_are_taken_for_the_first_slot() -> None:
    assert boot_order.primary({}) == "a"
    assert not boot_order.is_good({"a_OK": "1", "a_TRY": "x"}, "a")
