import type { Finding, Run } from '@org/analysis';
import type { Interval, TimeChart, Values } from '../../svg/timeChartModel.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { findMaximum, roundSeconds } from './values.ts';

/** Where a finding can be seen: a layer of a chart, and the values that show it. */
interface Signal {
  readonly chart: string;
  readonly layer: string;
  /** Returns the lowest value that shows the finding, from the highest value. */
  readonly from: (highest: number) => number;
}

const WAITING: Signal = {
  chart: 'server-queue',
  layer: 'waiting',
  from: highest => Math.max(1, highest / 2),
};
const FAILED: Signal = { chart: 'client-requests', layer: 'failed', from: highest => highest / 1000 };
const KV_CACHE: Signal = { chart: 'server-kv-cache', layer: 'used', from: () => 90 };

/** The signals of findings by ID. A finding without a signal is not shown on the time axis. */
const SIGNALS: Readonly<Record<string, Signal>> = {
  'growing-queue': WAITING,
  'server-bottleneck': WAITING,
  'full-batch': WAITING,
  'full-kv-cache': KV_CACHE,
  preemptions: KV_CACHE,
  'failed-client-requests': FAILED,
  'failed-requests': FAILED,
  'aborted-requests': FAILED,
};

/** Maximum number of intervals per finding. */
const MAX_INTERVALS = 6;
/** Intervals that are at most this many points apart are one. */
const MAX_DISTANCE = 3;

/** Finds the time in which a finding can be seen, labelled with its number. */
export function findIntervals(
  { id, evidence }: Finding,
  number: number,
  run: Run,
  traces: RunTraces,
  charts: readonly TimeChart[],
): Interval[] {
  const label = String(number);
  const found = [
    ...evidence.flatMap(({ range }): Range[] =>
      range ? [[traces.toSeconds(range.startNs), traces.toSeconds(range.endNs)]] : [],
    ),
    ...listAvailabilityIntervals(id, new Set(evidence.map(({ endpoint }) => endpoint)), run, traces),
    ...listSignalIntervals(SIGNALS[id], charts),
  ];
  return found
    .sort(([a, b], [c, d]) => d - c - (b - a))
    .slice(0, MAX_INTERVALS)
    .sort(([a], [b]) => a - b)
    .map(([from, to]) => ({ kind: 'finding', from: roundSeconds(from), to: roundSeconds(to), label }));
}

type Range = readonly [from: number, to: number];

function listAvailabilityIntervals(
  id: string,
  endpoints: ReadonlySet<string | undefined>,
  { endpoints: all, times }: Run,
  traces: RunTraces,
): Range[] {
  const end = times.profilingEndNs ?? times.endNs;
  return all.flatMap(({ name, availability: { death, restarts, outages } }): Range[] => {
    if (!endpoints.has(name) && !endpoints.has(undefined)) return [];
    const toRange = (from: bigint, to: bigint): Range => [traces.toSeconds(from), traces.toSeconds(to)];
    if (id === 'dead-server') return death && end !== undefined ? [toRange(death.lastSuccessNs, end)] : [];
    if (id === 'restarted-server') return restarts.map(({ previousNs, atNs }) => toRange(previousNs, atNs));
    return id === 'missing-samples' || id === 'failed-scrapes'
      ? outages.map(({ start_ns, end_ns }) => toRange(start_ns, end_ns))
      : [];
  });
}

function listSignalIntervals(signal: Signal | undefined, charts: readonly TimeChart[]): Range[] {
  const chart = charts.find(({ id }) => id === signal?.chart);
  const layer = chart?.layers.find(({ name }) => name === signal?.layer);
  if (!signal || !chart || !layer || !('values' in layer)) return [];
  const threshold = signal.from(findMaximum(layer.values) ?? 0);
  return mergeRanges(listRuns(layer.values, threshold)).map(([first, last]) => [
    chart.axis.from + first * chart.axis.step,
    chart.axis.from + (last + 1) * chart.axis.step,
  ]);
}

/** Lists the first and last indices of consecutive values of at least `threshold`. */
function listRuns(values: Values, threshold: number): Range[] {
  const runs: [number, number][] = [];
  for (const [i, value] of values.entries()) {
    if (value === null || value <= 0 || value < threshold) continue;
    const last = runs.at(-1);
    if (last?.[1] === i - 1) last[1] = i;
    else runs.push([i, i]);
  }
  return runs;
}

function mergeRanges(runs: readonly Range[]): Range[] {
  const merged: [number, number][] = [];
  for (const [from, to] of runs) {
    const last = merged.at(-1);
    if (last && from - last[1] <= MAX_DISTANCE) last[1] = to;
    else merged.push([from, to]);
  }
  return merged;
}
