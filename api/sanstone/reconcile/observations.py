"""The observations of a turn: by kind and key, the data of each object (`core.observed`).

It begins with what was observed before, and is a part of the turn's report (`sink`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import observed
from sanstone.core.observed import Seen

Data = dict[str, Any]


class Observations:
    """The observations of a turn of a node. `whole` is whether the turn's scope is everything."""

    def __init__(self, session: Session, node_uuid: str, *, whole: bool) -> None:
        self._session, self._node_uuid, self._whole = session, node_uuid, whole
        self._kinds: dict[str, dict[str, Data]] = {}
        """By kind and key, of kinds with every object observed by the turn."""
        self._single: dict[tuple[str, str], Data | None] = {}
        """Of single objects; None for removed ones."""
        self._unknown: set[tuple[str, str]] = set()
        """Objects without an earlier observation."""
        self._before: Mapping[str, Mapping[str, Seen]] | None = None
        """All earlier observations, once they are read."""

    def __setitem__(self, kind: str, seen: dict[str, Data]) -> None:
        """Set the observations of all objects of a kind."""
        self._kinds[kind] = seen

    def __getitem__(self, kind: str) -> dict[str, Data]:
        """Return this turn's observations of all objects of a kind. Raises KeyError."""
        return self._kinds[kind]

    def __contains__(self, kind: str) -> bool:
        """Return whether this turn observed all objects of a kind."""
        return kind in self._kinds

    def every(self, kind: str) -> dict[str, Data]:
        """Return the observations of all objects of a kind, to be changed in place."""
        if kind not in self._kinds:
            rows = self._rows(kind)
            self._kinds[kind] = {key: dict(row.data) for key, row in rows.items()}
        return self._kinds[kind]

    def _rows(self, kind: str) -> Mapping[str, Seen]:
        """Return the earlier observations of a kind; a whole turn reads all kinds at once.

        It needs most of them.
        """
        if not self._whole:
            return observed.load(self._session, kind, node_uuid=self._node_uuid)
        if self._before is None:
            self._before = observed.load_all(self._session, self._node_uuid)
        return self._before.get(kind, {})

    def load(self, kind: str, keys: Iterable[str]) -> None:
        """Load the observations of some objects together, for `of`."""
        if kind not in self._kinds:
            missing = [key for key in keys if (kind, key) not in self._single]
            rows = observed.load_some(self._session, self._node_uuid, kind, missing)
            self._single |= {(kind, key): dict(row.data) for key, row in rows.items()}
            self._unknown |= {(kind, key) for key in missing if key not in rows}

    def knows(self, kind: str, key: str) -> bool:
        """Return whether anything is observed of an object, after `load`."""
        seen = self._kinds.get(kind)
        return bool(self._single.get((kind, key)) if seen is None else seen.get(key))

    def of(self, kind: str, key: str) -> Data:
        """Return the observation of one object, to be changed in place."""
        if kind in self._kinds:
            return self._kinds[kind].setdefault(key, {})
        data = self._single.get((kind, key))
        if data is None:
            row = None
            if (kind, key) not in self._unknown:
                row = observed.load_one(self._session, self._node_uuid, kind, key)
            data = self._single[kind, key] = dict(row.data) if row else {}
        return data

    def drop(self, kind: str, key: str) -> None:
        """Delete the observation of an object."""
        if kind in self._kinds:
            self._kinds[kind].pop(key, None)
        else:
            self._single[kind, key] = None

    @property
    def kinds(self) -> Mapping[str, Mapping[str, Data]]:
        """Return those of all objects of a kind, by kind and key."""
        return self._kinds

    @property
    def objects(self) -> Mapping[tuple[str, str], Data | None]:
        """Return those of single objects, by kind and key; None for one that is gone."""
        return self._single
