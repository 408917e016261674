"""Update bundles: what one says of itself, whether it may be installed, and installing it.

A bundle (RAUC's format "verity") is signed over all that it holds. RAUC reads it and checks the
signature with the keyring of the running system; its manifest says for which machines it is and,
in `[meta.sanstone]`, which database revisions its release knows:

    [update]            compatible=sanstone-x86_64   version=1.4.0
    [meta.sanstone]     version=1.4.0   schema=45c1… 1dfc… 9ab0…

A release that does not know the running database's revision could not take the configuration over,
so it is refused before a byte is written.

`rauc install` hands the work to RAUC's service; that one is started afresh before, since it may
still be at an update whose client was killed. By systemd, for D-Bus gives a service that it starts
no more than 25 seconds; for the same reason, asking how far RAUC is never starts it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marshmallow import EXCLUDE, Schema, ValidationError, fields, post_load
from sqlalchemy import text
from sqlalchemy.orm import Session

from sanstone.kernel.host import CommandError, Host, HostError
from sanstone.system.slot_report import COMPATIBLE, KEYRING

SERVICE = "rauc.service"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,63}")


class BundleRefused(HostError):
    """The bundle must not be installed; the text says why. Nothing was written."""


@dataclass(frozen=True)
class Bundle:
    """What a signed bundle says. `schema` are database revisions, oldest first."""

    compatible: str
    version: str
    schema: tuple[str, ...]


def inspect(host: Host, file: Path) -> Bundle:
    """Return what a bundle says, its signature checked. Raises BundleRefused."""
    argv = ["rauc", "info", f"--keyring={KEYRING}", "--output-format=json-2", str(file)]
    try:
        said = host.commands.run(argv)
    except CommandError as error:
        raise BundleRefused(f"The package cannot be trusted: {_last_line(error)}") from error
    try:
        bundle: Bundle = _Manifest().load(json.loads(said), unknown=EXCLUDE)
    except (ValueError, ValidationError, RecursionError) as error:
        raise BundleRefused(f"The package does not say what it is: {error}") from error
    if bundle.compatible != COMPATIBLE:
        text = f"The package is for {bundle.compatible}, and this is {COMPATIBLE}."
        raise BundleRefused(text)
    if not _NAME.fullmatch(bundle.version):
        raise BundleRefused(f'The package calls itself release "{bundle.version}".')
    return bundle


def require_release(version: str) -> None:
    """Raise BundleRefused for what cannot be the name of a release, and so of its package."""
    if not _NAME.fullmatch(version):
        raise BundleRefused(f'"{version}" is no name of a release.')


class _Section(Schema):
    compatible = fields.String(load_default="")
    version = fields.String(load_default="")
    schema = fields.String(load_default="")


class _Meta(Schema):
    sanstone = fields.Nested(_Section(unknown=EXCLUDE), load_default=dict)


class _Manifest(Schema):
    """What `rauc info` prints, as far as it matters here."""

    update = fields.Nested(_Section(unknown=EXCLUDE), required=True)
    meta = fields.Nested(_Meta(unknown=EXCLUDE), load_default=dict)

    @post_load
    def _made(self, data: dict[str, Any], **_: Any) -> Bundle:
        update, meta = data["update"], data["meta"].get("sanstone", {})
        schema = tuple(meta.get("schema", "").split())
        return Bundle(update["compatible"], update["version"], schema)


def _last_line(error: CommandError) -> str:
    """Return what RAUC says last, without its own name for the place."""
    lines = error.stderr.strip().splitlines() or [f"exit status {error.status}"]
    return lines[-1]


def revision(session: Session) -> str:
    """Return the revision of the running database, '' for one that no migration made."""
    tables = session.execute(text("SELECT name FROM sqlite_master WHERE name = 'alembic_version'"))
    if not tables.first():
        return ""
    return str(session.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def check(bundle: Bundle, running_revision: str) -> None:
    """Raise BundleRefused unless the release can take over the configuration."""
    if running_revision not in bundle.schema:
        raise BundleRefused(
            f"Release {bundle.version} cannot take over this array's configuration: it does not "
            f"know revision {running_revision or 'none'} of the database. It is an older release "
            "than the one that runs, or of another line."
        )


def install(host: Host, file: Path) -> None:
    """Write a bundle to the slot that does not run, and make that the one to be tried next.

    It takes minutes. Killed anywhere it leaves the other slot bad or complete. Raises HostError.
    """
    host.commands.run(["systemctl", "restart", SERVICE])
    host.commands.run(["rauc", "install", str(file)])


def progress(host: Host) -> tuple[int, str]:
    """Return how far RAUC is, in percent and in its words. Raises HostError."""
    options = ["--json=short", "--auto-start=no"]
    progress = ["de.pengutronix.rauc", "/", "de.pengutronix.rauc.Installer", "Progress"]
    answer = host.commands.run(["busctl", *options, "get-property", *progress])
    try:
        percent, words, _depth = json.loads(answer)["data"]
        return int(percent), str(words)
    except (ValueError, LookupError, TypeError) as error:
        raise HostError(f"RAUC told its progress in words unknown here: {answer}") from error
