"""Runs `aiperf plot` on folders, but prints the points of each plot instead of painting them in a browser.

Prints a JSON object with the runs that AIPerf finds, in the order of their paths, the traces (name, x and y) of each plot
by file name, and the warnings.
"""

import base64
import contextlib
import json
import logging
import sys
import tempfile
from pathlib import Path

import numpy
from aiperf.plot.exporters.png.base import BasePNGExporter
from aiperf.plot.plot_controller import PlotController

figures = {}
warnings = []


class RecordWithWarnings(logging.LogRecord):
    """Keeps warnings and errors, whatever handlers AIPerf sets."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.levelno >= logging.WARNING:
            warnings.append(self.getMessage())


def keep_figure(_exporter, figure, path):
    traces = json.loads(figure.to_json())["data"]
    figures[path.name] = [{key: decode(trace.get(key)) for key in ("name", "x", "y")} for trace in traces]


def decode(value):
    """Returns an array as a list. Plotly encodes arrays of numbers as base64."""
    if isinstance(value, dict) and "bdata" in value:
        value = numpy.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"]).tolist()
    # JSON has no NaN.
    return [None if item != item else item for item in value] if isinstance(value, list) else value


def count(frame):
    return 0 if frame is None else len(frame)


def describe_run(run, path):
    """Returns what the loader of `aiperf plot` finds in the folder of a run."""
    metadata = run.metadata.model_dump(include={"model", "concurrency", "request_count", "endpoint_type"})
    metrics = {
        name: value for name, value in run.aggregated.items() if isinstance(value, dict) and "unit" in value
    }
    slices = [] if run.timeslices is None else sorted(set(run.timeslices["Timeslice"].tolist()))
    return {
        "folder": path,
        **metadata,
        "requests": count(run.requests),
        "timeslices": len(slices),
        "slice_duration": run.slice_duration,
        "server_samples": count(run.server_metrics),
        "server_metrics": sorted(run.server_metrics_aggregated),
        "metrics": metrics,
    }


folder = Path(sys.argv[1])
BasePNGExporter._export_figure = keep_figure
logging.setLogRecordFactory(RecordWithWarnings)
with tempfile.TemporaryDirectory() as output, contextlib.redirect_stdout(sys.stderr):
    controller = PlotController(paths=[folder], output_dir=Path(output))
    controller.run()
    _, paths = controller.mode_detector.detect_mode([folder])
    runs = [describe_run(controller.loader.load_run(path), str(path.relative_to(folder))) for path in paths]
print(json.dumps({"runs": runs, "figures": figures, "warnings": sorted(set(warnings))}))
