"""Changes since a moment, as a table."""

from __future__ import annotations

import re

from console import Console


def counter(console: Console) -> int:
    """Return the counter that is shown without a moment."""
    output = console.run("cluster changes show")
    match = re.search(r"^ *Counter: ([0-9]+)$", output, re.MULTILINE)
    assert match and "Kind" not in output, output
    return int(match[1])


def test_the_counter_is_shown_and_what_changed_after_it(console: Console) -> None:
    before = counter(console)
    console.run("vserver create -vserver svm9")
    rows = console.table(f"cluster changes show -after {before}")
    assert {"svm/svms", "cluster/jobs"} <= {kind for _, kind, *_ in rows}
    assert all(int(index) > before for index, *_ in rows)
    after = counter(console)
    assert "Counter" in console.run(f"cluster changes show -after {after}")
    console.answers.append(True)
    console.run("vserver delete -vserver svm9")
    output = console.run(f"cluster changes show -after {after} -fields kind,deleted")
    assert re.search(r"svm/svms +true", output)


def test_a_moment_that_is_not_known(console: Console) -> None:
    assert re.search(r"Reset: true", console.run("cluster changes show -after 1"))
