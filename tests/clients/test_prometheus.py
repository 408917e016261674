"""A real Prometheus scrapes arrays with the configuration that the array serves.

One array has an example of everything: all expressions of the dashboards have a result for it. The
other one has 4,000 LUNs and as many namespaces, and is scraped within the configured timeout.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY

HERE = Path(__file__).parent
SERVED = REPOSITORY / "overlay/usr/share/sanstone/docs/monitoring"
DASHBOARDS = sorted(SERVED.glob("*.json"))
PASSWORD = "scrapes 4 us"
LUNS = 4000
VARIABLES = {"$__rate_interval": "5m", "$instance": ".*", "$svm": ".*", "$volume": ".*"}


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[str]:
    """Give the address of an array in a process of its own."""
    folder.mkdir()
    python = os.environ.get("SANSTONE_PYTHON", str(REPOSITORY / "output/venv/bin/python"))
    parts = ("api", "board", "tests", "tests/unit", "tests/contract", "tests/webui")
    path = ":".join(str(REPOSITORY / part) for part in parts)
    with subprocess.Popen(
        [python, str(HERE / "serve_scraped.py"), str(folder), *arguments],
        env=os.environ | {"PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield f"127.0.0.1:{int(server.stdout.readline())}"
        server.stdin.close()
    assert server.returncode == 0


def configure(folder: Path, targets: list[str], authorities: list[Path]) -> Path:
    """Write the files of Prometheus, which are those that the array serves; return its own."""
    text = (SERVED / "prometheus.yml").read_text()
    lines = "".join(f"          - {target}\n" for target in targets)
    text = text.replace("          - array.example.org\n", lines)
    # Twice within a test's patience; and without nginx the path is that of the API.
    text = text.replace("scrape_interval: 30s", "scrape_interval: 20s")
    text = text.replace("metrics_path: /metrics", "metrics_path: /api/metrics")
    (folder / "prometheus.yml").write_text(text)
    (folder / "rules.yml").write_text((SERVED / "rules.yml").read_text())
    (folder / "sanstone-password").write_text(PASSWORD)
    (folder / "sanstone-ca.pem").write_text("".join(path.read_text() for path in authorities))
    return folder / "prometheus.yml"


class Prometheus:
    """A Prometheus that runs."""

    def __init__(self, port: int, everything: str, full: str) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.everything, self.full = everything, full

    def ask(self, expression: str) -> list[dict[str, Any]]:
        """Return the result of an expression now. Raises OSError when it does not answer yet."""
        query = urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(f"{self.address}/api/v1/query?{query}") as answer:
                samples: list[dict[str, Any]] = json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            if error.code == HTTPStatus.SERVICE_UNAVAILABLE:  # listens, and still reads its data
                raise
            pytest.fail(f"{expression}: {error.read().decode()}")
        return samples

    def wait_for(self, expression: str, results: int) -> None:
        """Wait until an expression has so many results; the test's time limit ends that."""
        while True:
            try:
                if len(self.ask(expression)) >= results:
                    return
            except OSError:
                pass
            time.sleep(0.5)  # noqa: TID251 - a pause; nothing depends on it


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """A Prometheus that has scraped both arrays twice, so that there are rates."""
    folder = tmp_path_factory.mktemp("prometheus")
    with ExitStack() as stack:
        targets = [
            stack.enter_context(served(folder / "everything")),
            stack.enter_context(served(folder / "full", str(LUNS))),
        ]
        authorities = [folder / name / "tls.crt" for name in ("everything", "full")]
        configuration = configure(folder, targets, authorities)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        log = stack.enter_context((folder / "log").open("w"))
        process = subprocess.Popen(
            [
                "prometheus",
                f"--config.file={configuration}",
                f"--storage.tsdb.path={folder / 'data'}",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdout=log,
            stderr=log,
        )
        try:
            server = Prometheus(port, *targets)
            server.wait_for("rate(sanstone_cluster_operations_total[5m])", 2)
            server.wait_for("rate(sanstone_lun_operations_total[5m])", 2 * LUNS)
            yield server
        finally:
            process.terminate()
            process.wait()


def test_arrays_are_scraped_over_tls_with_a_login(prometheus: Prometheus) -> None:
    # A busy machine may have let the last scrape take too long.
    scraped = prometheus.ask("max_over_time(up[5m])")
    up = {each["metric"]["instance"]: each["value"][1] for each in scraped}
    assert up == {prometheus.everything: "1", prometheus.full: "1"}


def test_an_array_of_4000_luns_is_scraped_whole(prometheus: Prometheus) -> None:
    full = f'instance="{prometheus.full}"'
    [count] = prometheus.ask(f"count(sanstone_lun_latency_seconds_count{{{full}}})")
    assert count["value"][1] == str(LUNS)
    [count] = prometheus.ask(f"count(sanstone_namespace_bytes_total{{{full}}})")
    assert count["value"][1] == str(2 * LUNS)


def expressions(dashboard: Path) -> list[str]:
    """Return the expressions of a dashboard's panels and variables, as Grafana would ask them."""
    content = json.loads(dashboard.read_text())
    texts = [target["expr"] for panel in content["panels"] for target in panel["targets"]]
    queries = [v["definition"] for v in content["templating"]["list"] if v["type"] == "query"]
    texts += [re.fullmatch(r"label_values\((.+), \w+\)", each)[1] for each in queries]
    for variable, value in VARIABLES.items():
        texts = [each.replace(variable, value) for each in texts]
    return texts


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda path: path.stem)
def test_all_of_a_dashboard_has_data(prometheus: Prometheus, dashboard: Path) -> None:
    queries = expressions(dashboard)
    assert queries
    assert [each for each in queries if "$" in each] == []
    assert [each for each in queries if not prometheus.ask(each)] == []


def test_a_dashboard_has_one_place_for_each_panel() -> None:
    assert [path.stem for path in DASHBOARDS] == ["array", "hosts", "volumes"]
    for path in DASHBOARDS:
        content = json.loads(path.read_text())
        taken = set()
        for panel in content["panels"]:
            place = panel["gridPos"]
            cells = {
                (x, y)
                for x in range(place["x"], place["x"] + place["w"])
                for y in range(place["y"], place["y"] + place["h"])
            }
            assert not cells & taken, panel["title"]
            assert max(x for x, _ in cells) < 24
            taken |= cells
        assert len({panel["id"] for panel in content["panels"]}) == len(content["panels"])


def test_the_configuration_and_the_rules_are_valid(tmp_path: Path) -> None:
    certificate = tmp_path / "given.crt"
    certificate.write_text("")
    configuration = configure(tmp_path, ["array.example.org"], [certificate])
    done = subprocess.run(
        ["promtool", "check", "config", str(configuration)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SUCCESS: " in done.stdout and "rules found" in done.stdout


def test_each_rule_alerts_when_it_should_and_not_before(tmp_path: Path) -> None:
    tests = (HERE / "prometheus_rules.yml").read_text()
    (tmp_path / "rules.yml").write_text((SERVED / "rules.yml").read_text())
    (tmp_path / "tests.yml").write_text(tests)
    done = subprocess.run(
        ["promtool", "test", "rules", str(tmp_path / "tests.yml")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    alerts = re.findall(r"- alert: (\w+)", (SERVED / "rules.yml").read_text())
    assert sorted(set(re.findall(r"alertname: (\w+)", tests))) == sorted(alerts)
