import type { ChangeVerdict, MetricTrend, RunTrend, TrendGroup, TrendRun } from '@org/analysis';
import { formatValue } from '@org/core';
import { toPrintable } from '@org/terminal';
import {
  countColumns,
  padEnd,
  padStart,
  renderNamed,
  renderSparkline,
  wrapMarked,
  wrapText,
} from '@org/terminal/layout';
import type { Screen } from '../screen.ts';
import {
  type ChangeEvent,
  describeChange,
  describeDrift,
  describeMethods,
  describeSetting,
  formatChange,
  formatFigure,
  formatHeadline,
  formatPeriod,
  listDrifts,
  listEvents,
  listProblems,
  MARKS,
  nameRuns,
} from './trendText.ts';
import { formatWorkload } from './workloadText.ts';

/** Renders a trend for a terminal: problems, changes with their evidence, and a line per metric. */
export function renderTrendScreen(trend: RunTrend, screen: Screen): string {
  const names = nameRuns(trend);
  const { paint, width } = screen;
  const problems = listProblems(trend).flatMap(text => wrapMarked('!', text, width).map(paint.yellow));
  const groups = trend.groups.map(group => renderGroup(group, trend, names, screen));
  const notes = trend.notes.flatMap(note => wrapText(note, width));
  return [
    ...problems,
    ...groups.flatMap((lines, i) => (i === 0 && problems.length === 0 ? lines : ['', ...lines])),
    ...withGap(notes),
  ]
    .map(line => line.trimEnd())
    .join('\n');
}

function withGap(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

type RunNames = ReadonlyMap<TrendRun, string>;

function renderGroup(group: TrendGroup, trend: RunTrend, names: RunNames, screen: Screen): string[] {
  const { paint, width } = screen;
  const { method, exceptions } = describeMethods(group, trend);
  const period = formatPeriod(group);
  const head = trend.groups.length === 1 ? period : `${formatWorkload(group, trend.groups)}; ${period}`;
  const events = listEvents(group);
  const outside = group.settingChanges.filter(({ at }) =>
    events.every(({ settings }) => settings.every(s => s.at !== at)),
  );
  return [
    ...wrapText(formatHeadline(group, trend), width).map(paint.bold),
    ...wrapText(head, width).map(line => paint.dim(line)),
    ...events.flatMap(event => ['', ...renderEvent(event, group, names, screen)]),
    ...listDrifts(group).flatMap(metric => ['', ...renderDrift(metric, screen)]),
    ...withGap(
      outside.flatMap(change =>
        wrapText(`at ${formatRun(change.at, group, names)}: ${describeSetting(change)}`, width).map(
          paint.yellow,
        ),
      ),
    ),
    ...renderMetrics(group, screen),
    '',
    ...[...exceptions, ...method].flatMap(text => wrapText(text, width)).map(line => paint.dim(line)),
  ];
}

function formatRun(index: number, { runs }: TrendGroup, names: RunNames): string {
  return `run ${index + 1}, ${toPrintable(names.get(runs[index]!)!)}`;
}

function renderEvent(
  { before, after, verdict, changes, settings }: ChangeEvent,
  group: TrendGroup,
  names: RunNames,
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  const title = `Between ${formatRun(before, group, names)} and ${formatRun(after, group, names)}`;
  return [
    ...wrapMarked(MARKS[verdict], title, width).map(line => paint.bold(getColor(verdict, screen)(line))),
    ...settings.flatMap(change => wrapText(describeSetting(change), width, '  ').map(paint.yellow)),
    ...changes.flatMap(({ metric, change }) => [
      ...wrapMarked(MARKS[change.verdict], `${metric.server} ${formatFigure(metric)}`, width - 2).map(
        line => `  ${getColor(change.verdict, screen)(line)}`,
      ),
      ...wrapText(describeChange(metric, change), width, '    '),
    ]),
  ];
}

function renderDrift(metric: MetricTrend, screen: Screen): string[] {
  const { verdict } = metric.drift!;
  const { width } = screen;
  return [
    ...wrapMarked(MARKS[verdict], `${metric.server} ${formatFigure(metric)}`, width).map(
      getColor(verdict, screen),
    ),
    ...wrapText(describeDrift(metric), width, '    '),
  ];
}

function getColor(verdict: ChangeVerdict, { paint }: Screen): (text: string) => string {
  return { worse: paint.red, better: paint.green, changed: paint.yellow }[verdict];
}

const VALUE_WIDTH = 10;
const CHANGE_WIDTH = 16;
const MIN_NAME = 20;
const MIN_SHAPE = 12;
const MAX_SHAPE = 40;

/** Renders a line per metric: its lowest, highest and last value, its shape, and its last change. */
function renderMetrics(group: TrendGroup, screen: Screen): string[] {
  const servers = [...new Set(group.metrics.map(({ server }) => server))];
  return servers.flatMap(server => {
    const metrics = group.metrics.filter(metric => metric.server === server);
    return ['', ...renderServer(server, metrics, group.runs.length, screen)];
  });
}

function renderServer(
  server: string,
  metrics: readonly MetricTrend[],
  runs: number,
  { width, paint }: Screen,
): string[] {
  const names = metrics.map(formatFigure);
  const shape = Math.max(MIN_SHAPE, Math.min(MAX_SHAPE, runs));
  const numbers = width >= 72 ? 3 : 1;
  const available = width - numbers * VALUE_WIDTH - shape - 1 - CHANGE_WIDTH;
  const longest = names.reduce((max, name) => Math.max(max, countColumns(name)), 0) + 2;
  // In narrow terminals, names are on separate lines.
  const nameWidth = available < MIN_NAME ? 1 : Math.min(longest, available);
  const heads = ['lowest', 'highest', 'last'].slice(3 - numbers);
  const numberHeads = `${heads.map(text => padStart(text, VALUE_WIDTH)).join('')} over the runs`;
  const head = renderNamed(server, numberHeads, { nameWidth, width });
  const lines = metrics.flatMap((metric, i) => {
    const cells = renderCells(metric, numbers, shape, width - nameWidth);
    return renderNamed(names[i]!, cells, { nameWidth, width });
  });
  return [...head.map(paint.bold), ...lines];
}

function renderCells(metric: MetricTrend, numbers: number, shape: number, width: number): string {
  const known = metric.values.filter(value => value !== null);
  const figures = [Math.min(...known), Math.max(...known), known.at(-1)!].slice(3 - numbers);
  const values = figures.map(value =>
    padStart(formatValue(value, metric.unit, VALUE_WIDTH - 1), VALUE_WIDTH),
  );
  const columns = Math.max(MIN_SHAPE, Math.min(shape, width - numbers * VALUE_WIDTH - 1 - CHANGE_WIDTH));
  const line = padEnd(
    renderSparkline(toShape(metric.values), columns),
    Math.min(columns, metric.values.length),
  );
  return `${values.join('')} ${line} ${formatLastChange(metric)}`;
}

/** Shifts values so that differences are visible: a line from 0 is flat where a metric changes by a few percent. */
function toShape(values: readonly (number | null)[]): (number | null)[] {
  const known = values.filter(value => value !== null);
  const lowest = Math.min(...known);
  const floor = Math.max(0, lowest - (Math.max(...known) - lowest) / 4);
  return values.map(value => (value === null ? null : value - floor));
}

function formatLastChange({ changes, drift }: MetricTrend): string {
  const last = changes.at(-1);
  if (last) return `${MARKS[last.verdict]} ${formatChange(last.change)} at ${last.after + 1}`;
  return drift ? `${MARKS[drift.verdict]} ${formatChange(drift.change)}` : '';
}
