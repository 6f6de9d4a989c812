import type { ServerMetricsView } from '@org/formats/read';
import { cutEnd } from '../cut.ts';
import { type FindingOptions, findings } from '../findings/find.ts';
import type { Finding, Weight } from '../findings/finding.ts';
import { type Run, runOfView } from '../run/run.ts';
import { printable } from '../terminal.ts';
import { counted, wrapped } from '../text.ts';
import { headLines } from './head.ts';
import { type KeyMetrics, runKeyMetrics } from './keymetrics.ts';
import { type Look, type LookOptions, lookOf } from './look.ts';
import { type Detail, figureTable, seriesLines } from './table.ts';

export interface SummaryOptions extends LookOptions {
  /** Which findings are looked for; `false` for none. */
  readonly findings?: FindingOptions | false;
}

/**
 * A run on one screen: what was scraped and how it fared, the key metrics of each kind of server that is recognised, and
 * what is to be said about them. A screen that is too small first goes without the single series of a metric, then
 * without the advice of the last findings.
 */
export function renderRun(run: Run, options: SummaryOptions): string {
  const look = lookOf(options);
  const found = options.findings === false ? [] : findings(run, options.findings);
  // The line of the prompt that follows is on the screen too.
  const room = look.height - 1;
  const advice = found.map(one => adviceLines(one, look));
  const whole = sum(advice.map(lines => lines.length)) + (found.length > 0 ? found.length + 1 : 0);
  const head = headLines(run, look);
  const metrics = runKeyMetrics(run);
  const fits = head.length + linesOf(metrics) + whole <= room;
  const body = tables(run, metrics, fits ? 'series' : 'metric', look);
  let left = room - head.length - body.length - found.length - 1;
  const said = found.flatMap((one, i) => {
    left -= advice[i]!.length;
    return [findingLine(one, look), ...(left >= 0 ? advice[i]! : [])];
  });
  return [...head, ...body, ...(said.length > 0 ? ['', ...said] : [])].join('\n');
}

/** The same of a document in memory, such as `servelens collect` has just written. */
export function renderSummary(document: ServerMetricsView, options: SummaryOptions): string {
  return renderRun(runOfView(document), options);
}

/** How many lines tables with single series would have. */
function linesOf(metrics: readonly KeyMetrics[]): number {
  return sum(metrics.map(({ figures }) => 2 + seriesLines(figures)));
}

function tables(run: Run, all: readonly KeyMetrics[], detail: Detail, look: Look): string[] {
  if (all.length === 0) {
    const text = `No known inference server among ${counted(run.families.size, 'metric')}; see the exports.`;
    return ['', look.paint.dim(text)];
  }
  const several = detail === 'metric' && all.some(({ figures }) => isRepeated(figures));
  const legend = '×N: N series; counts add up, shares averaged, p99 and max of the highest';
  return [
    ...all.flatMap(({ server, figures }) => ['', ...figureTable(server.name, figures, detail, look)]),
    ...(several ? [look.paint.dim(` ${cutEnd(legend, look.width - 1)}`)] : []),
  ];
}

function isRepeated(figures: readonly { readonly metric: { readonly name: string } }[]): boolean {
  return new Set(figures.map(({ metric }) => metric.name)).size < figures.length;
}

const SIGNS: Readonly<Record<Weight, string>> = { problem: '✗', warning: '!', note: '·' };

function adviceLines({ advice }: Finding, { width, paint }: Look): string[] {
  return wrapped(advice, width - 2).map(line => paint.dim(`  ${line}`));
}

/** The last words give way where a line is too long: figures stand whole in --json. */
function findingLine({ weight, title, evidence }: Finding, look: Look): string {
  const { paint } = look;
  const colour = { problem: paint.red, warning: paint.yellow, note: paint.dim }[weight];
  return `${colour(SIGNS[weight])} ${fittedLine(title, told(evidence), look)}`;
}

function fittedLine(title: string, text: string, { width, paint }: Look): string {
  const room = width - 4 - title.length;
  return room < 12 ? cutEnd(title, width - 2) : `${paint.bold(title)}  ${cutEnd(text, room)}`;
}

/** The worst place, and how many others there are. */
function told(evidence: Finding['evidence']): string {
  const [worst] = evidence;
  const where = evidence.length > 1 && worst!.endpoint !== undefined ? `${worst!.endpoint}: ` : '';
  const more = evidence.length > 1 ? ` (and ${evidence.length - 1} more)` : '';
  return printable(`${where}${worst!.text}${more}`);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
