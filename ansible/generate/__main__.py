"""Builds the collection from the sources here and the API's declarations.

    python ansible/generate FOLDER

writes FOLDER/ansible_collections/sanstone/array anew, where Ansible finds it with FOLDER in
ANSIBLE_COLLECTIONS_PATH, and FOLDER/sanstone-array.tar.gz, which ansible-galaxy installs.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "api"))

import archive
import assembly


def main(folder: Path) -> None:
    """Make the collection and its archive."""
    place = folder / "ansible_collections" / "sanstone" / "array"
    assembly.make(place)
    archive.pack(place, assembly.metadata(), folder / "sanstone-array.tar.gz")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
