import type { ServerLoad } from '@org/analysis/browser';
import type { XyChart, XySeries } from '../../svg/xyChartModel.ts';
import type { SweepGroups } from './groups.ts';
import { toValueSeries } from './loadCharts.ts';
import type { LoadPointData, SweepData } from './sweepData.ts';

/** The charts of what the servers did, and the quantities without a chart. */
export interface ServerCharts {
  readonly charts: readonly XyChart[];
  /** Quantities that were 0 at every load. */
  readonly zero: readonly string[];
  /** Quantities that no server reports. */
  readonly missing: readonly string[];
}

interface Quantity {
  readonly field: keyof ServerLoad;
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly unit: string;
  readonly help: string;
}

const QUANTITIES: readonly Quantity[] = [
  {
    field: 'kvCachePercent',
    id: 'server-kv-cache',
    title: 'KV cache, highest usage, %',
    name: 'KV cache',
    unit: '%',
    help: 'The highest usage of the fullest cache in a run, as the mean over runs. Near 100, requests wait or are preempted.',
  },
  {
    field: 'preemptions',
    id: 'server-preemptions',
    title: 'Preemptions/s',
    name: 'preemptions',
    unit: '/s',
    help: 'A preempted request loses its KV cache and is computed again.',
  },
  {
    field: 'prefixHitPercent',
    id: 'server-prefix-hits',
    title: 'Prefix cache hits, %',
    name: 'prefix cache hits',
    unit: '%',
    help: 'The share of the tokens or blocks of prompts that were found in the prefix cache.',
  },
  {
    field: 'queuePercent',
    id: 'server-queue-share',
    title: 'Queue, % of the time to first token',
    name: 'queue',
    unit: '%',
    help: 'The mean time in the queue of the server, as a share of its mean time to first token.',
  },
];

/** Builds the charts of what the servers did over the load. */
export function buildServerCharts({ points, base }: SweepData, groups: SweepGroups): ServerCharts {
  const all = [...points, ...(base?.points ?? [])];
  const isKnown = (field: keyof ServerLoad): boolean => all.some(({ server }) => server[field] !== undefined);
  const isZero = (field: keyof ServerLoad): boolean =>
    isKnown(field) && all.every(({ server }) => !server[field]);
  const drawn = QUANTITIES.filter(({ field }) => isKnown(field) && !isZero(field));
  return {
    charts: [
      ...(isKnown('running') || isKnown('waiting') ? [buildRequestChart(groups)] : []),
      ...drawn.map(quantity => buildQuantityChart(quantity, groups)),
    ],
    zero: QUANTITIES.filter(({ field }) => isZero(field)).map(({ name }) => name),
    missing: [
      ...(isKnown('running') || isKnown('waiting') ? [] : ['requests in the server']),
      ...QUANTITIES.filter(({ field }) => !isKnown(field)).map(({ name }) => name),
    ],
  };
}

function buildQuantityChart({ field, id, title, name, unit, help }: Quantity, groups: SweepGroups): XyChart {
  const hasColor = groups.groups.length === 1;
  return {
    id,
    title,
    help,
    x: groups.axis,
    y: { name: '', ...(unit === '%' && { domain: [0, 105] as const }) },
    series: toValueSeries(
      ({ server }) => server[field],
      name,
      unit,
      groups,
      hasColor ? { color: 'server' } : {},
    ),
  };
}

/** Builds the chart of running and waiting requests: stacked, or as lines with several groups or a baseline. */
function buildRequestChart(groups: SweepGroups): XyChart {
  const isStacked = groups.groups.length === 1 && groups.baseGroups.length === 0;
  const read = (field: 'running' | 'waiting', options: Partial<XySeries>): XySeries[] =>
    toValueSeries(({ server }) => server[field], field, '', groups, options).map(series =>
      isStacked || series.name.endsWith(field) ? series : { ...series, name: `${series.name}, ${field}` },
    );
  return {
    id: 'server-requests',
    title: 'Requests in the server, mean',
    help: isStacked
      ? 'Running requests are computed; waiting requests are stacked above them.'
      : 'Solid lines are running requests, dashed lines waiting ones.',
    x: groups.axis,
    y: { name: '' },
    series: isStacked
      ? stack(
          groups.groups[0]!.points,
          read('running', { color: 'server' }),
          read('waiting', { color: 'waiting' }),
        )
      : [...read('running', {}), ...read('waiting', { line: 'dashed' })],
  };
}

function stack(points: readonly LoadPointData[], [running]: XySeries[], [waiting]: XySeries[]): XySeries[] {
  const base = points.map(({ server }) => server.running ?? 0);
  const areas: XySeries[] = [
    { ...running!, points: running!.points.map(point => ({ ...point, base: 0 })), isArea: true },
    {
      ...waiting!,
      points: waiting!.points.map((point, i) => ({ ...point, y: point.y + base[i]!, base: base[i]! })),
      isArea: true,
    },
  ];
  return areas.filter(area => area.points.some(({ y }) => Number.isFinite(y)));
}
