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

/** Creates a batch of a gauge with many series. */
export function createGauges(series: number): Batch {
  const points = Array.from({ length: series }, (_, index) => ({
    labels: { endpoint: String(index) },
    value: index,
  }));
  return createBatch(0, [{ definition: METRICS.endpointRunning, points }]);
}

/** The end of the series of a batch. */
export function createEnd(batch: Batch): Batch {
  return { ...batch, isEnd: true };
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
