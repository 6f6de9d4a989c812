import {
  createRunFromView,
  type Finding,
  type FindingOptions,
  type FindingWeight,
  findFindings,
  findKeyMetrics,
  type Run,
  type ServerKeyMetrics,
  sum,
} from '@org/analysis';
import { formatCount } from '@org/core';
import type { ServerMetricsView } from '@org/formats/read';
import { toPrintable, truncateEnd, wrapText } from '@org/terminal';
import { createScreen, type Screen, type ScreenOptions } from '../screen.ts';
import { createFindingDescriber, type FindingText } from './findingText.ts';
import { renderHeader } from './header.ts';
import { countSeriesLines, renderMetricTable } from './metricTable.ts';

export interface SummaryOptions extends ScreenOptions {
  /** Which findings are looked for; `false` for none. */
  readonly findings?: FindingOptions | false;
}

/**
 * A run on one screen: what was scraped and how it fared, the key metrics of each kind of server that is recognised, and
 * what is to be said about them. A screen that is too small first goes without the single series of a metric, then
 * without the advice of the last findings, then without the last metrics of its tables.
 */
export function renderRun(run: Run, options: SummaryOptions): string {
  const look = createScreen(options);
  const found = options.findings === false ? [] : findFindings(run, options.findings);
  // The line of the prompt that follows is on the screen too.
  const room = look.height - 1;
  const advice = found.map(one => adviceLines(one, look));
  const least = found.length > 0 ? found.length + 1 : 0;
  const whole = sum(advice.map(lines => lines.length)) + least;
  const head = renderHeader(run, look);
  const metrics = findKeyMetrics(run);
  const fits = head.length + linesOf(metrics) + whole <= room;
  const body = tables(run, metrics, fits ? undefined : room - head.length - least, look);
  let left = room - head.length - body.length - least;
  const told = createFindingDescriber(run);
  const said = found.flatMap((one, i) => {
    left -= advice[i]!.length;
    return [findingLine(one, told(one), look), ...(left >= 0 ? advice[i]! : [])];
  });
  return [...head, ...body, ...(said.length > 0 ? ['', ...said] : [])].join('\n');
}

/** The same of a document in memory, such as `servelens collect` has just written. */
export function renderSummary(document: ServerMetricsView, options: SummaryOptions): string {
  return renderRun(createRunFromView(document), options);
}

/** How many lines tables with single series would have. */
function linesOf(metrics: readonly ServerKeyMetrics[]): number {
  return sum(metrics.map(({ figures }) => 2 + countSeriesLines(figures)));
}

/** Every series; or, where there is only room for so many lines, a row for each metric. */
function tables(
  run: Run,
  all: readonly ServerKeyMetrics[],
  room: number | undefined,
  look: Screen,
): string[] {
  if (all.length === 0) {
    const text = `No known inference server among ${formatCount(run.families.size, 'metric')}; see the exports.`;
    return ['', look.paint.dim(text)];
  }
  const several = room !== undefined && all.some(({ figures }) => isRepeated(figures));
  const legend = '×N: N series; counts add up, shares averaged, p99 and max of the highest';
  const rows = room === undefined ? [] : sharedRows(all.map(metricCount), room - Number(several));
  return [
    ...all.flatMap(({ server, figures }, i) => [
      '',
      ...renderMetricTable(server.name, figures, rows[i], look),
    ]),
    ...(several ? [look.paint.dim(` ${truncateEnd(legend, look.width - 1)}`)] : []),
  ];
}

/** With fewer metrics a table says nothing. */
const MIN_ROWS = 3;

/**
 * How many metrics each table shows so that all have so many lines: each has a blank line, its head, and, when it is cut,
 * a line that says so.
 */
function sharedRows(counts: readonly number[], lines: number): number[] {
  const rows = counts.map(count => Math.min(count, MIN_ROWS));
  const taken = (): number => sum(rows.map((row, i) => 2 + row + Number(row < counts[i]!)));
  for (let grew = true; grew; ) {
    grew = false;
    for (const [i, count] of counts.entries()) {
      if (rows[i]! >= count) continue;
      rows[i]!++;
      if (taken() <= lines) grew = true;
      else rows[i]!--;
    }
  }
  return rows;
}

function metricCount({ figures }: ServerKeyMetrics): number {
  return new Set(figures.map(({ metric }) => metric.name)).size;
}

function isRepeated(figures: ServerKeyMetrics['figures']): boolean {
  return new Set(figures.map(({ metric }) => metric.name)).size < figures.length;
}

const SIGNS: Readonly<Record<FindingWeight, string>> = { problem: '✗', warning: '!', note: '·' };

function adviceLines({ advice }: Finding, { width, paint }: Screen): string[] {
  return wrapText(advice, width - 2).map(line => paint.dim(`  ${line}`));
}

/** The last words give way where a line is too long: figures stand whole in --json. */
function findingLine({ weight }: Finding, { title, text }: FindingText, look: Screen): string {
  const { paint } = look;
  const colour = { problem: paint.red, warning: paint.yellow, note: paint.dim }[weight];
  return `${colour(SIGNS[weight])} ${fittedLine(title, toPrintable(text), look)}`;
}

function fittedLine(title: string, text: string, { width, paint }: Screen): string {
  const room = width - 4 - title.length;
  return room < 12 ? truncateEnd(title, width - 2) : `${paint.bold(title)}  ${truncateEnd(text, room)}`;
}
