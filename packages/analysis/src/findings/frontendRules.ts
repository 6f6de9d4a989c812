import { formatPercent, formatValue } from '@org/core';
import { PROCESS_CPU_METRIC } from '@org/servers';
import { toBucketTable } from '../buckets.ts';
import { toPeriodStats } from '../run/increase.ts';
import type { Run } from '../run/run.ts';
import { readLoadWindow } from '../servers/loadWindow.ts';
import { findServerInstances, type ServerInstance } from '../servers/serverInstance.ts';
import { createRunRule, type Evidence, type FindingRule, type Thresholds } from './rule.ts';

type Limits = Thresholds<'delay' | 'share' | 'observations' | 'cpu'>;

/** The process that receives requests is at its limit, and delays every token. */
export const FRONTEND_LIMIT: FindingRule = createRunRule(
  {
    id: 'frontend-limit',
    severity: 'warning',
    title: 'the frontend may be at its limit',
    advice:
      'Every token passes through its event loop, which makes the engine look slower than it is: give the frontend more CPU, or run several (Dynamo: more frontends; vLLM: --api-server-count). If other programs keep the machine busy, stop them first.',
    thresholds: {
      delay: { value: 0.01, meaning: 'delay of the event loop to count, in seconds' },
      share: { value: 0.1, meaning: 'minimum fraction of measurements with this delay' },
      observations: { value: 100, meaning: 'minimum number of measurements' },
      cpu: { value: 0.9, meaning: 'minimum usage of one core by the process' },
    },
  },
  (run, limits) => {
    const { loadedShare } = readLoadWindow(run);
    return findServerInstances(run).flatMap(instance => [
      ...describeDelay(instance, limits),
      ...describeCpu(run, instance, loadedShare, limits),
    ]);
  },
);

/** Describes the delay of the event loop. The share is a lower bound, from the first bucket bound above the delay. */
function describeDelay({ endpoint, series }: ServerInstance, limits: Limits): Evidence[] {
  return series('eventLoopDelay').flatMap(({ buckets, stats, unit }) => {
    const table = toBucketTable(buckets);
    const index = table?.bounds.findIndex(bound => bound >= limits.delay) ?? -1;
    if (!table || index < 0 || table.total < limits.observations || unit !== 'seconds') return [];
    const share = (table.total - table.counts[index]!) / table.total;
    if (share < limits.share) return [];
    const { avg } = toPeriodStats(stats);
    const mean = avg === undefined ? '' : `, ${formatValue(avg, unit)} on average`;
    return [
      {
        endpoint,
        text: `its event loop was more than ${formatValue(table.bounds[index]!, unit)} late in ${formatPercent(share)} of the measurements${mean}`,
        numbers: { share, ...(avg !== undefined && { mean: avg }), measurements: table.total },
        magnitude: share,
      },
    ];
  });
}

/** Maximum usage of cores by a process whose main thread is its limit. Above, other threads compute, and the usage says little. */
const MAX_CORES = 1.2;

function describeCpu(
  { families }: Run,
  { endpoint, definition }: ServerInstance,
  loadedShare: number,
  limits: Limits,
): Evidence[] {
  if (!definition.isEventLoop) return [];
  const series = families.get(PROCESS_CPU_METRIC)?.series.find(entry => entry.endpoint === endpoint);
  const rate = series && toPeriodStats(series.stats).rate;
  const cores = rate === undefined ? 0 : rate / loadedShare;
  if (cores < limits.cpu || cores > MAX_CORES) return [];
  return [
    {
      endpoint,
      text: `its process used ${formatPercent(cores)} of a core; an event loop runs on one core`,
      numbers: { cores },
      magnitude: cores,
    },
  ];
}
