import type { Run } from '../run/run.ts';
import type { Evidence } from './rule.ts';
import { createRunRule, type FindingRule } from './rule.ts';
import { findGaugeLikeCounters, findUnknownStarts } from './startFindings.ts';

/** Rules on cumulative metrics whose increases are uncertain. */
export const COUNTER_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'counter-resets',
      severity: 'problem',
      title: 'counters were reset',
      advice:
        'Check whether the server restarted, or whether the endpoint is a load balancer. If it restarted, counts include the events before and after each reset, but not those that no scrape saw.',
      thresholds: {},
    },
    findResets,
  ),
  createRunRule(
    {
      id: 'gauge-like-counter',
      severity: 'note',
      title: 'a counter behaves like a gauge',
      advice: 'Ignore its total and rate: the exporter probably declares a gauge as a counter.',
      thresholds: {},
    },
    findGaugeLikeCounters,
  ),
  createRunRule(
    {
      id: 'unknown-starts',
      severity: 'note',
      title: 'series may have existed before they appeared',
      advice:
        'The value of their first sample is not counted, because it may include events from before the run.',
      thresholds: {},
    },
    findUnknownStarts,
  ),
];

/**
 * Finds counter resets that are not explained by a restart of the server or by a mixture of processes, which are separate
 * findings. Reads the export directly, because creating every `RunSeries` of a large run is slow.
 */
function findResets({ view, endpoints }: Run): Evidence[] {
  const names = new Map(endpoints.map(({ url, name }) => [url, name]));
  const explained = new Set(
    endpoints
      .filter(
        ({ availability: { restarts, mixedResets } }) => restarts.length > 0 || mixedResets !== undefined,
      )
      .map(({ url }) => url),
  );
  const found = new Map<string, { series: number; maxResets: number; name: string }>();
  for (const [name, { series }] of Object.entries(view.metrics))
    for (const entry of series) {
      const resets = countResets(entry);
      if (resets === 0 || explained.has(entry.endpoint_url)) continue;
      const endpoint = names.get(entry.endpoint_url) ?? entry.endpoint_url;
      const before = found.get(endpoint) ?? { series: 0, maxResets: 0, name };
      found.set(endpoint, {
        ...before,
        series: before.series + 1,
        maxResets: Math.max(before.maxResets, resets),
      });
    }
  return [...found].map(([endpoint, { series, maxResets, name }]) => ({
    endpoint,
    text: `${series} series reset ${maxResets === 1 ? 'once' : `up to ${maxResets} times`}, including ${name}`,
    numbers: { series, resets: maxResets },
    magnitude: maxResets,
  }));
}

/** Returns the number of resets of a series. In AIPerf's exports, missing buckets are the only sign of a reset. */
function countResets(entry: Run['view']['metrics'][string]['series'][number]): number {
  const { resets } = entry.stats as { readonly resets?: number };
  return resets ?? ('buckets' in entry && entry.buckets === null ? 1 : 0);
}
