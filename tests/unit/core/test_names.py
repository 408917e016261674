"""The names that hosts see: their form, their length, and that they never change."""

from __future__ import annotations

import re

from sanstone.core import names
from sanstone.core.declaration.host_types import IscsiName, Nqn

ARRAY = "0123456789abcdef0123456789abcdef"
SVM = "11111111-2222-4333-8444-555555555555"


def test_a_target_s_iqn_follows_from_array_and_svm() -> None:
    name = names.target_iqn(ARRAY, 3)
    assert name == f"iqn.2026-11.org.sanstone:sn.{ARRAY}:vs.3"
    assert IscsiName().parse(name) == name


def test_a_subsystem_s_nqn_follows_from_svm_and_name_and_fits() -> None:
    name = names.subsystem_nqn(SVM, "s" * 64)
    assert name == f"nqn.2026-11.org.sanstone:sn.{SVM.replace('-', '')}:subsystem.{'s' * 64}"
    assert len(name) == 135
    assert Nqn().parse(name) == name


def test_an_svm_s_wwnn_follows_from_array_and_svm() -> None:
    assert names.svm_wwnn(ARRAY, 3) == "36:13:ec:37:cf:06:ab:05"
    assert names.svm_wwnn(ARRAY, 4) != names.svm_wwnn(ARRAY, 3)


def test_a_virtual_port_s_wwpn_follows_from_array_and_interface() -> None:
    name = names.virtual_wwpn(ARRAY, SVM)
    assert re.fullmatch("3[0-9a-f](:[0-9a-f]{2}){7}", name)
    assert name != names.virtual_wwpn(ARRAY, SVM.replace("1", "2"))
    assert name != names.virtual_wwpn(ARRAY.replace("1", "2"), SVM)


def test_a_lun_s_serial_is_twelve_hexadecimal_digits() -> None:
    """LIO makes the NAA identifier of the hexadecimal digits alone."""
    serials = {names.lun_serial() for _ in range(100)}
    assert len(serials) == 100
    assert all(re.fullmatch("[0-9a-f]{12}", serial) for serial in serials)


def test_a_subsystem_s_serial_has_twenty_characters() -> None:
    serials = {names.subsystem_serial() for _ in range(100)}
    assert len(serials) == 100
    assert {len(serial) for serial in serials} == {20}
