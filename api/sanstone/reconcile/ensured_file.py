"""Files in /run that tell other programs the desired state."""

from __future__ import annotations

from sanstone.reconcile.turn import Turn


def ensure_file(turn: Turn, path: str, text: str) -> None:
    """Make a file contain a text, or remove the file if the text is ''. Raises FileError."""
    files = turn.host.files
    exists = files.exists(path)
    if text and not (exists and files.read(path) == text.removesuffix("\n")):
        files.replace(path, text)
        turn.did(f"{path}: {' '.join(text.splitlines())}")
    elif exists and not text:
        files.unlink(path)
        turn.did(f"{path}: removed")
