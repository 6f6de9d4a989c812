import { formatValue } from '@org/core';
import type { XyChart, XyPoint, XySeries } from '../../svg/xyChartModel.ts';
import type { Choice } from './choice.ts';
import { describePoint, formatPlain, formatPoint } from './format.ts';
import type { StyledGroup, SweepGroups } from './groups.ts';
import type { LoadPointData, SelectableMetric, SweepData } from './sweepData.ts';

/** The metrics of interactivity, which are not latencies. */
export const USER_SPEED: SelectableMetric = {
  metric: 'output_token_throughput_per_user_avg',
  name: 'Output tokens/s of one user',
  short: 'tok/s/user',
  unit: 'tokens/sec/user',
};
export const GPU_SPEED: SelectableMetric = {
  metric: 'output_token_throughput_per_gpu_avg',
  name: 'Output tokens/s per GPU',
  short: 'tok/s/GPU',
  unit: 'tokens/sec/gpu',
};
const ALL_SPEED: SelectableMetric = {
  metric: 'output_token_throughput_avg',
  name: 'Output tokens/s of all users',
  short: 'tok/s',
  unit: 'tokens/sec',
};

/** Builds the chart of what one user gets against what the system delivers, per GPU where all points know their GPUs. */
export function buildInteractivityChart(
  { points }: SweepData,
  { groups, baseGroups, load }: SweepGroups,
): XyChart | undefined {
  const measured = points.filter(({ estimates }) => estimates[USER_SPEED.metric]);
  const all = measured.some(({ estimates }) => estimates[ALL_SPEED.metric]);
  const hasGpus = measured.length > 0 && measured.every(({ estimates }) => estimates[GPU_SPEED.metric]);
  if (!hasGpus && !all) return undefined;
  const y = hasGpus ? GPU_SPEED : ALL_SPEED;
  const toSeries = (group: StyledGroup, isBase: boolean): XySeries => ({
    name: isBase ? 'baseline' : group.name,
    color: group.color,
    marker: group.marker,
    line: isBase ? 'dashed' : 'solid',
    hasArrow: true,
    points: group.points.map((point, i): XyPoint => {
      const [user, system] = [point.estimates[USER_SPEED.metric], point.estimates[y.metric]];
      return {
        x: user?.mean ?? Number.NaN,
        y: system?.mean ?? Number.NaN,
        xHalf: user?.half ?? null,
        yHalf: system?.half ?? null,
        ...(!isBase && { label: String(group.loads[i]) }),
        text: describePoint(point, [USER_SPEED, y], isBase ? 'baseline' : ''),
      };
    }),
  });
  return {
    id: 'interactivity',
    title: `${y.name} against the speed for one user`,
    help: `A point is a load, numbered by its ${load}. Right: an answer is faster. Up: the system delivers more.${hasGpus ? '' : ' The number of GPUs is unknown, so that this is the whole system.'}`,
    x: { name: USER_SPEED.name },
    y: { name: '' },
    series: [
      ...baseGroups.map(group => toSeries(group, true)),
      ...groups.map(group => toSeries(group, false)),
    ],
  };
}

/** Builds the charts with a dot per run. Each load has a slot, and the runs of a load are in their order. */
export function buildRepeatCharts(data: SweepData, groups: SweepGroups, choice: Choice): XyChart[] {
  const metrics = [
    data.throughputs.find(({ metric }) => metric === choice.throughput),
    data.latencies.find(({ metric }) => metric === choice.latency),
  ];
  return metrics.flatMap(metric => (metric ? buildRepeatChart(metric, groups) : []));
}

/** Builds the dots of one metric. Empty if no run was found. */
export function buildRepeatChart(metric: SelectableMetric, { groups, load }: SweepGroups): XyChart[] {
  const slots = groups.flatMap(group =>
    group.points.map((point, i) => ({ point, group, label: String(group.loads[i]) })),
  );
  if (!slots.some(({ point }) => point.repeats.some(({ values }) => metric.metric in values))) return [];
  const isSingle = slots.length === 1;
  const most = slots.reduce((a, { point }) => Math.max(a, point.repeats.length), 1);
  const place = (slot: number, run: number): number =>
    isSingle ? run + 1 : slot + (run + 1) / (most + 1) - 0.5;
  return [
    {
      id: `repeats-${metric.metric.replaceAll('_', '-')}`,
      title: metric.name,
      help: 'A dot is a run. The runs of a load are side by side in order of time: a slope is a drift, and a dot apart is an outlier. The line is their mean.',
      x: isSingle
        ? {
            name: 'run',
            domain: [0.4, most + 0.6],
            ticks: Array.from({ length: most }, (_, i) => ({ value: i + 1, label: String(i + 1) })),
          }
        : {
            name: load,
            domain: [-0.6, slots.length - 0.4],
            ticks: slots.map(({ label }, value) => ({ value, label })),
          },
      y: { name: '' },
      series: groups.flatMap(group => [
        ...listMeans(metric, slots, group, place, most),
        {
          name: group.name,
          color: group.color,
          marker: most > 1 && slots.length <= 60 ? group.marker : ('dot' as const),
          points: slots.flatMap(({ point, group: own }, slot) =>
            own === group ? listDots(metric, point, run => place(slot, run)) : [],
          ),
        },
      ]),
    },
  ];
}

interface Slot {
  readonly point: LoadPointData;
  readonly group: StyledGroup;
}

/** Lists the means as short lines across the dots of a load. */
function listMeans(
  { metric, unit }: SelectableMetric,
  slots: readonly Slot[],
  group: StyledGroup,
  place: (slot: number, run: number) => number,
  most: number,
): XySeries[] {
  if (most < 2) return [];
  return slots.flatMap(({ point, group: own }, slot) => {
    const estimate = point.estimates[metric];
    if (own !== group || !estimate) return [];
    const text = `mean ${formatValue(estimate.mean, unit)}`;
    const ends = [place(slot, -0.5), place(slot, most - 0.5)];
    return [
      {
        name: '',
        color: 'grey' as const,
        marker: 'dot' as const,
        line: 'thin' as const,
        isBare: true,
        points: ends.map(x => ({ x, y: estimate.mean, text })),
      },
    ];
  });
}

function listDots(
  { metric, unit }: SelectableMetric,
  point: LoadPointData,
  place: (run: number) => number,
): XyPoint[] {
  return point.repeats.flatMap(({ trial, values }, i) => {
    const value = values[metric];
    if (value === undefined) return [];
    return [
      { x: place(i), y: value, text: `${formatPoint(point)}, run ${trial}: ${formatRunValue(value, unit)}` },
    ];
  });
}

function formatRunValue(value: number, unit: string): string {
  return unit === 'ms' ? formatValue(value, unit) : formatPlain(value, '');
}
