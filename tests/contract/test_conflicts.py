"""What other objects stand against is refused with ONTAP's code, and changes nothing."""

from __future__ import annotations

import examples
import pytest
from examples import Example
from furnished_array import FurnishedArray, error, nested
from refusals import REFUSALS, Refusal

CREATED = [example for example in examples.EXAMPLES if example.objects]


@pytest.mark.parametrize("example", CREATED, ids=lambda example: example.path)
def test_what_exists_already_cannot_be_created_again(
    array: FurnishedArray, example: Example
) -> None:
    with array.unchanged():
        for body in (example.objects[0], nested(example.objects[0])):
            response = array.send("POST", array.collection(example.path), body)
            assert (response.status_code, error(response)["code"]) == (409, example.taken)


@pytest.mark.parametrize(
    "refusal", REFUSALS, ids=lambda r: f"{r.method}-{r.path}-{r.what}".replace(" ", "_")
)
def test_a_request_that_other_objects_stand_against_is_refused(
    array: FurnishedArray, refusal: Refusal
) -> None:
    path, body = refusal.addressed(array)
    before = array.simulator.dump()
    with array.unchanged():
        for form in (body, nested(body)):
            found = error(array.send(refusal.method, path, form, refusal.query))
            assert found["code"] == refusal.code, found
    assert array.simulator.dump() == before
