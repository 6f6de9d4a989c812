import type { Batch, Family, RunIdentity } from '../../src/metrics/batch.ts';
import { METRICS } from '../../src/metrics/definition.ts';

export const RUN: RunIdentity = {
  runId: 'run-1',
  startMs: 1_000_000,
  version: '1.2.3',
  labels: { 'gen_ai.request.model': 'm' },
  userLabels: { team: 'search' },
};

/** Creates a batch of one gauge, or of the given families. */
export function createBatch(value = 7, families?: readonly Family[]): Batch {
  const gauge = { definition: METRICS.inFlight, points: [{ labels: { phase: 'profiling' }, value }] };
  return { run: RUN, timeMs: 1_005_000, families: families ?? [gauge] };
}

/** A histogram of three values. One value exceeds all bounds. */
export const HISTOGRAM_FAMILY: Family = {
  definition: METRICS.operationDuration,
  points: [
    {
      labels: { phase: 'profiling' },
      value: { bounds: [0.5, 1], counts: [1, 1, 1], count: 3, sum: 4.25 },
    },
  ],
};

export const COUNTER_FAMILY: Family = {
  definition: METRICS.requests,
  points: [{ labels: { phase: 'profiling', outcome: 'succeeded' }, value: 12 }],
};
