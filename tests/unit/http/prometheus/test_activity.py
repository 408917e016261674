"""The figures of the sampler in Prometheus' text format."""

from __future__ import annotations

import re

from sampled_array import ADDRESS, Counted
from simulator import LOGIN

from fakes.files import Text


def scraped(counted: Counted) -> dict[str, float]:
    """Return the figures by name with labels, having checked the format."""
    response = counted.array.client.get("/api/metrics", auth=LOGIN)
    assert response.status_code == 200
    assert response.content_type == "text/plain; version=0.0.4; charset=utf-8"
    figures = {}
    for line in response.text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP|TYPE) sanstone_[a-z_]+ .+", line)
            continue
        name, _, value = line.rpartition(" ")
        assert re.fullmatch(r'sanstone_[a-z_]+(\{([a-z_]+="[^"]*",?)+\})?', name), line
        figures[name] = float(value)
    return figures


def test_prometheus_has_the_figures_of_rest(counted: Counted) -> None:
    counted.use(counted.lun, reads=10, writes=5, sectors=8)
    counted.sample(15)
    figures = scraped(counted)
    labels = 'svm="svm1",volume="vol1",lun="/vol/vol1/lun1"'
    prefix = "sanstone_lun_"
    assert figures[f'{prefix}operations_total{{{labels},direction="read"}}'] == 10
    assert figures[f'{prefix}bytes_total{{{labels},direction="write"}}'] == 20480
    assert figures[f'{prefix}seconds_total{{{labels},direction="read"}}'] == 0.02
    bucket = f"{prefix}latency_seconds_bucket"
    assert figures[f'{bucket}{{{labels},le="0.001"}}'] == 0
    assert figures[f'{bucket}{{{labels},le="0.0025"}}'] == 10
    assert figures[f'{bucket}{{{labels},le="0.005"}}'] == 15
    assert figures[f'{bucket}{{{labels},le="+Inf"}}'] == 15
    assert figures[f"{prefix}latency_seconds_count{{{labels}}}"] == 15
    assert figures['sanstone_cluster_operations_total{direction="read"}'] == 10
    assert figures['sanstone_iscsi_operations_total{svm="svm1",direction="read"}'] == 10


def test_prometheus_has_the_figures_of_nvme_services(counted: Counted) -> None:
    counted.use(counted.namespace, writes=3, sectors=8)
    counted.sample(15)
    figures = scraped(counted)
    assert figures['sanstone_nvme_operations_total{svm="svm1",direction="write"}'] == 3


def test_prometheus_has_the_figures_of_lifs_and_processors(counted: Counted) -> None:
    array = counted.array
    array.kernel.nftables.pass_packets("sent", ADDRESS, 2, 1500)
    array.kernel.files.place("/proc/stat", Text("cpu  900 0 100 2000 0 0 0 0 0 0\n"))
    counted.sample(15)
    figures = scraped(counted)
    labels = 'svm="svm1",interface="lif1",direction="write"'
    assert figures[f"sanstone_interface_packets_total{{{labels}}}"] == 2
    assert figures[f"sanstone_interface_bytes_total{{{labels}}}"] == 1500
    assert figures['sanstone_port_bytes_total{port="e0a",direction="read"}'] == 0
    prefix = 'sanstone_node_processor_seconds_total{node="array-01",state='
    assert (figures[f'{prefix}"busy"}}'], figures[f'{prefix}"idle"}}']) == (5, 5)


def test_prometheus_needs_a_role_with_access(counted: Counted) -> None:
    array = counted.array
    assert array.client.get("/api/metrics").status_code == 401
    role = {"name": "scraper", "privileges": [{"path": "/api/metrics", "access": "readonly"}]}
    array.make("security/roles", role)
    http = [{"application": "http", "authentication_methods": ["password"]}]
    body = {"name": "prometheus", "role": "scraper", "password": "scrapes 4 us"}
    array.make("security/accounts", body | {"applications": http})
    login = ("prometheus", "scrapes 4 us")
    assert array.client.get("/api/metrics", auth=login).status_code == 200
    assert array.client.get("/api/storage/luns", auth=login).status_code == 403
