"""NetApp's Python client logs in by a certificate, through nginx, that the array has signed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import PASSWORD, USER, served
from netapp_ontap import HostConnection, NetAppRestError, config, resources
from python_client import created, listed

from lab.patience import eventually

NAME = "backup"


def test_a_program_logs_in_with_a_certificate_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request, key, certificate = (str(tmp_path / f"client.{kind}") for kind in ("csr", "key", "crt"))
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc")
    request_options = ("-subj", f"/O=Example/CN={NAME}", "-keyout", key, "-out", request)
    subprocess.run(["/usr/bin/openssl", "req", "-new", *kind, *request_options], check=True)
    with served(tmp_path, "--behind-nginx") as array:
        where = {"host": array.host, "port": array.port, "verify": False, "poll_interval": 1}
        administrator = HostConnection(username=USER, password=PASSWORD, **where)
        program = HostConnection(cert=certificate, key=key, **where)
        monkeypatch.setattr(config, "CONNECTION", administrator)
        authority = created(resources.SecurityCertificate, type="root_ca", common_name="Ours")
        signed = authority.sign(body={"signing_request": Path(request).read_text()})
        Path(certificate).write_text(signed.http_response.json()["public_certificate"])
        believed = {"type": "client_ca", "public_certificate": authority.public_certificate}
        created(resources.SecurityCertificate, name="clients", **believed)
        way = {"application": "http", "authentication_methods": ["certificate"]}
        role = {"name": "readonly"}
        account = created(resources.Account, name=NAME, role=role, applications=[way])
        assert account.applications[0].authentication_methods == ["certificate"]
        monkeypatch.setattr(config, "CONNECTION", program)
        eventually(_is_believed)
        assert listed(resources.Disk)
        with pytest.raises(NetAppRestError) as refused:
            resources.Cluster().patch()
        assert refused.value.http_err_response.http_response.status_code == 403


def _is_believed() -> bool:
    """Tell whether nginx asks for certificates by now."""
    try:
        listed(resources.Node)
    except NetAppRestError:
        return False
    return True
