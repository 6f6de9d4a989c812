import type { InputSession } from '../generated/inputs.ts';
import type { Output } from '../generated/outputs.ts';
import type { PhaseManifest } from '../generated/phaseManifest.ts';
import type { PhaseEndpoint, PhaseServerMetrics } from '../generated/phaseServerMetrics.ts';
import type { ResultsReady } from '../generated/resultsReady.ts';
import { inputs, outputs, phaseManifest, phaseServerMetrics, resultsReady } from '../generated/shapes.ts';
import { JsonWriter } from './jsonWriter.ts';

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

/** Nesting depth of the metrics of a phase, and of the items of inputs and outputs. Each is a separate chunk. */
const METRIC_DEPTH = 5;
const ITEM_DEPTH = 2;

/** Returns the text of phase_manifest.json. */
export function writePhaseManifestJson(manifest: PhaseManifest): string {
  return `${new JsonWriter(2).stringify(manifest, phaseManifest)}\n`;
}

/** Yields the text of phases/<phase>/server_metrics.json. */
export function* streamPhaseServerMetricsJson(document: PhaseServerMetricsStream): Generator<string> {
  yield* new JsonWriter(2).stream(document, phaseServerMetrics, METRIC_DEPTH);
  yield '\n';
}

/** Yields the text of inputs.json. The sessions are generated while they are written. */
export function streamInputsJson(sessions: Iterable<InputSession>): Generator<string> {
  return new JsonWriter(2).stream({ data: sessions }, inputs, ITEM_DEPTH);
}

/** Yields the text of outputs.json. The outputs are generated while they are written. */
export function streamOutputsJson(data: Iterable<Output>): Generator<string> {
  return new JsonWriter(2).stream({ schema_version: '1.0', data }, outputs, ITEM_DEPTH);
}

/** Returns the text of .aiperf_results_ready.json. */
export function writeResultsReadyJson(marker: ResultsReady): string {
  return new JsonWriter(0).stringify(marker, resultsReady);
}
