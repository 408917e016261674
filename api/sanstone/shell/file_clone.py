"""`volume file clone create`: ONTAP's way to clone a LUN or namespace within its volume.

There they are files of the volume, so that the command names them by paths in it: `lun1`, `/lun1`
or the whole path.
"""

from __future__ import annotations

from sanstone.shell import rehearsal
from sanstone.shell.arguments import Arguments
from sanstone.shell.errors import ShellError
from sanstone.shell.parameters import Parameter
from sanstone.shell.session import Session
from sanstone.shell.tree import Command
from sanstone.shell.words import Word

_KINDS = ("storage/luns", "storage/namespaces")
_PARAMETERS = (
    Parameter("vserver", "name", "The Vserver.", required=True, source="svm/svms"),
    Parameter("volume", "name", "The volume.", required=True, source="storage/volumes"),
    Parameter("source-path", "text", "The LUN or namespace.", required=True),
    Parameter("destination-path", "text", "The clone.", required=True),
    Parameter(
        "snapshot-name", "text", "The snapshot to clone from; the present content without one."
    ),
    Parameter("foreground", "boolean", "Has no effect: it is done at once.", idle=True),
)


def create(session: Session, arguments: Arguments) -> None:
    """Clone a LUN or namespace, or one in a snapshot. Raises ShellError where there is none."""
    svm, volume = arguments.text("vserver"), arguments.text("volume")
    source = _path(volume, arguments.bound["source-path"])
    query = {"svm.name": svm, "name": source}
    kinds = [path for path in _KINDS if list(session.array.records(path, query))]
    snapshot = arguments.text("snapshot-name")
    if not kinds and not snapshot:
        raise ShellError(f'command failed: "{source}" does not exist.')
    if snapshot:
        source = f"/vol/{volume}/.snapshot/{snapshot}/{source.rpartition('/')[2]}"
    destination = _path(volume, arguments.bound["destination-path"])
    body = {"svm.name": svm, "name": destination, "clone.source.name": source}
    # One that only the snapshot has is taken for a LUN: nothing tells its kind.
    session.array.create(kinds[0] if kinds else _KINDS[0], body)
    if session.settings.dry_run:
        session.write(rehearsal.lines(session.array.tried, session.settings.units))


def _path(volume: str, word: Word) -> str:
    inside = word.text.removeprefix(f"/vol/{volume}/").removeprefix("/")
    return f"/vol/{volume}/{inside}"


COMMANDS = (
    Command(
        ("volume", "file", "clone", "create"),
        "Clone a LUN or namespace within its volume",
        create,
        lambda: _PARAMETERS,
    ),
)
