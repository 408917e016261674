"""C sources: the names of a library's that they use."""

from __future__ import annotations

import re

import pytest

from image import c_sources

NAMES = re.compile(r"\bfoo_\w+")
THERE = {"HAVE_FOO": True, "HAVE_OLD": False}


def names_in(text: str) -> set[str]:
    return c_sources.used(text, NAMES, THERE.get)


def test_names_in_code_count() -> None:
    assert names_in("int a = foo_open(foo_FLAG);\n") == {"foo_open", "foo_FLAG"}


@pytest.mark.parametrize(
    "text",
    ["/* foo_a\n foo_b */", "// foo_a", 'log("foo_a \\" foo_b");', "my_foo_a();"],
)
def test_names_in_comments_texts_and_other_names_do_not(text: str) -> None:
    assert names_in(text) == set()


@pytest.mark.parametrize(
    "condition", ["ifdef HAVE_OLD", "if defined(HAVE_OLD) && X", "ifndef HAVE_FOO"]
)
def test_a_branch_that_is_left_out_does_not_count(condition: str) -> None:
    text = f"#{condition}\n# if X\nfoo_a();\n# endif\n#else\nfoo_b();\n#endif\nfoo_c();\n"
    assert names_in(text) == {"foo_b", "foo_c"}


@pytest.mark.parametrize(
    "condition", ["ifdef HAVE_UNKNOWN", "if VERSION >= 3", "if defined(HAVE_OLD) || X"]
)
def test_both_branches_count_where_nobody_knows(condition: str) -> None:
    assert names_in(f"#{condition}\nfoo_a();\n#else\nfoo_b();\n#endif\n") == {"foo_a", "foo_b"}


def test_a_branch_that_is_compiled_counts_alone() -> None:
    assert names_in("#ifdef HAVE_FOO\nfoo_a();\n#else\nfoo_b();\n#endif\n") == {"foo_a"}


def test_a_name_that_the_source_can_do_without() -> None:
    assert names_in("#ifdef foo_a\nfoo_a();\n#endif\n") == set()


def test_names_that_the_source_defines_itself() -> None:
    text = "#define foo_a 1\nstatic int\nfoo_b(int x)\n{\n  foo_c(x);\n}\nint foo_d(int);\n"
    assert c_sources.defined(text) == {"foo_a", "foo_b"}


def test_the_functions_that_configure_looks_for() -> None:
    text = """
AC_CHECK_FILE([/usr/include/x.h],
              [AC_CHECK_LIB([foo], [foo_a],
                            [AC_DEFINE([HAVE_A], [1], [Define to 1.])])])
AC_CHECK_LIB(foo, foo_b)
"""
    assert c_sources.functions_of_macros(text) == {"HAVE_A": "foo_a"}


def test_headers() -> None:
    text = '#include <foo/a.h>\n#  include <b.h>\n#include "c.h"\n'
    assert c_sources.included(text) == {"foo/a.h", "b.h"}
