"""GRUB's variables for the two slots, and every change of them.

    ORDER=b a          the slots, the preferred one first
    a_OK=1 b_OK=1      whether a slot holds a system that may be booted
    a_TRY=0 b_TRY=2    boots started since the last good one; GRUB adds 1 before it boots a slot
    TRIAL=b            the slot that is activated and has not served yet, '' for none

GRUB (board/common, grub.cfg) boots the first slot in ORDER that is OK and was tried less than three
times. So a slot that is activated with TRY=2 has one boot to prove that it serves: if that fails,
the next boot is of the other slot.
"""

from __future__ import annotations

from sanstone.system.grub_environment import Environment

SLOTS = ("a", "b")
TRIES = 3
"""Failed boots after which GRUB gives up on a slot."""
FIRST = {"ORDER": "a b", "a_OK": "1", "a_TRY": "0", "b_OK": "0", "b_TRY": "0", "TRIAL": ""}
"""After an installation, which fills slot A."""


def other(slot: str) -> str:
    """Return the other slot."""
    return "b" if slot == "a" else "a"


def primary(variables: Environment) -> str:
    """Return the preferred slot."""
    return next((slot for slot in variables.get("ORDER", "").split() if slot in SLOTS), "a")


def is_good(variables: Environment, slot: str) -> bool:
    """Return whether GRUB would boot a slot."""
    tries = variables.get(f"{slot}_TRY", "0")
    return variables.get(f"{slot}_OK") == "1" and tries.isdigit() and int(tries) < TRIES


def on_trial(variables: Environment, slot: str) -> bool:
    """Return whether a slot is activated and has not served yet."""
    return variables.get("TRIAL", "") == slot


def activate(variables: Environment, slot: str) -> Environment:
    """Return the variables that make the next boot try a slot once."""
    tried = {f"{slot}_OK": "1", f"{slot}_TRY": str(TRIES - 1)}
    return variables | tried | {"ORDER": f"{slot} {other(slot)}", "TRIAL": slot}


UNKNOWN = activate(FIRST | {"b_OK": "1"}, "a")
"""For two slots with a system, when the record of the preferred one is lost.

After an update slot A may hold the older release, which cannot read the database: so it is on
trial, and the other slot follows if it does not serve.
"""


def mark_bad(variables: Environment, slot: str) -> Environment:
    """Return the variables that keep a slot from being booted."""
    return variables | {f"{slot}_OK": "0", f"{slot}_TRY": "0"}


def mark_good(variables: Environment, slot: str) -> Environment:
    """Return the variables after a slot has served."""
    good = {f"{slot}_OK": "1", f"{slot}_TRY": "0"}
    return variables | good | ({"TRIAL": ""} if on_trial(variables, slot) else {})


def stay(variables: Environment, running: str) -> Environment:
    """Return the variables that prefer the running slot and never boot the other."""
    kept = {"ORDER": f"{running} {other(running)}", "TRIAL": ""}
    return mark_bad(variables, other(running)) | kept


def come_up(variables: Environment, running: str) -> Environment:
    """Return the variables after the preferred system has started, whatever follows.

    A power cut from here on does not count: three in a row would otherwise make GRUB go back to an
    older release. A system on trial has yet to serve.
    """
    if running != primary(variables) or on_trial(variables, running):
        return variables
    return mark_good(variables, running)


def is_fallback(variables: Environment, running: str) -> bool:
    """Return whether a slot runs because GRUB does not boot the preferred one any more."""
    preferred = primary(variables)
    return preferred != running and not is_good(variables, preferred)


def given_up(variables: Environment, running: str) -> bool:
    """Return whether GRUB booted the fallback of a slot that had served before."""
    return is_fallback(variables, running) and not on_trial(variables, primary(variables))


def try_again(variables: Environment, running: str) -> Environment:
    """Return the variables after a fallback does not serve either: the preferred slot again.

    That slot may have failed its trial, if the previous release cannot read the database any more.
    It is not on trial again: with no way back it stays once it has started, whatever it serves;
    otherwise two systems would reboot into each other for ever.

    For a slot that is preferred itself or was chosen by hand, nothing changes.
    """
    preferred = primary(variables)
    if not is_fallback(variables, running) or variables.get(f"{preferred}_OK") != "1":
        return variables
    return mark_good(variables, preferred)


def settle(variables: Environment, running: str) -> Environment:
    """Return the variables after a boot that serves.

    A fallback is kept: a failed slot is not tried again at every third boot. A slot that was chosen
    in GRUB's menu is preferred from now on, and the other stays good unless it waits for a trial.
    """
    settled = mark_good(variables, running)
    preferred = primary(variables)
    if preferred == running:
        return settled
    if is_fallback(variables, running) or on_trial(variables, preferred):
        return stay(settled, running)
    return settled | {"ORDER": f"{running} {preferred}"}
