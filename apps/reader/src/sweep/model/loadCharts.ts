import { formatValue } from '@org/core';
import type { XyChart, XyPoint, XySeries } from '../../svg/xyChartModel.ts';
import { type Choice, splitMetric } from './choice.ts';
import { describePoint } from './format.ts';
import type { StyledGroup, SweepGroups } from './groups.ts';
import type { LoadPointData, SelectableMetric, SweepData } from './sweepData.ts';

/** Builds the charts of what the client measured, over the load. */
export function buildLoadCharts(data: SweepData, groups: SweepGroups, choice: Choice): XyChart[] {
  const throughput = data.throughputs.find(({ metric }) => metric === choice.throughput);
  return [
    ...(throughput ? [buildThroughputChart(throughput, groups)] : []),
    ...listLatencyTags(data).flatMap(tag => buildLatencyChart(tag, data, groups, choice)),
    ...buildGoodChart(data, groups),
  ];
}

function buildThroughputChart(metric: SelectableMetric, groups: SweepGroups): XyChart {
  const series = toMetricSeries(metric, groups);
  return {
    id: 'load-throughput',
    title: metric.name,
    help: `What was done at each load. The thin grey line is proportional to the load, from the lowest load of the first group: a server with room stays on it.`,
    x: groups.axis,
    y: { name: '' },
    series: [...buildIdealLine(metric, groups), ...series],
  };
}

/** Builds the line that is proportional to the load. It ends at the top of the chart. */
function buildIdealLine({ metric }: SelectableMetric, { groups }: SweepGroups): XySeries[] {
  const [group] = groups;
  const first = group?.points[0]?.estimates[metric];
  const start = group?.loads[0];
  if (!group || !first || !start || start <= 0 || group.points.length < 2) return [];
  const tops = groups.flatMap(each => each.points.map(({ estimates }) => estimates[metric]?.mean ?? 0));
  const end = tops.reduce((a, b) => Math.max(a, b), 0) / first.mean;
  const highest = group.loads.at(-1)! / start;
  const factors = [...group.loads.map(load => load / start), end].filter(
    factor => factor <= Math.min(end, highest) && factor >= 1,
  );
  return [
    {
      name: 'proportional to the load',
      color: 'grey',
      marker: 'dot',
      line: 'thin',
      isBare: true,
      points: factors
        .sort((a, b) => a - b)
        .map(factor => ({ x: start * factor, y: first.mean * factor, text: '' })),
    },
  ];
}

/** Lists the tags of the latencies that can be selected. */
function listLatencyTags({ latencies }: SweepData): string[] {
  return [...new Set(latencies.map(({ metric }) => splitMetric(metric).tag))];
}

/** Builds the chart of a latency: its median and the selected statistic; with several groups, the latter only. */
function buildLatencyChart(
  tag: string,
  { latencies }: SweepData,
  groups: SweepGroups,
  choice: Choice,
): XyChart[] {
  const find = (stat: string): SelectableMetric | undefined =>
    latencies.find(({ metric }) => metric === `${tag}_${stat}`);
  const chosen = splitMetric(choice.latency).stat;
  const main = find(chosen) ?? find('p99') ?? find('avg');
  if (!main) return [];
  const median = main.metric.endsWith('_p50') ? find('p99') : find('p50');
  const isSingle = groups.groups.length === 1;
  const limit = choice.limits.find(({ metric }) => metric === main.metric);
  return [
    {
      id: `load-${tag.replaceAll('_', '-')}`,
      title: `${main.name.replace(/ \S+, /, ', ')}: ${isSingle && median ? `${splitMetric(median.metric).stat} and ` : ''}${splitMetric(main.metric).stat}`,
      help: 'The means over repeats, with confidence intervals. The dotted line is the limit.',
      x: groups.axis,
      y: { name: '' },
      series: [
        ...(isSingle && median ? toMetricSeries(median, groups, 'solid') : []),
        ...toMetricSeries(main, groups, isSingle && median ? 'dashed' : 'solid'),
      ],
      ...(limit && {
        limits: [{ value: limit.value, name: `limit ${formatValue(limit.value, main.unit)}` }],
      }),
    },
  ];
}

/** Builds the chart of the share of requests that kept all limits of `--goodput`. */
function buildGoodChart({ points }: SweepData, groups: SweepGroups): XyChart[] {
  const getShare = ({ outcomes }: LoadPointData): number => {
    if (!outcomes || outcomes.late === null) return Number.NaN;
    const all = outcomes.succeeded + outcomes.failed;
    return (100 * (outcomes.succeeded - outcomes.late)) / all;
  };
  if (!points.some(point => Number.isFinite(getShare(point)))) return [];
  return [
    {
      id: 'load-good',
      title: 'Good requests, %',
      help: 'The share of successful and failed requests that kept all limits of --goodput.',
      x: groups.axis,
      y: { name: '', domain: [0, 105] },
      series: toValueSeries(getShare, 'good', '%', groups),
    },
  ];
}

function nameSeries(name: string, isBase: boolean): string {
  return isBase ? `baseline ${name}` : name;
}

function toMetricSeries(
  metric: SelectableMetric,
  { groups, baseGroups }: SweepGroups,
  line: XySeries['line'] = 'solid',
): XySeries[] {
  const toPoint = (point: LoadPointData, load: number, isBase: boolean): XyPoint => {
    const estimate = point.estimates[metric.metric];
    return {
      x: load,
      y: estimate?.mean ?? Number.NaN,
      yHalf: estimate?.half ?? null,
      text: describePoint(point, [metric], isBase ? 'baseline' : ''),
    };
  };
  const toSeries = (group: StyledGroup, isBase: boolean): XySeries => ({
    name: nameSeries(group.name || metric.short, isBase),
    color: group.color,
    marker: group.marker,
    line: isBase ? 'dashed' : line,
    points: group.points.map((point, i) => toPoint(point, group.loads[i]!, isBase)),
  });
  return [...baseGroups.map(group => toSeries(group, true)), ...groups.map(group => toSeries(group, false))];
}

/** Converts a value of each point to lines, one per group. */
export function toValueSeries(
  getValue: (point: LoadPointData) => number | undefined,
  name: string,
  unit: string,
  { groups, baseGroups }: SweepGroups,
  options: Partial<Pick<XySeries, 'line' | 'color'>> = {},
): XySeries[] {
  const toSeries = (group: StyledGroup, isBase: boolean): XySeries => ({
    name: nameSeries(group.name || name, isBase),
    color: group.color,
    marker: group.marker,
    line: isBase ? 'dashed' : 'solid',
    ...(isBase ? {} : options),
    points: group.points.map((point, i) => {
      const value = getValue(point) ?? Number.NaN;
      return {
        x: group.loads[i]!,
        y: value,
        text: `${isBase ? 'baseline, ' : ''}${describePoint(point, [])}${name} ${Number(value.toPrecision(4))}${unit}`,
      };
    }),
  });
  return [...baseGroups.map(group => toSeries(group, true)), ...groups.map(group => toSeries(group, false))];
}
