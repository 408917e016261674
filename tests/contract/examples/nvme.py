"""NVMe: services, hosts, and their namespaces."""

from __future__ import annotations

from examples.example import SVM1, Example

HOST_NQN = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"
OTHER_NQN = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f6"
KEY = "DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:"
PSK = "NVMeTLSkey-1:01:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:"
EXAMPLES = (
    Example(
        "protocols/nvme/services",
        objects=(
            {**SVM1, "enabled": True},
            {"svm.name": "svm2", "enabled": False, "mdns_service_discovery_enabled": False},
        ),
        another={"svm.name": "svm3", "enabled": False},
        exists_code="72089650",
        changes=({"enabled": False}, {"mdns_service_discovery_enabled": False}),
    ),
    Example("protocols/nvme/interfaces"),
    Example(
        "protocols/nvme/subsystems",
        objects=(
            {
                **SVM1,
                "name": "sub1",
                "os_type": "linux",
                "comment": "the first",
                "delete_on_unmap": True,
                "hosts": [
                    {
                        "nqn": HOST_NQN,
                        "priority": "high",
                        "dh_hmac_chap.hash_function": "sha_512",
                        "dh_hmac_chap.group_size": "3072_bit",
                        "dh_hmac_chap.host_secret_key": KEY,
                        "dh_hmac_chap.controller_secret_key": KEY,
                        "tls.key_type": "configured",
                        "tls.configured_psk": PSK,
                    }
                ],
            },
            {**SVM1, "name": "sub2", "os_type": "vmware"},
            {"svm.name": "svm2", "name": "far", "os_type": "linux"},
        ),
        another={
            **SVM1,
            "name": "sub9",
            "os_type": "linux",
            "hosts": [{"nqn": OTHER_NQN}],
        },
        exists_code="72090025",
        changes=({"comment": "", "delete_on_unmap": False},),
    ),
    Example(
        "protocols/nvme/subsystems/{subsystem.uuid}/hosts",
        objects=(
            {
                "nqn": f"{HOST_NQN}-2",
                "priority": "regular",
                "dh_hmac_chap.hash_function": "sha_256",
                "dh_hmac_chap.group_size": "none",
                "dh_hmac_chap.host_secret_key": KEY,
                "dh_hmac_chap.controller_secret_key": KEY,
                "tls.key_type": "configured",
                "tls.configured_psk": PSK,
            },
        ),
        another={"nqn": OTHER_NQN},
        exists_code="72089705",
        changes=(
            {
                "dh_hmac_chap.hash_function": "sha_512",
                "dh_hmac_chap.group_size": "3072_bit",
                "dh_hmac_chap.host_secret_key": KEY,
                "dh_hmac_chap.controller_secret_key": KEY,
            },
            {"tls.key_type": "configured", "tls.configured_psk": PSK},
            {"tls.key_type": "none"},
        ),
    ),
    Example(
        "protocols/nvme/subsystem-maps",
        objects=({**SVM1, "namespace.name": "/vol/vol1/ns1", "subsystem.name": "sub1"},),
        another={**SVM1, "namespace.name": "/vol/vol1/ns2", "subsystem.name": "sub1"},
        exists_code="72089790",
    ),
    Example("protocols/nvme/subsystem-controllers"),
)
