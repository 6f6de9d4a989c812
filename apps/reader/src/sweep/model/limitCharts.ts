import { formatNumber, formatPercent } from '@org/core';
import type { BoundarySummary, LimitResult, SearchHistory } from '@org/formats';
import type { XyChart, XyPoint, XySeries } from '../../svg/xyChartModel.ts';
import { createLoadAxis } from './groups.ts';

/** A limit in one run of a search of one parameter. */
interface LimitRun {
  readonly value: number;
  /** The number of the run, starting at 1. */
  readonly run: number;
  readonly result: LimitResult;
}

/** Returns the last part of the path of a parameter, such as `concurrency`. */
export function getShortName(path: string): string {
  return path.split('.').at(-1)!;
}

/** Builds a chart for each limit of a search of one parameter, with the limited metric in each run. */
export function buildLimitCharts({
  config,
  iterations,
  boundary_summary: boundary,
}: SearchHistory): readonly XyChart[] {
  const [dimension, ...others] = config.search_space;
  if (!dimension || others.length > 0) return [];
  const runs = iterations.flatMap(({ variation_values: values, limits = [] }, i) =>
    limits.map((result): LimitRun => ({ value: values[dimension.path] ?? Number.NaN, run: i + 1, result })),
  );
  const limits = [...new Set(runs.map(({ result }) => result.limit))];
  return limits.flatMap((limit, i) => {
    const own = runs.filter(({ result }) => result.limit === limit);
    const required = own.find(({ result }) => result.required !== undefined)?.result.required;
    if (required === undefined) return [];
    const name = getShortName(dimension.path);
    return [createLimitChart(`limit-${i + 1}`, { name, limit, required, runs: own, boundary })];
  });
}

interface LimitContent {
  readonly name: string;
  readonly limit: string;
  readonly required: number;
  readonly runs: readonly LimitRun[];
  readonly boundary: SearchHistory['boundary_summary'];
}

function createLimitChart(id: string, { name, limit, required, runs, boundary }: LimitContent): XyChart {
  const toSeries = (
    style: Pick<XySeries, 'name' | 'color' | 'marker'>,
    isShown: (result: LimitResult) => boolean,
  ): XySeries => ({
    ...style,
    points: runs
      .filter(({ result }) => isShown(result))
      .map(
        ({ value, run, result }): XyPoint => ({
          x: value,
          y: result.observed ?? required,
          text: `run ${run}, ${name} ${formatNumber(value)}: ${result.detail}`,
        }),
      ),
  });
  const ticks = [...new Set(runs.map(({ value }) => value))].map(value => ({
    value,
    label: formatNumber(Number(value.toPrecision(4))),
  }));
  const series = [
    toSeries(
      { name: 'within the limit', color: 'second', marker: 'circle' },
      ({ outcome, observed }) => outcome === 'passed' && observed !== undefined,
    ),
    toSeries(
      { name: 'outside of the limit', color: 'failed', marker: 'cross' },
      ({ outcome, observed }) => outcome === 'failed' && observed !== undefined,
    ),
    toSeries(
      { name: 'outside of the limit, ended early', color: 'failed', marker: 'triangle' },
      ({ outcome, observed }) => outcome === 'failed' && observed === undefined,
    ),
    ...drawBoundary(boundary, name, required),
  ].filter(({ points }) => points.length > 0);
  return {
    id,
    title: limit,
    help: 'A point is a run of the search. The dotted line is the limit. A run that ended early is drawn on the line: it has certainly failed, and its value is unknown. The diamond is the estimate of the boundary, and the blue line its confidence interval.',
    x: createLoadAxis(name, ticks),
    y: { name: '' },
    series,
    limits: [{ value: required, name: `limit ${formatNumber(required)}` }],
  };
}

/** Draws the estimate of the boundary as a point on the limit, and its interval as a line. */
function drawBoundary(
  boundary: BoundarySummary | null | undefined,
  name: string,
  required: number,
): readonly XySeries[] {
  const { estimate, interval } = boundary ?? {};
  if (estimate === undefined) return [];
  const format = (value: number): string => formatNumber(Number(value.toPrecision(4)));
  const range = interval ? `, interval from ${format(interval.low)} to ${format(interval.high)}` : '';
  const text = `estimate of the boundary: ${name} ${format(estimate)}${range}`;
  const point: XySeries = {
    name: 'estimate of the boundary',
    color: 'client',
    marker: 'diamond',
    points: [{ x: estimate, y: required, text }],
  };
  if (!interval) return [point];
  const line: XySeries = {
    name: `${formatPercent(interval.level)} confidence interval`,
    color: 'client',
    marker: 'dot',
    line: 'solid',
    isBare: true,
    points: [interval.low, interval.high].map(x => ({ x, y: required, text })),
  };
  return [line, point];
}
