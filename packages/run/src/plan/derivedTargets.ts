import type { Target } from '@org/scrape';

/**
 * Returns the field of `input_config` that lists the endpoints whose URL was derived from the URL of an API. Such a URL
 * is a guess: a server without metrics there is not a problem.
 */
export function describeDerivedTargets(targets: readonly Target[]): {
  readonly server_metrics_derived?: string[];
} {
  const derived = targets.filter(({ isDerived }) => isDerived).map(({ url }) => url);
  return derived.length === 0 ? {} : { server_metrics_derived: derived };
}
