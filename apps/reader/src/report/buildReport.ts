import { compareRuns, type FindingOptions, findFindings, type Run, type RunEndpoint } from '@org/analysis';
import { describeHint } from '../compare/comparisonText.ts';
import { buildClientSection } from './clientSection.ts';
import type { ComparisonTable, EndpointRow, Fact, ReportDocument } from './document.ts';
import { buildPercentileCharts } from './percentileCharts.ts';
import { ReadIssues } from './readIssues.ts';
import { buildSeriesTable } from './seriesTable.ts';
import { buildTimeline } from './timeline/timeline.ts';

/** Rows of a comparison in the page; the others are in what `compare` prints. */
const MAX_ROWS = 2000;

/** Reads what there is of a run, and makes of it what the page shows. */
export async function buildReport(
  run: Run,
  base?: Run,
  options: FindingOptions = {},
): Promise<ReportDocument> {
  const issues = new ReadIssues();
  const timeline = await buildTimeline(run, issues);
  return {
    title: run.name,
    facts: factsOf(run),
    notes: [...run.notes, ...issues.notes],
    endpoints: run.endpoints.map(endpointRow),
    findings: findFindings(run, options),
    ...clientOf(run),
    ...(timeline && { timeline }),
    percentiles: buildPercentileCharts(run),
    ...(base && { comparison: comparisonOf(base, run) }),
    series: buildSeriesTable(run),
  };
}

function clientOf(run: Run): Pick<ReportDocument, 'client'> {
  const client = buildClientSection(run);
  return client ? { client } : {};
}

function factsOf({
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
    fact('Command', typeof command === 'string' ? command : undefined),
    fact('Started', times.startNs === undefined ? undefined : isoOf(times.startNs)),
    fact('Profiled', seconds(times.profilingSeconds)),
    fact('Whole run', seconds(times.seconds)),
    fact('Ended', wasCancelled === undefined ? undefined : wasCancelled ? 'before its time' : 'as planned'),
    fact('Metrics', `${families.size} with ${seriesCount} series`),
    fact('Benchmark', benchmarkId ?? undefined),
    fact('Written by', version ?? undefined),
  ];
  return facts.filter(one => one !== undefined);
}

function fact(name: string, text: string | undefined): Fact | undefined {
  return text === undefined ? undefined : { name, text };
}

function seconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${Number(value.toPrecision(6))} s`;
}

function isoOf(ns: bigint): string {
  return new Date(Number(ns / 1_000_000n)).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

function endpointRow({ name, url, state, info }: RunEndpoint): EndpointRow {
  return {
    name,
    url,
    state: info?.status ?? state,
    ...(info && { scrapes: info.total_fetches }),
    ...(info?.scrapes_failed !== undefined && { failed: info.scrapes_failed }),
    ...(info?.scrapes_late !== undefined && { late: info.scrapes_late }),
    ...(info?.avg_fetch_latency_ms !== undefined && { latencyMs: info.avg_fetch_latency_ms }),
    ...(info?.last_error && { lastError: info.last_error }),
  };
}

function comparisonOf(base: Run, run: Run): ComparisonTable {
  const { rows, notes, hint } = compareRuns([base], [run]);
  const counts: Record<string, number> = {};
  for (const { verdict } of rows) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return {
    base: base.name,
    counts,
    notes: hint ? [`${describeHint(hint)} (servelens read compare)`, ...notes] : notes,
    rows: rows.slice(0, MAX_ROWS).map(row => ({
      metric: row.name,
      labels: Object.entries(row.telling)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(', '),
      stat: row.stat,
      unit: row.unit,
      verdict: row.verdict,
      base: row.base,
      new: row.new,
      change: row.change,
      noise: row.noise,
    })),
    more: Math.max(0, rows.length - MAX_ROWS),
  };
}
