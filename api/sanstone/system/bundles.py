"""Update bundles: inspect them, check whether they may be installed, and install them.

A bundle (RAUC's format "verity") is signed as a whole. RAUC reads it and checks the signature with
the keyring of the running system; its manifest names the machines it is for and, in
`[meta.sanstone]`, the database revisions that its release knows, and what the newest releases
changed (`board/image/changes.py`):

    [update]            compatible=sanstone-x86_64   version=1.4.0
    [meta.sanstone]     version=1.4.0   schema=45c1… 1dfc… 9ab0…   changes=W3sidm…

A release that does not know the running database's revision could not take over the configuration,
so it is refused before anything is written.

`rauc install` passes the work to RAUC's service, which is restarted first, since it may still be
busy with an update of a killed client. It is started by systemd, because D-Bus allows a service
only 25 seconds to start; for the same reason, querying the progress never starts it.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from marshmallow import EXCLUDE, Schema, ValidationError, fields, post_load

from sanstone.kernel.host import CommandError, Host, HostError
from sanstone.system.slot_report import COMPATIBLE, KEYRING
from sanstone.system.slots import Release

SERVICE = "rauc.service"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,63}")


class BundleRefused(HostError):
    """The bundle must not be installed; the text says why. Nothing was written."""


class ReleaseChanges(TypedDict):
    """The changes of one release, a text each; `date` is that of the release, as in ISO 8601."""

    version: str
    date: str
    changes: list[str]


@dataclass(frozen=True)
class Bundle:
    """The content of a signed bundle. `schema` are database revisions, oldest first.

    `changes` are those of the newest releases, newest first; bundles from before 0.5.0 have none.
    """

    compatible: str
    version: str
    schema: tuple[str, ...]
    changes: tuple[ReleaseChanges, ...] = ()


def inspect(host: Host, file: Path) -> Bundle:
    """Check a bundle's signature and return its content. Raises BundleRefused."""
    argv = ["rauc", "info", f"--keyring={KEYRING}", "--output-format=json-2", str(file)]
    try:
        output = host.commands.run(argv)
    except CommandError as error:
        raise BundleRefused("The package cannot be trusted: {}", _last_line(error)) from error
    try:
        bundle: Bundle = _Manifest().load(json.loads(output), unknown=EXCLUDE)
    except (ValueError, ValidationError, RecursionError) as error:
        raise BundleRefused("The package does not say what it is: {}", error) from error
    if bundle.compatible != COMPATIBLE:
        text = "The package is for {}, and this is {}."
        raise BundleRefused(text, bundle.compatible, COMPATIBLE)
    if not _NAME.fullmatch(bundle.version):
        raise BundleRefused('The package calls itself release "{}".', bundle.version)
    return bundle


def require_release(version: str) -> None:
    """Raise BundleRefused for an invalid name of a release, which names its package."""
    if not _NAME.fullmatch(version):
        raise BundleRefused('"{}" is no name of a release.', version)


class _Section(Schema):
    compatible = fields.String(load_default="")
    version = fields.String(load_default="")
    schema = fields.String(load_default="")
    changes = fields.String(load_default="")


class _ReleaseChanges(Schema):
    version = fields.String(required=True)
    date = fields.String(required=True)
    changes = fields.List(fields.String(), required=True)


class _Meta(Schema):
    sanstone = fields.Nested(_Section(unknown=EXCLUDE), load_default=dict)


class _Manifest(Schema):
    """The relevant part of the output of `rauc info`."""

    update = fields.Nested(_Section(unknown=EXCLUDE), required=True)
    meta = fields.Nested(_Meta(unknown=EXCLUDE), load_default=dict)

    @post_load
    def _build(self, data: dict[str, Any], **_: Any) -> Bundle:
        update, meta = data["update"], data["meta"].get("sanstone", {})
        schema = tuple(meta.get("schema", "").split())
        changes = tuple(decoded_changes(meta.get("changes", "")))
        return Bundle(update["compatible"], update["version"], schema, changes)


def decoded_changes(encoded: str) -> list[ReleaseChanges]:
    """Return the changes of the newest releases in a manifest; none for "".

    Raises ValueError, ValidationError and RecursionError for anything else than such a text.
    """
    if not encoded:
        return []
    entries = json.loads(base64.b64decode(encoded, validate=True))
    changes: list[ReleaseChanges] = _ReleaseChanges(many=True).load(entries, unknown=EXCLUDE)
    return changes


def _last_line(error: CommandError) -> str:
    """Return RAUC's last message, without its prefix."""
    lines = error.stderr.strip().splitlines() or [f"exit status {error.status}"]
    return lines[-1]


def check(release: Bundle | Release, running_revision: str) -> None:
    """Raise BundleRefused unless the release can take over the configuration."""
    if running_revision not in (release.schema or ()):
        raise BundleRefused(
            "Release {} cannot take over this array's configuration: it does not know revision {} "
            "of the database. It is an older release than the one that runs, or of another line.",
            release.version,
            running_revision or "none",
        )


def install(host: Host, file: Path) -> None:
    """Write a bundle to the slot that does not run, and activate that for the next boot.

    It takes minutes. If killed, it leaves the other slot bad or complete. Raises HostError.
    """
    host.commands.run(["systemctl", "restart", SERVICE])
    host.commands.run(["rauc", "install", str(file)])


def go_back(host: Host) -> None:
    """Activate the slot that does not run for the next boot, as it is. Raises HostError."""
    host.commands.run(["systemctl", "restart", SERVICE])
    host.commands.run(["rauc", "status", "mark-active", "other"])


def progress(host: Host) -> tuple[int, str]:
    """Return RAUC's progress, in percent and as its message. Raises HostError."""
    options = ["--json=short", "--auto-start=no"]
    progress = ["de.pengutronix.rauc", "/", "de.pengutronix.rauc.Installer", "Progress"]
    answer = host.commands.run(["busctl", *options, "get-property", *progress])
    try:
        percent, words, _depth = json.loads(answer)["data"]
        return int(percent), str(words)
    except (ValueError, LookupError, TypeError) as error:
        raise HostError(f"RAUC reports its progress in unknown words: {answer}") from error
