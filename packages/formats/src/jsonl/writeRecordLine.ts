import type { GpuTelemetryRecord } from '../generated/gpuTelemetryRecord.ts';
import type { ProfileRecord } from '../generated/profileRecord.ts';
import type { RawRecord } from '../generated/rawRecord.ts';
import type { HistogramSample, ScalarSample, ServerMetricsRecord } from '../generated/serverMetricsRecord.ts';
import { gpuTelemetryRecord, profileRecord, rawRecord, serverMetricsRecord } from '../generated/shapes.ts';
import { AIPERF_RECORD_SHAPE, toAiperfRecord } from '../json/aiperfLayout.ts';
import { type JsonOptions, JsonWriter } from '../json/jsonWriter.ts';

/** Options for lines of requests. */
export interface LineOptions extends Pick<JsonOptions, 'layout'> {
  /** Type of the endpoint, such as `embeddings`, on which the fields of AIPerf's lines depend. */
  readonly endpointType?: string;
}

const writer = new JsonWriter(0);
const aiperfWriter = new JsonWriter(0, { layout: 'aiperf' });

/**
 * Returns one line of server_metrics_export.jsonl, without a line feed. Values are raw and cumulative;
 * buckets are sorted by bound. `_info` families are omitted, and so are samples with NaN or infinity, which
 * JSON does not support.
 */
export function writeServerMetricsLine(record: ServerMetricsRecord): string {
  return writer.stringify({ ...record, metrics: selectWritable(record.metrics) }, serverMetricsRecord);
}

/** Returns the families and samples that can be written. */
function selectWritable(metrics: ServerMetricsRecord['metrics']): ServerMetricsRecord['metrics'] {
  const selected: [string, ServerMetricsRecord['metrics'][string]][] = [];
  for (const [name, samples] of Object.entries(metrics)) {
    if (name.endsWith('_info')) continue;
    const finite = samples.every(isFiniteSample) ? samples : samples.filter(isFiniteSample);
    if (finite.length > 0) selected.push([name, finite]);
  }
  return Object.fromEntries(selected);
}

function isFiniteSample(sample: ScalarSample | HistogramSample): boolean {
  if ('value' in sample) return Number.isFinite(sample.value);
  if (!Number.isFinite(sample.sum ?? 0) || !Number.isFinite(sample.count)) return false;
  for (const le in sample.buckets) if (!Number.isFinite(sample.buckets[le])) return false;
  return true;
}

/**
 * Returns one line of profile_export.jsonl, without a line feed. Nanoseconds are exact. NaN and infinity are
 * omitted.
 */
export function writeProfileRecordLine(
  record: ProfileRecord,
  { layout, endpointType }: LineOptions = {},
): string {
  return layout === 'aiperf'
    ? aiperfWriter.stringify(toAiperfRecord(record, endpointType), AIPERF_RECORD_SHAPE)
    : writer.stringify(record, profileRecord);
}

/** Returns one line of profile_export_raw.jsonl, without a line feed. */
export function writeRawRecordLine(record: RawRecord): string {
  return writer.stringify(record, rawRecord);
}

/** Returns one line of gpu_telemetry_export.jsonl, without a line feed. */
export function writeGpuTelemetryLine(record: GpuTelemetryRecord): string {
  return writer.stringify(record, gpuTelemetryRecord);
}
