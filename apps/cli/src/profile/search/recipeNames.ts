/** The search recipes, which are those of AIPerf. */
export const RECIPE_NAMES = [
  'max-concurrency-under-sla',
  'max-throughput-ttft-sla',
  'max-throughput-itl-sla',
  'max-goodput-under-slo',
  'concurrency-ramp',
  'prefill-ttft-curve',
  'decode-itl-curve',
  'pareto-sweep',
] as const;

export type RecipeName = (typeof RECIPE_NAMES)[number];
