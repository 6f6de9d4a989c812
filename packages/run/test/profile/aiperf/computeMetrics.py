"""Computes the metrics of a run with AIPerf's library, from the lines of profile_export.jsonl.

Reads a JSON object from stdin: `lines`, `startNs` and `endNs` of the phase, and optionally `sliceSeconds` and `slos`
(limits by metric). Times are taken relative to `startNs`, because AIPerf stores them as doubles, which round
nanoseconds since 1970 to multiples of 256. Writes `metrics`, `slices` and `histogram` to stdout.
"""

import asyncio
import json
import logging
import sys

logging.disable(logging.CRITICAL)

from aiperf.common.accumulator_protocols import ExportContext
from aiperf.common.enums import AggregationKind, MetricFlags, MetricType
from aiperf.common.messages import MetricRecordsData
from aiperf.common.scenario import is_context_overflow_response
from aiperf.metrics.accumulator import MetricsAccumulator
from aiperf.metrics.column_store import ColumnStore
from aiperf.metrics.metric_registry import MetricRegistry
from aiperf.metrics.types.good_request_count_metric import GoodRequestCountMetric
from aiperf.metrics.metric_dicts import MetricRecordDict

TIMES = ("credit_issued_ns", "request_start_ns", "request_ack_ns", "request_end_ns", "cancellation_time_ns")


def create_accumulator(slice_seconds, slos):
    """Creates an accumulator without the services of a run."""
    accumulator = MetricsAccumulator.__new__(MetricsAccumulator)
    classes = {tag: MetricRegistry.get_class(tag) for tag in MetricRegistry.create_dependency_order()}
    derived = {
        tag: metric
        for tag, metric in classes.items()
        if metric.type == MetricType.DERIVED and (slos or not metric.has_flags(MetricFlags.GOODPUT))
    }
    accumulator.__dict__.update(
        _column_store=ColumnStore(),
        _next_record_idx=0,
        _network_rtt_ns=None,
        _replay_degraded_warned=True,
        _warned_missing_cache_reporting=True,
        _acceptance_pool_by_phase={},
        _derive_funcs={tag: metric().derive_value for tag, metric in derived.items()},
        _non_timeslice_derived_tags={
            tag for tag, metric in derived.items() if not getattr(metric, "timeslice_derivable", True)
        },
        _tags_to_types={tag: metric.type for tag, metric in classes.items()},
        _aggregation_kinds={
            tag: getattr(metric, "aggregation_kind", AggregationKind.SUM)
            for tag, metric in classes.items()
            if metric.type == MetricType.AGGREGATE
        },
        _metric_classes=classes,
        _slice_duration_ns=int(slice_seconds * 1e9) if slice_seconds else None,
    )
    for name in ("debug", "warning", "error", "info"):
        accumulator.__dict__[name] = lambda *_: None
    return accumulator


def to_native(tag, value):
    """Converts a value to the unit in which AIPerf stores it."""
    metric = MetricRegistry.get_class_or_none(tag)
    if metric is None or metric.display_unit in (None, metric.unit):
        return value
    factor = metric.display_unit.convert_to(metric.unit, 1)
    convert = lambda number: round(number * factor) if metric.value_type == "int" else number * factor
    return [convert(item) for item in value] if isinstance(value, list) else convert(value)


def create_record(line, start_ns, slos):
    """Creates the record of a line, with the counts that AIPerf does not write to lines."""
    metadata = dict(line["metadata"])
    for name in TIMES:
        if metadata.get(name) is not None:
            metadata[name] -= start_ns
    metrics = {tag: to_native(tag, block["value"]) for tag, block in line["metrics"].items()}
    error = line.get("error")
    if error:
        metrics["error_request_count"] = 1
        metrics["context_overflow_count"] = int(is_context_overflow_response(body=error["message"]))
    else:
        metrics["request_count"] = 1
        metrics["min_request_timestamp"] = metadata["request_start_ns"]
        metrics["max_response_timestamp"] = metadata["request_start_ns"] + metrics["request_latency"]
        if slos:
            metrics["good_request_count"] = GoodRequestCountMetric()._parse_record(None, MetricRecordDict(metrics))
    return MetricRecordsData(
        metadata=metadata,
        metrics=metrics,
        error=error,
        spec_decode_acceptance=line.get("spec_decode_acceptance"),
    )


def dump(results):
    blocks = {}
    for tag, result in results.items():
        values = result.to_json_result().model_dump(mode="json", exclude_none=True)
        blocks[tag] = {key: value for key, value in values.items() if value not in (float("inf"), None)}
    return blocks


def main():
    request = json.load(sys.stdin)
    start_ns, slos = request["startNs"], request.get("slos")
    GoodRequestCountMetric.set_slos(slos)
    accumulator = create_accumulator(request.get("sliceSeconds"), slos)
    for line in request["lines"]:
        asyncio.run(accumulator.process_record(create_record(line, start_ns, slos)))
    context = ExportContext(start_ns=0, end_ns=request["endNs"] - start_ns, phase="profiling")
    summary = accumulator._summarize_for_export_context(context)
    slices = [
        {"startNs": item.start_ns, "endNs": item.end_ns, "metrics": dump(item.metric_results)}
        for item in summary.timeslices or []
    ]
    json.dump(
        {
            "metrics": dump(summary.results),
            "slices": slices,
            "histogram": summary.pooled_spec_decode_acceptance_histogram,
        },
        sys.stdout,
    )


main()
