"""Packages of ours against the libraries that Buildroot has."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_archives import archive, package

from image import libraries
from image.buildroot import Package
from image.libraries import Sources

TLSHD = package("tlshd", dependencies=frozenset({"gnutls", "toolchain", "host-pkgconf"}))
GNUTLS = package("gnutls", "3.8.13")
HEADER = "#define GNUTLS_MAC_NULL 1\nint gnutls_init(void);\nint gnutls_new(void);\n"


def sources(text: str = "", configure: str = "") -> Sources:
    return Sources(TLSHD, {"src/a.c": text, "configure.ac": configure})


def look(tmp_path: Path, text: str, configure: str = "") -> tuple[int, list[str]]:
    headers = {"lib/includes/gnutls/gnutls.h.in": HEADER, "lib/a.c": "gnutls_hidden"}
    file = archive(tmp_path / "gnutls.tar.gz", headers)
    return libraries.look(sources(text, configure), GNUTLS, file)


def test_names_that_the_headers_have_are_counted(tmp_path: Path) -> None:
    text = "#include <gnutls/gnutls.h>\ngnutls_init(GNUTLS_MAC_NULL);\n"
    assert look(tmp_path, text) == (3, [])


@pytest.mark.parametrize("name", ["GNUTLS_MAC_NONE", "gnutls_hidden"])
def test_a_name_that_no_header_has(tmp_path: Path, name: str) -> None:
    _, lines = look(tmp_path, f"x = {name};\n")
    assert lines == [f"tlshd 1: src/a.c uses {name}, which is in no header of gnutls 3.8.13"]


def test_a_header_that_is_not_there(tmp_path: Path) -> None:
    _, (line,) = look(tmp_path, "#include <gnutls/quic.h>\n#include <stdio.h>\n")
    assert "uses gnutls/quic.h, which is in no header" in line


@pytest.mark.parametrize(("function", "line_count"), [("gnutls_new", 1), ("gnutls_gone", 0)])
def test_a_branch_for_a_function_counts_where_the_library_has_it(
    tmp_path: Path, function: str, line_count: int
) -> None:
    configure = f"AC_CHECK_LIB([gnutls], [{function}],\n [AC_DEFINE([HAVE_IT], [1], [.])])\n"
    _, lines = look(tmp_path, "#ifdef HAVE_IT\nGNUTLS_MAC_NONE\n#endif\n", configure)
    assert len(lines) == line_count


def test_functions_of_the_package_itself_are_not_the_librarys(tmp_path: Path) -> None:
    text = "#define GNUTLS_OURS 1\nx = GNUTLS_OURS;\n"
    assert look(tmp_path, text) == (0, [])


def test_programs_of_the_packages_own_tests_do_not_count(tmp_path: Path) -> None:
    texts = {"configure.ac": "", "src/a.c": "", "unit-tests/b.cc": "", "lib/test/c.h": ""}
    file = archive(tmp_path / "tlshd.tar.gz", texts)
    assert libraries.sources(TLSHD, file).texts.keys() == {"configure.ac", "src/a.c"}


@pytest.mark.parametrize(
    ("request_", "requirements"),
    [
        ("[gnutls >= 3.8.13]", []),
        ("gnutls >= 3.3.0", []),
        ("[gnutls]", []),
        (
            "[gnutls >= 3.8.14]",
            ["tlshd: configure.ac asks for gnutls >= 3.8.14, Buildroot has 3.8.13"],
        ),
        ("[gnutls yaml-0.1]", ["tlshd: yaml-0.1 is of none of its dependencies"]),
    ],
)
def test_versions_that_configure_requires(request_: str, requirements: list[str]) -> None:
    asking = sources(configure=f"AC_INIT\nPKG_CHECK_MODULES([TLS], {request_})\n")
    assert libraries.unsatisfied(asking, {"gnutls": GNUTLS}) == requirements


def test_a_module_that_is_required_on_a_condition() -> None:
    asking = sources(configure="if x ; then\n\tPKG_CHECK_MODULES([Y], [yaml-0.1])\nfi\n")
    assert libraries.unsatisfied(asking, {"gnutls": GNUTLS}) == []


def test_a_dependency_that_is_not_built() -> None:
    assert libraries.unknown(TLSHD, {}) == ["tlshd: depends on gnutls, which is not built"]
    assert libraries.unknown(TLSHD, {"gnutls": GNUTLS}) == []


def test_an_unknown_library() -> None:
    own = package("a", dependencies=frozenset({"libunheard"}))
    packages: dict[str, Package] = {"libunheard": package("libunheard")}
    assert libraries.unknown(own, packages) == [
        "a: depends on libunheard, which has no line in LIBRARIES"
    ]
