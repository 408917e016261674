"""Keys of TLS: the array derives the same as libnvme, and the keyring holds the desired ones."""

from __future__ import annotations

import base64
import zlib

import pytest

from fakes import FakeKernel
from sanstone.kernel import plan
from sanstone.kernel.host import Host
from sanstone.kernel.target import tls_keys
from sanstone.kernel.target.tls_keys import HostKey

HOST, SUBSYSTEM = "nqn.psk-test-host", "nqn.psk-test-subsys"
SHORT = bytes.fromhex("5512dbb6737d0106f65975b773dfb011ffc344bcf442e2dd6d8bc4870b5d5b03")
LONG = SHORT + SHORT[16:]
DIGESTS = {
    # As test/psk.c of libnvme has them: by the specification, and as libnvme before 1.16 did it.
    ("01", SHORT): (
        "iSbjiStwJ/1TrTvDlt2fjFmzvsytOJelidNnA+X5lEU=",
        "66GuqV08TsAGII39teWUfwQwizjv06Jy8jOcX3NAAzM=",
    ),
    ("02", LONG): (
        "QhW2+Rp6RzHlNtCslyRxMnwJ11tKKhz8JCAQpQ+XUD8f9td1VeH5h53yz2wKJG1a",
        "RsKmYJ3nAn1ApjjMloJFbAkLPivONDAX/xW327YBUsn2eGShXSjCZvBaOxscLqmz",
    ),
}


def configured(digits: str, key: bytes) -> str:
    """Return a key as an administrator gives it."""
    text = base64.b64encode(key + zlib.crc32(key).to_bytes(4, "little")).decode()
    return f"NVMeTLSkey-1:{digits}:{text}:"


def host_key(digits: str = "01", key: bytes = SHORT, owner: str = "") -> HostKey:
    """Return a key of the host."""
    return HostKey(HOST, SUBSYSTEM, configured(digits, key), owner)


@pytest.mark.parametrize(("digits", "key"), DIGESTS)
def test_identities_are_those_of_hosts(digits: str, key: bytes) -> None:
    secrets = tls_keys.keys(host_key(digits, key))
    expected = {f"NVMe1R{digits} {HOST} {SUBSYSTEM} {d}" for d in DIGESTS[digits, key]}
    assert secrets.keys() == expected
    assert {len(secret) for secret in secrets.values()} == {len(key)}
    assert len(set(secrets.values())) == 2


@pytest.mark.parametrize(("key", "cipher"), [(SHORT, "01"), (LONG, "02")])
def test_a_key_without_a_hash_has_one_identity(key: bytes, cipher: str) -> None:
    [(identity, secret)] = tls_keys.keys(host_key("00", key)).items()
    assert identity.startswith(f"NVMe1R{cipher} {HOST} {SUBSYSTEM} ")
    assert len(secret) == len(key)


def test_a_key_has_its_cipher_suite() -> None:
    assert tls_keys.suite(f"NVMe1R01 {HOST} {SUBSYSTEM} x=") == "tls_aes_128_gcm_sha256"
    assert tls_keys.suite(f"NVMe0R02 {HOST} {SUBSYSTEM}") == "tls_aes_256_gcm_sha384"
    assert tls_keys.suite("") == ""


def test_a_key_is_not_shown() -> None:
    assert "NVMeTLSkey" not in repr(host_key())


@pytest.fixture
def kernel() -> FakeKernel:
    return FakeKernel()


def settle(host: Host, *desired: HostKey) -> int:
    """Have the keyring as desired; return how many steps that took."""
    steps = tls_keys.plan(tls_keys.read(host), desired)
    assert plan.apply(host, steps) == []
    return len(steps)


def test_the_keyring_gets_what_is_desired_and_no_more(kernel: FakeKernel) -> None:
    first, second = host_key(), host_key("02", LONG)
    assert tls_keys.read(kernel.host) == {}
    assert settle(kernel.host, first) == 2
    assert kernel.keyring.keys == tls_keys.keys(first)
    assert settle(kernel.host, first) == 0
    assert settle(kernel.host, second) == 4
    assert kernel.keyring.keys == tls_keys.keys(second)
    assert settle(kernel.host) == 2
    assert kernel.keyring.keys == {}


def test_a_key_that_a_connection_has_yet_is_not_taken_out_twice(
    kernel: FakeKernel,
) -> None:
    settle(kernel.host, host_key())
    kernel.keyring.held = set(kernel.keyring.keys)
    assert settle(kernel.host) == 2
    assert settle(kernel.host) == 0
    assert settle(kernel.host, host_key()) == 2


def test_a_secret_is_in_no_argument_list_and_in_no_step(kernel: FakeKernel) -> None:
    desired = host_key()
    steps = tls_keys.plan({}, [desired])
    plan.apply(kernel.host, steps)
    text = " ".join([*(step.text for step in steps), *map(str, kernel.commands.calls)])
    for secret in (SHORT, *tls_keys.keys(desired).values()):
        assert secret.hex() not in text
        assert base64.b64encode(secret).decode() not in text
