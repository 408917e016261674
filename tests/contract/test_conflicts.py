"""A request that conflicts with other objects is refused with ONTAP's code, and changes nothing.

A dry run reports the same.
"""

from __future__ import annotations

import re

import examples
import pytest
from examples import Example
from furnished_array import FurnishedArray, error, nested
from refusals import REFUSALS, Refusal

CREATED = [example for example in examples.EXAMPLES if example.objects]


@pytest.mark.parametrize("example", CREATED, ids=lambda example: example.path)
def test_an_existing_object_cannot_be_created_again(
    array: FurnishedArray, example: Example
) -> None:
    with array.unchanged():
        for body in (example.objects[0], nested(example.objects[0])):
            response = array.send("POST", array.collection(example.path), body)
            envelope = error(response)
            assert (response.status_code, envelope["code"]) == (409, example.exists_code)
            # Clients know ONTAP's words, too.
            assert re.search("already (exists|mapped)", envelope["message"]), envelope["message"]


@pytest.mark.parametrize(
    "refusal", REFUSALS, ids=lambda r: f"{r.method}-{r.path}-{r.what}".replace(" ", "_")
)
def test_a_request_that_other_objects_stand_against_is_refused(
    array: FurnishedArray, refusal: Refusal
) -> None:
    path, body = refusal.addressed(array)
    tried = f"{refusal.query}&dry_run=true" if refusal.query else "dry_run=true"
    with array.unchanged():
        envelope = error(array.send(refusal.method, path, body, refusal.query))
        assert envelope["code"] == refusal.code, envelope
        refusals = array.send(refusal.method, path, body, tried).get_json()["refusals"]
        assert refusal.code in {each["code"] for each in refusals}
