"""SCSI: services, initiators, and their LUNs."""

from __future__ import annotations

from examples.example import SRP_PORT, SVM1, WWPN, Example

HOST_IQN, OTHER_IQN = "iqn.1994-05.com.example:host1", "iqn.1994-05.com.example:host2"
EXAMPLES = (
    Example(
        "protocols/san/iscsi/services",
        objects=(
            {
                **SVM1,
                "enabled": True,
                "target.name": "iqn.2001-04.com.example:target1",
                "target.alias": "the first",
            },
        ),
        another={"svm.name": "svm3", "enabled": False},
        exists_code="5374077",
        changes=(
            {"enabled": False, "target.alias": "another"},
            {"enabled": True, "target.name": "iqn.2001-04.com.example:target1"},
        ),
    ),
    Example(
        "protocols/san/iscsi/isns",
        objects=({**SVM1, "address": "10.10.1.53", "enabled": True},),
        another={"svm.name": "svm2", "address": "fd00::53"},
        exists_code="1",
        changes=({"enabled": False, "address": "10.10.1.54"},),
    ),
    Example(
        "protocols/san/fcp/services",
        objects=({"svm.name": "svm2", "enabled": True},),
        another={"svm.name": "svm3", "enabled": False},
        exists_code="5374082",
        changes=({"enabled": False},),
    ),
    Example(
        "protocols/san/srp/services",
        objects=({"svm.name": "svm2", "enabled": True},),
        another={"svm.name": "svm3", "enabled": False},
        exists_code="1",
        changes=({"enabled": False},),
    ),
    Example(
        "network/fc/wwpn-aliases",
        objects=({**SVM1, "alias": "host1", "wwpn": WWPN},),
        another={**SVM1, "alias": "host9", "wwpn": WWPN},
        exists_code="1254317",
    ),
    Example(
        "protocols/san/portsets",
        objects=(
            {
                **SVM1,
                "name": "ports1",
                "protocol": "iscsi",
                "interfaces": [{"ip": {"name": "lif1"}}],
            },
            {**SVM1, "name": "ports2"},
        ),
        another={**SVM1, "name": "ports9", "protocol": "mixed"},
        exists_code="1254259",
        changes=({"name": "renamed"},),
    ),
    Example(
        "protocols/san/portsets/{portset.uuid}/interfaces",
        objects=({"ip": {"name": "lif2"}},),
        another={"ip": {"name": "lif3"}},
        exists_code="5374915",
    ),
    Example(
        "protocols/san/igroups",
        objects=(
            {
                **SVM1,
                "name": "group1",
                "os_type": "linux",
                "protocol": "iscsi",
                "comment": "the first",
                "delete_on_unmap": False,
                "portset.name": "ports1",
                "initiators": [{"name": HOST_IQN, "comment": "a host"}],
            },
            {**SVM1, "name": "group2", "os_type": "windows", "protocol": "mixed"},
            {
                "svm.name": "svm2",
                "name": "elsewhere",
                "os_type": "linux",
                "initiators": [{"name": WWPN}, {"name": SRP_PORT}],
            },
            {**SVM1, "name": "fabric", "os_type": "linux", "protocol": "fcp"},
            {**SVM1, "name": "inner", "os_type": "linux", "protocol": "fcp"},
            {**SVM1, "name": "inmost", "os_type": "linux", "protocol": "fcp"},
            {
                **SVM1,
                "name": "outer",
                "os_type": "linux",
                "protocol": "fcp",
                "igroups": [{"name": "inner"}],
            },
        ),
        another={**SVM1, "name": "group9", "os_type": "linux", "initiators": [{"name": OTHER_IQN}]},
        exists_code="5374023",
        changes=(
            {"name": "renamed", "os_type": "vmware", "comment": "", "delete_on_unmap": True},
            {"portset.name": "ports1"},
        ),
    ),
    Example(
        "protocols/san/igroups/{igroup.uuid}/igroups",
        objects=({"name": "inmost"},),
        another={"name": "fabric"},
        exists_code="1",
        below=6,
    ),
    Example(
        "protocols/san/igroups/{igroup.uuid}/initiators",
        objects=({"name": "eui.0123456789abcdef", "comment": "a host"},),
        another={"name": OTHER_IQN},
        exists_code="5374035",
        changes=({"comment": "changed"},),
    ),
    Example(
        "protocols/san/lun-maps",
        objects=(
            {
                **SVM1,
                "lun.name": "/vol/vol1/lun1",
                "igroup.name": "group1",
                "logical_unit_number": 7,
            },
            {
                "svm.name": "svm2",
                "lun.name": "/vol/vol1/lun1",
                "igroup.name": "elsewhere",
            },
        ),
        another={**SVM1, "lun.name": "/vol/vol1/lun2", "igroup.name": "group1"},
        exists_code="1254207",
    ),
    Example("protocols/san/lun-maps/{lun.uuid}/{igroup.uuid}/reporting-nodes"),
    Example(
        "protocols/san/iscsi/credentials",
        objects=(
            {
                **SVM1,
                "initiator": HOST_IQN,
                "authentication_type": "chap",
                "chap.inbound.user": "host1",
                "chap.inbound.password": "secret of host",
                "chap.outbound.user": "array",
                "chap.outbound.password": "secret of array",
            },
            {**SVM1, "initiator": OTHER_IQN, "authentication_type": "deny"},
        ),
        another={**SVM1, "initiator": "eui.0123456789abcdef", "authentication_type": "none"},
        exists_code="5374142",
        changes=(
            {
                "authentication_type": "chap",
                "chap.inbound.user": "renamed",
                "chap.inbound.password": "another secret",
            },
            {"chap.outbound.user": "renamed", "chap.outbound.password": "yet another"},
            {"authentication_type": "none"},
        ),
    ),
    Example("protocols/san/iscsi/sessions"),
    Example("protocols/san/srp/sessions"),
    Example("protocols/san/hosts"),
    Example("protocols/san/paths"),
    Example("protocols/san/refused-initiators"),
)
