"""What a bundle says of itself, as RAUC tells it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FakeKernel
from sanstone.kernel.host import HostError
from sanstone.system import bundles
from sanstone.system.bundles import Bundle, BundleRefused
from sanstone.system.slot_report import COMPATIBLE

NAMES = st.sampled_from(["update", "meta", "sanstone", "compatible", "version", "schema"])
LEAVES = st.none() | st.integers() | st.text() | st.sampled_from([COMPATIBLE, "2.0", "old now"])
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner))
GOOD = {
    "update": {"compatible": COMPATIBLE, "version": "2.0", "build": "x"},
    "meta": {"sanstone": {"version": "2.0", "schema": "old now"}, "other": 7},
    "images": [],
}


def inspected(said: str) -> Bundle:
    """Return what is made of what RAUC says."""
    kernel = FakeKernel()
    kernel.commands.register("rauc", lambda _argv, _stdin: said)
    return bundles.inspect(kernel.host, Path("/x.raucb"))


def test_what_it_is_for_and_what_it_knows_is_read() -> None:
    assert inspected(json.dumps(GOOD)) == Bundle(COMPATIBLE, "2.0", ("old", "now"))
    old = {"update": GOOD["update"]}
    assert inspected(json.dumps(old)) == Bundle(COMPATIBLE, "2.0", ())


@pytest.mark.parametrize(
    "said",
    ["", "{}", "[]", "7", '{"update": []}', '{"update": {"version": 7}}', "[" * 100_000],
    ids=range(7),
)
def test_what_says_nothing_is_refused(said: str) -> None:
    with pytest.raises(BundleRefused, match="does not say"):
        inspected(said)


@given(JSON)
def test_whatever_it_says_it_is_one_for_this_array_or_refused(said: Any) -> None:
    try:
        bundle = inspected(json.dumps(said))
    except BundleRefused as error:
        assert str(error)
    else:
        assert bundle.compatible == COMPATIBLE
        assert "/" not in bundle.version


@pytest.mark.parametrize("said", ["", "7", "[]", "{}", '{"data": [1]}', '{"data": [null, "", 1]}'])
def test_progress_in_other_words_is_an_error_of_the_machine(said: str) -> None:
    kernel = FakeKernel()
    kernel.commands.register("busctl", lambda _argv, _stdin: said)
    with pytest.raises(HostError, match="unknown words"):
        bundles.progress(kernel.host)
