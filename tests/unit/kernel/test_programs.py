"""No process of ours runs a program that it did not ask for at its start."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sanstone
from fakes import FakeKernel
from sanstone.kernel import programs
from sanstone.kernel.host import CommandError, MissingPrograms

SOURCES = Path(sanstone.__file__).parent
NOT_ITS_OWN = {"bash"}
"""A program that an administrator opens."""
ERASURE = Path("kernel/storage/disk_erasure.py")
"""The reconciler's alone, among modules that the installer has, too."""


def named_in(*folders: str, but: Path | None = None) -> Iterator[str]:
    """Yield the first word of each command that is written in a module: a list of arguments."""
    for folder in folders:
        for file in (SOURCES / folder).rglob("*.py"):
            if file.relative_to(SOURCES) == but:
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                is_run = isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".run")
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in (
                    *("argv", "manage", "probe"),
                ):
                    yield from first_word(node.value)
                elif isinstance(node, ast.Call) and is_run and node.args:
                    yield from first_word(node.args[0])


def first_word(argv: ast.expr) -> Iterator[str]:
    if isinstance(argv, ast.List) and isinstance(argv.elts[0], ast.Constant):
        yield str(argv.elts[0].value)


@pytest.mark.parametrize(
    ("required", "folders"),
    [
        (programs.RECONCILER, ("kernel", "reconcile")),
        (programs.SLOTS, ("system",)),
    ],
)
def test_programs_that_run_are_required(
    required: tuple[str, ...], folders: tuple[str, ...]
) -> None:
    assert set(named_in(*folders)) - NOT_ITS_OWN <= set(required)


def test_programs_that_the_installer_runs_are_required() -> None:
    programs_run = set(named_in("install", "kernel/storage", but=ERASURE))
    assert programs_run - NOT_ITS_OWN <= set(programs.INSTALLER)


def test_the_fake_machine_has_all_required_programs_but_the_system_manager() -> None:
    kernel = FakeKernel()
    kernel.commands.register("systemctl", lambda _argv, _stdin: "")
    kernel.host.commands.require(programs.RECONCILER)
    with pytest.raises(MissingPrograms) as caught:
        kernel.host.commands.require(["lvm", "rauc", "blkid"])
    assert caught.value.programs == ("blkid", "rauc")
    with pytest.raises(CommandError):
        kernel.host.commands.run_on_terminal(["bash", "-l"])
