"""A plugin of pytest: it writes the record of a suite, and selects the tests to run once more.

pytest's own cache would run a single test again where its module's fixture failed, not the module,
and forgets why a session ended early.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from run import record


def pytest_configure(config: pytest.Config) -> None:
    """Write a record in the process that collects the results of xdist's workers."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())
    selected = record.only()
    if selected is not None:
        config.pluginmanager.register(Selection(config.rootpath, selected))


class Recorder:
    """Writes the results of a session."""

    def pytest_sessionstart(self) -> None:
        """Record that a session has begun."""
        record.append(began=True)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Tell of a file that could not be read: another run reads it no better."""
        if report.failed:
            _failed(report, again="")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell of a test; a fixture that fails may be that of its module, which runs again."""
        if report.failed:
            of_fixture = report.when in ("setup", "teardown")
            _failed(report, again=_file(report.nodeid) if of_fixture else report.nodeid)
        elif report.skipped or report.when == "call":
            record.append(test=report.nodeid, outcome=report.outcome)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Tell how the session ended."""
        early = session.shouldfail or session.shouldstop
        record.append(ended=int(exitstatus), early=str(early) if early else "")


class Selection:
    """Leaves out tests that do not have to run again."""

    def __init__(self, root: Path, selected: frozenset[str]) -> None:
        self._selected = selected
        self._files = {root / _file(each) for each in selected}

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out other files unread."""
        is_excluded = collection_path.is_file() and collection_path not in self._files
        return is_excluded or None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave out other tests of the same files."""
        kept = [item for item in items if self._selected & {item.nodeid, _file(item.nodeid)}]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _failed(report: pytest.CollectReport | pytest.TestReport, again: str) -> None:
    text = "\n".join(
        [report.longreprtext, *(f"{name}\n{output}" for name, output in report.sections)]
    )
    record.append(test=report.nodeid, outcome="failed", again=again, text=text)
