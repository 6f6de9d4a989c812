"""Prints the options of `aiperf profile` as JSON: the names of each option, and its group in the help."""

import json
import sys

from aiperf.cli import app


def strip_dashes(names):
    return [name.lstrip("-") for name in names]


options = []
for argument in app["profile"].assemble_argument_collection(parse_docstring=True):
    names = [name for name in (*argument.names, *argument.negatives) if name.startswith("-")]
    # A parameter of the Python function that is not shown in the help.
    if not names or names == ["--cli-config"]:
        continue
    groups = argument.parameter.group or ()
    options.append({"group": groups[0].name, "names": list(dict.fromkeys(strip_dashes(names)))})
json.dump(options, sys.stdout)
