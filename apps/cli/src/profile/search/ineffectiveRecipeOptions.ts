import type { RawOptions } from '@org/terminal/program';
import type { IneffectiveOptions } from '../../options/ineffective.ts';
import type { RecipeName } from './recipeNames.ts';

/** Options of recipes, and the recipes that use them. */
const RECIPE_OPTIONS: Readonly<Record<string, readonly RecipeName[]>> = {
  'search-style': ['max-concurrency-under-sla'],
  'ttft-sla-ms': ['max-concurrency-under-sla', 'max-throughput-ttft-sla', 'max-goodput-under-slo'],
  'itl-sla-ms': ['max-concurrency-under-sla', 'max-throughput-itl-sla', 'max-goodput-under-slo'],
  'e2e-sla-ms': ['max-concurrency-under-sla', 'max-goodput-under-slo'],
  'error-rate-sla': ['max-concurrency-under-sla'],
  'slo-attainment-fraction': ['max-goodput-under-slo'],
  'concurrency-min': [
    'max-concurrency-under-sla',
    'max-throughput-ttft-sla',
    'max-throughput-itl-sla',
    'max-goodput-under-slo',
    'concurrency-ramp',
    'decode-itl-curve',
  ],
  'concurrency-steps': ['concurrency-ramp', 'decode-itl-curve'],
  'isl-osl-pairs': ['pareto-sweep'],
  'isl-min': ['prefill-ttft-curve'],
  'isl-max': ['prefill-ttft-curve'],
  'isl-steps': ['prefill-ttft-curve'],
  'osl-min': ['decode-itl-curve'],
  'osl-max': ['decode-itl-curve'],
  'osl-steps': ['decode-itl-curve'],
  'degradation-threshold': ['concurrency-ramp'],
  'degradation-metric-tag': ['concurrency-ramp'],
  'degradation-stat': ['concurrency-ramp'],
};

/** Options whose values a recipe determines. */
const DETERMINED: Readonly<Record<RecipeName, readonly string[]>> = {
  'max-concurrency-under-sla': ['concurrency'],
  'max-throughput-ttft-sla': ['concurrency'],
  'max-throughput-itl-sla': ['concurrency'],
  'max-goodput-under-slo': ['concurrency', 'goodput'],
  'concurrency-ramp': ['concurrency'],
  'prefill-ttft-curve': ['concurrency', 'synthetic-input-tokens-mean'],
  'decode-itl-curve': ['concurrency', 'output-tokens-mean'],
  'pareto-sweep': ['synthetic-input-tokens-mean', 'output-tokens-mean'],
};

/** Recipes that run a sweep of given values, whatever the limits are. */
const SWEEPS: readonly RecipeName[] = [
  'concurrency-ramp',
  'prefill-ttft-curve',
  'decode-itl-curve',
  'pareto-sweep',
];

/** Lists the options of recipes that have no effect, and the options that a recipe replaces. */
export function listRecipeRules(raw: RawOptions): IneffectiveOptions[] {
  const recipe = raw['search-recipe'] as RecipeName | undefined;
  const options = { ...RECIPE_OPTIONS, 'concurrency-max': RECIPE_OPTIONS['concurrency-min']! };
  const unused = Object.entries(options).map(([option, recipes]) => ({
    options: [option],
    when: recipe === undefined || !recipes.includes(recipe),
    reason:
      recipe === undefined
        ? `without --search-recipe ${recipes[0]}`
        : `with --search-recipe ${recipe}; it belongs to ${recipes.join(', ')}`,
  }));
  if (recipe === undefined) return unused;
  return [
    ...unused,
    {
      options: DETERMINED[recipe],
      when: true,
      reason: `with --search-recipe ${recipe}, which determines its values`,
    },
    {
      options: ['search-sla'],
      when: SWEEPS.includes(recipe),
      reason: `with --search-recipe ${recipe}, which runs a sweep of given values`,
    },
  ];
}
