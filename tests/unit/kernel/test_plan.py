"""Applying a plan: which steps go on after a failure, and which are skipped."""

from fakes import FakeKernel
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.plan import Step, apply


def run(*steps: tuple[str, str, tuple[str, ...]], failing: str = "") -> tuple[list[str], list[str]]:
    """Apply steps of (name, path, needs); return the names that ran and the failures as text."""
    ran: list[str] = []

    def action(name: str) -> Step:
        def act(_: Host) -> None:
            if name == failing:
                raise HostError("no such device")
            ran.append(name)

        path, needs = next((p, n) for step, p, n in steps if step == name)
        return Step(name, "storage/luns:1", act, path, needs)

    failures = apply(FakeKernel().host, [action(name) for name, _, _ in steps])
    return ran, [str(failure) for failure in failures]


def test_steps_run_in_order() -> None:
    assert run(("first", "/a", ()), ("second", "/b", ())) == (["first", "second"], [])


def test_a_failure_does_not_stop_what_is_independent_of_it() -> None:
    ran, failures = run(("one", "/a", ()), ("two", "/ab", ()), failing="one")
    assert ran == ["two"]
    assert failures == ["one: no such device"]


def test_steps_under_a_failed_path_are_skipped_with_its_cause() -> None:
    ran, failures = run(
        ("make a", "/a", ()), ("write a/b/c", "/a/b/c", ()), ("make d", "/d", ()), failing="make a"
    )
    assert ran == ["make d"]
    assert failures[1] == "skipped: write a/b/c: no such device"


def test_steps_that_need_a_failed_path_are_skipped_transitively() -> None:
    ran, failures = run(
        ("make a", "/a", ()),
        ("link a", "/links/a", ("/a",)),
        ("link the link", "/more/a", ("/links/a",)),
        failing="make a",
    )
    assert ran == []
    assert [line.startswith("skipped: ") for line in failures] == [False, True, True]


def test_an_item_above_a_failed_one_is_not_affected() -> None:
    ran, _ = run(("make a/b", "/a/b", ()), ("enable a", "/a", ()), failing="make a/b")
    assert ran == ["enable a"]
