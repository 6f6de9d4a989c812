import { CLIENT_ENDPOINT, type Run, type RunSeries, readStat, selectRoleSeries } from '@org/analysis';
import type { HeatMapData } from '../../svg/heatMap.ts';
import type { ColorName } from '../../svg/palette.ts';
import type { ClientRequests } from '../timeline/clientRequests.ts';
import type { RunTraces } from '../timeline/runTraces.ts';
import { CLIENT_LATENCIES, toPointAxis } from './clientCharts.ts';
import { findClientSeries } from './clientStats.ts';
import { combineBuckets } from './percentiles.ts';
import { pickReplicaColors } from './replicaColors.ts';
import { readRoleHistograms } from './roleValues.ts';
import { SERVER_LATENCIES } from './serverCharts.ts';
import { roundDigits } from './values.ts';

/** The number of requests over time, by latency in ms. */
export interface HeatMap extends HeatMapData {
  readonly id: string;
}

/** The percentiles of a latency, as measured by the client and by servers. */
export interface Ladder {
  readonly id: string;
  readonly title: string;
  readonly percents: readonly number[];
  readonly lines: readonly LadderLine[];
}

export interface LadderLine {
  readonly name: string;
  readonly color: ColorName;
  /** In ms; null if unknown. */
  readonly values: readonly (number | null)[];
  /** The bounds that certainly contain the percentiles; absent for the client, which measures them. */
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
  readonly isDashed?: true;
}

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;
/** The maximum number of series of servers in a ladder. More lines would be indistinguishable. */
const MAX_LINES = 4;

/** Builds the percentile ladders of all latencies that the client or a server measured. */
export function buildLadders(run: Run): Ladder[] {
  return CLIENT_LATENCIES.flatMap(({ latency, title, metric }) => {
    const server = SERVER_LATENCIES.find(({ client }) => client === latency)!;
    const lines = [...buildClientLine(run, metric), ...buildServerLines(run, server.role)];
    if (lines.length === 0) return [];
    return [{ id: `ladder-${latency}`, title: `${title}, ms`, percents: PERCENTS, lines }];
  });
}

function buildClientLine(run: Run, metric: string): LadderLine[] {
  const series = findClientSeries(run, metric);
  if (!series) return [];
  const values = PERCENTS.map(percent => toRounded(readStat(series, `p${percent}`)));
  return values.every(value => value === null) ? [] : [{ name: CLIENT_ENDPOINT, color: 'client', values }];
}

/** Units of latencies, in ms. */
const UNIT_MS: Readonly<Record<string, number>> = { seconds: 1000, milliseconds: 1, microseconds: 1e-3 };

function buildServerLines(run: Run, role: (typeof SERVER_LATENCIES)[number]['role']): LadderLine[] {
  const known = selectRoleSeries(run, role)
    .map(({ series }) => series)
    .filter(series => readStat(series, 'p50_estimate') !== undefined && UNIT_MS[series.unit ?? '']);
  const busiest = [...known].sort((a, b) => (readStat(b, 'count') ?? 0) - (readStat(a, 'count') ?? 0));
  const drawn = busiest.slice(0, MAX_LINES).sort(compareEndpoints(run));
  const colors = pickReplicaColors(
    drawn.map(({ endpoint }) => endpoint),
    run,
  );
  return drawn.map((series, i) => {
    const unitMs = UNIT_MS[series.unit!]!;
    const bound = (percent: number, end: 0 | 1): number | null => {
      const value = (series.bounds?.[`p${percent}`] as readonly (number | null)[] | undefined)?.[end];
      return value == null ? null : roundDigits(value * unitMs);
    };
    return {
      name: nameSeries(series, known),
      color: colors[i]!,
      values: PERCENTS.map(percent => toRounded(readStat(series, `p${percent}_estimate`), unitMs)),
      low: PERCENTS.map(percent => bound(percent, 0)),
      high: PERCENTS.map(percent => bound(percent, 1)),
    };
  });
}

/** Orders series by their endpoints. */
function compareEndpoints({ endpoints }: Run): (a: RunSeries, b: RunSeries) => number {
  const find = (series: RunSeries): number => endpoints.findIndex(({ name }) => name === series.endpoint);
  return (a, b) => find(a) - find(b);
}

function toRounded(value: number | undefined, unitMs = 1): number | null {
  return value === undefined ? null : roundDigits(value * unitMs);
}

/** Names a series by its endpoint and the labels that distinguish it from other series. */
function nameSeries(series: RunSeries, all: readonly RunSeries[]): string {
  const labels = Object.entries(series.labels)
    .filter(([name, value]) => all.some(other => other.labels[name] !== value))
    .map(([name, value]) => `${name}=${value}`);
  return ['server', ...(all.length > 1 ? [series.endpoint] : []), ...labels].join(' ');
}

/** Builds the heat maps of the time to the first token: of the client and of the servers, with the same rows. */
export function buildHeatMaps(run: Run, traces: RunTraces, requests: ClientRequests | undefined): HeatMap[] {
  const histograms = readRoleHistograms(run, traces, 'timeToFirstToken');
  const buckets = histograms && combineBuckets(histograms.slices.map(({ slices }) => slices));
  const edges = buckets
    ? [
        0,
        ...buckets.bounds.map(bound =>
          bound === Number.POSITIVE_INFINITY ? null : roundDigits(bound * histograms.unitMs),
        ),
      ]
    : DEFAULT_EDGES;
  const maps = [
    ...(requests ? [countRequests(requests, edges)] : []),
    ...(buckets ? [countBuckets(buckets.counts, traces, edges)] : []),
  ];
  return trimRows(maps);
}

/** Edges in ms without buckets of a server: three per power of ten. */
const DEFAULT_EDGES = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, null];

function countRequests(requests: ClientRequests, edges: HeatMap['edges']): HeatMap {
  const counts = requests.listLatencies('firstToken').map(values => {
    const row = new Array<number>(edges.length - 1).fill(0);
    for (const value of values) {
      const index = edges.findIndex((edge, i) => i > 0 && (edge === null || value <= edge));
      row[index - 1]!++;
    }
    return row;
  });
  const axis = toPointAxis(requests.sliceAxis.width);
  return { id: 'heat-client', side: 'client', title: 'Time to first token, client, ms', axis, edges, counts };
}

function countBuckets(
  cumulative: readonly Float64Array[],
  traces: RunTraces,
  edges: HeatMap['edges'],
): HeatMap {
  const counts = Array.from(cumulative[0]!, (_, bin) =>
    cumulative.map((count, i) =>
      Math.max(0, Math.round((count[bin]! - (cumulative[i - 1]?.[bin] ?? 0)) * 100) / 100),
    ),
  );
  const axis = toPointAxis(traces.sliceAxis.width);
  return {
    id: 'heat-server',
    side: 'server',
    title: 'Time to first token, in the server, ms',
    axis,
    edges,
    counts,
  };
}

/** Leaves out the rows at both ends that are empty in all maps, so that the maps keep the same rows. */
function trimRows(maps: readonly HeatMap[]): HeatMap[] {
  const isUsed = (maps[0]?.edges.slice(1) ?? []).map((_, row) =>
    maps.some(({ counts }) => counts.some(each => each[row]! > 0)),
  );
  const [first, last] = [isUsed.indexOf(true), isUsed.lastIndexOf(true)];
  if (first < 0) return [];
  return maps.map(map => ({
    ...map,
    edges: map.edges.slice(first, last + 2),
    counts: map.counts.map(each => each.slice(first, last + 1)),
  }));
}
