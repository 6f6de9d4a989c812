import type {
  AggregateMetric,
  ProfileAggregate,
  ProfileSweep,
  SweepMetric,
  SweepVariation,
} from '@org/formats';
import { figure, printable } from '@org/reader';
import colors from 'picocolors';
import type { ScreenLook } from '../screen.ts';

/** Figures of the tables, by what they are called. */
const ROWS: readonly (readonly [metric: string, name: string])[] = [
  ['request_throughput_avg', 'Requests/s'],
  ['output_token_throughput_avg', 'Output tok/s'],
  ['goodput_avg', 'Goodput, requests/s'],
  ['time_to_first_token_avg', 'Time to First Token avg'],
  ['time_to_first_token_p50', 'Time to First Token p50'],
  ['time_to_first_token_p99', 'Time to First Token p99'],
  ['inter_token_latency_avg', 'Inter Token Latency avg'],
  ['request_latency_avg', 'Request Latency avg'],
  ['request_latency_p50', 'Request Latency p50'],
  ['request_latency_p99', 'Request Latency p99'],
  ['error_request_count_avg', 'Failed Requests'],
];

/** Columns of a sweep, the most telling first: those that find no room are left out. */
const COLUMNS: readonly (readonly [metric: string, name: string])[] = [
  ['request_throughput_avg', 'req/s'],
  ['request_latency_p50', 'latency p50'],
  ['request_latency_p99', 'latency p99'],
  ['time_to_first_token_p50', 'TTFT p50'],
  ['time_to_first_token_p99', 'TTFT p99'],
  ['output_token_throughput_avg', 'out tok/s'],
  ['inter_token_latency_avg', 'ITL avg'],
];

const NAME = 26;
const CELL = 12;

/** The mean of each figure and how sure it is. */
export function aggregateTable(aggregate: ProfileAggregate, look: ScreenLook, title = ''): string[] {
  const paint = colors.createColors(look.color);
  const { metadata, metrics } = aggregate;
  const rows = ROWS.flatMap(([metric, name]) => {
    const block = metrics[metric];
    return block ? [` ${name.padEnd(NAME)}${intervalCells(block)}`] : [];
  });
  const head = ['mean', '±', '± of mean', 'lowest', 'highest'].map(name => name.padStart(CELL)).join('');
  return [
    `${paint.bold(` ${(title || 'All runs').padEnd(NAME)}`)}${paint.dim(head)}`,
    ...rows,
    ...notes(metadata.num_successful_runs, metadata.confidence_level!, rows.length > 0 ? metrics : {}).map(
      line => paint.dim(` ${line}`),
    ),
  ];
}

function intervalCells({ mean, se, t_critical: t, min, max, unit }: AggregateMetric): string {
  const half = t * se;
  const share = mean === 0 ? '' : percentage(half / Math.abs(mean));
  return [shown(mean, unit), shown(half, unit), share, shown(min, unit), shown(max, unit)]
    .map(cell => cell.padStart(CELL))
    .join('');
}

/** What an interval is made of, so that nobody takes it for more. */
function notes(runs: number, level: number, metrics: ProfileAggregate['metrics']): string[] {
  const [first] = Object.values(metrics);
  if (!first) return [];
  const t = first.t_critical.toFixed(2);
  return [
    `± is half of the ${percentage(level)} interval of the mean: ${t} standard errors of ${runs} runs (t, ${runs - 1} degrees of freedom)`,
  ];
}

/** The variations of a sweep, one a line; `●` marks those that no other surpasses in both objectives. */
export function sweepTable(sweep: ProfileSweep, look: ScreenLook): string[] {
  const paint = colors.createColors(look.color);
  const variations = sweep.per_combination_metrics;
  const name = Math.max(14, ...variations.map(({ variation_label: label }) => (label ?? '').length)) + 1;
  const isRepeated = (sweep.metadata.num_trials ?? 1) > 1;
  const cell = isRepeated ? 20 : CELL;
  const present = COLUMNS.filter(([metric]) => variations.some(({ metrics }) => metrics[metric]));
  const columns = present.slice(0, Math.max(1, Math.floor((look.width - name - 9) / cell)));
  const best = new Set((sweep.pareto_optimal ?? []).map(one => JSON.stringify(one)));
  const head = columns.map(([, title]) => title.padStart(cell)).join('');
  const lines = variations.map(variation => {
    const mark = best.has(JSON.stringify(variation.parameters)) ? paint.green('●') : ' ';
    const runs = String(variation.num_successful_runs ?? '').padStart(5);
    const cells = columns.map(([metric]) => sweepCell(variation, metric).padStart(cell)).join('');
    return ` ${mark} ${printable(variation.variation_label ?? '').padEnd(name)}${runs}${cells}`;
  });
  return [
    `${paint.bold(`   ${'Variation'.padEnd(name)}`)}${paint.dim(`${'runs'.padStart(5)}${head}`)}`,
    ...lines,
    ...legend(sweep).map(line => paint.dim(` ${line}`)),
  ];
}

function sweepCell({ metrics }: SweepVariation, metric: string): string {
  const block = metrics[metric];
  if (!block) return '–';
  const { se, t_critical: t } = block as SweepMetric;
  const mean = shown(block.mean, block.unit);
  return se === undefined || t === undefined ? mean : `${mean} ±${shown(se * t, block.unit)}`;
}

function legend({ best_configurations: best, metadata }: ProfileSweep): string[] {
  const { metric_name: latency } = best?.best_latency_p99 ?? {};
  const level = metadata.confidence_level ?? 0.95;
  const repeated = (metadata.num_trials ?? 1) > 1;
  return [
    ...(latency === undefined
      ? []
      : [`● no other variation has more requests/s and a lower ${latency} on average`]),
    repeated
      ? `± is half of the ${percentage(level)} interval of the mean (Student's t)`
      : 'one run of each: --num-profile-runs 3 or more says how sure these are',
  ];
}

function shown(value: number, unit: string): string {
  return figure(value, /^(?:ms|sec|ns)$/.test(unit) ? unit : null);
}

/** A share of one as `95 %`. */
function percentage(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
