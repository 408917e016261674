"""The unit tests of the collection, as its maintainers run them."""

from __future__ import annotations

from pathlib import Path

import collection_tests


def test_the_units_of_the_collection(tmp_path: Path) -> None:
    place = collection_tests.copied(tmp_path)
    # One worker: a second one would take longer to start than all tests take.
    output = collection_tests.run(place, tmp_path, "units", "--num-workers", "1")
    for context in ("modules", "module_utils", "controller"):
        assert f"Unit test {context} with" in output
    assert output.count(" passed in ") == 3, output
