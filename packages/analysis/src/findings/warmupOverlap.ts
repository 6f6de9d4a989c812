import { formatNumber, formatPercent } from '@org/core';
import { toBucketTable } from '../buckets.ts';
import { sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, type RunSlice, readStat } from '../run/series.ts';
import { findServerInstances } from '../servers/serverInstance.ts';
import type { Evidence, Thresholds } from './rule.ts';

const UNIT_NS: Readonly<Record<string, number>> = { seconds: 1e9, milliseconds: 1e6, microseconds: 1e3 };

/**
 * Finds requests that started before the profiling period but completed within it. A request that completed in a
 * slice started before the period if its latency exceeds the time from the start of the period to the end of the
 * slice. The number from histogram buckets is a lower bound.
 */
export function findWarmupOverlaps(run: Run, limits: Thresholds<'share' | 'requests'>): Evidence[] {
  return findServerInstances(run).flatMap(({ endpoint, series }) => {
    const latencies = series('requestLatency');
    const early = sum(latencies.map(latency => countEarlyRequests(latency, run.times.profilingStartNs)));
    const requests = sum(latencies.map(latency => readStat(latency, 'count') ?? 0));
    if (early < limits.requests || early <= limits.share * requests) return [];
    return [
      {
        endpoint,
        text: `at least ${formatNumber(early)} of ${formatNumber(requests)} requests (${formatPercent(early / requests)}) started before profiling`,
        numbers: { early, requests },
        magnitude: early / requests,
      },
    ];
  });
}

function countEarlyRequests({ slices, unit }: RunSeries, profilingStartNs: bigint | undefined): number {
  const start = profilingStartNs ?? slices[0]?.start_ns;
  const unitNs = UNIT_NS[unit ?? ''];
  if (start === undefined || unitNs === undefined) return 0;
  return sum(slices.map(slice => countAbove(slice, Number(slice.end_ns - start) / unitNs)));
}

/**
 * Returns a lower bound of the number of observations above `value`: the observations above the first bucket bound
 * that is at least `value`.
 */
function countAbove(slice: RunSlice, value: number): number {
  const table = toBucketTable(slice.buckets);
  const bound = table ? table.bounds.findIndex(le => le >= value) : -1;
  return table && bound >= 0 ? table.total - table.counts[bound]! : 0;
}
