import { findCertainParetoPoints } from '@org/analysis/browser';
import { formatValue } from '@org/core';
import type { XyChart, XyPoint, XySeries } from '../../svg/xyChartModel.ts';
import type { Choice } from './choice.ts';
import { describePoint } from './format.ts';
import type { StyledGroup, SweepGroups } from './groups.ts';
import type { LoadPointData, SelectableMetric, SweepData } from './sweepData.ts';

/** More lines between matched points than this hide the points. */
const MAX_CONNECTIONS = 40;

/** Builds the chart of throughput against latency, in load order. */
export function buildTradeoffChart(
  data: SweepData,
  { groups, baseGroups, load }: SweepGroups,
  choice: Choice,
): XyChart {
  const x = data.throughputs.find(({ metric }) => metric === choice.throughput)!;
  const y = data.latencies.find(({ metric }) => metric === choice.latency)!;
  const optimal = new Set(findCertainParetoPoints(data.points, x.metric, y.metric));
  const limit = choice.limits.find(({ metric }) => metric === y.metric);
  return {
    id: 'tradeoff',
    title: `${y.name} against ${x.name}`,
    help: `A point is a load, numbered by its ${load}; the arrow points to the highest load. Right and down is better. Bars are confidence intervals of the means over repeats; a bar that leaves the chart ends with a caret. A ring marks a point that is certainly Pareto-optimal: intervals show that every other point has less throughput or more latency.`,
    x: { name: x.name },
    y: { name: '', ...(choice.isLog && { isLog: true }) },
    series: [
      ...connectMatches(data, x.metric, y.metric),
      ...baseGroups.map(group => toSeries(group, [x, y], optimal, data.base?.name)),
      ...groups.map(group => toSeries(group, [x, y], optimal)),
    ],
    ...(limit && {
      limits: [{ value: limit.value, name: `limit ${formatValue(limit.value, y.unit)}` }],
      hasZone: true,
    }),
  };
}

function toSeries(
  { name, points, loads, color, marker }: StyledGroup,
  [x, y]: readonly [SelectableMetric, SelectableMetric],
  optimal: ReadonlySet<LoadPointData>,
  base?: string,
): XySeries {
  return {
    name: base === undefined ? name : `baseline ${base}${name && `, ${name}`}`,
    color,
    marker,
    line: base === undefined ? 'solid' : 'dashed',
    hasArrow: true,
    points: points.map((point, i): XyPoint => {
      const [left, top] = [point.estimates[x.metric], point.estimates[y.metric]];
      return {
        x: left?.mean ?? Number.NaN,
        y: left && top ? top.mean : Number.NaN,
        xHalf: left?.half ?? null,
        yHalf: top?.half ?? null,
        ...(base === undefined && { label: String(loads[i]), isRinged: optimal.has(point) }),
        text: describePoint(point, [x, y], base === undefined ? '' : 'baseline'),
      };
    }),
  };
}

/** Connects each point of the baseline with its counterpart. */
function connectMatches({ points, base }: SweepData, x: string, y: string): XySeries[] {
  const pairs = (base?.points ?? []).flatMap(from => {
    const to = points.find(point => hasSameParameters(point, from));
    return to && [from, to].every(({ estimates }) => estimates[x] && estimates[y])
      ? [[from, to] as const]
      : [];
  });
  if (pairs.length > MAX_CONNECTIONS) return [];
  return pairs.map(pair => ({
    name: '',
    color: 'grey',
    marker: 'dot',
    line: 'thin',
    isBare: true,
    points: pair.map(point => ({
      x: point.estimates[x]!.mean,
      y: point.estimates[y]!.mean,
      text: '',
    })),
  }));
}

/** Reports whether two points have the same values of all parameters. */
export function hasSameParameters(
  a: Pick<LoadPointData, 'parameters'>,
  b: Pick<LoadPointData, 'parameters'>,
): boolean {
  const entries = Object.entries(a.parameters);
  return (
    entries.length === Object.keys(b.parameters).length &&
    entries.every(([name, value]) => b.parameters[name] === value)
  );
}
