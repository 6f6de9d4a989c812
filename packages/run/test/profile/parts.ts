import {
  type EndedRequest,
  PhaseMetrics,
  ProfileMetrics,
  type RequestMetrics,
  type SliceMetrics,
} from '@org/loadgen';
import type { DocumentParts } from '../../src/profile/document.ts';
import type { PhaseParts } from '../../src/profile/profileExports.ts';
import type { TimesliceParts } from '../../src/profile/timeslices.ts';

export const ORIGIN_NS = 1_795_248_930_000_000_000n;

/** Requests that start 0.5 s and 1.25 s after the origin and take 100 ms and 200 ms. */
const REQUESTS: readonly [startNs: number, latencyMs: number][] = [
  [0.5e9, 100],
  [1.25e9, 200],
];

/** Adds two requests to metrics. */
export function addRequests(metrics: ProfileMetrics | SliceMetrics): void {
  for (const [startNs, latencyMs] of REQUESTS) {
    const endNs = startNs + latencyMs * 1e6;
    const request: EndedRequest = {
      startNs,
      endNs,
      lastTokenNs: endNs,
      failure: undefined,
      cancelled: false,
    };
    const measured: RequestMetrics = { request_latency: { value: latencyMs, unit: 'ms' } };
    metrics.add(request, measured, 0);
  }
}

/** Creates the inputs of the client's export documents for a run with two requests and without timeslices. */
export function createParts(
  changes: Partial<DocumentParts & TimesliceParts & PhaseParts> = {},
): DocumentParts & TimesliceParts & PhaseParts {
  const metrics = new ProfileMetrics({ streaming: true });
  addRequests(metrics);
  return {
    benchmarkId: 'b',
    version: '1.2.3',
    startNs: ORIGIN_NS,
    endNs: ORIGIN_NS + 2_000_000_000n,
    metrics,
    phaseMetrics: new PhaseMetrics({ streaming: true }),
    blocks: metrics.toBlocks(),
    originNs: ORIGIN_NS,
    earlyStops: 0,
    summary: undefined,
    tokenizer: 'o200k_base',
    tokenSource: 'client',
    cancelled: false,
    inputConfig: { benchmark_id: 'b' },
    runInfo: {
      benchmark_id: 'b',
      random_seed: 7,
      trial: 0,
      run_label: 'run_0001',
      variation_label: 'base',
      variation_index: 0,
      variation_values: {},
    },
    reconciliation: undefined,
    slices: undefined,
    profilingStartNs: ORIGIN_NS,
    profilingEndNs: ORIGIN_NS + 2_000_000_000n,
    serverMetrics: undefined,
    phases: [],
    phaseFiles: [],
    ...changes,
  };
}
