import { type Batch, countPoints, type Family, type RunIdentity } from '../../src/metrics/batch.ts';
import { METRICS } from '../../src/metrics/definition.ts';
import type { Statistics } from '../../src/metrics/runStatistics.ts';
import { StatisticsCursor } from '../../src/send/statisticsCursor.ts';

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

/** Statistics whose parts are batches. Reading a part that is an error fails. */
export function createStatistics(
  parts: readonly (Batch | Error)[],
  onRead: (part: number) => void = () => {},
): Statistics & { readonly isReleased: () => boolean } {
  let isReleased = false;
  const batches = parts.filter((part): part is Batch => !(part instanceof Error));
  return {
    run: RUN,
    timeMs: 1_005_000,
    points: batches.reduce((sum, batch) => sum + countPoints(batch), 0),
    readPart: async part => {
      onRead(part);
      const result = parts[part];
      if (result instanceof Error) throw result;
      return result;
    },
    release: () => {
      isReleased = true;
    },
    isReleased: () => isReleased,
  };
}

/** Creates a cursor over statistics. */
export function createCursor(...args: Parameters<typeof createStatistics>): StatisticsCursor {
  return new StatisticsCursor(createStatistics(...args), () => {});
}
