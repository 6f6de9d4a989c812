"""Runs `aiperf plot` on folders, but prints the points of each plot instead of painting them in a browser.

Prints a JSON object by file name of a plot. Each plot is a list of traces with the fields name, x and y.
"""

import base64
import contextlib
import json
import sys
import tempfile
from pathlib import Path

import numpy
from aiperf.plot.exporters.png.base import BasePNGExporter
from aiperf.plot.plot_controller import PlotController

figures = {}


def keep_figure(_exporter, figure, path):
    traces = json.loads(figure.to_json())["data"]
    figures[path.name] = [{key: decode(trace.get(key)) for key in ("name", "x", "y")} for trace in traces]


def decode(value):
    """Returns an array as a list. Plotly encodes arrays of numbers as base64."""
    if isinstance(value, dict) and "bdata" in value:
        return numpy.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"]).tolist()
    return value


BasePNGExporter._export_figure = keep_figure
with tempfile.TemporaryDirectory() as output, contextlib.redirect_stdout(sys.stderr):
    PlotController(paths=[Path(path) for path in sys.argv[1:]], output_dir=Path(output)).run()
print(json.dumps(figures))
