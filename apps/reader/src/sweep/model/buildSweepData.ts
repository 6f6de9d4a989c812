import {
  computeHalfWidth,
  formatParameter,
  formatVariationName,
  type Repeat,
  type RunSet,
  readServerLoad,
} from '@org/analysis';
import type { RequestCounts, SweepMetric, SweepVariation } from '@org/formats';
import type { ServerCatalog } from '@org/servers';
import { buildSearchData } from './buildSearchData.ts';
import { formatParameterName } from './format.ts';
import { GPU_SPEED, USER_SPEED } from './otherCharts.ts';
import type { LoadPointData, Outcomes, RepeatData, SelectableMetric, SweepData } from './sweepData.ts';

const THROUGHPUTS = [
  { metric: 'request_throughput_avg', name: 'Requests/s', short: 'req/s' },
  { metric: 'output_token_throughput_avg', name: 'Output tokens/s', short: 'output tok/s' },
  { metric: 'goodput_avg', name: 'Good requests/s', short: 'good req/s' },
] as const;

const LATENCY_TAGS = [
  { tag: 'time_to_first_token', name: 'Time to first token', short: 'TTFT' },
  { tag: 'inter_token_latency', name: 'Time between tokens', short: 'ITL' },
  { tag: 'request_latency', name: 'Latency of requests', short: 'latency' },
] as const;
const LATENCY_STATS = ['avg', 'p50', 'p90', 'p99'] as const;

type Candidate = Omit<SelectableMetric, 'unit'>;

const LATENCIES: readonly Candidate[] = LATENCY_TAGS.flatMap(({ tag, name, short }) =>
  LATENCY_STATS.map(stat => ({
    metric: `${tag}_${stat}`,
    name: `${name} ${stat}`,
    short: `${short} ${stat}`,
  })),
);

/** The metrics that the page needs of each variation and of each run. */
export const METRICS: ReadonlySet<string> = new Set([
  ...[...THROUGHPUTS, ...LATENCIES].map(({ metric }) => metric),
  ...[USER_SPEED.metric, GPU_SPEED.metric],
]);

/** The data that the page adds to the results of a sweep. */
export interface SweepSources {
  /** The runs of the sweep, as far as they were found. */
  readonly repeats: readonly Repeat[];
  /** The addresses of the pages of runs, by folder. */
  readonly links?: ReadonlyMap<string, string>;
  /** The servers whose metrics are understood. */
  readonly servers?: ServerCatalog;
}

/** Builds the data of the page. */
export function buildSweepData(runSet: RunSet, { repeats, links, servers }: SweepSources): SweepData {
  const variations = listVariations(runSet);
  const byVariation = groupRepeats(repeats, variations);
  return {
    name: runSet.name,
    throughputs: selectMetrics(variations, THROUGHPUTS),
    latencies: selectMetrics(variations, LATENCIES).map(metric => ({
      ...metric,
      // A title of an axis has the unit.
      name: `${metric.name}${metric.unit === '' ? '' : `, ${metric.unit}`}`,
    })),
    goodput: repeats[0]?.limits ?? {},
    points: variations.map((variation, i) => buildPoint(variation, byVariation[i]!, links, servers)),
    ...(runSet.kind === 'sweep' && runSet.search && { search: buildSearchData(runSet.search) }),
  };
}

/** The variations of a sweep; repeated runs are one variation without parameters. */
function listVariations(runSet: RunSet): readonly SweepVariation[] {
  if (runSet.kind === 'sweep') return runSet.sweep.per_combination_metrics;
  const { metrics, metadata, server_metrics: servers } = runSet.aggregate;
  return [
    {
      parameters: {},
      variation_label: 'all runs',
      num_successful_runs: metadata.num_successful_runs,
      metrics: metrics as SweepVariation['metrics'],
      ...(metadata.requests && { requests: metadata.requests }),
      ...(servers && { server_metrics: servers as NonNullable<SweepVariation['server_metrics']> }),
    },
  ];
}

/** Assigns runs to variations by their name or, as AIPerf has no names in sweeps, by their parameters. */
function groupRepeats(repeats: readonly Repeat[], variations: readonly SweepVariation[]): Repeat[][] {
  if (repeats.every(({ variation }) => variation === undefined))
    return variations.map((_, i) => (i === 0 ? [...repeats] : []));
  const byName = new Map<string, Repeat[]>();
  const add = (key: string, repeat: Repeat): void => {
    byName.set(key, [...(byName.get(key) ?? []), repeat]);
  };
  for (const repeat of repeats) {
    add(`name ${repeat.variation}`, repeat);
    add(formatKey(repeat.parameters), repeat);
  }
  return variations.map(
    variation =>
      byName.get(`name ${formatVariationName(variation)}`) ??
      byName.get(formatKey(variation.parameters)) ??
      [],
  );
}

function formatKey(parameters: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(parameters).map(([name, value]) => [name, formatParameter(value)] as const);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function selectMetrics(
  variations: readonly SweepVariation[],
  candidates: readonly Candidate[],
): SelectableMetric[] {
  return candidates.flatMap(candidate => {
    const unit = variations
      .map(({ metrics }) => metrics[candidate.metric]?.unit)
      .find(text => text !== undefined);
    return unit === undefined ? [] : [{ ...candidate, unit }];
  });
}

function buildPoint(
  variation: SweepVariation,
  repeats: readonly Repeat[],
  links: SweepSources['links'],
  catalog: ServerCatalog | undefined,
): LoadPointData {
  const { metrics, parameters, server_metrics: servers } = variation;
  const outcomes = countOutcomes(variation.requests, metrics);
  const all = outcomes ? outcomes.succeeded + outcomes.failed : 0;
  return {
    name: formatVariationName(variation),
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [formatParameterName(name), formatParameter(value)]),
    ),
    estimates: Object.fromEntries(
      [...METRICS].flatMap(metric => {
        const block = metrics[metric];
        return block && Number.isFinite(block.mean) ? [[metric, toEstimate(block)] as const] : [];
      }),
    ),
    failedShare: all === 0 ? null : outcomes!.failed / all,
    runs: variation.num_successful_runs ?? null,
    outcomes,
    server: servers ? roundValues(readServerLoad(servers, catalog)) : {},
    // The values of a single run are the values of its variation.
    repeats: repeats.map(({ trial, values, folder }): RepeatData => {
      const link = links?.get(folder);
      return {
        trial,
        values: repeats.length > 1 ? roundValues(values) : {},
        ...(link !== undefined && { link }),
      };
    }),
  };
}

function toEstimate(block: SweepMetric): { mean: number; half: number | null } {
  const half = computeHalfWidth(block);
  return { mean: round(block.mean), half: half === undefined || !Number.isFinite(half) ? null : round(half) };
}

/** Digits of values in the page, which are more than a chart shows. */
const DIGITS = 6;

function round(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

function roundValues<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).filter(([, value]) => Number.isFinite(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, round(value as number)])) as Values;
}

/** Counts requests by outcome. Files of AIPerf have means over the successful runs instead of counts. */
function countOutcomes(
  requests: RequestCounts | undefined,
  metrics: Readonly<Record<string, SweepMetric>>,
): Outcomes | null {
  const mean = (name: string): number | undefined => metrics[`${name}_avg`]?.mean;
  const succeededMean = mean('request_count');
  const succeeded = requests?.succeeded ?? succeededMean;
  if (succeeded === undefined) return null;
  const good = mean('good_request_count');
  const late =
    good === undefined || !succeededMean ? null : succeeded * Math.max(0, 1 - good / succeededMean);
  return {
    succeeded,
    late,
    failed: requests?.failed ?? mean('error_request_count') ?? 0,
    cancelled: requests?.cancelled ?? mean('cancelled_request_count') ?? 0,
  };
}
