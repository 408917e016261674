"""Values for a type: those that it takes, and those that it must not.

A type has some of each itself (`good`, `bad`). Others come from a table of texts and numbers that
are known to be trouble: the type tries them, and its answer sorts them. Any other outcome of a try
than a value or ValidationError is a fault of the type.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from marshmallow import ValidationError, validate

from sanstone.core.declaration.types import Integer, ListOf, Type

MIB, GIB = 1024**2, 1024**3
STEMS = ("a", "data", "name_1", "Name-2", "x.y")
TEXTS: tuple[str, ...] = (
    *("", " ", " a", "a ", "A", "0", "00", "7", "-1", "1.5", "1e3", "null", "true", "None", "NaN"),
    *(
        "a" * 64,
        "a" * 65,
        "a" * 255,
        "a" * 256,
        "a" * 1000,
        "ä",
        "日本",
        "\U0001d4b3",
        "é",
        "\u202e",
    ),
    *(".", "..", "../..", "/", "//", "/a", "a/b", "/vol/vol1/x", "/vol/vol1/..", "/vol//x", "/api"),
    *(
        "%s",
        "%2e%2e",
        "%00",
        "{}",
        "{0}",
        "$HOME",
        "`id`",
        "'",
        '"',
        "\\",
        ";",
        "|",
        "*",
        "a*",
        "!a",
    ),
    *(
        "a,b",
        "a b",
        "a=b",
        "<a>",
        "a\tb",
        "a\nb",
        "a\x00b",
        "\x7f",
        "\x85",
        "\u2028",
        "\ud800",
        "-",
    ),
    *("10.10.1.7", "10.10.2.8", "10.10.3.9", "192.0.2.9", "::1", "fd00::9", "127.0.0.1", "0.0.0.0"),
    *(
        "255.255.255.255",
        "::ffff:10.0.0.1",
        "10.10.1.0/24",
        "fe80::1",
        "1.2.3",
        "24",
        "255.255.0.0",
    ),
    *("iqn.1994-05.com.example:host1", "iqn.1994-05.com.example:host2", "eui.0123456789abcdef"),
    *(
        "iqn.1994-05.com.example:" + "a" * 199,
        "iqn.1994-05.com.example:" + "a" * 200,
        "iqn.1994-05.",
    ),
    *(
        "20:00:00:50:56:00:00:02",
        "2000005056000003",
        "nqn.2014-08.org.nvmexpress:a",
        "NQN.2014-08.a:b",
    ),
    *(
        "nqn.2014-08.org.nvmexpress:" + "a" * 196,
        "1GB",
        "10MB",
        "64MB",
        "0.5GB",
        "9999PB",
        "1KB",
        "4k",
    ),
    *("P1D", "PT1H", "P99999999D", "P1Y2M3DT4H5M6S", "PT", "2026-01-02", "2030-01-01T00:00:00Z"),
    *(
        "example.org",
        "a.example.org",
        "EXAMPLE.org",
        "a@example.org",
        "http://example.org/x",
        "UTC",
    ),
    *(
        "https://mirror.example.org/sanstone-3.0.raucb",
        "A long pass phrase 2",
        "short",
        "Europe/Berlin",
    ),
    *(
        "00000000-0000-0000-0000-000000000001",
        "0b5ed3f630a54b3b8f0c6a1b0a1b2c3d",
        "{" + "0" * 32 + "}",
    ),
)
NUMBERS: tuple[Any, ...] = (
    *(0, 1, -1, 2, 7, 24, 63, 64, 80, 100, 512, 1023, 1024, 1500, 4095, 4096, 9000, 9216, 65535),
    *(65536, 20 * MIB, 64 * MIB, 96 * MIB, 128 * MIB, GIB, 2 * GIB, 2**31, 2**32, 2**53, 2**63 - 1),
    *(2**63, 2**64, -(2**63) - 1, 10**30, 0.0, 0.5, -0.0, 1e300),
)
ODD: tuple[Any, ...] = (
    *(None, True, False, [], {}, [[]], [None], [1, "a"], {"a": 1}, {"name": {}}, {"name": None}),
    *({"": 1}, {"uuid": "x", "name": []}, ["a", "a"], [{}], [{"name": "a"}], {"_links": {}}),
    *("a" * 5000, ["a"] * 3000, {"a.b.c": 1}, {"name": "a" * 300}),
)
CANDIDATES: tuple[Any, ...] = (*TEXTS, *NUMBERS, *ODD)


def good(random: Random, kind: Type) -> Any:
    """Return a value that the type takes, None if none is known."""
    if isinstance(kind, ListOf):
        return [good(random, kind.entry) for _ in range(random.choice((0, 1, 1, 2, 3)))]
    if isinstance(kind, Integer) and random.random() < 0.3:
        return _within(random, kind)
    known, others, _ = _sorted(kind)
    source = known if known and random.random() < 0.6 else others or known
    return random.choice(source) if source else None


def bad(random: Random, kind: Type) -> Any:
    """Return a value that the type refuses."""
    return random.choice(_sorted(kind)[2])


@cache
def _sorted(kind: Type) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the type's own good values, others that it takes, and those that it refuses."""
    taken, refused = [], list(kind.bad)
    for value in CANDIDATES:
        try:
            kind.parse(value)
        except ValidationError:
            refused.append(value)
        else:
            taken.append(value)
    # Short ones are what people use; the long ones come often enough.
    taken.sort(key=lambda value: len(str(value)) > 40)
    return list(kind.good), taken, refused


def _within(random: Random, kind: Integer) -> int:
    """Return a number at a bound, or anywhere between them."""
    bounds = next(v for v in kind.validators if isinstance(v, validate.Range))
    least, most = int(bounds.min or 0), int(bounds.max or 0)
    return random.choice((least, least + 1, most - 1, most, random.randint(least, most)))
