import type { ProfileRecord } from '../generated/profileRecord.ts';
import type { HistogramSample, ScalarSample, ServerMetricsRecord } from '../generated/serverMetricsRecord.ts';
import { profileRecord, serverMetricsRecord } from '../generated/shapes.ts';
import { JsonWriter } from '../json/jsonWriter.ts';

const writer = new JsonWriter(0);

/**
 * Returns one line of server_metrics_export.jsonl, without a line feed: raw cumulative values, buckets by bound. Omits `_info`
 * families, and samples with a NaN or infinity, which JSON does not support.
 */
export function writeServerMetricsLine(record: ServerMetricsRecord): string {
  return writer.stringify({ ...record, metrics: selectWritable(record.metrics) }, serverMetricsRecord);
}

function selectWritable(metrics: ServerMetricsRecord['metrics']): ServerMetricsRecord['metrics'] {
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

/** Returns one line of profile_export.jsonl, without a line feed. Nanoseconds are exact; non-finite values are omitted. */
export function writeProfileRecordLine(record: ProfileRecord): string {
  return writer.stringify(record, profileRecord);
}
