import type { SearchLimit, SearchObjective } from '@org/run';
import { UsageError } from '@org/terminal';
import { type RawOptions, readNumber } from '@org/terminal/program';
import { createLimit, type NamedLimits, readExtraLimits, readNamedLimits, toLimits } from './limits.ts';
import type { RecipeName } from './recipeNames.ts';

/** A recipe that searches the concurrency. */
export interface ConcurrencySearch {
  readonly low: number;
  readonly high: number;
  readonly limits: readonly SearchLimit[];
  readonly objective: SearchObjective;
  /** Options that the recipe sets for all runs. */
  readonly options: RawOptions;
}

const THROUGHPUT: SearchObjective = {
  metric: 'output_token_throughput',
  stat: 'avg',
  direction: 'maximize',
};

/** Default of --slo-attainment-fraction, as in AIPerf. */
const ATTAINMENT = 0.95;

/**
 * Default number of requests of a run, as in AIPerf's smooth_isotonic search: fewer requests make the 95th percentile
 * uncertain.
 */
const DEFAULT_REQUESTS = 1000;

/** Options that bound a run, so that no default number of requests applies. */
const BOUNDS = ['request-count', 'benchmark-duration', 'num-sessions', 'fixed-schedule'];

/** Reads a recipe that searches the highest concurrency within limits. Throws `UsageError` if an option is missing. */
export function readConcurrencySearch(recipe: RecipeName, raw: RawOptions): ConcurrencySearch {
  const named = readNamedLimits(raw);
  const { low, high } = readRange(raw, 'concurrency', { low: 1, high: 1000 });
  const { limits, objective, options = {} } = readGoal(recipe, named, raw);
  return {
    low,
    high,
    limits: [...limits, ...readExtraLimits(raw)],
    objective,
    options: { ...defaultRequests(raw), ...options },
  };
}

/** Returns the default number of requests of a search; empty if an option bounds the runs. */
export function defaultRequests(raw: RawOptions): RawOptions {
  return BOUNDS.some(name => raw[name] !== undefined) ? {} : { 'request-count': DEFAULT_REQUESTS };
}

interface Goal {
  readonly limits: readonly SearchLimit[];
  readonly objective: SearchObjective;
  readonly options?: RawOptions;
}

function readGoal(recipe: RecipeName, named: NamedLimits, raw: RawOptions): Goal {
  switch (recipe) {
    case 'max-throughput-ttft-sla':
      requireOptions(recipe, { '--ttft-sla-ms': named.ttftMs });
      requireStreaming(recipe, raw);
      return { limits: toLimits({ ...NO_LIMITS, ttftMs: named.ttftMs }), objective: THROUGHPUT };
    case 'max-throughput-itl-sla':
      requireOptions(recipe, { '--itl-sla-ms': named.itlMs });
      requireStreaming(recipe, raw);
      return { limits: toLimits({ ...NO_LIMITS, itlMs: named.itlMs }), objective: THROUGHPUT };
    case 'max-goodput-under-slo':
      return readGoodputGoal(named, raw);
    default: {
      const limits = toLimits(named);
      if (limits.length === 0 && readExtraLimits(raw).length === 0)
        throw new UsageError(
          `--search-recipe ${recipe} requires a limit: --ttft-sla-ms, --itl-sla-ms, --e2e-sla-ms, --error-rate-sla or --search-sla`,
        );
      if (named.ttftMs !== undefined || named.itlMs !== undefined) requireStreaming(recipe, raw);
      return { limits, objective: THROUGHPUT };
    }
  }
}

const NO_LIMITS: NamedLimits = {
  ttftMs: undefined,
  itlMs: undefined,
  e2eMs: undefined,
  errorRate: undefined,
};

/** Goodput counts requests that meet all limits; the limit of the search is their share. */
function readGoodputGoal({ ttftMs, itlMs, e2eMs }: NamedLimits, raw: RawOptions): Goal {
  const recipe = 'max-goodput-under-slo';
  requireOptions(recipe, { '--ttft-sla-ms': ttftMs, '--itl-sla-ms': itlMs, '--e2e-sla-ms': e2eMs });
  requireStreaming(recipe, raw);
  const share = readNumber(raw, 'slo-attainment-fraction', { above: 0, max: 1 }) ?? ATTAINMENT;
  return {
    limits: [createLimit({ metric_tag: 'good_request_fraction', stat: 'avg', op: 'ge', threshold: share })],
    objective: { metric: 'goodput', stat: 'avg', direction: 'maximize' },
    options: {
      goodput: [`time_to_first_token:${ttftMs}`, `inter_token_latency:${itlMs}`, `request_latency:${e2eMs}`],
    },
  };
}

function requireOptions(recipe: RecipeName, options: Readonly<Record<string, number | undefined>>): void {
  const missing = Object.keys(options).filter(name => options[name] === undefined);
  if (missing.length > 0) throw new UsageError(`--search-recipe ${recipe} requires ${missing.join(', ')}`);
}

/** Throws `UsageError` unless responses are streamed, because other responses have no time to first token. */
export function requireStreaming(recipe: RecipeName, raw: RawOptions): void {
  if (raw.streaming !== true)
    throw new UsageError(
      `--search-recipe ${recipe} requires --streaming, because only streamed responses have a time to first token and an inter-token latency`,
    );
}

/** Reads --NAME-min and --NAME-max. Throws `UsageError` unless the minimum is less than the maximum. */
export function readRange(
  raw: RawOptions,
  name: 'concurrency' | 'isl' | 'osl',
  defaults: { readonly low: number; readonly high: number },
): { readonly low: number; readonly high: number } {
  const count = { min: 1, isInteger: true } as const;
  const low = readNumber(raw, `${name}-min`, count) ?? defaults.low;
  const high = readNumber(raw, `${name}-max`, count) ?? defaults.high;
  if (low >= high) throw new UsageError(`--${name}-min ${low} must be less than --${name}-max ${high}`);
  return { low, high };
}
