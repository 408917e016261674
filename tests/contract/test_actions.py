"""Every action has an example, is open to the right roles, and refuses mistakes.

Mistakes follow from the declaration as for resources (see `mistakes`).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from action_examples import ACTION_EXAMPLES, ActionExample
from furnished_array import FurnishedArray, error, nested
from mistakes import Mistake, missing, of_node, unknown

from sanstone.core import errors
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import CREATE
from sanstone.resources.declared import ACTIONS

BY_PATH = {example.path: example for example in ACTION_EXAMPLES}
EACH = pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.path)


def place(array: FurnishedArray, example: ActionExample) -> str:
    """Return the path of an action, its keys those of the example's object."""
    if not example.below:
        return example.path
    return f"{array.places[example.below][example.of]}/{example.last}"


def mistakes_of(action: Action) -> Iterator[Mistake]:
    """Return all that can be wrong with the fields of an action."""
    for node in action.fields:
        yield from of_node(node, CREATE, {})
        if node.required:
            yield missing(node)
    yield from unknown(action)


@EACH
def test_an_action_succeeds(array: FurnishedArray, action: Action) -> None:
    example = BY_PATH[action.path]
    for body in (example.body, nested(example.body)):
        answer = array.send("POST", place(array, example), body)
        assert answer.status_code == 201, answer.get_data(as_text=True)
        assert answer.get_json().keys() == {f.name.partition(".")[0] for f in action.answer}
        if example.once:
            break


@EACH
def test_mistakes_are_refused_and_change_nothing(array: FurnishedArray, action: Action) -> None:
    example = BY_PATH[action.path]
    with array.unchanged():
        for mistake in mistakes_of(action):
            bad = mistake.applied_to(example.body)
            for form in (bad, nested(bad)):
                refusal = error(array.send("POST", place(array, example), form))
                assert refusal["code"] == mistake.code, f"{mistake}: {refusal}"
                assert refusal.get("target") == mistake.target, f"{mistake}: {refusal}"


@EACH
def test_an_action_needs_a_login(array: FurnishedArray, action: Action) -> None:
    path = place(array, BY_PATH[action.path])
    with array.unchanged():
        answer = array.simulator.client.post(f"/api/{path}", json={})
        assert (answer.status_code, error(answer)["code"]) == (401, errors.NOT_AUTHENTICATED)


@EACH
def test_there_is_nothing_to_look_at(array: FurnishedArray, action: Action) -> None:
    path = place(array, BY_PATH[action.path])
    for method in ("GET", "PATCH", "DELETE", "PUT"):
        answer = array.send(method, path, {})
        assert (answer.status_code, error(answer)["code"]) == (405, errors.NO_ENDPOINT)


@EACH
def test_an_object_that_there_is_not(array: FurnishedArray, action: Action) -> None:
    example = BY_PATH[action.path]
    if example.below:
        path = f"{example.below}/00000000-0000-4000-8000-000000000000/{example.last}"
        answer = array.send("POST", path, example.body)
        assert (answer.status_code, error(answer)["code"]) == (404, errors.UNKNOWN)
