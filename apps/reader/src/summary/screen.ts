import {
  computeRequestTime,
  createRun,
  createRunFromView,
  type Finding,
  type FindingOptions,
  type FindingSeverity,
  findFindings,
  findKeyMetrics,
  findPartialCoverages,
  isFailureFinding,
  isUnavailabilityFinding,
  type Run,
  type ServerKeyMetrics,
  selectNotableDerived,
  sum,
} from '@org/analysis';
import { formatCount } from '@org/core';
import type { ProfileExport } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';
import type { ServerCatalog } from '@org/servers';
import { truncateEnd, wrapText } from '@org/terminal/layout';
import { createScreen, type Screen, type ScreenOptions } from '../screen.ts';
import { renderDerived } from './derivedTable.ts';
import { renderHeader } from './header.ts';
import { countSeriesLines, renderMetricTable } from './metricTable.ts';
import { renderRequestTime } from './requestTimeTable.ts';
import { createFindingDescriber, describePartialRates, type FindingText } from './summaryText.ts';
import { renderUrls } from './urlTable.ts';

/** Options for rendering the summary of a run. */
export interface SummaryOptions extends ScreenOptions {
  /** Options for findings; `false` omits findings. */
  readonly findings?: FindingOptions | false;
  /** The parts of the run that only findings use: the profile export, and the folder and files that advice names. */
  readonly context?: Partial<Pick<Run, 'profile' | 'name' | 'files'>>;
  /** The servers whose metrics are understood, of a run in memory; the built-in servers by default. */
  readonly servers?: ServerCatalog;
  /** Omit findings about failures; false by default. */
  readonly omitsFailures?: boolean;
}

/**
 * Renders the summary of a run on one screen: endpoints, failures, the key metrics of each server, where the time of
 * requests goes, and findings. If the screen is too small, the series of each metric are combined first. Then the advice
 * of the last findings is omitted, then the last metrics of each table.
 */
export function renderRun(run: Run, options: SummaryOptions): string {
  const screen = createScreen(options);
  const findings = listFindings(run, options);
  // Leave one line for the shell prompt.
  const maxLines = screen.height - 1;
  const advice = findings.map(finding => renderAdvice(finding, screen));
  const describe = createFindingDescriber(run);
  const evidence = findings.map(finding => renderFinding(finding, describe(finding), screen));
  const minFindingLines = findings.length > 0 ? sum(evidence.map(lines => lines.length)) + 1 : 0;
  const allFindingLines = sum(advice.map(lines => lines.length)) + minFindingLines;
  const hasFailures = findings.some(isFailureFinding);
  const head = [...renderHeader(run, screen), ...(hasFailures ? [''] : [])];
  const servers = findKeyMetrics(run);
  const fixedLines = head.length + minFindingLines;
  const requestTime = computeRequestTime({ ...run, ...options.context });
  const freeLines = maxLines - fixedLines - countMinLines(servers);
  const time = requestTime ? renderRequestTime(requestTime, screen, freeLines) : [];
  const derived = renderDerived(selectNotableDerived(run), screen, freeLines - time.length);
  const urls = renderUrls({ ...run, ...options.context }, screen, freeLines - time.length - derived.length);
  const details = [...urls, ...time, ...derived];
  const fits = head.length + countLines(servers) + details.length + allFindingLines <= maxLines;
  const tables = renderTables(
    run,
    servers,
    fits ? undefined : maxLines - fixedLines - details.length,
    screen,
  );
  const body = [...tables, ...details];
  let remainingLines = maxLines - head.length - body.length - minFindingLines;
  const findingLines = evidence.map((lines, i) => {
    remainingLines -= advice[i]!.length;
    return [...lines, ...(remainingLines >= 0 ? advice[i]! : [])];
  });
  const failures = findings.flatMap((finding, i) => (isFailureFinding(finding) ? findingLines[i]! : []));
  const others = findings.flatMap((finding, i) => (isFailureFinding(finding) ? [] : findingLines[i]!));
  return [...head, ...failures, ...body, ...(others.length > 0 ? ['', ...others] : [])].join('\n');
}

/** Renders the summary of a JSON export in memory, for example at the end of `servelens collect`. */
export function renderSummary(document: ServerMetricsView, options: SummaryOptions): string {
  return renderRun(createRunFromView(document, '', options.servers), options);
}

function listFindings(
  run: Run,
  { findings: options, context, omitsFailures = false }: SummaryOptions,
): Finding[] {
  const assessedRun = { ...run, ...context };
  const findings = options === false ? [] : findFindings(assessedRun, options);
  return omitsFailures ? findings.filter(finding => !isFailureFinding(finding)) : findings;
}

/** The failures of a run as lines of text. Servers that died, restarted or stalled explain other failures. */
export interface FailureLines {
  readonly unavailability: readonly string[];
  readonly others: readonly string[];
}

/** Renders the failures of a run that has just ended, from its exports in memory, without advice. */
export function renderFailureFindings(
  view: ServerMetricsView,
  profile: ProfileExport,
  { servers, ...options }: ScreenOptions & Pick<SummaryOptions, 'servers'>,
  without: Iterable<string> = [],
): FailureLines {
  const screen = createScreen(options);
  const run = createRun({
    name: '',
    layout: 'json',
    files: {},
    view,
    profile,
    ...(servers && { servers }),
  });
  const describe = createFindingDescriber(run);
  const findings = findFindings(run, { without }).filter(isFailureFinding);
  const render = (listed: readonly Finding[]): string[] =>
    listed.flatMap(finding => renderFinding(finding, describe(finding), screen));
  return {
    unavailability: render(findings.filter(isUnavailabilityFinding)),
    others: render(findings.filter(finding => !isUnavailabilityFinding(finding))),
  };
}

/** Counts the lines of tables that show all series. */
function countLines(servers: readonly ServerKeyMetrics[]): number {
  return sum(servers.map(({ metrics }) => 2 + countSeriesLines(metrics)));
}

/** Counts the lines of the smallest tables, with a line for omitted metrics. */
function countMinLines(servers: readonly ServerKeyMetrics[]): number {
  return sum(
    servers.map(server => {
      const count = countMetrics(server);
      return 2 + Math.min(count, MIN_ROWS) + Number(count > MIN_ROWS);
    }),
  );
}

/**
 * Renders a table per server with all series, or, if `maxLines` is set, with one row per metric, in `maxLines`
 * lines if possible.
 */
function renderTables(
  run: Run,
  servers: readonly ServerKeyMetrics[],
  maxLines: number | undefined,
  screen: Screen,
): string[] {
  if (servers.length === 0) {
    const text = `No metrics of a known inference server; the exports contain ${formatCount(run.families.size, 'metric')}.`;
    return ['', screen.paint.dim(text)];
  }
  const isCombined = maxLines !== undefined && servers.some(({ metrics }) => hasSeveralSeries(metrics));
  const legend = '×N: N series; sums of counts with an upper bound of max, means of ratios, the highest p99';
  const partial = findPartialCoverages(run);
  const partialUrls = new Set(partial.keys());
  const legendLines = Number(isCombined) + Number(partial.size > 0);
  const rows =
    maxLines === undefined ? [] : distributeRows(servers.map(countMetrics), maxLines - legendLines);
  return [
    ...servers.flatMap(({ server, metrics }, i) => [
      '',
      ...renderMetricTable(server.name, metrics, rows[i], screen, partialUrls),
    ]),
    ...(isCombined ? [screen.paint.dim(` ${truncateEnd(legend, screen.width - 1)}`)] : []),
    ...(partial.size > 0
      ? [screen.paint.dim(` ${truncateEnd(describePartialRates(partial), screen.width - 1)}`)]
      : []),
  ];
}

/** The minimum number of rows of a table, even if the tables do not fit on the screen. */
const MIN_ROWS = 3;

/**
 * Distributes lines among tables and returns the number of rows of each table. Each table also takes a blank line, a
 * header, and, if metrics are omitted, a line with their number.
 */
function distributeRows(counts: readonly number[], lines: number): number[] {
  const rows = counts.map(count => Math.min(count, MIN_ROWS));
  const countUsedLines = (): number => sum(rows.map((row, i) => 2 + row + Number(row < counts[i]!)));
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const [i, count] of counts.entries()) {
      if (rows[i]! >= count) continue;
      rows[i]!++;
      if (countUsedLines() <= lines) hasGrown = true;
      else rows[i]!--;
    }
  }
  return rows;
}

function countMetrics({ metrics }: ServerKeyMetrics): number {
  return new Set(metrics.map(({ metric }) => metric.name)).size;
}

function hasSeveralSeries(metrics: ServerKeyMetrics['metrics']): boolean {
  return new Set(metrics.map(({ metric }) => metric.name)).size < metrics.length;
}

const SYMBOLS: Readonly<Record<FindingSeverity, string>> = { problem: '✗', warning: '!', note: '·' };

function renderAdvice({ advice }: Finding, { width, paint }: Screen): string[] {
  return wrapText(advice, width - 2).map(line => paint.dim(`  ${line}`));
}

/** Renders a finding, with its evidence on as many lines as necessary. */
function renderFinding(
  { severity }: Finding,
  { title, text }: FindingText,
  { width, paint }: Screen,
): string[] {
  const color = { problem: paint.red, warning: paint.yellow, note: paint.dim }[severity];
  const [first = '', ...others] = wrapText(`${title}  ${text}`, width - 2);
  const head = first.startsWith(title) ? `${paint.bold(title)}${first.slice(title.length)}` : first;
  return [`${color(SYMBOLS[severity])} ${head}`, ...others.map(line => `  ${line}`)];
}
