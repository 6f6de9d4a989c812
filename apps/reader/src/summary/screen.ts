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
import { wrapMarked, wrapText } from '@org/terminal/layout';
import { createScreen, type Screen, type ScreenOptions } from '../screen.ts';
import { renderDerived } from './derivedTable.ts';
import { renderHeader } from './header.ts';
import { countRowLines, renderMetricTable } from './metricTable.ts';
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
  /** Omit failures and problems, which another part of the screen shows; false by default. */
  readonly omitsProblems?: boolean;
}

/**
 * Renders the summary of a run on one screen: endpoints, failures and problems, the key metrics of each server, where the time of
 * requests goes, and warnings and notes. If the screen is too small, the series of each metric are combined first. Then the advice
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
  const hasProblems = findings.some(isProblem);
  const head = [...renderHeader(run, screen), ...(hasProblems ? [''] : [])];
  const servers = findKeyMetrics(run);
  const fixedLines = head.length + minFindingLines;
  const requestTime = computeRequestTime({ ...run, ...options.context });
  const freeLines = maxLines - fixedLines - countMinLines(servers, screen.width);
  const time = requestTime ? renderRequestTime(requestTime, screen, freeLines) : [];
  const derived = renderDerived(selectNotableDerived(run), screen, freeLines - time.length);
  const urls = renderUrls({ ...run, ...options.context }, screen, freeLines - time.length - derived.length);
  const details = [...urls, ...time, ...derived];
  const fullTables = renderTables(run, servers, undefined, screen);
  const fits = head.length + fullTables.length + details.length + allFindingLines <= maxLines;
  const tables = fits
    ? fullTables
    : renderTables(run, servers, maxLines - fixedLines - details.length, screen);
  const body = [...tables, ...details];
  let remainingLines = maxLines - head.length - body.length - minFindingLines;
  const findingLines = evidence.map((lines, i) => {
    remainingLines -= advice[i]!.length;
    return [...lines, ...(remainingLines >= 0 ? advice[i]! : [])];
  });
  const problems = findings.flatMap((finding, i) => (isProblem(finding) ? findingLines[i]! : []));
  const others = findings.flatMap((finding, i) => (isProblem(finding) ? [] : findingLines[i]!));
  return [...head, ...problems, ...body, ...(others.length > 0 ? ['', ...others] : [])].join('\n');
}

/** Renders the summary of a JSON export in memory, for example at the end of `servelens collect`. */
export function renderSummary(document: ServerMetricsView, options: SummaryOptions): string {
  return renderRun(createRunFromView(document, '', options.servers), options);
}

function listFindings(
  run: Run,
  { findings: options, context, omitsProblems = false }: SummaryOptions,
): Finding[] {
  const assessedRun = { ...run, ...context };
  const findings = options === false ? [] : findFindings(assessedRun, options);
  return omitsProblems ? findings.filter(finding => !isProblem(finding)) : findings;
}

/** Reports whether a finding is shown before all metrics: failures, and everything that requires action. */
function isProblem(finding: Finding): boolean {
  return isFailureFinding(finding) || finding.severity === 'problem';
}

/** The failures and problems of a run as lines of text. Servers that died, restarted or stalled explain other failures. */
export interface ProblemLines {
  readonly unavailability: readonly string[];
  readonly others: readonly string[];
}

/**
 * Renders the failures and problems of a run that has just ended, from its exports in memory. Failures have no advice: their
 * causes are on the same screen.
 */
export function renderProblems(
  view: ServerMetricsView,
  profile: ProfileExport,
  { servers, ...options }: ScreenOptions & Pick<SummaryOptions, 'servers'>,
  without: Iterable<string> = [],
): ProblemLines {
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
  const findings = findFindings(run, { without }).filter(isProblem);
  const render = (listed: readonly Finding[]): string[] =>
    listed.flatMap(finding => [
      ...renderFinding(finding, describe(finding), screen),
      ...(isFailureFinding(finding) ? [] : renderAdvice(finding, screen)),
    ]);
  return {
    unavailability: render(findings.filter(isUnavailabilityFinding)),
    others: render(findings.filter(finding => !isUnavailabilityFinding(finding))),
  };
}

/** Counts the lines of the smallest tables, with a line for omitted metrics. */
function countMinLines(servers: readonly ServerKeyMetrics[], width: number): number {
  return sum(
    servers.map(({ metrics }) => {
      const heights = countRowLines(metrics, width);
      return countTableLines(heights, Math.min(heights.length, MIN_ROWS));
    }),
  );
}

/** Counts the lines of a table of the first `rows` metrics, with a blank line, a head and the number of omitted metrics. */
function countTableLines(heights: readonly number[], rows: number): number {
  return 2 + sum(heights.slice(0, rows)) + Number(rows < heights.length);
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
    // The header and a finding say that there are no metrics.
    if (run.families.size === 0) return [];
    const text = `No metrics of a known inference server; the exports contain ${formatCount(run.families.size, 'metric')}.`;
    return ['', ...wrapText(text, screen.width).map(line => screen.paint.dim(line))];
  }
  const isCombined = maxLines !== undefined && servers.some(({ metrics }) => hasSeveralSeries(metrics));
  const legend = '×N: N series; sums of counts with an upper bound of max, means of ratios, the highest p99';
  const partial = findPartialCoverages(run);
  const partialUrls = new Set(partial.keys());
  const notes = [
    ...(isCombined ? [legend] : []),
    ...(partial.size > 0 ? [describePartialRates(partial)] : []),
  ].flatMap(note => wrapText(note, screen.width, ' ').map(line => screen.paint.dim(line)));
  const heights = servers.map(({ metrics }) => countRowLines(metrics, screen.width));
  const rows = maxLines === undefined ? [] : distributeRows(heights, maxLines - notes.length);
  return [
    ...servers.flatMap(({ server, metrics }, i) => [
      '',
      ...renderMetricTable(server.name, metrics, rows[i], screen, partialUrls),
    ]),
    ...notes,
  ];
}

/** The minimum number of rows of a table, even if the tables do not fit on the screen. */
const MIN_ROWS = 3;

/** Distributes lines among tables, whose metrics take `heights` lines, and returns the number of rows of each table. */
function distributeRows(heights: readonly (readonly number[])[], lines: number): number[] {
  const rows = heights.map(({ length }) => Math.min(length, MIN_ROWS));
  const countUsedLines = (): number => sum(rows.map((row, i) => countTableLines(heights[i]!, row)));
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const [i, { length }] of heights.entries()) {
      if (rows[i]! >= length) continue;
      rows[i]!++;
      if (countUsedLines() <= lines) hasGrown = true;
      else rows[i]!--;
    }
  }
  return rows;
}

function hasSeveralSeries(metrics: ServerKeyMetrics['metrics']): boolean {
  return new Set(metrics.map(({ metric }) => metric.name)).size < metrics.length;
}

const SYMBOLS: Readonly<Record<FindingSeverity, string>> = { problem: '✗', warning: '!', note: '·' };

function renderAdvice({ advice }: Finding, { width, paint }: Screen): string[] {
  return wrapText(advice, width, '  ').map(line => paint.dim(line));
}

/** Renders a finding, with its evidence on as many lines as necessary. */
function renderFinding(
  { severity }: Finding,
  { title, text }: FindingText,
  { width, paint }: Screen,
): string[] {
  const color = { problem: paint.red, warning: paint.yellow, note: paint.dim }[severity];
  const symbol = color(SYMBOLS[severity]);
  const start = `${symbol} ${title}`;
  return wrapMarked(symbol, `${title}  ${text}`, width).map((line, i) =>
    i === 0 && line.startsWith(start) ? `${symbol} ${paint.bold(title)}${line.slice(start.length)}` : line,
  );
}
