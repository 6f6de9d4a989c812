import {
  type Comparison,
  compareRuns,
  type Finding,
  type FindingOptions,
  findFindings,
  findPartialCoverages,
  formatPartialCoverage,
  type Run,
  type RunEndpoint,
} from '@org/analysis';
import type { Fact } from '../html/factList.ts';
import { describeImport } from '../importSource.ts';
import type { TimeChart } from '../svg/timeChartModel.ts';
import { buildClientSection } from './clientSection.ts';
import { describeScope } from './comparison/model/scope.ts';
import { type RunCourse, readRunCourse } from './comparison/model/sideCourse.ts';
import { buildRunComparison } from './comparisonTable.ts';
import type { EndpointRow, ReportDocument } from './document.ts';
import { addBaselineToTiles } from './model/baseline.ts';
import { addBaselineToHeatMaps, addBaselineToLadders, addBaselineToTimeline } from './model/baselineLines.ts';
import { buildCourse } from './model/buildCourse.ts';
import { describeRun } from './model/describeRun.ts';
import { buildLadders } from './model/distributions.ts';
import { findHighestLevel } from './model/highestLevel.ts';
import { readLoad } from './model/runLoad.ts';
import type { Tile } from './model/tile.ts';
import { buildTiles } from './model/tiles.ts';
import { buildVerdict, type ServerMaxima } from './model/verdict.ts';
import { ReadIssues } from './readIssues.ts';
import { buildSeriesTable } from './seriesTable.ts';
import type { RunningData } from './timeline/followedTraces.ts';

/**
 * Builds the page data of a run. If `base` is set, the page compares the run with it. `running` contains the samples of a
 * run that has not ended; otherwise, they are read from its exports.
 */
export async function buildReport(
  run: Run,
  base?: Run,
  options: FindingOptions = {},
  running?: RunningData,
): Promise<ReportDocument> {
  const issues = new ReadIssues();
  const load = readLoad(run);
  const find = (): readonly Finding[] => findFindings(run, options);
  const findings = running ? running.findings.get(find) : find();
  const course = await buildCourse(run, load, findings, issues, running);
  const { charts } = course;
  const baseline = base && (await readBaseline(run, base, issues));
  const timeline = course.timeline && addBaselineToTimeline(course.timeline, baseline?.course.timeline);
  const tiles = buildTiles({ run, load, ...course });
  const ladders = buildLadders(run);
  return {
    title: run.name,
    subtitle: describeRun(run, load),
    verdict: buildVerdict(run, findings, findServerMaxima(run, charts), load.limits),
    tiles: baseline ? addBaselineToTiles(tiles, baseline.tiles, baseline.comparison) : tiles,
    facts: listFacts(run),
    notes: [...describeCoverage(run), ...run.notes, ...issues.notes],
    endpoints: run.endpoints.map(buildEndpointRow),
    findings: course.findings,
    ...buildClient(run),
    ...(timeline ? { timeline } : course.isTooShort && { isTooShort: true }),
    ...(course.split && { split: course.split }),
    heatMaps: addBaselineToHeatMaps(course.heatMaps, baseline?.course.timeline),
    ladders: base ? addBaselineToLadders(ladders, buildLadders(base)) : ladders,
    replicas: course.replicas,
    ...(course.requests && { requests: course.requests }),
    ...(baseline && {
      baseline: { name: baseline.name, scope: describeScope([baseline.comparison], [run.name]) },
      comparison: buildRunComparison(baseline.comparison),
    }),
    series: buildSeriesTable(run),
  };
}

/** The figures and charts of the run that a page compares with. */
interface BaselineData {
  readonly name: string;
  readonly comparison: Comparison;
  readonly course: RunCourse;
  readonly tiles: readonly Tile[];
}

async function readBaseline(run: Run, base: Run, issues: ReadIssues): Promise<BaselineData> {
  const course = await readRunCourse(base, issues);
  return {
    name: base.name,
    comparison: compareRuns([base], [run]),
    course,
    tiles: buildTiles({ run: base, load: readLoad(base), ...course }),
  };
}

function findServerMaxima(run: Run, charts: readonly TimeChart[]): ServerMaxima {
  const find = (id: string, name: string, role: 'waiting' | 'kvCacheUsage'): number | undefined => {
    const layer = charts.find(chart => chart.id === id)?.layers.find(each => each.name === name);
    return layer && 'values' in layer ? findHighestLevel(run, role, layer.values) : undefined;
  };
  const hasQueue = charts.some(({ id, layers }) => id === 'server-queue' && layers.length > 0);
  const waiting = find('server-queue', 'waiting', 'waiting') ?? (hasQueue ? 0 : undefined);
  const kvCache = find('server-kv-cache', 'used', 'kvCacheUsage');
  return { ...(waiting !== undefined && { waiting }), ...(kvCache !== undefined && { kvCache }) };
}

/** Describes the endpoints whose rates and averages cover only a part of the run. */
function describeCoverage(run: Run): string[] {
  const partial = [...findPartialCoverages(run).values()];
  if (partial.length === 0) return [];
  return [
    `Rates and averages cover only the time with samples: ${partial.map(formatPartialCoverage).join(', ')}.`,
  ];
}

function buildClient(run: Run): Pick<ReportDocument, 'client'> {
  const client = buildClientSection(run);
  return client ? { client } : {};
}

function listFacts(run: Run): Fact[] {
  const { benchmarkId, version, times, inputConfig, wasCancelled, families, seriesCount } = run;
  const source = describeImport(run);
  const command = inputConfig.cli_command;
  const facts: (Fact | undefined)[] = [
    createFact('Command', typeof command === 'string' ? command : undefined),
    createFact('Started', times.startNs === undefined ? undefined : formatUtc(times.startNs)),
    createFact('Duration', formatSeconds(times.seconds)),
    createFact('Profiling', formatSeconds(times.profilingSeconds)),
    createFact('Status', wasCancelled === undefined ? undefined : wasCancelled ? 'interrupted' : 'completed'),
    createFact('Metrics', `${families.size} in ${seriesCount} series`),
    createFact('Benchmark ID', benchmarkId || undefined),
    createFact('Version', version || undefined),
    createFact('Imported from', source?.source),
    createFact('Limitations of the source', source?.limitations.join('; ') || undefined),
  ];
  return facts.filter(fact => fact !== undefined);
}

function createFact(name: string, text: string | undefined): Fact | undefined {
  return text === undefined ? undefined : { name, text };
}

function formatSeconds(value: number | undefined): string | undefined {
  return value === undefined
    ? undefined
    : `${value < 1000 ? Number(value.toPrecision(3)) : Math.round(value)} s`;
}

function formatUtc(ns: bigint): string {
  return new Date(Number(ns / 1_000_000n)).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

function buildEndpointRow({ name, url, state, info }: RunEndpoint): EndpointRow {
  return {
    name,
    url,
    state: state === 'no_metrics' ? 'no metrics' : (info?.status ?? state),
    ...(info && { scrapes: info.total_fetches }),
    ...(info?.scrapes_failed !== undefined && { failed: info.scrapes_failed }),
    ...(info?.scrapes_late !== undefined && { late: info.scrapes_late }),
    // 0 means unknown, as in imported runs.
    ...(info?.avg_fetch_latency_ms && { latencyMs: info.avg_fetch_latency_ms }),
    ...(info?.last_error && { lastError: info.last_error }),
  };
}
