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

/** How a table looks. */
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

/** Columns of a sweep, the most telling first: those that find no room are left out. */
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
/** Mark, blanks and the number of runs. */
const BESIDE = 9;

/** The mean of each figure over repeated runs, and how sure it is. */
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
    ...[...intervalNote(aggregate), ...failureNotes(metadata.failed_runs)].map(line => paint.dim(` ${line}`)),
  ].join('\n');
}

/** Columns of the table of repeated runs, behind the name. */
export const INTERVAL_HEADS: readonly string[] = ['mean', '±', '± of mean', 'lowest', 'highest'];

/** Name and cells of each figure that the runs have. */
export function buildIntervalRows({ metrics }: ProfileAggregate): string[][] {
  return ROWS.flatMap(({ metric, name }) => {
    const block = metrics[metric];
    return block ? [[name, ...intervalCells(block)]] : [];
  });
}

function intervalCells(block: AggregateMetric): string[] {
  const { mean, min, max, unit } = block;
  const half = halfWidth(block);
  const share = mean === 0 ? '' : percentage(half / Math.abs(mean));
  return [figureOf(mean, unit), figureOf(half, unit), share, figureOf(min, unit), figureOf(max, unit)];
}

/** What an interval is made of, so that nobody takes it for more. */
function intervalNote({ metadata, metrics }: ProfileAggregate): string[] {
  const [first] = Object.values(metrics).filter(({ num_runs: fewer }) => fewer === undefined);
  if (!first) return [];
  const runs = metadata.num_successful_runs;
  const level = metadata.confidence_level === undefined ? '' : ` ${percentage(metadata.confidence_level)}`;
  const t = first.t_critical.toFixed(2);
  return [`±: half of the${level} interval of the mean, ${t} standard errors of ${runs} runs (Student's t)`];
}

function failureNotes(failed: ProfileAggregate['metadata']['failed_runs']): string[] {
  return failed.map(({ label, error }) => toPrintable(`left out: ${label}: ${error ?? 'failed'}`));
}

/** The variations of a sweep, one a line; `●` marks those that no other surpasses in both objectives. */
export function renderSweep(sweep: ProfileSweep, { color, width }: TableStyle): string {
  const paint = colors.createColors(color);
  const variations = sweep.per_combination_metrics;
  const name = Math.max(10, ...variations.map(one => toPrintable(formatVariationName(one)).length)) + 1;
  const columns = selectColumns(variations, width - name - BESIDE);
  const best = new Set((sweep.pareto_optimal ?? []).map(one => stringifyJson(one)));
  const cell = isRepeated(variations) ? REPEATED_CELL : CELL + 1;
  const head = columns.map(({ short }) => short.padStart(cell)).join('');
  const lines = variations.map(one => {
    const mark = best.has(stringifyJson(one.parameters)) ? paint.green('●') : ' ';
    const runs = String(one.num_successful_runs ?? '').padStart(5);
    const cells = columns.map(({ metric }) => formatSweepCell(one, metric).padStart(cell)).join('');
    return ` ${mark} ${toPrintable(formatVariationName(one)).padEnd(name)}${runs}${cells}`;
  });
  return [
    paint.bold(`   ${'Variation'.padEnd(name)}`) + paint.dim(`${'runs'.padStart(5)}${head}`),
    ...lines,
    ...[...legend(sweep), ...failureNotes(sweep.failed_runs ?? [])].map(line => paint.dim(` ${line}`)),
  ].join('\n');
}

/** The figures that any variation has; with `room`, as many as fit into so many characters. */
export function selectColumns(
  variations: readonly SweepVariation[],
  room: number = Infinity,
): readonly Axis[] {
  const present = COLUMNS.filter(({ metric }) => variations.some(({ metrics }) => metrics[metric]));
  const cell = isRepeated(variations) ? REPEATED_CELL : CELL + 1;
  return present.slice(0, Math.max(1, Math.floor(room / cell)));
}

function isRepeated(variations: readonly SweepVariation[]): boolean {
  return variations.some(({ metrics }) => Object.values(metrics).some(({ se }) => se !== undefined));
}

/** The mean, and half of its interval where there is one. */
export function formatSweepCell({ metrics }: SweepVariation, metric: string): string {
  const block = metrics[metric];
  if (!block) return '–';
  const mean = figureOf(block.mean, block.unit);
  const half = halfWidth(block);
  return Number.isNaN(half) ? mean : `${mean} ±${figureOf(half, block.unit)}`;
}

function legend(sweep: ProfileSweep): string[] {
  const { best_configurations: best, metadata, per_combination_metrics: variations } = sweep;
  const { metric_name: latency } = best?.best_latency_p99 ?? {};
  const level = metadata.confidence_level === undefined ? '' : ` ${percentage(metadata.confidence_level)}`;
  return [
    ...(latency === undefined ? [] : [`●: none has more requests/s and a lower ${latency}, by their means`]),
    isRepeated(variations) ? `±: half of the${level} interval of the mean (Student's t)` : unsure(sweep),
  ];
}

/** Why there is no interval. */
function unsure({ metadata, per_combination_metrics: variations }: ProfileSweep): string {
  const trials = metadata.num_trials ?? 1;
  const hasAny = variations.some(({ num_successful_runs: runs }) => runs !== 0);
  if (!hasAny) return 'no run counts: nothing can be said of any variation';
  return trials > 1
    ? `of ${trials} runs of each, fewer than two count: nothing here says how sure these are`
    : 'one run of each: nothing here says how sure these are (--num-profile-runs does)';
}

/** NaN without an interval. */
function halfWidth({ se, t_critical: t }: Partial<SweepMetric>): number {
  return se === undefined || t === undefined ? Number.NaN : se * t;
}

/** A figure in the unit that suits it; rates and counts go without. Two of them and a ± fit into a cell. */
function figureOf(value: number, unit: string): string {
  return formatValue(value, /^(?:ms|sec|ns)$/.test(unit) ? unit : null, FIGURE);
}

/** A share of one as `95%`. */
function percentage(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`;
}
