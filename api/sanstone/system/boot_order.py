"""What GRUB's variables say of the two slots, and how each change of mind looks in them.

    ORDER=b a          the slots, the wanted one first
    a_OK=1 b_OK=1      whether a slot holds a system that may be booted
    a_TRY=0 b_TRY=2    boots begun since the last good one; GRUB adds 1 before it boots a slot
    TRIAL=b            the slot that was activated and has not yet proved itself, '' for none

GRUB (board/common, grub.cfg) boots the first slot in ORDER that is OK and was tried less than
three times. So a slot that is activated with TRY=2 has one boot to prove itself in: if that fails,
the next one is of the other slot.
"""

from __future__ import annotations

from sanstone.system.grub_environment import Environment

SLOTS = ("a", "b")
TRIES = 3
"""Boots in vain after which GRUB gives a slot up."""
FIRST = {"ORDER": "a b", "a_OK": "1", "a_TRY": "0", "b_OK": "0", "b_TRY": "0", "TRIAL": ""}
"""After an installation, which fills slot A."""


def other(slot: str) -> str:
    """Return the other slot."""
    return "b" if slot == "a" else "a"


def primary(variables: Environment) -> str:
    """Return the slot that is wanted."""
    return next((slot for slot in variables.get("ORDER", "").split() if slot in SLOTS), "a")


def is_good(variables: Environment, slot: str) -> bool:
    """Return whether GRUB would boot a slot."""
    tries = variables.get(f"{slot}_TRY", "0")
    return variables.get(f"{slot}_OK") == "1" and tries.isdigit() and int(tries) < TRIES


def on_trial(variables: Environment, slot: str) -> bool:
    """Return whether a slot was activated and has not yet proved itself."""
    return variables.get("TRIAL", "") == slot


def activate(variables: Environment, slot: str) -> Environment:
    """Return the variables with which the next boot tries a slot, once."""
    tried = {f"{slot}_OK": "1", f"{slot}_TRY": str(TRIES - 1)}
    return variables | tried | {"ORDER": f"{slot} {other(slot)}", "TRIAL": slot}


UNKNOWN = activate(FIRST | {"b_OK": "1"}, "a")
"""Where both slots hold a system, and nothing says any more which one was wanted.

After an update the one in A may be the older one, which cannot read the database: so it is on
trial, and gives way where it does not serve.
"""


def mark_bad(variables: Environment, slot: str) -> Environment:
    """Return the variables with which a slot is never booted."""
    return variables | {f"{slot}_OK": "0", f"{slot}_TRY": "0"}


def mark_good(variables: Environment, slot: str) -> Environment:
    """Return the variables after a slot has proved itself."""
    good = {f"{slot}_OK": "1", f"{slot}_TRY": "0"}
    return variables | good | ({"TRIAL": ""} if on_trial(variables, slot) else {})


def stay(variables: Environment, running: str) -> Environment:
    """Return the variables with which the running slot is wanted, and the other never booted."""
    kept = {"ORDER": f"{running} {other(running)}", "TRIAL": ""}
    return mark_bad(variables, other(running)) | kept


def come_up(variables: Environment, running: str) -> Environment:
    """Return the variables after the system that is wanted has started, whatever follows.

    From there on a power cut counts for nothing: three short ones in a row would have GRUB go back
    to an older release. A system on trial has yet to serve.
    """
    if running != primary(variables) or on_trial(variables, running):
        return variables
    return mark_good(variables, running)


def is_fallback(variables: Environment, running: str) -> bool:
    """Return whether a slot runs since GRUB boots the wanted one no more."""
    wanted = primary(variables)
    return wanted != running and not is_good(variables, wanted)


def given_up(variables: Environment, running: str) -> bool:
    """Return whether GRUB booted the fallback of a slot that had proved itself before."""
    return is_fallback(variables, running) and not on_trial(variables, primary(variables))


def try_again(variables: Environment, running: str) -> Environment:
    """Return the variables after a fallback does not serve either: the wanted slot's turn again.

    That may be one that failed its trial, where the system before cannot read the database any
    more. It is on trial no longer: with no way back it stays once it has started, whatever it
    serves, rather than that two systems send the array to each other for ever.

    They are as they were for a slot that is wanted itself or was chosen by hand.
    """
    wanted = primary(variables)
    if not is_fallback(variables, running) or variables.get(f"{wanted}_OK") != "1":
        return variables
    return mark_good(variables, wanted)


def settle(variables: Environment, running: str) -> Environment:
    """Return the variables after a boot that serves.

    A fallback is kept: what failed is not tried again at every third boot. A slot that was chosen
    in GRUB's menu is the wanted one from now on, and the other is still good, unless it waits for a
    trial.
    """
    settled = mark_good(variables, running)
    wanted = primary(variables)
    if wanted == running:
        return settled
    if is_fallback(variables, running) or on_trial(variables, wanted):
        return stay(settled, running)
    return settled | {"ORDER": f"{running} {wanted}"}
