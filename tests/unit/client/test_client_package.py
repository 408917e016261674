"""The client as users get it: alone, by the standard library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from served import served

from sanstone.client import Array, StillRunning

API = Path(__file__).parents[3] / "api"


def test_the_client_needs_no_other_package() -> None:
    code = f"import sys; sys.path.insert(0, {str(API)!r}); from sanstone.client import *; remote"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)


def test_a_change_that_takes_too_long_is_an_error_and_goes_on(tmp_path: Path) -> None:
    with served(tmp_path) as (simulator, array), Array(array._way) as impatient:
        simulator.tasks_run = False
        impatient.wait_timeout = 0
        body = {"name": "aggr1", "block_storage.primary.disk_count": 4}
        with pytest.raises(StillRunning) as caught:
            impatient.create("storage/aggregates", body)
        assert array.get(f"cluster/jobs/{caught.value.job}")["uuid"] == impatient.job
        simulator.tasks_run = True
        simulator.settle()
        assert [each["name"] for each in array.records("storage/aggregates")] == ["aggr1"]
