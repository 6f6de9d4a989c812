import type { InputSession } from '../generated/inputs.ts';
import type { Output } from '../generated/outputs.ts';
import type { PhaseGpuTelemetry } from '../generated/phaseGpuTelemetry.ts';
import type { PhaseManifest } from '../generated/phaseManifest.ts';
import type { PhaseEndpoint, PhaseServerMetrics } from '../generated/phaseServerMetrics.ts';
import type { PushReport } from '../generated/push.ts';
import type { ResultsReady } from '../generated/resultsReady.ts';
import {
  inputs,
  outputs,
  phaseGpuTelemetry,
  phaseManifest,
  push,
  resultsReady,
} from '../generated/shapes.ts';
import { any, float, object, replaceField } from '../schema/shape.ts';
import { type JsonOptions, JsonWriter } from './jsonWriter.ts';
import { PHASE_SERVER_METRICS_SHAPE } from './phaseShape.ts';

type Entries<T> = Iterable<readonly [key: string, value: T]>;

/** A metric of one endpoint in a phase. */
export interface PhaseMetric {
  readonly type: string;
  readonly description: string;
  readonly unit?: string | null;
  readonly series: readonly unknown[];
}

/** The statistics of one endpoint in a phase, whose metrics are generated while they are written. */
export type PhaseEndpointStream = Omit<PhaseEndpoint, 'metrics'> & { readonly metrics: Entries<PhaseMetric> };

/** A document of a phase whose endpoints and metrics are generated while they are written. Each is iterated once. */
export type PhaseServerMetricsStream = Omit<PhaseServerMetrics, 'data'> & {
  readonly data: Omit<NonNullable<PhaseServerMetrics['data']>, 'endpoint_summaries'> & {
    readonly endpoint_summaries: Entries<PhaseEndpointStream>;
  };
};

/** The shape of outputs.json: the order of its metrics, and the numbers that are floats. */
const OUTPUTS_SHAPE = replaceField(
  outputs,
  ['data', 'metrics'],
  object([
    ...['input_sequence_length', 'output_token_count', 'output_sequence_length'].map(
      tag => [tag, any] as const,
    ),
    ...['request_latency', 'time_to_first_token', 'inter_token_latency'].map(tag => [tag, float] as const),
  ]),
);

/** Nesting depth of the metrics of a phase, and of the items of inputs and outputs. Each is a separate chunk. */
const METRIC_DEPTH = 5;
const ITEM_DEPTH = 2;

/** Returns the text of phase_manifest.json. As in AIPerf, keys are sorted. */
export function writePhaseManifestJson(manifest: PhaseManifest): string {
  return `${new JsonWriter(2, { sortKeys: true }).stringify(manifest, phaseManifest)}\n`;
}

/** Yields the text of phases/<phase>/server_metrics.json. As in AIPerf, keys are sorted. */
export function* streamPhaseServerMetricsJson(
  document: PhaseServerMetricsStream,
  options: Pick<JsonOptions, 'layout'> = {},
): Generator<string> {
  const writer = new JsonWriter(2, { ...options, sortKeys: true });
  yield* writer.stream(document, PHASE_SERVER_METRICS_SHAPE, METRIC_DEPTH);
  yield '\n';
}

/** Returns the text of phases/<phase>/gpu_telemetry.json. */
export function writePhaseGpuTelemetryJson(document: PhaseGpuTelemetry): string {
  return `${new JsonWriter(2).stringify(document, phaseGpuTelemetry)}\n`;
}

/** Yields the text of inputs.json. The sessions are generated while they are written. */
export function streamInputsJson(sessions: Iterable<InputSession>): Generator<string> {
  return new JsonWriter(2).stream({ data: sessions }, inputs, ITEM_DEPTH);
}

/** Yields the text of outputs.json. The outputs are generated while they are written. */
export function streamOutputsJson(data: Iterable<Output>): Generator<string> {
  return new JsonWriter(2).stream({ schema_version: '1.0', data }, OUTPUTS_SHAPE, ITEM_DEPTH);
}

/** Returns the text of .aiperf_results_ready.json. */
export function writeResultsReadyJson(marker: ResultsReady): string {
  return new JsonWriter(0).stringify(marker, resultsReady);
}

/** Returns the text of push.json. */
export function writePushReportJson(report: PushReport): string {
  return new JsonWriter(2).stringify(report, push);
}
