"""Space in use, as ONTAP's `df`, `volume show-space` and `storage aggregate show-space` show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from sanstone.shell import layout, values
from sanstone.shell.arguments import Arguments
from sanstone.shell.collection import Row
from sanstone.shell.errors import ShellError
from sanstone.shell.layout import Column
from sanstone.shell.parameters import FLAG, Parameter
from sanstone.shell.session import Session
from sanstone.shell.show import NOTHING, filters
from sanstone.shell.tree import Command

_VOLUMES, _AGGREGATES = "storage/volumes", "storage/aggregates"
_SNAPSHOTS, _POOL = "space.snapshot.used", "space.block_storage"
_FIELDS = {
    _VOLUMES: (
        *("svm.name", "name", "size", "nas.path"),
        *("space.afs_total", "space.used", "space.available", _SNAPSHOTS),
    ),
    _AGGREGATES: (
        *("name", "space.footprint"),
        *(f"{_POOL}.{part}" for part in ("size", "used", "available", "physical_used")),
    ),
}
_UNITS = {
    "autosize": ("h", "auto", "in the unit that fits each"),
    "kilobyte": ("k", "KB", "in KB"),
    "megabyte": ("m", "MB", "in MB"),
    "gigabyte": ("g", "GB", "in GB"),
    "terabyte": ("t", "TB", "in TB"),
}
"""By flag of `df`: its short form, the unit, and its help."""
_NUMBERS = ("used", "avail", "capacity")
_VSERVER = Parameter(
    "vserver", "name", "The Vserver.", field="svm.name", query=True, source="svm/svms"
)
_VOLUME = Parameter("volume", "name", "The volume.", field="name", query=True, source=_VOLUMES)
_AGGREGATE = Parameter(
    "aggregate",
    "name",
    "The aggregate.",
    field="name",
    query=True,
    positional=True,
    source=_AGGREGATES,
)


def _short(word: str, short: str, doc: str) -> Parameter:
    return Parameter(word, FLAG, doc, aliases=(short,))


_DF = (
    Parameter("filesys-name", "text", "A volume, or its path, /vol/<volume>/.", positional=True),
    _VSERVER,
    _VOLUME,
    *(_short(word, short, f"Sizes {doc}.") for word, (short, _, doc) in _UNITS.items()),
    _short("aggregates", "a", "Aggregates in place of volumes."),
    _short("inodes", "i", "Files in place of bytes; there are none."),
    _short("skip-snapshot-lines", "x", "No lines of snapshots."),
)


def df(session: Session, arguments: Arguments) -> None:
    """Show how full volumes or aggregates are."""
    bound = arguments.bound
    units = [unit for word, (_, unit, _) in _UNITS.items() if word in bound]
    if len(units) > 1:
        raise ShellError("Give one unit alone.")
    unit = units[0] if units else "KB"
    query = filters(arguments)
    if name := arguments.text("filesys-name"):
        query["name"] = name.removeprefix("/vol/").strip("/")
    if "aggregates" in bound:
        lines = [_line(row, unit) for row in _rows(session, _AGGREGATES, query)]
        headings = ["Aggregate", _total(units, unit), *_NUMBERS]
    elif "inodes" in bound:
        lines = [_files(row) for row in _rows(session, _VOLUMES, query)]
        headings = ["Filesystem", "iused", "ifree", "%iused", "Mounted on", "Vserver"]
    else:
        both = (_volume(row, unit) for row in _rows(session, _VOLUMES, query))
        count = 1 if "skip-snapshot-lines" in bound else 2
        lines = list(chain.from_iterable(each[:count] for each in both))
        headings = ["Filesystem", _total(units, unit), *_NUMBERS, "Mounted on", "Vserver"]
    session.write(_table(session, headings, lines) if lines else [NOTHING])


def _total(units: Sequence[str], unit: str) -> str:
    return "kbytes" if not units or unit == "KB" else "total"


def _rows(session: Session, path: str, query: dict[str, str]) -> list[Row]:
    return list(session.collections[path].rows(session.array, query, list(_FIELDS[path])))


def _volume(row: Row, unit: str) -> list[list[str]]:
    """Return the line of a volume, and that of its snapshots."""
    total, mounted = row["space.afs_total"], row["nas.path"] or "---"
    kept, held = row["size"] - total, row[_SNAPSHOTS]
    path, inside = f"/vol/{row['name']}/", mounted.rstrip("/") + "/.snapshot"
    inside = inside if row["nas.path"] else mounted
    own = _figures(total, row["space.used"], row["space.available"], unit)
    free = None if held is None else max(0, kept - held)
    snapshots = _figures(kept, held, free, unit)
    return [
        [path, *own, mounted, row["svm.name"]],
        [f"{path}.snapshot", *snapshots, inside, row["svm.name"]],
    ]


def _line(row: Row, unit: str) -> list[str]:
    """Return the line of an aggregate."""
    size, used, free = (row[f"{_POOL}.{part}"] for part in ("size", "used", "available"))
    return [row["name"], *_figures(size, used, free, unit)]


def _files(row: Row) -> list[str]:
    mounted = row["nas.path"] or "---"
    return [f"/vol/{row['name']}/", "0", values.NOTHING, "0%", mounted, row["svm.name"]]


def _figures(total: int | None, used: int | None, free: int | None, unit: str) -> list[str]:
    """Return sizes and how full that is; without a measurement there are none."""
    return [*(_size(count, unit) for count in (total, used, free)), _percent(used, total)]


def _size(count: int | None, unit: str) -> str:
    if count is None:
        return values.NOTHING
    # As on ONTAP, the unit stands in the heading where it is that of each line.
    return str(count // 1024) if unit == "KB" else values.size(count, unit)


def _percent(part: int | None, whole: int | None) -> str:
    if part is None or whole is None:
        return values.NOTHING
    return f"{round(100 * part / whole)}%" if whole else "0%"


def _table(session: Session, headings: list[str], lines: list[list[str]]) -> list[str]:
    separator = session.settings.separator
    if separator:
        words = [heading.lower().replace(" ", "-") for heading in headings]
        return [layout.separated(line, separator) for line in (words, headings, *lines)]
    names = ("Aggregate", "Filesystem", "Mounted on", "Vserver")
    columns = [Column(heading, heading not in names) for heading in headings]
    count = f"{len(lines)} entries were displayed."
    return [*layout.plain(columns, lines), *([count] if len(lines) > 1 else [])]


def volumes(session: Session, arguments: Arguments) -> None:
    """Show the use of volumes' space."""
    lines: list[str] = []
    for row in _rows(session, _VOLUMES, filters(arguments)):
        size, kept = row["size"], row["size"] - row["space.afs_total"]
        spilt = max(0, (row[_SNAPSHOTS] or 0) - kept)
        features = {
            "User Data": row["space.used"],
            "Snapshot Reserve": kept,
            "Snapshot Spill": spilt,
            "Total": row["space.used"] + kept + spilt,
        }
        title = [f"Vserver : {row['svm.name']}", f"Volume  : {row['name']}"]
        lines += ["", *title, "", *_features(session, features, size)]
    session.write(lines[1:] or [NOTHING])


def aggregates(session: Session, arguments: Arguments) -> None:
    """Show the use of aggregates' space."""
    lines: list[str] = []
    for row in _rows(session, _AGGREGATES, filters(arguments)):
        features = {
            "Volume Footprints": row["space.footprint"],
            "Total Used": row[f"{_POOL}.used"],
            "Total Physical Used": row[f"{_POOL}.physical_used"],
        }
        figures = _features(session, features, row[f"{_POOL}.size"])
        lines += ["", f"Aggregate : {row['name']}", "", *figures]
    session.write(lines[1:] or [NOTHING])


def _features(
    session: Session, features: dict[str, int | None], whole: int | None
) -> Iterator[str]:
    """Yield a table of what takes space; what takes none is left out, as on ONTAP."""
    columns = [Column("Feature"), Column("Used", right=True), Column("Used%", right=True)]
    rows = [
        [name, values.size(count, session.settings.units), _percent(count, whole)]
        for name, count in features.items()
        if count or (count == 0 and name in ("User Data", "Total", "Total Used"))
    ]
    yield from layout.table(columns, rows, session.width())


COMMANDS = (
    Command(("df",), "Show how full volumes or aggregates are", df, lambda: _DF),
    Command(
        ("volume", "show-space"),
        "Show what takes the space of volumes",
        volumes,
        lambda: tuple(replace(each, positional=True) for each in (_VSERVER, _VOLUME)),
    ),
    Command(
        ("storage", "aggregate", "show-space"),
        "Show what takes the space of aggregates",
        aggregates,
        lambda: (_AGGREGATE,),
    ),
)
