import type { HistogramSample, ScalarSample, ServerMetricsRecord } from '../generated/serverMetricsRecord.ts';
import { serverMetricsRecord } from '../generated/shapes.ts';
import { JsonWriter } from '../json/jsonWriter.ts';

const writer = new JsonWriter(0);

/**
 * One line of server_metrics_export.jsonl (seed 002), without the line end: raw cumulative values, buckets by
 * bound. `_info` families are left out, and so are samples with a NaN or infinity, which JSON cannot say.
 */
export function writeServerMetricsLine(record: ServerMetricsRecord): string {
  return writer.text({ ...record, metrics: writable(record.metrics) }, serverMetricsRecord);
}

function writable(metrics: ServerMetricsRecord['metrics']): ServerMetricsRecord['metrics'] {
  const kept: [string, ServerMetricsRecord['metrics'][string]][] = [];
  for (const [name, samples] of Object.entries(metrics)) {
    if (name.endsWith('_info')) continue;
    const finite = samples.every(isFiniteSample) ? samples : samples.filter(isFiniteSample);
    if (finite.length > 0) kept.push([name, finite]);
  }
  return Object.fromEntries(kept);
}

function isFiniteSample(sample: ScalarSample | HistogramSample): boolean {
  if ('value' in sample) return Number.isFinite(sample.value);
  if (!Number.isFinite(sample.sum) || !Number.isFinite(sample.count)) return false;
  for (const le in sample.buckets) if (!Number.isFinite(sample.buckets[le])) return false;
  return true;
}
