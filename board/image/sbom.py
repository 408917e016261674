"""What the image has from npm, added to the SBOM that Buildroot makes of its own packages.

    python3 -m image.sbom SBOM

SBOM is the answer of Buildroot's `generate-cyclonedx` (CycloneDX 1.6), which knows no files of npm.
The recipe of the package sanstone says from which of npm's packages files are installed, and
webui/dist/licences.json the packages of the web interface; the lock file of webui/ has their
versions; packages that are only needed beside them do not ship. SBOM is rewritten.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from image.repository import REPOSITORY

RECIPE = REPOSITORY / "package/sanstone/sanstone.mk"
LOCK = REPOSITORY / "webui/package-lock.json"
BUILT = REPOSITORY / "webui/dist/licences.json"
INSTALLER = "sanstone"
"""The component that brings them: Buildroot's package, which SBOM has."""
_FROM_NPM = re.compile(r"/node_modules/(?P<name>(?:@[^/\s]+/)?[^/\s]+)/")


def main() -> None:
    """Complete the file that the command line names."""
    parser = argparse.ArgumentParser(prog="image.sbom", description="Add what comes from npm.")
    parser.add_argument("sbom", type=Path)
    file = parser.parse_args().sbom
    sbom = json.loads(file.read_text())
    lock = json.loads(LOCK.read_text())
    complete(
        sbom, shipped(RECIPE.read_text(), lock) + built_in(json.loads(BUILT.read_text()), lock)
    )
    file.write_text(json.dumps(sbom, indent=2) + "\n")


def shipped(recipe: str, lock: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the components for npm's packages that `recipe` installs files of, by name.

    Raises KeyError for one that `lock` has not, and ValueError for one without a SHA-512.
    """
    names = sorted({match["name"] for match in _FROM_NPM.finditer(recipe)})
    return [component(name, lock["packages"][f"node_modules/{name}"]) for name in names]


def built_in(built: list[dict[str, str]], lock: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the components for the packages that files were built of. Raises as `shipped` does."""
    return [component(each["name"], lock["packages"][each["path"]]) for each in built]


def component(name: str, locked: Mapping[str, str]) -> dict[str, Any]:
    """Return the component for one entry of a lock file.

    npm writes hashes in base64 (Subresource Integrity), CycloneDX has them hexadecimal. A licence
    is an SPDX expression for npm, which one identifier is, too. Raises ValueError for another hash.
    """
    algorithm, _, digest = locked["integrity"].partition("-")
    if algorithm != "sha512":
        raise ValueError(f"{name} has no SHA-512 but {algorithm}")
    purl = f"pkg:npm/{quote(name)}@{locked['version']}"
    return {
        "bom-ref": purl,
        "type": "library",
        "name": name,
        "version": locked["version"],
        "hashes": [{"alg": "SHA-512", "content": base64.b64decode(digest, validate=True).hex()}],
        "licenses": [{"expression": locked["license"]}],
        "purl": purl,
    }


def complete(sbom: dict[str, Any], components: list[dict[str, Any]]) -> None:
    """Add `components` to `sbom`, as what the package sanstone depends on.

    Raises ValueError when that package is not in it, or not once.
    """
    (installer,) = [each for each in sbom["dependencies"] if each["ref"] == INSTALLER]
    references = [each["bom-ref"] for each in components]
    installer["dependsOn"] = sorted([*installer["dependsOn"], *references])
    sbom["components"] += components
    sbom["dependencies"] += [{"ref": reference, "dependsOn": []} for reference in references]


if __name__ == "__main__":
    main()
