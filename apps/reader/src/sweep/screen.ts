import {
  type Axis,
  computeHalfWidth,
  formatVariationName,
  LATENCIES,
  normalizeSweep,
  THROUGHPUTS,
} from '@org/analysis';
import { formatValue } from '@org/core';
import type { AggregateMetric, ProfileAggregate, ProfileSweep, SweepVariation } from '@org/formats';
import { stringifyJson } from '@org/formats/write';
import { toPrintable } from '@org/terminal';
import { countColumns, padStart, renderNamed, wrapText } from '@org/terminal/layout';
import { createScreen, type ScreenOptions } from '../screen.ts';
import { countFailures, describeFailedRequests, formatFailures } from './failures.ts';

const ERRORS: readonly Axis[] = [
  { metric: 'error_request_count_avg', name: 'Failed Requests', short: 'failed' },
  { metric: 'request_error_rate_avg', name: 'Failed Requests, %', short: 'failed %' },
];
const AVERAGES: readonly Axis[] = [
  { metric: 'time_to_first_token_avg', name: 'Time to First Token avg', short: 'TTFT avg' },
  { metric: 'request_latency_avg', name: 'Request Latency avg', short: 'latency avg' },
];

/** Metrics in the rows of the table of repeated runs. */
const ROWS: readonly Axis[] = [...THROUGHPUTS, ...AVERAGES, ...LATENCIES, ...ERRORS];

/** Metrics in the columns of the sweep table, most important first. Columns that do not fit are omitted. */
const COLUMNS: readonly Axis[] = [
  THROUGHPUTS[0]!,
  ...LATENCIES.slice(0, 4),
  ...THROUGHPUTS.slice(1),
  ...LATENCIES.slice(4),
];

/** Widths in terminal columns. */
const NAME_WIDTH = 26;
const CELL_WIDTH = 11;
const NARROW_CELL_WIDTH = 10;
/** Width of a mean with its confidence interval. */
const INTERVAL_CELL_WIDTH = 20;
const NUMBER_WIDTH = 8;
/** Width of the Pareto mark and the number of runs, with spaces. */
const MARK_AND_RUNS_WIDTH = 9;

/** Renders the mean of each metric over repeated runs, with its confidence interval. */
export function renderAggregate(aggregate: ProfileAggregate, options: ScreenOptions): string {
  const { paint, width } = createScreen(options);
  const { metadata } = aggregate;
  const count = INTERVAL_HEADS.length;
  const isWide = width > NAME_WIDTH + count * CELL_WIDTH;
  const cellWidth = isWide ? CELL_WIDTH : NARROW_CELL_WIDTH;
  // In narrow terminals, names are on separate lines.
  const nameWidth = width > NAME_WIDTH + count * cellWidth ? NAME_WIDTH + 1 : 1;
  const shown = Math.max(2, Math.floor((width - nameWidth) / cellWidth));
  const formatCells = (cells: readonly string[]): string =>
    cells
      .slice(0, shown)
      .map(cell => padStart(cell, cellWidth))
      .join('');
  const rows = buildIntervalRows(aggregate).flatMap(([name = '', ...cells]) =>
    renderNamed(name, formatCells(cells), { nameWidth, width }),
  );
  const head = paint.dim(formatCells(INTERVAL_HEADS));
  const failures = describeFailedRequests(countFailures(metadata.requests, aggregate.metrics));
  return [
    ...(failures === undefined ? [] : [paint.bold(paint.red(` ${failures}`))]),
    ...describeFailures(metadata.failed_runs).flatMap(text => wrapText(text, width, ' ').map(paint.red)),
    ...renderNamed(`${metadata.num_successful_runs} runs`, head, { nameWidth, width, paintName: paint.bold }),
    ...rows,
    ...describeInterval(aggregate).flatMap(text => wrapText(text, width, ' ').map(line => paint.dim(line))),
  ].join('\n');
}

/** Column titles of the table of repeated runs, without the name column. */
export const INTERVAL_HEADS: readonly string[] = ['mean', '±', '± %', 'min', 'max'];

/** Builds a table row per metric: its name, followed by its cells. */
export function buildIntervalRows({ metrics }: ProfileAggregate): string[][] {
  return ROWS.flatMap(({ metric, name }) => {
    const block = metrics[metric];
    return block ? [[name, ...buildIntervalCells(block)]] : [];
  });
}

function buildIntervalCells(block: AggregateMetric): string[] {
  const { mean, min, max, unit } = block;
  const half = computeHalfWidth(block);
  const relative = mean === 0 || half === undefined ? '' : formatPercent(half / Math.abs(mean));
  return [
    formatNumber(mean, unit),
    half === undefined ? '' : formatNumber(half, unit),
    relative,
    formatNumber(min, unit),
    formatNumber(max, unit),
  ];
}

/** Describes how the confidence intervals were computed. */
function describeInterval({ metadata, metrics }: ProfileAggregate): string[] {
  const [first] = Object.values(metrics).filter(({ num_runs: runsOfMetric }) => runsOfMetric === undefined);
  if (!first || first.t_critical === null) return [];
  const runs = metadata.num_successful_runs;
  const level = metadata.confidence_level === undefined ? '' : ` ${formatPercent(metadata.confidence_level)}`;
  const t = first.t_critical.toFixed(2);
  return [
    `±: half the width of the${level} confidence interval of the mean: ${t} standard errors, from ${runs} runs (Student's t)`,
  ];
}

function describeFailures(failed: ProfileAggregate['metadata']['failed_runs']): string[] {
  return failed.map(({ label, error }) => toPrintable(`omitted ${label}: ${error ?? 'the run failed'}`));
}

/** Renders a sweep with one line per variation. `●` marks Pareto-optimal variations. */
export function renderSweep(document: ProfileSweep, options: ScreenOptions): string {
  const sweep = normalizeSweep(document);
  const { paint, width } = createScreen(options);
  const variations = sweep.per_combination_metrics;
  const longestName =
    variations.reduce(
      (max, variation) => Math.max(max, countColumns(toPrintable(formatVariationName(variation)))),
      10,
    ) + 1;
  const failures = renderFailureColumn(variations);
  const maxNameWidth = width - MARK_AND_RUNS_WIDTH - failures[0]!.length - 2 * (CELL_WIDTH + 1);
  // Names that leave no room for two columns are on separate lines.
  const nameWidth = longestName <= maxNameWidth ? longestName : 0;
  const columns = selectColumns(variations, width - nameWidth - MARK_AND_RUNS_WIDTH - failures[0]!.length);
  const optimal = new Set((sweep.pareto_optimal ?? []).map(variation => stringifyJson(variation)));
  const cellWidth = hasIntervals(variations) ? INTERVAL_CELL_WIDTH : CELL_WIDTH + 1;
  const head = columns.map(({ short }) => short.padStart(cellWidth)).join('');
  const lines = variations.flatMap((variation, index) => {
    const mark = optimal.has(stringifyJson(variation.parameters)) ? paint.green('●') : ' ';
    const runs = String(variation.num_successful_runs ?? '').padStart(5);
    const failed = failures[index + 1]!;
    const cells = columns
      .map(({ metric }) => formatSweepCell(variation, metric).padStart(cellWidth))
      .join('');
    const numbers = `${runs}${/[1-9]/.test(failed) ? paint.red(failed) : failed}${cells}`;
    const named = renderNamed(formatVariationName(variation), numbers, {
      nameWidth,
      width: width - 3,
      indent: '',
    });
    return named.map((line, i) => `${i === 0 ? ` ${mark} ` : '   '}${line}`);
  });
  return [
    ...describeFailures(sweep.failed_runs ?? []).flatMap(text => wrapText(text, width, ' ').map(paint.red)),
    ...renderNamed('Variation', paint.dim(`${'runs'.padStart(5)}${failures[0]}${head}`), {
      nameWidth: nameWidth + 3,
      width,
      indent: '   ',
      paintName: paint.bold,
    }),
    ...lines,
    ...describeMarks(sweep).flatMap(text => wrapText(text, width, ' ').map(line => paint.dim(line))),
  ].join('\n');
}

/** Renders the column of failed requests, from its head. All cells are empty if the numbers are unknown. */
function renderFailureColumn(variations: readonly SweepVariation[]): string[] {
  const counts = variations.map(({ requests, metrics }) => countFailures(requests, metrics));
  if (counts.every(count => count === undefined)) return ['', ...variations.map(() => '')];
  const cells = ['failed', ...counts.map(formatFailures)];
  const columnWidth = cells.reduce((width, { length }) => Math.max(width, length), 0) + 2;
  return cells.map(cell => cell.padStart(columnWidth));
}

/** Selects the metrics that at least one variation has, limited to those that fit into `width` terminal columns. */
export function selectColumns(
  variations: readonly SweepVariation[],
  width: number = Infinity,
): readonly Axis[] {
  const present = COLUMNS.filter(({ metric }) => variations.some(({ metrics }) => metrics[metric]));
  const cellWidth = hasIntervals(variations) ? INTERVAL_CELL_WIDTH : CELL_WIDTH + 1;
  return present.slice(0, Math.max(1, Math.floor(width / cellWidth)));
}

function hasIntervals(variations: readonly SweepVariation[]): boolean {
  return variations.some(({ metrics }) =>
    Object.values(metrics).some(block => computeHalfWidth(block) !== undefined),
  );
}

/** Formats the mean of a metric, and half the width of its confidence interval if available. */
export function formatSweepCell({ metrics }: SweepVariation, metric: string): string {
  const block = metrics[metric];
  if (!block) return '–';
  const mean = formatNumber(block.mean, block.unit);
  const half = computeHalfWidth(block);
  return half === undefined ? mean : `${mean} ±${formatNumber(half, block.unit)}`;
}

function describeMarks(sweep: ProfileSweep): string[] {
  const { best_configurations: best, metadata, per_combination_metrics: variations } = sweep;
  const { metric_name: latency } = best?.best_latency_p99 ?? {};
  const level = metadata.confidence_level === undefined ? '' : ` ${formatPercent(metadata.confidence_level)}`;
  return [
    ...(latency === undefined
      ? []
      : [`●: no other variation has higher mean requests/s and a lower mean ${latency}`]),
    ...(lacksMeans(variations) ? ['–: all runs failed, or a search ended them early'] : []),
    hasIntervals(variations)
      ? `±: half the width of the${level} confidence interval of the mean (Student's t)`
      : explainMissingInterval(sweep),
  ];
}

/** Reports whether some variations have no successful run, while others do. */
function lacksMeans(variations: readonly SweepVariation[]): boolean {
  const isEmpty = ({ num_successful_runs: runs }: SweepVariation): boolean => runs === 0;
  return variations.some(isEmpty) && !variations.every(isEmpty);
}

/** Explains why confidence intervals are missing. */
function explainMissingInterval({ metadata, per_combination_metrics: variations }: ProfileSweep): string {
  const trials = metadata.num_trials_per_value ?? metadata.num_trials ?? 1;
  const hasSuccessfulRun = variations.some(({ num_successful_runs: runs }) => runs !== 0);
  if (!hasSuccessfulRun) return 'no run was successful';
  return trials > 1
    ? `no confidence intervals: fewer than two of ${trials} runs of each variation were successful`
    : 'no confidence intervals: one run of each variation; set --num-profile-runs to 2 or more';
}

/** Formats a value so that a mean, ± and the half-width fit into one cell. Only durations are shown with a unit. */
function formatNumber(value: number, unit: string): string {
  return formatValue(value, /^(?:ms|sec|ns)$/.test(unit) ? unit : null, NUMBER_WIDTH);
}

/** Formats a ratio as a percentage, such as `95%`. */
function formatPercent(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`;
}
