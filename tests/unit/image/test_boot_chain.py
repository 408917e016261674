"""GRUB and the initramfs know the partitions by number, and Python by name: they must agree."""

from __future__ import annotations

import re

import pytest

from image.repository import REPOSITORY
from sanstone.system import layout

COMMON = REPOSITORY / "board/common"
MENU = (COMMON / "grub/installed.cfg").read_text()
INITRAMFS = (COMMON / "initramfs/installed").read_text()
GRUB = (COMMON / "parts/grub.sh").read_text()
# Which module of GRUB's has a command, of those that are no part of `normal` or the kernel.
MODULES = {
    "[": "test",
    "configfile": "configfile",
    "echo": "echo",
    "initrd": "linux",
    "linux": "linux",
    "load_env": "loadenv",
    "probe": "probe",
    "reboot": "reboot",
    "regexp": "regexp",
    "save_env": "loadenv",
    "search": "search",
    "serial": "serial",
    "sleep": "sleep",
    "source": "configfile",
    "terminal_input": "terminal",
    "terminal_output": "terminal",
}
KEYWORDS = {
    "set",
    "if",
    "for",
    "function",
    "shift",
    "boot",
    "menuentry",
    "choose",
    "count",
    "start",
}


def commands(menu: str) -> set[str]:
    """Return the first words of the statements in a menu."""
    code = re.sub(r"#.*|\\\n.*", "", menu)
    starts = r"(?:^|;|\b(?:then|else|if|elif|do)\b)[ \t]*(\[|[a-z_]+)"
    words = re.findall(starts, code, re.MULTILINE)
    return set(words) - KEYWORDS - {"then", "else", "elif", "fi", "done", "do", "boot_slot"}


def modules(name: str) -> set[str]:
    """Return the modules in a list of grub.sh."""
    match = re.search(rf'^{name}="([^"]+)"', GRUB, re.MULTILINE)
    assert match
    return set(match[1].split())


def test_grub_boots_a_slot_from_its_partition() -> None:
    branch = re.search(
        r"= a \]; then\s+set root=\$disk,gpt(\d)\s+else\s+set root=\$disk,gpt(\d)", MENU
    )
    assert branch
    assert [int(number) for number in branch.groups()] == [
        layout.BOOT["a"].number,
        layout.BOOT["b"].number,
    ]


def blocks(kind: str) -> dict[str, str]:
    """Return the commands of GRUB's functions, or of its menu entries, by name."""
    return dict(re.findall(rf'^{kind} "?([^"\n{{]+?)"?(?: \$\w+)? {{\n(.*?)^}}', MENU, re.M | re.S))


def test_only_a_boot_that_is_to_prove_itself_is_counted() -> None:
    functions = blocks("function")
    entries = blocks("menuentry")
    first_words = {name: text.split()[0] for name, text in entries.items()}
    assert first_words == {
        "Sanstone, slot $slot": "boot_slot",
        "Sanstone, slot a": "boot_slot",
        "Sanstone, slot b": "boot_slot",
        "Rescue: a shell in slot $slot": "start",
    }
    assert re.search(r"^\s*count \$1$", functions["boot_slot"], re.M)
    assert "count" not in functions["start"]


def test_grub_reads_its_menu_from_the_efi_system_partition() -> None:
    assert f"-p '(,gpt{layout.ESP.number})/grub'" in GRUB
    assert f",gpt{layout.ESP.number}$' $root" in MENU


@pytest.mark.parametrize("slot", ["a", "b"])
def test_the_initramfs_takes_the_system_of_the_slot(slot: str) -> None:
    assert f"        {slot}) number={layout.SYSTEM[slot].number} ;;" in INITRAMFS


def test_the_initramfs_finds_the_state() -> None:
    assert f"assembled {layout.STATE.number} state" in INITRAMFS
    assert f"known=$(witness {layout.STATE.number})" in INITRAMFS


@pytest.mark.parametrize(("menu", "name"), [("installed", "installed"), ("medium", "medium")])
def test_grub_has_the_modules_of_its_menu(menu: str, name: str) -> None:
    menu_commands = commands((COMMON / f"grub/{menu}.cfg").read_text())
    assert {MODULES[command] for command in menu_commands} <= modules(name)
