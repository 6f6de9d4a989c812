"""Reads the exports in a folder with the pydantic models of AIPerf.

The optional second argument is the prefix of the exports. Prints a JSON object by relative path. Each entry has the number of documents, the fields that AIPerf's models do not
know, and the figures (of a document its metrics, of JSONL the sums over its lines), or the error of the model.
"""

import json
import sys
from pathlib import Path

from aiperf.common.models.dataset_models import InputsFile
from aiperf.common.models.export_models import (
    JsonExportData,
    JsonMetricResult,
    TimesliceCollectionExportData,
    TimesliceData,
)
from aiperf.common.models.record_models import MetricRecordInfo, RawRecordInfo
from aiperf.common.models.server_metrics_models import ServerMetricsExportData, SlimRecord
from aiperf.config.artifacts import ArtifactsConfig
from aiperf.config.resolution.plan import BenchmarkRun
from pydantic import BaseModel, ValidationError

FOLDER = Path(sys.argv[1])
# AIPerf derives the names of the exports from the prefix.
NAMES = ArtifactsConfig(dir=FOLDER, prefix=sys.argv[2] if len(sys.argv) > 2 else None)
MODELS = {
    NAMES.profile_export_json_file.name: JsonExportData,
    NAMES.profile_export_timeslices_json_file.name: TimesliceCollectionExportData,
    NAMES.server_metrics_export_json_file.name: ServerMetricsExportData,
    "inputs.json": InputsFile,
    "run_config.json": BenchmarkRun,
    NAMES.profile_export_jsonl_file.name: MetricRecordInfo,
    NAMES.profile_export_raw_jsonl_file.name: RawRecordInfo,
    NAMES.server_metrics_export_jsonl_file.name: SlimRecord,
}


def parse_metrics(model):
    """Replaces the metrics of a document, which its model accepts as unknown fields, by their own model."""
    for name, value in (model.model_extra or {}).items():
        if isinstance(value, dict) and "unit" in value:
            model.model_extra[name] = JsonMetricResult.model_validate(value)


def find_unknown_fields(value, path=""):
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from find_unknown_fields(getattr(value, name), f"{path}.{name}")
        for name, extra in (value.model_extra or {}).items():
            if isinstance(extra, JsonMetricResult):
                yield from find_unknown_fields(extra, f"{path}.{name}")
            else:
                yield f"{path}.{name}"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from find_unknown_fields(item, f"{path}[{key}]")
    elif isinstance(value, list):
        for item in value:
            yield from find_unknown_fields(item, f"{path}[]")


def list_metrics(document):
    """Returns the statistics of each metric of a document."""
    fields = {name: getattr(document, name) for name in type(document).model_fields}
    metrics = {**fields, **(document.model_extra or {})}
    return {
        name: metric.model_dump(exclude_none=True)
        for name, metric in metrics.items()
        if isinstance(metric, JsonMetricResult)
    }


def sum_records(records):
    """Returns the sum of each metric over the records of requests, and the number of errors."""
    sums = {}
    for record in records:
        for name, metric in record.metrics.items():
            values = metric.value if isinstance(metric.value, list) else [metric.value]
            sums[name] = sums.get(name, 0) + sum(values)
    return {"sums": sums, "errors": sum(record.error is not None for record in records)}


def compute_figures(documents):
    first = documents[0]
    if isinstance(first, JsonExportData):
        return list_metrics(first)
    if isinstance(first, TimesliceCollectionExportData):
        return [list_metrics(timeslice) for timeslice in first.timeslices]
    if isinstance(first, MetricRecordInfo):
        return sum_records(documents)
    if isinstance(first, ServerMetricsExportData):
        return {name: len(metric.series) for name, metric in first.metrics.items()}
    if isinstance(first, SlimRecord):
        return {"samples": sum(len(samples) for line in documents for samples in line.metrics.values())}
    return {}


def read(path, model):
    try:
        return read_documents(path, model)
    except ValidationError as error:
        return {"error": str(error)}


def read_documents(path, model):
    texts = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
    documents = [model.model_validate_json(text) for text in texts]
    for document in documents:
        for part in [document, *getattr(document, "timeslices", [])]:
            if isinstance(part, JsonExportData | TimesliceData):
                parse_metrics(part)
    unknown = sorted({field for document in documents for field in find_unknown_fields(document)})
    return {"documents": len(documents), "unknown": unknown, "figures": compute_figures(documents)}


files = [path for path in sorted(FOLDER.rglob("*")) if path.name in MODELS]
print(json.dumps({str(path.relative_to(FOLDER)): read(path, MODELS[path.name]) for path in files}))
