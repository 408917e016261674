"""The kernel of User-mode Linux: which of its headers need not be read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import kernel_source, uml_kernel

GUARDED = (
    "/* Of\n two lines */\n#ifndef _A_H\n#define _A_H\n#ifdef B\n#else\n#endif\nint a;\n#endif\n"
)


@pytest.mark.parametrize(
    "text",
    [
        GUARDED,
        GUARDED.replace("#ifndef _A_H\n#", "#if !defined(_A_H)\n# "),
        f"{GUARDED}/* The end */\n",
    ],
)
def test_a_guarded_header_declares_nothing_twice(text: str) -> None:
    assert uml_kernel.only_once(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#ifndef _A_H\n",
        "#include <b.h>\n",
        f"{GUARDED}int b;\n",
        f"int b;\n{GUARDED}",
        GUARDED.replace("int a;", "#undef _A_H"),
        GUARDED.replace("int a;", "#else"),
        GUARDED.replace("#ifndef _A_H", "#ifndef _B_H"),
        GUARDED.replace("#ifndef _A_H", "#if !defined(_A_H) || defined(AGAIN)"),
    ],
)
def test_any_other_may_be_wanted_again(text: str) -> None:
    assert not uml_kernel.only_once(text)


def test_only_what_is_found_first_is_hidden(tmp_path: Path) -> None:
    """One directory's header of the same name comes before the compiled header."""
    for name in ("first/linux/a.h", "second/linux/a.h", "second/linux/b.h", "first/linux/again.h"):
        header = tmp_path / "src" / name
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text("int again;\n" if "again" in name else GUARDED)
    object_file = tmp_path / "build/lib/bcd.o"
    object_file.parent.mkdir(parents=True)
    object_file.with_name(".bcd.o.cmd").write_text(
        "savedcmd_lib/bcd.o := cc -I/src/first -I../src/second -c -o lib/bcd.o /src/bcd.c\n"
    )
    header_file = tmp_path / "headers/any.h"
    header_file.parent.mkdir()
    header_file.with_name("any.h.d").write_text(
        "any.h.gch: /src/second/linux/a.h \\\n ../src/second/linux/b.h /src/first/linux/again.h\n"
    )
    uml_kernel._empty_known(tmp_path, header_file, object_file)
    hidden = header_file.with_name("any.h.empty")
    assert [path.relative_to(hidden) for path in hidden.rglob("*.h")] == [Path("linux/b.h")]


def test_each_precompiled_header_is_compiled() -> None:
    """A header that is first compiled beside other files would fail them."""
    script = kernel_source.COMPILER.read_text()
    assert {path.name for path in uml_kernel.HEADERS.iterdir()} == set(uml_kernel.FIRST_FILES)
    for name in uml_kernel.FIRST_FILES:
        assert script.count(f"headers=/usr/src/headers/{name} ;;") == 1
