"""The facts of a bundle, as RAUC prints them."""

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


def inspected(text: str) -> Bundle:
    """Return the bundle that RAUC's output describes."""
    kernel = FakeKernel()
    kernel.commands.register("rauc", lambda _argv, _stdin: text)
    return bundles.inspect(kernel.host, Path("/x.raucb"))


def test_compatibility_and_schema_of_a_bundle_are_read() -> None:
    assert inspected(json.dumps(GOOD)) == Bundle(COMPATIBLE, "2.0", ("old", "now"))
    old = {"update": GOOD["update"]}
    assert inspected(json.dumps(old)) == Bundle(COMPATIBLE, "2.0", ())


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "7", '{"update": []}', '{"update": {"version": 7}}', "[" * 100_000],
    ids=range(7),
)
def test_a_bundle_without_facts_is_refused(text: str) -> None:
    with pytest.raises(BundleRefused, match="does not say"):
        inspected(text)


@given(JSON)
def test_any_output_is_a_bundle_for_this_array_or_refused(text: Any) -> None:
    try:
        bundle = inspected(json.dumps(text))
    except BundleRefused as error:
        assert str(error)
    else:
        assert bundle.compatible == COMPATIBLE
        assert "/" not in bundle.version


@pytest.mark.parametrize("text", ["", "7", "[]", "{}", '{"data": [1]}', '{"data": [null, "", 1]}'])
def test_progress_in_other_words_is_an_error_of_the_machine(text: str) -> None:
    kernel = FakeKernel()
    kernel.commands.register("busctl", lambda _argv, _stdin: text)
    with pytest.raises(HostError, match="unknown words"):
        bundles.progress(kernel.host)
