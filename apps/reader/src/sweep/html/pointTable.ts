import { formatPercent } from '@org/core';
import { writeSection } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import { formatEstimate, formatPoint } from '../model/format.ts';
import { USER_SPEED } from '../model/otherCharts.ts';
import type { LoadPointData, RepeatData, SelectableMetric, SweepData } from '../model/sweepData.ts';

/** The metrics of the table, between the name of a point and its outcomes. */
const COLUMNS = [
  'request_throughput_avg',
  'output_token_throughput_avg',
  USER_SPEED.metric,
  'time_to_first_token_p50',
  'time_to_first_token_p99',
  'inter_token_latency_p99',
  'request_latency_p99',
] as const;

/** Writes a row for each load point, with links to the pages of its runs; for repeated runs, a row for each run. */
export function writePointTable(data: SweepData): string {
  const all = [...data.throughputs, USER_SPEED, ...data.latencies];
  const metrics = COLUMNS.flatMap(name => all.find(({ metric }) => metric === name) ?? []);
  const [single] = data.points;
  const isRepeated = data.points.length === 1 && Object.keys(single!.parameters).length === 0;
  const rows = isRepeated
    ? single!.repeats.map(repeat => writeRunRow(repeat, metrics))
    : data.points.map(point => writePointRow(point, metrics));
  const heads = [
    ...(isRepeated ? ['run'] : ['load point', 'runs']),
    ...metrics.map(({ short }) => short),
    ...(isRepeated ? [] : ['late or failed']),
  ];
  if (rows.length === 0) return '';
  const heading = isRepeated ? 'Runs' : 'Load points';
  return writeSection(
    'points',
    heading,
    writeElement(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Table of ${heading.toLowerCase()}` },
      writeElement(
        'table',
        { id: 'point-table' },
        writeElement('thead', {}, writeElement('tr', {}, ...heads.map((head, i) => writeHead(head, i > 0)))),
        writeElement('tbody', {}, ...rows),
      ),
    ),
    writeElement('p', { class: 'hint' }, describeLinks(data)),
  );
}

function writeHead(text: string, isNumber: boolean): string {
  return writeElement('th', { scope: 'col', class: isNumber && 'number' }, escapeText(text));
}

function writeCell(markup: string): string {
  return writeElement('td', { class: 'number' }, markup);
}

function writePointRow(point: LoadPointData, metrics: readonly SelectableMetric[]): string {
  return writeElement(
    'tr',
    {},
    writeElement('th', { scope: 'row' }, escapeText(formatPoint(point))),
    writeCell(writeRuns(point)),
    ...metrics.map(({ metric, unit }) =>
      writeCell(escapeText(formatEstimate(point.estimates[metric], unit))),
    ),
    writeCell(escapeText(formatBad(point))),
  );
}

/** Formats the requests that missed a limit and those that failed. */
function formatBad({ outcomes }: LoadPointData): string {
  if (!outcomes) return '';
  const { succeeded, late, failed } = outcomes;
  const all = succeeded + failed;
  if (all === 0) return '';
  const parts = [
    ...(late ? [`${formatPercent(late / all)} late`] : []),
    ...(failed > 0 ? [`${formatPercent(failed / all)} failed`] : []),
  ];
  return parts.join(', ') || '0';
}

function writeRuns({ runs, repeats }: LoadPointData): string {
  const links = repeats.filter(({ link }) => link !== undefined);
  const count = String(runs ?? (repeats.length > 0 ? repeats.length : ''));
  if (links.length === 0) return count;
  return `${count}: ${links.map(writeLink).join(' ')}`;
}

function writeLink({ trial, link }: RepeatData): string {
  return writeElement('a', { href: link, 'aria-label': `Page of run ${trial}` }, String(trial));
}

function writeRunRow(repeat: RepeatData, metrics: readonly SelectableMetric[]): string {
  const name = repeat.link === undefined ? String(repeat.trial) : writeLink(repeat);
  return writeElement(
    'tr',
    {},
    writeElement('th', { scope: 'row' }, name),
    ...metrics.map(({ metric, unit }) => {
      const mean = repeat.values[metric];
      return writeCell(mean === undefined ? '' : escapeText(formatEstimate({ mean, half: null }, unit)));
    }),
  );
}

/** Says what the numbers in the column of runs are, and how to get them. */
function describeLinks({ points }: SweepData): string {
  const repeats = points.flatMap(point => point.repeats);
  if (repeats.length === 0) return 'The runs were not found, so that there are no links to their pages.';
  const linked = repeats.filter(({ link }) => link !== undefined).length;
  if (linked === 0)
    return 'To write the page of each run and link it here, run servelens read report with --run-pages.';
  return linked === repeats.length
    ? 'The numbers link to the pages of the runs.'
    : `The numbers link to the pages of ${linked} of ${repeats.length} runs; --run-pages writes all.`;
}
