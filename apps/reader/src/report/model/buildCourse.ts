import {
  type Finding,
  listCountedSeries,
  type Run,
  type RunFamily,
  recognizeServers,
  selectRoleSeries,
} from '@org/analysis';
import type { MetricRole } from '@org/servers';
import type { TimeChart } from '../../svg/timeChartModel.ts';
import type { Timeline } from '../document.ts';
import { findKeyFamilies } from '../keyFamilies.ts';
import type { ReadIssues } from '../readIssues.ts';
import {
  type ClientRequests,
  collectClientRequests,
  readClientRequests,
} from '../timeline/clientRequests.ts';
import type { RunningData } from '../timeline/followedTraces.ts';
import { readRunTraces } from '../timeline/readRunTraces.ts';
import { getTraceKind, type RunTraces } from '../timeline/runTraces.ts';
import { tryRead } from '../timeline/tryRead.ts';
import { buildClientCharts } from './clientCharts.ts';
import { readClientStat } from './clientStats.ts';
import { moveClock } from './clock.ts';
import type { Course } from './course.ts';
import { buildHeatMaps } from './distributions.ts';
import { findIntervals } from './findingIntervals.ts';
import { buildGpuCharts } from './gpuCharts.ts';
import { buildMarks } from './marks.ts';
import { listMeanings } from './meanings.ts';
import { buildMetricCharts } from './metricCharts.ts';
import { buildReplicas } from './replicas.ts';
import { buildRequestDots } from './requestDots.ts';
import { buildRequestRateChart } from './requestRates.ts';
import type { Load } from './runLoad.ts';
import { buildServerCharts } from './serverCharts.ts';
import { buildSplitChart, buildTimeSplit, readRequestTime } from './timeSplit.ts';
import { roundSeconds, roundValues } from './values.ts';

/** Roles whose metrics are read over time. */
const ROLES: readonly MetricRole[] = [
  ...(['running', 'maxRunning', 'waiting', 'kvCacheUsage', 'preemptions', 'completedRequests'] as const),
  ...(['outputTokens', 'requestLatency', 'timeToFirstToken', 'interTokenLatency'] as const),
];

/** Reads a run over time, and builds its charts. */
export async function buildCourse(
  run: Run,
  load: Load,
  findings: readonly Finding[],
  issues: ReadIssues,
  running?: RunningData,
): Promise<Course> {
  const time = readRequestTime(run);
  const split = buildTimeSplit(time);
  const unplaced = findings.map(finding => ({ ...finding, intervals: [] }));
  const traces = await readRunTraces(run, listFamilies(run), countRequests(run), issues, running);
  const empty = { charts: [], findings: unplaced, ...(split && { split }), heatMaps: [], replicas: [] };
  if (!traces) return empty;
  const requests = running ? await collectRunning(running, traces) : await readRequests(run, traces, issues);
  const server = [...buildServerCharts(run, traces, requests), ...buildGpuCharts(run, traces)];
  const columns = arrangeColumns(run, traces, load, requests, server, buildSplitChart(time, traces));
  const drawn = new Set(columns.flatMap(({ charts }) => charts.flatMap(({ metrics }) => metrics)));
  const { charts: more, zero } = buildMetricCharts(findKeyFamilies(run), traces, drawn);
  const charts = columns.flatMap(column => column.charts);
  if (charts.length + more.length === 0) return { ...empty, isTooShort: traces.axis.bins === 1 };
  const placed = findings.map((finding, i) => ({
    finding,
    intervals: findIntervals(finding, i + 1, run, traces, charts),
  }));
  const marks = buildMarks(
    run,
    traces,
    placed.flatMap(({ intervals }) => intervals),
  );
  const course: Course = {
    timeline: {
      source: traces.description,
      step: roundSeconds(traces.axis.width),
      sliceStep: roundSeconds(traces.sliceAxis.width),
      range: [0, roundSeconds(traces.axis.bins * traces.axis.width)],
      start: new Date(Number(traces.startNs / 1_000_000n)).toISOString(),
      marks,
      columns,
      more,
      meanings: listMeanings([...charts, ...more], run),
      zero,
    },
    charts,
    findings: placed.map(({ finding, intervals }) => ({
      ...finding,
      intervals: intervals.map(({ from, to }) => [from, to] as const),
    })),
    ...(split && { split }),
    heatMaps: buildHeatMaps(run, traces, requests),
    replicas: buildReplicas(run, traces),
    ...(requests && {
      requests: buildRequestDots(requests),
      goodPercent: roundValues(requests.goodPercent),
    }),
  };
  const { profilingStartNs } = run.times;
  return profilingStartNs === undefined ? course : moveClock(course, traces.toSeconds(profilingStartNs));
}

async function collectRunning(
  { requests = [], traces: followed }: RunningData,
  traces: RunTraces,
): Promise<ClientRequests | undefined> {
  return followed.isCurrent(traces)
    ? followed.readRequests(requests)
    : await collectClientRequests(requests, traces);
}

async function readRequests(
  { files: { requests: file } }: Run,
  traces: RunTraces,
  issues: ReadIssues,
): Promise<ClientRequests | undefined> {
  if (file === undefined) return undefined;
  return await tryRead(file, issues, () => readClientRequests(file, traces, issues));
}

/** Lists the metrics that are read over time: those of roles, and the key metrics of servers. */
function listFamilies(run: Run): RunFamily[] {
  const names = new Set([
    ...ROLES.flatMap(role => selectRoleSeries(run, role).map(({ series }) => series.name)),
    ...recognizeServers(run).flatMap(({ reconciliation: { promptTokens }, promptTokenCache }) =>
      [...promptTokens, ...(promptTokenCache ? [promptTokenCache.hits] : [])]
        .flatMap(({ name, plus = [] }) => [name, ...plus])
        .flatMap(name => listCountedSeries(run, name).map(series => series.name)),
    ),
    ...findKeyFamilies(run).map(({ family }) => family.name),
  ]);
  return [...names].flatMap(name => {
    const family = run.families.get(name);
    return family && getTraceKind(family) ? [family] : [];
  });
}

/** Returns the number of requests of a run, as counted by the client or otherwise by the servers. */
function countRequests(run: Run): number {
  const client = readClientStat(run, 'request_count', 'avg');
  if (client !== undefined) return client;
  const totals = selectRoleSeries(run, 'completedRequests').map(({ series }) => series.stats.total ?? 0);
  const observed = selectRoleSeries(run, 'requestLatency').map(({ series }) => series.stats.count ?? 0);
  const add = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  return Math.max(add(totals), add(observed));
}

/** The server charts that replace the client's charts if the run has no requests. */
const LOAD_CHARTS: ReadonlySet<string> = new Set(['server-ttft', 'server-itl', 'server-latency']);

/**
 * Arranges the charts in two columns: the load and the answers, and what the servers did. Without requests of the
 * client, the first column shows the requests and latencies that the servers measured.
 */
function arrangeColumns(
  run: Run,
  traces: RunTraces,
  load: Load,
  requests: ClientRequests | undefined,
  server: readonly TimeChart[],
  split: readonly TimeChart[],
): Timeline['columns'] {
  if (requests)
    return [
      {
        title: 'Load and answers, measured by the client',
        charts: [...buildClientCharts(requests, load), ...split],
      },
      { title: 'What the servers did', charts: server },
    ];
  const isLoad = ({ id }: TimeChart): boolean => LOAD_CHARTS.has(id);
  return [
    {
      title: 'Load and answers, measured by the servers',
      charts: [...buildRequestRateChart(run, traces), ...server.filter(isLoad), ...split],
    },
    { title: 'What the servers did', charts: server.filter(chart => !isLoad(chart)) },
  ];
}
