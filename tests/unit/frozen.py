"""States to which a test returns again and again: copies that take a sixth of the time."""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

ATOMS = (type, FunctionType, BuiltinFunctionType, ModuleType)
"""Types that copies share, as with copy.deepcopy. By their names not all can be pickled."""


class Frozen:
    """An object as it is now. Objects in `shared` are the same in all copies, or replaced."""

    def __init__(self, whole: Any, shared: Sequence[object]) -> None:
        self._shared = shared
        self._common = {id(each): each for each in shared}
        buffer = io.BytesIO()
        _Pickler(buffer, self._common).dump(whole)
        self._pickled = buffer.getvalue()

    def copy(self, instead: Sequence[object] = ()) -> Any:
        """Return a copy of the object as it was, with others `instead` of the shared ones."""
        replaced = zip(map(id, self._shared), instead, strict=False)
        return _Unpickler(io.BytesIO(self._pickled), self._common | dict(replaced)).load()


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, common: dict[int, object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._common = common

    def persistent_id(self, obj: Any) -> int | None:
        if isinstance(obj, ATOMS):
            self._common[id(obj)] = obj
        return id(obj) if id(obj) in self._common else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, common: dict[int, object]) -> None:
        super().__init__(file)
        self._common = common

    def persistent_load(self, pid: Any) -> object:
        return self._common[pid]
