"""Steps for tests of a run: small programs, held by pipes."""

from __future__ import annotations

import json
from pathlib import Path

from run.plan import Kind, Step


def shell(
    name: str, script: str, *needs: str, kind: Kind = Kind.PREPARATION, tests: bool = False
) -> Step:
    """Return a step that runs a script."""
    return Step(name, kind, ("sh", "-c", script), needs, tests=tests)


def suite(name: str, *lines: dict[str, object], status: int = 0) -> Step:
    """Return a step that writes a record of these lines, and ends with `status`."""
    record = "\n".join(json.dumps({"at": 0.0, **line}) for line in lines)
    script = f"cat > $SANSTONE_TEST_RECORD <<'EOF'\n{record}\nEOF\nexit {status}"
    return shell(name, script, kind=Kind.IN_PROCESS, tests=True)


START: dict[str, object] = {"began": True}
ENDED: dict[str, object] = {"ended": 0, "early": ""}


def passed(test: str) -> dict[str, object]:
    """Return the line of a test that passed."""
    return {"test": test, "outcome": "passed"}


def failed(test: str, again: str | None = None) -> dict[str, object]:
    """Return the line of a test that failed."""
    text = f"what {test} said"
    return {
        "test": test,
        "outcome": "failed",
        "again": test if again is None else again,
        "text": text,
    }


def ended(status: int, early: str = "") -> dict[str, object]:
    """Return the line of the end of a session."""
    return {"ended": status, "early": early}


def unsteady_suite(name: str, state: Path, *tests: str) -> Step:
    """Return a suite whose `tests` fail in its first run, and pass after that."""
    first = suite(name, START, *map(failed, tests), ended(1), status=1).command[2]
    second = suite(name, START, *map(passed, tests), ENDED).command[2]
    script = f"if test -e {state}; then {second}\nelse touch {state}; {first}\nfi"
    return shell(name, script, kind=Kind.IN_PROCESS, tests=True)
