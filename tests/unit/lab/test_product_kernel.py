"""The product's kernel in the lab: its sources, and the machines that boot it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import kernel_source, product_kernel
from lab.image import Image

IMAGE = Image((Path("/debian.squashfs"), Path("/guest.squashfs")), Path("/boot/linux"), Path("/i"))


@pytest.mark.parametrize(
    ("setting", "is_product"), [("", False), ("debian", False), ("product", True)]
)
def test_the_setting_selects_the_kernel(
    monkeypatch: pytest.MonkeyPatch, setting: str, is_product: bool
) -> None:
    monkeypatch.setenv("SANSTONE_KERNEL", setting)
    assert product_kernel.is_selected() is is_product


def test_a_kernel_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANSTONE_KERNEL", "next")
    with pytest.raises(product_kernel.UnknownKernel, match="next, not product or debian"):
        product_kernel.is_selected()


def test_its_options_are_those_of_the_image() -> None:
    names = [file.name for file in product_kernel.fragments()]
    assert names[-1] == "linux.fragment"
    assert f"{kernel_source.LINE}.fragment" in names
    assert all(file.is_file() for file in product_kernel.fragments())


def test_options_that_the_lab_leaves_out_are_those_of_the_image() -> None:
    """Else a driver that the image got since would be built, or one that it lost be listed."""
    options = {
        line.partition("=")[0]
        for file in product_kernel.fragments()
        for line in file.read_text().splitlines()
    }
    lines = product_kernel.ADDED.read_text().splitlines()
    left_out = {line.removesuffix("=n") for line in lines if line.endswith("=n")}
    assert left_out - options == {"CONFIG_ETHERNET"}


def test_an_image_has_another_name_with_it() -> None:
    image = product_kernel.prepare(IMAGE, Path("/kernels/product-1"))
    assert image.kernel == Path("/kernels/product-1/bzImage")
    assert image.layers == (Path("/kernels/product-1/modules.squashfs"), *IMAGE.layers)
    assert image.name != IMAGE.name
