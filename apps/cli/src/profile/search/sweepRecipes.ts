import type { RecipeResult } from '@org/run';
import { UsageError } from '@org/terminal';
import { createOptionError, type RawOptions, readNumber, readText } from '@org/terminal/program';
import { combineOptions, type OptionVariations } from '../sweepVariations.ts';
import type { RecipeName } from './recipeNames.ts';
import { readConcurrencySearch, readRange, requireStreaming } from './recipes.ts';

/** A recipe that runs a sweep and derives a result from it. */
export interface SweepRecipe {
  /** The options of the sweep: lists of values. */
  readonly options: RawOptions;
  readonly result: RecipeResult;
}

/** Returns integers from `low` to `high` whose logarithms are equally spaced, as in AIPerf. */
export function spaceLogarithmically(low: number, high: number, steps: number): number[] {
  const ratio = Math.log(high / low) / (steps - 1);
  const values = Array.from({ length: steps }, (_, step) => Math.round(low * Math.exp(ratio * step)));
  return [...new Set(values)];
}

/** Formats a list of values for an option; a list of one value is this value. */
function createList(
  raw: RawOptions,
  name: 'concurrency' | 'isl' | 'osl',
  defaults: { readonly low: number; readonly high: number; readonly steps: number },
): string {
  const { low, high } = readRange(raw, name, defaults);
  const steps = readNumber(raw, `${name}-steps`, { min: 2, isInteger: true }) ?? defaults.steps;
  return spaceLogarithmically(low, high, steps).join(',');
}

/** Reads --search-recipe concurrency-ramp: the concurrency at which the latency has increased. */
export function readConcurrencyRamp(raw: RawOptions): SweepRecipe {
  return {
    options: { concurrency: createList(raw, 'concurrency', { low: 1, high: 1000, steps: 8 }) },
    result: {
      kind: 'degradation_knee',
      threshold: readNumber(raw, 'degradation-threshold', { above: 0, below: 1 }) ?? 0.2,
      metric: readText(raw, 'degradation-metric-tag', 'the tag of a metric') ?? 'request_latency',
      stat: (raw['degradation-stat'] as string | undefined) ?? 'p99',
    },
  };
}

/** Reads --search-recipe prefill-ttft-curve: the time to first token of single requests by prompt length. */
export function readPrefillCurve(recipe: RecipeName, raw: RawOptions): SweepRecipe {
  requireStreaming(recipe, raw);
  return {
    options: {
      concurrency: 1,
      'synthetic-input-tokens-mean': createList(raw, 'isl', { low: 256, high: 32768, steps: 8 }),
    },
    result: { kind: 'prefill_curve' },
  };
}

/** Reads --search-recipe decode-itl-curve: the inter-token latency by concurrency and output length. */
export function readDecodeSurface(recipe: RecipeName, raw: RawOptions): SweepRecipe {
  requireStreaming(recipe, raw);
  return {
    options: {
      concurrency: createList(raw, 'concurrency', { low: 1, high: 200, steps: 6 }),
      'output-tokens-mean': createList(raw, 'osl', { low: 64, high: 1024, steps: 4 }),
    },
    result: { kind: 'decode_itl_surface' },
  };
}

/** Reads --search-style grid of max-concurrency-under-sla: a sweep of the concurrency, and the limits that it exceeds. */
export function readGrid(recipe: RecipeName, raw: RawOptions): SweepRecipe {
  const { limits } = readConcurrencySearch(recipe, raw);
  const rule = limits.find(({ filter }) => filter === undefined);
  if (rule)
    throw new UsageError(
      `cannot use --search-style grid with the rule ${JSON.stringify(rule.rule)}; expected METRIC:STATISTIC:lt|le|gt|ge:VALUE`,
    );
  return {
    options: { concurrency: createList(raw, 'concurrency', { low: 1, high: 1000, steps: 8 }) },
    result: { kind: 'sla_breach', filters: limits.flatMap(({ filter }) => (filter ? [filter] : [])) },
  };
}

/** Concurrencies of pareto-sweep if --concurrency is not set, as in AIPerf. */
const PARETO_CONCURRENCIES: readonly number[] = [1, 4, 16, 64, 256];

/** Reads the variations of --search-recipe pareto-sweep: each pair of --isl-osl-pairs at each concurrency. */
export function readParetoVariations(raw: RawOptions): OptionVariations {
  requireStreaming('pareto-sweep', raw);
  const text = readText(raw, 'isl-osl-pairs', PAIRS);
  if (text === undefined)
    throw new UsageError(`--search-recipe pareto-sweep requires --isl-osl-pairs, ${PAIRS}`);
  const pairs = parsePairs(text);
  const concurrencies = readConcurrencies(raw);
  if (pairs.length * concurrencies.length < 2)
    throw new UsageError('--search-recipe pareto-sweep requires at least two pairs or two concurrencies');
  return combineOptions(
    raw,
    ['synthetic-input-tokens-mean', 'output-tokens-mean', 'concurrency'],
    pairs.flatMap(pair => concurrencies.map(concurrency => [...pair, concurrency])),
  );
}

const PAIRS = 'such as 128/128,512/256: the length of the prompt and of the output, in tokens';

function parsePairs(text: string): (readonly [number, number])[] {
  const words = text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');
  const pairs = words.map(word => {
    const [, isl, osl] = /^([1-9]\d*)\s*\/\s*([1-9]\d*)$/.exec(word) ?? [];
    if (isl === undefined) throw createOptionError('isl-osl-pairs', text, `pairs ${PAIRS}`);
    return [Number(isl), Number(osl)] as const;
  });
  const repeated = words.find((word, index) => words.indexOf(word) < index);
  if (pairs.length === 0 || repeated !== undefined)
    throw createOptionError('isl-osl-pairs', text, `different pairs ${PAIRS}`);
  return pairs;
}

function readConcurrencies(raw: RawOptions): readonly number[] {
  const { concurrency } = raw;
  if (concurrency === undefined) return PARETO_CONCURRENCIES;
  const values = String(concurrency).split(',').map(Number);
  if (values.every(value => Number.isInteger(value) && value > 0)) return values;
  throw createOptionError('concurrency', concurrency, 'positive integers, such as 1,4,16');
}
