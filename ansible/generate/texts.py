"""The text of a module, as if somebody had written it."""

from __future__ import annotations

from typing import Any

import yaml
from options import Option, contents, marked
from resources import Module, Reading

HEAD = '''\
#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by ansible/generate of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
{documentation}"""

EXAMPLES = r"""
{examples}"""

RETURN = r"""
{returned}"""

'''
MODULE = """\
from ansible_collections.sanstone.array.plugins.module_utils.declaration import {imports}
from ansible_collections.sanstone.array.plugins.module_utils.objects import run

RESOURCE = Resource({said})
OPTIONS = {specification}


def main():
    run(RESOURCE, OPTIONS)


if __name__ == "__main__":
    main()
"""
INFORMATION = """\
{imports}from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run({arguments})


if __name__ == "__main__":
    main()
"""
UTILITIES = "ansible_collections.sanstone.array.plugins.module_utils"
VERSION = "0.1.0"
AUTHOR = ["The Sanstone developers (@sanstone)"]
WORDS = {
    "dns": "DNS",
    "ems": "EMS",
    "fc": "FC",
    "fcp": "FCP",
    "ip": "IP",
    "iscsi": "iSCSI",
    "isns": "iSNS",
    "lun": "LUN",
    "ntp": "NTP",
    "nvme": "NVMe",
    "qos": "QoS",
    "snmp": "SNMP",
    "srp": "SRP",
    "svm": "SVM",
    "wwpn": "WWPN",
}


def noun(name: str) -> str:
    """Return what objects of a module are called."""
    return " ".join(WORDS.get(word, word) for word in name.split("_"))


def title(name: str) -> str:
    """Return what objects of a module are called, at the beginning of a line."""
    text = noun(name)
    return text if text[:2] in ("iS",) else text[0].upper() + text[1:]


def _yaml(value: Any) -> str:
    text: str = yaml.dump(value, sort_keys=False, allow_unicode=True, width=88, Dumper=Indented)
    return text


class Indented(yaml.SafeDumper):  # type: ignore[misc] # it has no types
    """Writes lists indented below their name, as yamllint wants them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def module_text(module: Module, examples: list[dict[str, Any]]) -> str:
    """Return the text of a module that changes objects."""
    fragments = ["sanstone.array.connection", "sanstone.array.waiting"]
    if module.creatable:
        fragments.append("sanstone.array.state")
    if "new_name" in module.said:
        fragments.append("sanstone.array.renaming")
    if "secrets" in module.said:
        fragments.append("sanstone.array.secrets")
    resource = module.resource
    verb = "Make, change and remove" if module.creatable else "Change"
    documentation = {
        "module": module.name,
        "short_description": f"{verb} the array's {noun(module.name)} objects"
        if not resource.single
        else f"{verb} the array's {noun(module.name)}",
        "version_added": VERSION,
        "description": [
            marked(f"{resource.doc} {resource.refusal}".strip()),
            f"Its options are the fields of C(/api/{resource.path}), nested as they are there. "
            "Options that are not given leave their fields as they are.",
        ],
        "options": _documented(module.options),
        "extends_documentation_fragment": fragments,
        "seealso": [{"module": f"sanstone.array.{module.name}_info"}],
        "author": AUTHOR,
    }
    returned: dict[str, Any] = {
        "record": {
            "description": f"The {noun(module.name)} as the array shows it afterwards, in check "
            "mode before the change.",
            "returned": "when it exists, or shall exist",
            "type": "dict",
        },
        "hosts": {
            "description": "Hosts that are connected now to what would change.",
            "returned": "in check mode, when something would change",
            "type": "list",
            "elements": "dict",
            "sample": [{"protocol": "iscsi", "name": "iqn.1994-05.com.example:host1"}],
        },
        "job": {
            "description": "UUID of the job that works on the change.",
            "returned": "with O(wait=false), when the array has not ended it at once",
            "type": "str",
        },
        "code": {
            "description": "ONTAP's code of the error.",
            "returned": "when the array refuses",
            "type": "str",
            "sample": "262197",
        },
        "target": {
            "description": "The field at fault.",
            "returned": "when the array refuses, where it is one",
            "type": "str",
        },
        "status": {
            "description": "HTTP's status of the answer.",
            "returned": "when the array refuses",
            "type": "int",
            "sample": 409,
        },
    }
    head = HEAD.format(
        documentation=_yaml(documentation),
        examples=_yaml_of_examples(examples),
        returned=_yaml(returned),
    )
    classes = ["Resource"]
    if "lists" in module.said:
        classes.append("Members")
    if "parents" in module.said:
        classes.append("Parent")
    specification = {n: option.specification() for n, option in module.options.items()}
    return head + MODULE.format(
        imports=f"({', '.join(sorted(classes))})",
        said=_arguments(module.said),
        specification=specification,
    )


def information_text(reading: Reading) -> str:
    """Return the text of a module that only reads."""
    resource, name = reading.resource, reading.name
    documentation: dict[str, Any] = {
        "module": f"{name}_info",
        "short_description": f"Read about {noun(name)} objects"
        if not resource.single
        else f"Read about the array's {noun(name)}",
        "version_added": VERSION,
        "description": [marked(resource.doc), f"It reads C(/api/{resource.path})."],
    }
    if reading.options:
        documentation["options"] = _documented(reading.options)
    documentation["extends_documentation_fragment"] = [
        "sanstone.array.connection",
        "sanstone.array.information",
    ]
    documentation["author"] = AUTHOR
    returned = {
        "records": {
            "description": "The objects, with the requested fields that have a value.",
            "returned": "success",
            "type": "list",
            "elements": "dict",
            "contains": contents(resource.fields),
        }
    }
    task: dict[str, Any] = {
        "name": f"Read about {noun(name)} objects",
        f"sanstone.array.{name}_info": reading.example,
    }
    if not reading.example:
        task[f"sanstone.array.{name}_info"] = None
    head = HEAD.format(
        documentation=_yaml(documentation),
        examples=_yaml([task | {"register": "found"}]).replace(": null\n", ":\n"),
        returned=_yaml(returned),
    )
    arguments, imports = [repr(resource.path)], ""
    if reading.parents:
        arguments += [
            f"parents={_literal('parents', reading.parents)}",
            f"options={ {n: o.specification() for n, o in reading.options.items()}!r}",
        ]
        imports = f"from {UTILITIES}.declaration import Parent\n"
    if reading.otherwise:
        arguments.append(f"otherwise={reading.otherwise!r}")
    if resource.single:
        arguments.append("single=True")
    return head + INFORMATION.format(imports=imports, arguments=", ".join(arguments))


def _documented(options: dict[str, Option]) -> dict[str, Any]:
    return {name: option.documentation() for name, option in options.items()}


def _yaml_of_examples(examples: list[dict[str, Any]]) -> str:
    return "\n".join(_yaml([task]) for task in examples)


def _arguments(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_literal(name, value)}" for name, value in values.items())


def _literal(name: str, value: Any) -> str:
    if name == "parents":
        parents = ", ".join(
            f"Parent({each['placeholder']!r}, {each['path']!r}, {each['identity']!r})"
            for each in value
        )
        return f"({parents},)"
    if name == "lists":
        members = (f"{n!r}: Members({path!r}, {keys!r})" for n, (path, keys) in value.items())
        return f"{{{', '.join(members)}}}"
    if name in ("at_first", "later", "secrets", "unlike"):
        return f"frozenset({value!r})"
    return repr(value)
