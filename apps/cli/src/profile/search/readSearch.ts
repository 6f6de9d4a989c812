import type { RecipeResult, SearchDimension, SearchObjective, SearchPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import { createOptionError, type RawOptions, readList, readNumber, readText } from '@org/terminal/program';
import { rejectIneffective } from '../../options/ineffective.ts';
import { isJson } from '../distributions.ts';
import { readSeed } from '../repetition.ts';
import {
  findSweepableOption,
  formatParameterNames,
  nameParameters,
  type OptionVariations,
  readVariations,
} from '../sweepVariations.ts';
import { readExtraLimits } from './limits.ts';
import type { RecipeName } from './recipeNames.ts';
import { defaultRequests, readConcurrencySearch } from './recipes.ts';
import {
  readConcurrencyRamp,
  readDecodeSurface,
  readGrid,
  readParetoVariations,
  readPrefillCurve,
  type SweepRecipe,
} from './sweepRecipes.ts';
import { addTiers } from './tiers.ts';

/** A search or a sweep that the options describe. */
export type SearchOptions =
  | { readonly kind: 'search'; readonly plan: SearchPlan; readonly raw: RawOptions }
  | { readonly kind: 'sweep'; readonly variations: OptionVariations; readonly result: RecipeResult };

/** Default of --search-max-iterations and --search-initial-points, as in AIPerf's recipes. */
const MAX_ITERATIONS = 30;
const INITIAL_POINTS = 5;

/** Options that define what a recipe searches, which cannot be combined with a recipe. */
const DEFINING = ['search-space', 'search-metric', 'search-stat', 'search-direction', 'search-planner'];

/** Options that all searches have. */
const SEARCH_ONLY = [
  ...['search-sla', 'search-sla-tier', 'search-metric', 'search-stat', 'search-direction'],
  'search-max-iterations',
  ...['search-initial-points', 'search-random-seed', 'search-planner'],
  ...['search-precision', 'search-replicates'],
];

/**
 * Reads the options of a search; undefined without such options. Throws `UsageError` if an option is invalid, or contradicts
 * the search. Options without effect are named by `listRecipeRules`.
 */
export function readSearch(raw: RawOptions): SearchOptions | undefined {
  const recipe = raw['search-recipe'] as RecipeName | undefined;
  if (recipe !== undefined) {
    rejectDefiningOptions(raw, recipe);
    return readRecipe(recipe, raw);
  }
  const space = readList(raw, 'search-space');
  if (space.length > 0) return readGeneralSearch(space, raw);
  rejectIneffective(raw, [
    { options: SEARCH_ONLY, when: true, reason: 'without --search-recipe or --search-space' },
  ]);
  return undefined;
}

function rejectDefiningOptions(raw: RawOptions, recipe: RecipeName): void {
  rejectIneffective(raw, [
    { options: DEFINING, when: true, reason: `with --search-recipe ${recipe}, which defines the search` },
  ]);
}

function readRecipe(recipe: RecipeName, raw: RawOptions): SearchOptions {
  switch (recipe) {
    case 'concurrency-ramp':
      return toSweep(recipe, raw, readConcurrencyRamp(raw));
    case 'prefill-ttft-curve':
      return toSweep(recipe, raw, readPrefillCurve(recipe, raw));
    case 'decode-itl-curve':
      return toSweep(recipe, raw, readDecodeSurface(recipe, raw));
    case 'pareto-sweep':
      rejectSearchOptions(recipe, raw);
      rejectLists(recipe, raw, ['synthetic-input-tokens-mean', 'output-tokens-mean']);
      return { kind: 'sweep', variations: readParetoVariations(raw), result: { kind: 'pareto_sweep' } };
    case 'max-concurrency-under-sla':
      return raw['search-style'] === 'grid'
        ? toSweep(recipe, raw, readGrid(recipe, raw))
        : readRecipeSearch(recipe, raw);
    default:
      return readRecipeSearch(recipe, raw);
  }
}

function toSweep(recipe: RecipeName, raw: RawOptions, { options, result }: SweepRecipe): SearchOptions {
  rejectSearchOptions(recipe, raw);
  rejectLists(recipe, raw, Object.keys(options));
  return { kind: 'sweep', variations: readVariations({ ...raw, ...options }), result };
}

/** Throws `UsageError` if an option is set that only searches have; limits do not change the runs of a sweep. */
function rejectSearchOptions(recipe: RecipeName, raw: RawOptions): void {
  rejectIneffective(raw, [
    {
      options: SEARCH_ONLY.filter(name => name !== 'search-sla'),
      when: true,
      reason: `with --search-recipe ${recipe}, which runs a sweep of given values`,
    },
  ]);
}

/** Throws `UsageError` if a list of values is set for an option whose values the recipe determines. */
function rejectLists(recipe: RecipeName, raw: RawOptions, options: readonly string[]): void {
  rejectIneffective(raw, [
    {
      options: options.filter(name => String(raw[name]).includes(',') && !isJson(raw[name])),
      when: true,
      reason: `with --search-recipe ${recipe}, which determines its values`,
    },
  ]);
}

function readRecipeSearch(recipe: RecipeName, raw: RawOptions): SearchOptions {
  rejectLists(recipe, raw, ['concurrency']);
  const { low, high, limits, objective, options } = readConcurrencySearch(recipe, raw);
  const dimensions = [createDimension('concurrency', low, high, true)];
  const plan = { recipe, dimensions, limits, objective, planner: 'isotonic' as const, ...readEffort(raw) };
  rejectDesignOptions(raw, 'isotonic');
  return { kind: 'search', plan: addTiers(plan, raw), raw: { ...raw, ...options } };
}

function readGeneralSearch(space: readonly string[], raw: RawOptions): SearchOptions {
  const dimensions = nameParameters(space.map(parseDimension));
  const limits = readExtraLimits(raw);
  const objective = readObjective(raw);
  const hasLimits = limits.length > 0 || readList(raw, 'search-sla-tier').length > 0;
  if (!hasLimits && objective === undefined)
    throw new UsageError('--search-space requires --search-metric, --search-sla, or both');
  const planner = readPlanner(raw, dimensions, hasLimits);
  rejectDesignOptions(raw, planner);
  const used = dimensions.find(({ option }) => raw[option] !== undefined);
  if (used) throw new UsageError(`cannot use both --${used.option} and --search-space of ${used.name}`);
  const plan: SearchPlan = {
    dimensions: dimensions.map(({ option: _, ...dimension }) => dimension),
    limits,
    ...(objective && { objective }),
    planner,
    ...readEffort(raw),
  };
  return {
    kind: 'search',
    plan: addTiers(plan, raw),
    raw: { ...raw, ...(planner === 'isotonic' ? defaultRequests(raw) : {}) },
  };
}

/** Reads the settings that bound the number of probes. */
function readEffort(
  raw: RawOptions,
): Pick<SearchPlan, 'precision' | 'replicates' | 'maxIterations' | 'initialPoints' | 'seed'> {
  const maxIterations =
    readNumber(raw, 'search-max-iterations', { min: 2, max: 200, isInteger: true }) ?? MAX_ITERATIONS;
  const initialPoints = readNumber(raw, 'search-initial-points', { min: 1, isInteger: true });
  if (initialPoints !== undefined && initialPoints >= maxIterations)
    throw createOptionError(
      'search-initial-points',
      initialPoints,
      `less than --search-max-iterations ${maxIterations}`,
    );
  return {
    precision: readNumber(raw, 'search-precision', { above: 0, below: 1 }) ?? 0.05,
    replicates: readNumber(raw, 'search-replicates', { min: 1, max: 20, isInteger: true }) ?? 3,
    maxIterations,
    initialPoints: initialPoints ?? Math.min(INITIAL_POINTS, maxIterations - 1),
    seed: readNumber(raw, 'search-random-seed', { min: 0, isInteger: true }) ?? readSeed(raw) ?? 0,
  };
}

function readObjective(raw: RawOptions): SearchObjective | undefined {
  const metric = readText(raw, 'search-metric', 'the tag of a metric, such as output_token_throughput');
  if (metric === undefined) {
    rejectIneffective(raw, [
      { options: ['search-stat', 'search-direction'], when: true, reason: 'without --search-metric' },
    ]);
    return undefined;
  }
  return {
    metric,
    stat: (raw['search-stat'] as string | undefined) ?? 'avg',
    direction: (raw['search-direction'] as SearchObjective['direction'] | undefined) ?? 'maximize',
  };
}

function readPlanner(
  raw: RawOptions,
  dimensions: readonly SearchDimension[],
  hasLimits: boolean,
): SearchPlan['planner'] {
  const canSearchBoundary = dimensions.length === 1 && hasLimits;
  const name = raw['search-planner'] as string | undefined;
  if (name === undefined) return canSearchBoundary ? 'isotonic' : 'latin_hypercube';
  if (['latin_hypercube', 'bayesian', 'optuna'].includes(name)) return 'latin_hypercube';
  if (!canSearchBoundary)
    throw createOptionError(
      'search-planner',
      name,
      'latin_hypercube, because the search has several parameters or no limits',
    );
  return 'isotonic';
}

function rejectDesignOptions(raw: RawOptions, planner: SearchPlan['planner']): void {
  rejectIneffective(raw, [
    {
      options: ['search-precision', 'search-replicates'],
      when: planner !== 'isotonic',
      reason: 'with the planner latin_hypercube, which searches no boundary',
    },
  ]);
}

const DIMENSION = /^([\w.-]+):([^,:]+),([^,:]+)(?::(int|real))?$/;

/** Parses `PATH:LOW,HIGH[:int|real]`. Parameters that must be integers always are. */
function parseDimension(text: string): SearchDimension & { readonly option: string } {
  const [, name, lowText, highText, kind] = DIMENSION.exec(text) ?? [];
  const [low, high] = [Number(lowText), Number(highText)];
  if (name === undefined || !Number.isFinite(low) || !Number.isFinite(high))
    throw createOptionError(
      'search-space',
      text,
      'PARAMETER:LOW,HIGH[:int|real], such as concurrency:1,1000',
    );
  if (low >= high)
    throw createOptionError('search-space', text, `a lowest value less than the highest value ${high}`);
  if (!findSweepableOption(name))
    throw createOptionError('search-space', text, `one of the parameters ${formatParameterNames()}`);
  return createDimension(name, low, high, kind === 'int');
}

function createDimension(
  name: string,
  low: number,
  high: number,
  isInteger: boolean,
): SearchDimension & { readonly option: string } {
  const { option, label, path, isInteger: mustBeInteger } = findSweepableOption(name)!;
  return { option, label, path, name: path, low, high, isInteger: isInteger || mustBeInteger };
}
