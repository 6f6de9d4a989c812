import {
  type FindingOptions,
  findFindings,
  findPartialCoverages,
  formatPartialCoverage,
  type Run,
  type RunEndpoint,
} from '@org/analysis';
import { buildClientSection } from './clientSection.ts';
import { buildRunComparison } from './comparisonTable.ts';
import type { EndpointRow, Fact, ReportDocument } from './document.ts';
import { buildPercentileCharts } from './percentileCharts.ts';
import { ReadIssues } from './readIssues.ts';
import { buildSeriesTable } from './seriesTable.ts';
import { buildTimeline } from './timeline/timeline.ts';

/** Builds the page data of a run. If `base` is set, the page compares the run with it. */
export async function buildReport(
  run: Run,
  base?: Run,
  options: FindingOptions = {},
): Promise<ReportDocument> {
  const issues = new ReadIssues();
  const timeline = await buildTimeline(run, issues);
  return {
    title: run.name,
    facts: listFacts(run),
    notes: [...describeCoverage(run), ...run.notes, ...issues.notes],
    endpoints: run.endpoints.map(buildEndpointRow),
    findings: findFindings(run, options),
    ...buildClient(run),
    ...(timeline && { timeline }),
    percentiles: buildPercentileCharts(run),
    ...(base && { comparison: buildRunComparison([base], [run]) }),
    series: buildSeriesTable(run),
  };
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

function listFacts({
  benchmarkId,
  version,
  times,
  inputConfig,
  wasCancelled,
  families,
  seriesCount,
}: Run): Fact[] {
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
  ];
  return facts.filter(fact => fact !== undefined);
}

function createFact(name: string, text: string | undefined): Fact | undefined {
  return text === undefined ? undefined : { name, text };
}

function formatSeconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${Number(value.toPrecision(6))} s`;
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
    ...(info?.avg_fetch_latency_ms !== undefined && { latencyMs: info.avg_fetch_latency_ms }),
    ...(info?.last_error && { lastError: info.last_error }),
  };
}
