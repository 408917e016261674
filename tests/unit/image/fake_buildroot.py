"""A Buildroot that configures and lists packages, and builds nothing.

An option that a package selects is obtained with it. As with the real one, an option that nothing
defines is lost: those that begin with BR2_GONE.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAKEFILE = r"""
.PHONY: all defconfig show-info printvars
all:
	@env > $(O)/environment
	@echo "No packages here." >&2; false
defconfig:
	@mkdir -p $(O)
	@grep -v BR2_GONE $(BR2_DEFCONFIG) > $(O)/.config
	@cat $(BR2_EXTERNAL)/package/*/Config.in | \
		sed -n 's/^\tselect \(BR2_[A-Z0-9_]*\).*/\1=y/p' >> $(O)/.config
	@echo 'BR2_DL_DIR="$$(TOPDIR)/dl"' >> $(O)/.config
show-info:
	@cat info.json
printvars:
	@test "$(VARS)" = %_SITE_METHOD && cat methods
"""
CHECK_PACKAGE = "import sys; print(sys.argv)"
RECIPE = {"type": "target", "virtual": False, "dependencies": [], "package_dir": "package/a"}


@dataclass(frozen=True)
class FakeBuildroot:
    """The fake in `folder`."""

    folder: Path

    @property
    def downloads(self) -> Path:
        """Where archives are, in a folder for each package."""
        return self.folder / "dl"

    def tell_methods(self, methods: Mapping[str, str]) -> None:
        """Have `make printvars` print variables that say where packages' sources come from."""
        lines = [f"{variable}={method}\n" for variable, method in methods.items()]
        (self.folder / "methods").write_text("".join(lines))

    def tell(self, packages: Mapping[str, Mapping[str, Any]]) -> None:
        """Have `make show-info` list `packages`, each with the facts that differ from RECIPE."""
        packages_info = {
            name: RECIPE | {"name": name} | dict(each) for name, each in packages.items()
        }
        (self.folder / "info.json").write_text(json.dumps(packages_info))


def make(folder: Path) -> FakeBuildroot:
    """Write the fake into `folder`, which must be empty; it lists no packages."""
    folder.mkdir(exist_ok=True)
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "utils").mkdir()
    (folder / "utils/check-package").write_text(CHECK_PACKAGE)
    fake = FakeBuildroot(folder)
    fake.tell({})
    fake.tell_methods({})
    return fake
