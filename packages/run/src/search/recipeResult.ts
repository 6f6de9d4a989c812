import type { ProfileSweep, SweepVariation } from '@org/formats';
import { fitPolynomial, type PolynomialFit } from './polynomial.ts';
import type { SlaFilter } from './searchPlan.ts';

/** The result that a search recipe derives from its sweep. */
export type RecipeResult =
  | {
      readonly kind: 'degradation_knee';
      readonly threshold: number;
      readonly metric: string;
      readonly stat: string;
    }
  | { readonly kind: 'prefill_curve' }
  | { readonly kind: 'decode_itl_surface' }
  | { readonly kind: 'pareto_sweep' }
  | { readonly kind: 'sla_breach'; readonly filters: readonly SlaFilter[] };

/** Names of the files of recipes. */
export const RECIPE_FILES: readonly string[] = [
  'degradation_knee.json',
  'prefill_curve.json',
  'decode_itl_surface.json',
  'pareto_sweep.json',
  'sla_breach.json',
];

/** A file of a recipe, and its content. */
export interface RecipeFile {
  readonly name: string;
  readonly content: object;
}

/** Derives the file of a recipe from its sweep, with the names and fields of AIPerf. */
export function deriveRecipeFile(
  result: RecipeResult,
  { per_combination_metrics: rows }: ProfileSweep,
): RecipeFile {
  switch (result.kind) {
    case 'degradation_knee':
      return { name: 'degradation_knee.json', content: findKnee(result, rows) };
    case 'prefill_curve':
      return { name: 'prefill_curve.json', content: fitPrefill(rows) };
    case 'decode_itl_surface':
      return { name: 'decode_itl_surface.json', content: buildSurface(rows) };
    case 'pareto_sweep':
      return { name: 'pareto_sweep.json', content: markPareto(rows) };
    default:
      return { name: 'sla_breach.json', content: findBreaches(result.filters, rows) };
  }
}

const CONCURRENCY = 'phases.profiling.concurrency';
const ISL = 'datasets.main.prompts.isl';
const OSL = 'datasets.main.prompts.osl';

/** Reads the mean of a statistic in a variation; undefined if it is unknown. */
function readMean({ metrics }: SweepVariation, tag: string, stat: string): number | undefined {
  const value =
    metrics[`${tag}_${stat}`]?.mean ?? (metrics[tag] as Record<string, unknown> | undefined)?.[stat];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Reads the value of a parameter by the last parts of its path. */
function readParameter({ parameters }: SweepVariation, name: string): number | undefined {
  const found = Object.entries(parameters).find(([key]) => key === name || key.includes(name));
  return typeof found?.[1] === 'number' ? found[1] : undefined;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function listPoints(rows: readonly SweepVariation[], name: string, tag: string, stat: string): Point[] {
  return rows
    .flatMap(row => {
      const [x, y] = [readParameter(row, name), readMean(row, tag, stat)];
      return x === undefined || y === undefined ? [] : [{ x, y }];
    })
    .sort((a, b) => a.x - b.x);
}

/** Finds the first concurrency whose latency exceeds the lowest concurrency's by more than the threshold. */
function findKnee(
  { threshold, metric, stat }: Extract<RecipeResult, { kind: 'degradation_knee' }>,
  rows: readonly SweepVariation[],
): object {
  const points = listPoints(rows, 'concurrency', metric, stat);
  const [baseline] = points;
  const knee = baseline && points.find(({ y }) => y > baseline.y * (1 + threshold));
  return {
    baseline_concurrency: baseline?.x ?? null,
    [`baseline_${stat}`]: baseline?.y ?? null,
    knee_concurrency: knee?.x ?? null,
    [`knee_${stat}`]: knee?.y ?? null,
    threshold_pct: threshold,
    swept_metric: metric,
    stat,
    swept_param: CONCURRENCY,
    all_points: points.map(({ x, y }) => ({ concurrency: x, [stat]: y })),
  };
}

/** The coefficient of determination below which a line is replaced by a parabola, as in AIPerf. */
const R_SQUARED_FLOOR = 0.85;

/** Fits the time to first token by the prompt length: a line or, where a line fits badly, a parabola. */
function fitPrefill(rows: readonly SweepVariation[]): object {
  const points = listPoints(rows, 'isl', 'time_to_first_token', 'avg');
  const line = fitPolynomial(points, 1);
  const parabola =
    line && line.rSquared < R_SQUARED_FLOOR && points.length > 2 ? fitPolynomial(points, 2) : undefined;
  const isQuadratic = parabola !== undefined && parabola.rSquared > line!.rSquared;
  const fit: PolynomialFit | undefined = isQuadratic ? parabola : line;
  return {
    fit_form: isQuadratic ? 'quadratic' : 'linear',
    coefficients: fit?.coefficients ?? [],
    r_squared: fit?.rSquared ?? 0,
    below_floor: fit === undefined || fit.rSquared < R_SQUARED_FLOOR,
    r_squared_floor: R_SQUARED_FLOOR,
    ...(fit ? {} : { error_reason: `${points.length} of at least 2 prompt lengths were measured` }),
    raw_points: points.map(({ x, y }) => ({ isl: x, ttft_ms: y })),
    swept_metric: 'time_to_first_token',
    stat: 'avg',
    swept_param: ISL,
  };
}

/** Arranges the inter-token latencies by concurrency and output length; null where none was measured. */
function buildSurface(rows: readonly SweepVariation[]): object {
  const points = rows
    .flatMap(row => {
      const [concurrency, osl] = [readParameter(row, 'concurrency'), readParameter(row, 'osl')];
      const itl = readMean(row, 'inter_token_latency', 'avg');
      return concurrency === undefined || osl === undefined || itl === undefined
        ? []
        : [{ concurrency, osl, itl_ms: itl }];
    })
    .sort((a, b) => a.concurrency - b.concurrency || a.osl - b.osl);
  const sortUnique = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
  const concurrencies = sortUnique(points.map(({ concurrency }) => concurrency));
  const lengths = sortUnique(points.map(({ osl }) => osl));
  const hasFailed = points.length < 2;
  return {
    swept_metric: 'inter_token_latency',
    stat: 'avg',
    swept_params: [CONCURRENCY, OSL],
    raw_points: points,
    surface: {
      concurrency_axis: hasFailed ? [] : concurrencies,
      osl_axis: hasFailed ? [] : lengths,
      itl_grid: hasFailed
        ? []
        : concurrencies.map(concurrency =>
            lengths.map(
              length =>
                points.find(point => point.concurrency === concurrency && point.osl === length)?.itl_ms ??
                null,
            ),
          ),
    },
    surface_fit_failed: hasFailed,
    ...(hasFailed ? { error_reason: `${points.length} of at least 2 variations were measured` } : {}),
  };
}

/** Marks the variations that no other variation beats in both the time to first token and the throughput. */
function markPareto(rows: readonly SweepVariation[]): object {
  const cells = rows.flatMap(row => {
    const [isl, osl, concurrency] = ['isl', 'osl', 'concurrency'].map(name => readParameter(row, name));
    const [x, y] = [
      readMean(row, 'time_to_first_token', 'p95'),
      readMean(row, 'output_token_throughput', 'avg'),
    ];
    return x === undefined || y === undefined ? [] : [{ isl, osl, concurrency, x, y }];
  });
  return {
    x_metric: 'time_to_first_token',
    x_stat: 'p95',
    y_metric: 'output_token_throughput',
    y_stat: 'avg',
    cells: cells.map(cell => ({
      ...cell,
      pareto_optimal: !cells.some(
        other => other.x <= cell.x && other.y >= cell.y && (other.x < cell.x || other.y > cell.y),
      ),
    })),
  };
}

const COMPARISONS: Readonly<Record<SlaFilter['op'], (observed: number, threshold: number) => boolean>> = {
  lt: (observed, threshold) => observed < threshold,
  le: (observed, threshold) => observed <= threshold,
  gt: (observed, threshold) => observed > threshold,
  ge: (observed, threshold) => observed >= threshold,
};

/** Finds the highest concurrency within all limits, and the lowest that exceeds one. A missing value exceeds its limit. */
function findBreaches(filters: readonly SlaFilter[], rows: readonly SweepVariation[]): object {
  const points = rows
    .map(row => {
      const breaches = filters.flatMap(filter => {
        const observed = readMean(row, filter.metric_tag, filter.stat);
        const holds = observed !== undefined && COMPARISONS[filter.op](observed, filter.threshold);
        return holds ? [] : [{ ...filter, observed: observed ?? null }];
      });
      return {
        concurrency: readParameter(row, 'concurrency') ?? 0,
        feasible: breaches.length === 0,
        breaches,
      };
    })
    .sort((a, b) => a.concurrency - b.concurrency);
  const failing = points.find(({ feasible }) => !feasible);
  const passing = points.findLast(({ feasible }) => feasible);
  return {
    swept_param: CONCURRENCY,
    max_passing_concurrency: passing?.concurrency ?? null,
    first_failing_concurrency: failing?.concurrency ?? null,
    first_failing_breach: failing?.breaches[0] ?? null,
    all_points: points,
    monotonicity_check: !(failing && passing && passing.concurrency > failing.concurrency),
    filters,
  };
}
