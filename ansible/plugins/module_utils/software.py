# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""The releases that an array has: in its two slots, and in packages."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ansible_collections.sanstone.array.plugins.module_utils.connection import MISSING
from ansible_collections.sanstone.array.plugins.module_utils.finding import Impossible

if not MISSING:
    from sanstone.client import Refused, Unreachable

if TYPE_CHECKING:
    from sanstone.client import Array

SOFTWARE = "cluster/software"
PACKAGES, IMAGES = f"{SOFTWARE}/packages", f"{SOFTWARE}/images"
UPLOAD, DOWNLOAD = f"{SOFTWARE}/upload", f"{SOFTWARE}/download"
ON_TRIAL, FAILED = "on_trial", "failed"
PAUSE = 2.0
BAD_GATEWAY, UNAVAILABLE = 502, 503
"""What the web server answers while the API behind it does not run (RFC 9110, 15.6)."""


def slot_that_runs(array: Array) -> dict[str, Any]:
    """Return the slot that the array runs from. Raises Impossible, ClientError."""
    slots = list(array.records(IMAGES, {"is_current": "true", "fields": "*"}))
    if not slots:
        raise Impossible("The array was not started from a system disk: install it first.")
    slot: dict[str, Any] = slots[0]
    return slot


def is_there(array: Array, version: str) -> bool:
    """Return whether a release's package lies on the array, or a slot has the release."""
    packages = (each["version"] for each in array.records(PACKAGES))
    slots = (each.get("version") for each in array.records(IMAGES, {"fields": "version"}))
    return version in packages or version in slots


def wait_until_it_runs(array: Array, version: str, deadline: float) -> None:
    """Wait through the reboot until a release runs and is no longer on trial.

    Raises Impossible when it fails, or does not come up by `deadline`, a time of `monotonic`.
    """
    while True:
        slot, update = _slot_or_nothing(array)
        if slot and slot.get("version") == version and slot["state"] != ON_TRIAL:
            return
        if update.get("state") == FAILED:
            reason = update["status_details"][0]["issue"]["message"]
            raise Impossible(f"The array does not run release {version}: {reason}")
        if time.monotonic() >= deadline:
            raise Impossible(f"The array does not run release {version} in time.")
        time.sleep(PAUSE)


def _slot_or_nothing(array: Array) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the slot that runs and how the update goes, nothing while the array reboots."""
    try:
        slot = slot_that_runs(array)
        return slot, array.get(SOFTWARE, {"fields": "state,status_details"})
    except Unreachable:
        return {}, {}
    except Refused as error:
        if error.status not in (BAD_GATEWAY, UNAVAILABLE):
            raise
        return {}, {}
