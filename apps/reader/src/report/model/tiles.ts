import { type Run, readStat, selectRoleSeries } from '@org/analysis';
import { formatNumber, formatValue } from '@org/core';
import type { MetricRole } from '@org/servers';
import type { TimeChart, Values } from '../../svg/timeChartModel.ts';
import { findClientSeries, readClientStat } from './clientStats.ts';
import { buildEnergyTile } from './energyTile.ts';
import { findHighestLevel } from './highestLevel.ts';
import type { Load } from './runLoad.ts';
import type { Tile } from './tile.ts';
import { formatUsage } from './values.ts';

/** The data of the tiles. */
export interface TileSource {
  readonly run: Run;
  readonly load: Load;
  /** The charts whose first line is the course of a tile, by ID. */
  readonly charts: readonly TimeChart[];
  /** The percentage of requests that succeeded within the limits, over time. */
  readonly goodPercent?: Values;
}

/** Builds the tiles that can be filled from the client or, without client data, from the servers. */
export function buildTiles(source: TileSource): Tile[] {
  const { run, charts } = source;
  return [
    buildRequestTile(source),
    buildOutputTile(source),
    buildLatencyTile(source, 'Time to first token', 'ttft', 'time_to_first_token', 'timeToFirstToken'),
    buildLatencyTile(source, 'Time between tokens', 'itl', 'inter_token_latency', 'interTokenLatency'),
    buildLatencyTile(source, 'Latency of requests', 'latency', 'request_latency', 'requestLatency'),
    buildSuccessTile(source),
    buildQueueTile(source),
    buildKvCacheTile(source),
    buildEnergyTile(run, charts),
  ].filter(tile => tile !== undefined);
}

function buildRequestTile({ run, load, charts }: TileSource): Tile | undefined {
  const rate = readClientStat(run, 'request_throughput', 'avg');
  const isClient = rate !== undefined;
  const value = rate ?? sumRates(run, 'completedRequests');
  if (value === undefined) return undefined;
  const count = readClientStat(run, 'request_count', 'avg');
  return {
    ...createTile('requests', 'Requests/s', isClient),
    value: formatRate(value),
    label: '',
    details: [
      ...(load.rate === undefined ? [] : [`target ${formatNumber(load.rate)}/s`]),
      ...(count === undefined ? [] : [`${formatNumber(count)} completed`]),
    ],
    course: findCourse(charts, isClient ? 'client-requests' : 'server-requests', 'completed'),
  };
}

function buildOutputTile({ run, charts }: TileSource): Tile | undefined {
  const output = readClientStat(run, 'output_token_throughput', 'avg');
  const isClient = output !== undefined;
  const value = output ?? sumRates(run, 'outputTokens');
  if (value === undefined) return undefined;
  const input = readClientStat(run, 'input_token_throughput', 'avg');
  return {
    ...createTile('output', 'Output tokens/s', isClient),
    value: formatRate(value),
    label: '',
    details: input === undefined ? [] : [`${formatRate(input)} input tokens/s`],
    course: findCourse(charts, 'server-tokens', 'generated'),
  };
}

function buildLatencyTile(
  { run, load, charts }: TileSource,
  name: string,
  id: string,
  metric: string,
  role: MetricRole,
): Tile | undefined {
  if (findClientSeries(run, metric)) {
    const [p50, p99] = ['p50', 'p99'].map(stat => readClientStat(run, metric, stat));
    if (p50 === undefined) return undefined;
    const limit = load.limits.get(metric);
    return {
      ...createTile(id, name, true),
      value: formatLatency(p50, 'ms'),
      label: 'p50',
      details: p99 === undefined ? [] : [`p99 ${formatLatency(p99, 'ms')}`],
      course: findCourse(charts, `client-${id}`, 'p50'),
      ...(limit !== undefined && { limit, limitText: `limit ${formatValue(limit, 'ms')}` }),
      ...(limit !== undefined &&
        p99 !== undefined &&
        p99 > limit && { alarm: `p99 over ${formatValue(limit, 'ms')}` }),
    };
  }
  return buildServerLatencyTile(run, charts, name, id, role);
}

/** Builds the tile of a latency that only servers measured, with the certain bounds of its p99. */
function buildServerLatencyTile(
  run: Run,
  charts: readonly TimeChart[],
  name: string,
  id: string,
  role: MetricRole,
): Tile | undefined {
  const series = selectRoleSeries(run, role).map(each => each.series);
  const busiest = [...series].sort((a, b) => (readStat(b, 'count') ?? 0) - (readStat(a, 'count') ?? 0))[0];
  const p50 = busiest && readStat(busiest, 'p50_estimate');
  if (!busiest || p50 === undefined) return undefined;
  const bounds = busiest.bounds?.p99;
  const p99 = readStat(busiest, 'p99_estimate');
  const upper = bounds?.[1];
  const range =
    bounds && upper != null
      ? `p99 ${formatRange(bounds[0] ?? 0, upper, busiest.unit)}`
      : p99 === undefined
        ? undefined
        : `p99 ≈ ${formatLatency(p99, busiest.unit)}`;
  return {
    ...createTile(id, name, false),
    value: formatLatency(p50, busiest.unit),
    label: 'p50 ≈',
    details: [
      ...(range === undefined ? [] : [range]),
      ...(series.length > 1 ? [`busiest of ${series.length} series`] : []),
    ],
    course: findCourse(charts, `server-${id}`, 'p50 estimate'),
  };
}

/** The percentage of requests that must keep the limits. */
const EXPECTED_PERCENT = 99;

function buildSuccessTile({ run, goodPercent = [] }: TileSource): Tile | undefined {
  const fraction = readClientStat(run, 'good_request_fraction', 'avg');
  const good = fraction === undefined ? undefined : 100 * fraction;
  const completed = readClientStat(run, 'request_count', 'avg');
  if (completed === undefined) return undefined;
  const failed = readClientStat(run, 'error_request_count', 'avg') ?? 0;
  const goodput = readClientStat(run, 'goodput', 'avg');
  const share = completed + failed === 0 ? 0 : (100 * completed) / (completed + failed);
  const failedText = failed === 0 ? 'none failed' : `${formatNumber(failed)} failed`;
  return {
    ...createTile('good', good === undefined ? 'Succeeded' : 'Within limits', true),
    value: `${formatShare(good ?? share)}%`,
    label: '',
    details: [...(goodput === undefined ? [] : [`${formatRate(goodput)} good/s`]), failedText],
    course: goodPercent,
    top: 100,
    ...(good !== undefined && good < EXPECTED_PERCENT && { alarm: 'over 1% missed' }),
    ...(failed > 0 && { alarm: failedText }),
  };
}

/** Formats a rate: with three digits, or as a whole number. */
function formatRate(rate: number): string {
  return formatNumber(rate < 100 ? Number(rate.toPrecision(3)) : Math.round(rate));
}

/** Formats a latency with three digits, which is what a tile has room for. */
function formatLatency(value: number, unit: string | null): string {
  return formatValue(Number(value.toPrecision(3)), unit);
}

/** Formats a range, with one unit if both ends have it, such as `40 to 60 ms`. */
function formatRange(low: number, high: number, unit: string | null): string {
  const [from, to] = [low, high].map(value => formatValue(value, unit));
  const [, number, suffix] = /^(\S+)( .*)?$/.exec(from!)!;
  return `${suffix !== undefined && to!.endsWith(suffix) ? number : from} to ${to}`;
}

/** Formats a share in percent so that it is 100 only if it is exactly 100. */
function formatShare(percent: number): string {
  return percent < 100 && percent > 99.9 ? '99.9' : formatNumber(Number(percent.toPrecision(3)));
}

function buildQueueTile({ run, charts }: TileSource): Tile | undefined {
  const chart = charts.find(({ id }) => id === 'server-queue');
  if (!chart) return undefined;
  const waiting = findCourse(charts, 'server-queue', 'waiting');
  const running = findCourse(charts, 'server-queue', 'running');
  const highest = findHighestLevel(run, 'waiting', waiting) ?? 0;
  const most = findHighestLevel(run, 'running', running);
  return {
    ...createTile('queue', 'Queue', false),
    value: formatNumber(Math.ceil(highest)),
    label: 'max',
    details: [
      highest === 0
        ? 'no request waited'
        : `${formatNumber(Number(average(waiting).toPrecision(2)))} on average`,
      ...(most === undefined ? [] : [`up to ${formatNumber(Math.ceil(most))} running`]),
    ],
    color: highest === 0 ? 'server' : 'waiting',
    course: highest === 0 ? running : waiting,
  };
}

function buildKvCacheTile({ run, charts }: TileSource): Tile | undefined {
  const used = findCourse(charts, 'server-kv-cache', 'used');
  const highest = findHighestLevel(run, 'kvCacheUsage', used);
  if (highest === undefined || used.length === 0) return undefined;
  const preemptions = selectRoleSeries(run, 'preemptions').map(
    ({ series }) => readStat(series, 'total') ?? 0,
  );
  const total = preemptions.reduce((sum, count) => sum + count, 0);
  return {
    ...createTile('kv-cache', 'KV cache', false),
    value: formatUsage(highest),
    label: 'max',
    details:
      preemptions.length === 0 ? [] : [total === 0 ? 'no preemption' : `${formatNumber(total)} preemptions`],
    course: used,
    top: 100,
    limit: 100,
    limitText: '100%',
    ...(highest >= 95 && { alarm: highest >= 99.5 ? 'full' : 'nearly full' }),
  };
}

function createTile(
  id: string,
  name: string,
  isClient: boolean,
): Pick<Tile, 'id' | 'name' | 'side' | 'color'> {
  const side = isClient ? 'client' : 'server';
  return { id, name, side, color: side };
}

/** Returns the values of a layer; empty if the chart or the layer does not exist. */
function findCourse(charts: readonly TimeChart[], id: string, name: string): Values {
  const layer = charts
    .find(chart => chart.id === id)
    ?.layers.find(each => each.name === name && 'values' in each);
  return layer && 'values' in layer ? layer.values : [];
}

/** Adds the rates of a role's counters; undefined if no server has them. */
function sumRates(run: Run, role: MetricRole): number | undefined {
  const rates = selectRoleSeries(run, role).flatMap(
    ({ series, operation }) => readStat(series, operation === 'observed' ? 'sum_rate' : 'rate') ?? [],
  );
  return rates.length === 0 ? undefined : rates.reduce((sum, rate) => sum + rate, 0);
}

function average(values: Values): number {
  const known = values.filter(value => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
}
