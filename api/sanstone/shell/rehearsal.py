"""The effects of a command, as lines: after `set -dry-run on` nothing is done."""

from __future__ import annotations

from typing import Any

from sanstone.client.rest import Record
from sanstone.shell import values


def lines(answer: Record, units: str) -> list[str]:
    """Return the API's answer to a request that was only tried, as lines; sizes in `units`."""
    shown = ["Nothing was changed (dry run)."]
    if answer.get("refusals"):
        shown.append("The array would refuse it:")
        shown += [f"    {refusal['message']}" for refusal in answer["refusals"]]
    if answer.get("changes"):
        shown.append("What would change:")
        shown += [
            f"    {change['action']:8}{change['path']}  {change.get('name') or change.get('uuid')}"
            for change in answer["changes"]
        ]
    if answer.get("hosts"):
        shown.append("Hosts connected to it now:")
        shown += [f"    {host['protocol']:8}{host['name']}" for host in answer["hosts"]]
    if answer.get("own_connection"):
        shown.append("It may cut off the connection that you use.")
    for aggregate in answer.get("aggregates", ()):
        shown.append(f"Aggregate {aggregate['name']}:")
        shown += [
            _capacity(end, aggregate[end], units) for end in ("before", "after") if end in aggregate
        ]
    return shown


def _capacity(end: str, figures: dict[str, Any], units: str) -> str:
    size, provisioned = (values.size(figures[name], units) for name in ("size", "provisioned"))
    text = f"    {end:8}{provisioned} of {size} provisioned"
    over = figures["overcommitment_percent"]
    return f"{text}, {over} % more than there is" if over else text
