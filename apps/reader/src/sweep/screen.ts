import { type Axis, formatVariationName, LATENCIES, THROUGHPUTS } from '@org/analysis';
import { formatValue } from '@org/core';
import type {
  AggregateMetric,
  ProfileAggregate,
  ProfileSweep,
  SweepMetric,
  SweepVariation,
} from '@org/formats';
import { stringifyJson } from '@org/formats/write';
import { toPrintable } from '@org/terminal';
import colors from 'picocolors';

/** The style of a table. */
export interface TableStyle {
  readonly width: number;
  readonly color: boolean;
}

const ERRORS: Axis = { metric: 'error_request_count_avg', name: 'Failed Requests', short: 'failed' };
const AVERAGES: readonly Axis[] = [
  { metric: 'time_to_first_token_avg', name: 'Time to First Token avg', short: 'TTFT avg' },
  { metric: 'request_latency_avg', name: 'Request Latency avg', short: 'latency avg' },
];

/** Rows of the table of repeated runs. */
const ROWS: readonly Axis[] = [...THROUGHPUTS, ...AVERAGES, ...LATENCIES, ERRORS];

/** Columns of a sweep, the most important first; those that do not fit are left out. */
const COLUMNS: readonly Axis[] = [
  THROUGHPUTS[0]!,
  ...LATENCIES.slice(0, 4),
  ...THROUGHPUTS.slice(1),
  ...LATENCIES.slice(4),
];

const NAME = 26;
const CELL = 11;
const REPEATED_CELL = 20;
const FIGURE = 8;
/** The mark, blanks and the number of runs. */
const BESIDE = 9;

/** Renders the mean of each metric over repeated runs, with its confidence interval. */
export function renderAggregate(aggregate: ProfileAggregate, { color, width }: TableStyle): string {
  const paint = colors.createColors(color);
  const { metadata } = aggregate;
  const shown = INTERVAL_HEADS.slice(0, Math.max(2, Math.floor((width - NAME - 1) / CELL)));
  const rows = buildIntervalRows(aggregate).map(([name = '', ...cells]) => {
    const fitting = cells.slice(0, shown.length).map(cell => cell.padStart(CELL));
    return ` ${name.padEnd(NAME)}${fitting.join('')}`;
  });
  const head = shown.map(name => name.padStart(CELL)).join('');
  return [
    paint.bold(` ${`${metadata.num_successful_runs} runs`.padEnd(NAME)}`) + paint.dim(head),
    ...rows,
    ...[...describeInterval(aggregate), ...describeFailures(metadata.failed_runs)].map(line =>
      paint.dim(` ${line}`),
    ),
  ].join('\n');
}

/** Columns of the table of repeated runs, after the name. */
export const INTERVAL_HEADS: readonly string[] = ['mean', '±', '± of mean', 'lowest', 'highest'];

/** Builds the name and the cells of each metric. */
export function buildIntervalRows({ metrics }: ProfileAggregate): string[][] {
  return ROWS.flatMap(({ metric, name }) => {
    const block = metrics[metric];
    return block ? [[name, ...buildIntervalCells(block)]] : [];
  });
}

function buildIntervalCells(block: AggregateMetric): string[] {
  const { mean, min, max, unit } = block;
  const half = computeHalfWidth(block);
  const share = mean === 0 ? '' : percentage(half / Math.abs(mean));
  return [
    formatFigure(mean, unit),
    formatFigure(half, unit),
    share,
    formatFigure(min, unit),
    formatFigure(max, unit),
  ];
}

/** Describes how the intervals were computed. */
function describeInterval({ metadata, metrics }: ProfileAggregate): string[] {
  const [first] = Object.values(metrics).filter(({ num_runs: fewer }) => fewer === undefined);
  if (!first) return [];
  const runs = metadata.num_successful_runs;
  const level = metadata.confidence_level === undefined ? '' : ` ${percentage(metadata.confidence_level)}`;
  const t = first.t_critical.toFixed(2);
  return [
    `±: half of the${level} confidence interval of the mean, ${t} standard errors over ${runs} runs (Student's t)`,
  ];
}

function describeFailures(failed: ProfileAggregate['metadata']['failed_runs']): string[] {
  return failed.map(({ label, error }) => toPrintable(`left out: ${label}: ${error ?? 'failed'}`));
}

/** Renders the variations of a sweep, one per line; `●` marks the Pareto-optimal ones. */
export function renderSweep(sweep: ProfileSweep, { color, width }: TableStyle): string {
  const paint = colors.createColors(color);
  const variations = sweep.per_combination_metrics;
  const name =
    Math.max(10, ...variations.map(variation => toPrintable(formatVariationName(variation)).length)) + 1;
  const columns = selectColumns(variations, width - name - BESIDE);
  const best = new Set((sweep.pareto_optimal ?? []).map(variation => stringifyJson(variation)));
  const cell = hasIntervals(variations) ? REPEATED_CELL : CELL + 1;
  const head = columns.map(({ short }) => short.padStart(cell)).join('');
  const lines = variations.map(variation => {
    const mark = best.has(stringifyJson(variation.parameters)) ? paint.green('●') : ' ';
    const runs = String(variation.num_successful_runs ?? '').padStart(5);
    const cells = columns.map(({ metric }) => formatSweepCell(variation, metric).padStart(cell)).join('');
    return ` ${mark} ${toPrintable(formatVariationName(variation)).padEnd(name)}${runs}${cells}`;
  });
  return [
    paint.bold(`   ${'Variation'.padEnd(name)}`) + paint.dim(`${'runs'.padStart(5)}${head}`),
    ...lines,
    ...[...describeMarks(sweep), ...describeFailures(sweep.failed_runs ?? [])].map(line =>
      paint.dim(` ${line}`),
    ),
  ].join('\n');
}

/** Selects the metrics that any variation has; with `room`, as many as fit into that many characters. */
export function selectColumns(
  variations: readonly SweepVariation[],
  room: number = Infinity,
): readonly Axis[] {
  const present = COLUMNS.filter(({ metric }) => variations.some(({ metrics }) => metrics[metric]));
  const cell = hasIntervals(variations) ? REPEATED_CELL : CELL + 1;
  return present.slice(0, Math.max(1, Math.floor(room / cell)));
}

function hasIntervals(variations: readonly SweepVariation[]): boolean {
  return variations.some(({ metrics }) => Object.values(metrics).some(({ se }) => se !== undefined));
}

/** Formats the mean, and half the confidence interval if there is one. */
export function formatSweepCell({ metrics }: SweepVariation, metric: string): string {
  const block = metrics[metric];
  if (!block) return '–';
  const mean = formatFigure(block.mean, block.unit);
  const half = computeHalfWidth(block);
  return Number.isNaN(half) ? mean : `${mean} ±${formatFigure(half, block.unit)}`;
}

function describeMarks(sweep: ProfileSweep): string[] {
  const { best_configurations: best, metadata, per_combination_metrics: variations } = sweep;
  const { metric_name: latency } = best?.best_latency_p99 ?? {};
  const level = metadata.confidence_level === undefined ? '' : ` ${percentage(metadata.confidence_level)}`;
  return [
    ...(latency === undefined
      ? []
      : [`●: no other variation has more requests/s and a lower ${latency} (means)`]),
    hasIntervals(variations)
      ? `±: half of the${level} confidence interval of the mean (Student's t)`
      : explainMissingInterval(sweep),
  ];
}

/** Explains why there is no interval. */
function explainMissingInterval({ metadata, per_combination_metrics: variations }: ProfileSweep): string {
  const trials = metadata.num_trials ?? 1;
  const hasAny = variations.some(({ num_successful_runs: runs }) => runs !== 0);
  if (!hasAny) return 'no run was successful';
  return trials > 1
    ? `fewer than two of ${trials} runs of each variation were successful: no confidence intervals`
    : 'one run of each variation: no confidence intervals (use --num-profile-runs)';
}

/** Returns half the interval; NaN without one. */
function computeHalfWidth({ se, t_critical: t }: Partial<SweepMetric>): number {
  return se === undefined || t === undefined ? Number.NaN : se * t;
}

/** Formats a value so that two of them and a ± fit into a cell; rates and counts have no unit. */
function formatFigure(value: number, unit: string): string {
  return formatValue(value, /^(?:ms|sec|ns)$/.test(unit) ? unit : null, FIGURE);
}

/** Formats a ratio as `95%`. */
function percentage(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`;
}
