import type { Run } from '../run/run.ts';
import type { Evidence } from './rule.ts';

/**
 * Finds counters that behave like gauges. Reads the export directly, because creating every `RunSeries` of a large run
 * is slow.
 */
export function findGaugeLikeCounters({ view, endpoints }: Run): Evidence[] {
  const names = new Map(endpoints.map(({ url, name }) => [url, name]));
  // The counters of an endpoint that mixes several processes also fall often.
  const mixed = new Set(
    endpoints.filter(({ availability }) => availability.mixedResets !== undefined).map(({ url }) => url),
  );
  const found: Evidence[] = [];
  for (const [metric, { series }] of Object.entries(view.metrics)) {
    const decreasesByUrl = new Map<string, number>();
    for (const { endpoint_url, stats } of series) {
      const { decreases } = stats as { readonly decreases?: number };
      if (decreases !== undefined && !mixed.has(endpoint_url))
        decreasesByUrl.set(endpoint_url, Math.max(decreases, decreasesByUrl.get(endpoint_url) ?? 0));
    }
    for (const [url, decreases] of decreasesByUrl)
      found.push({
        endpoint: names.get(url) ?? url,
        text: `${metric} decreased ${decreases} times, without a restart of the server`,
        numbers: { decreases },
        magnitude: decreases,
      });
  }
  return found;
}

/** Descriptions of the reasons why it is unknown whether a series started from 0. */
const START_REASONS: Readonly<Record<string, string>> = {
  scrape_failed: 'after a failed scrape',
  server_changed: 'after a restart, a reset or a change of address',
  intermittent: 'and come and go',
  process_joined: 'together with a worker or process that may be older',
  created_before: 'although they or their process existed earlier',
  no_evidence: 'and scrapes were incomplete',
};

/** Finds endpoints with series that appeared during profiling, whose first value is not counted. */
export function findUnknownStarts({ endpoints }: Run): Evidence[] {
  return endpoints.flatMap(({ name, info }) =>
    (info?.unknown_starts ?? []).map(({ reason, series }) => ({
      endpoint: name,
      text: `${series} series first appeared during profiling, ${START_REASONS[reason] ?? `reason: ${reason}`}`,
      numbers: { series },
      magnitude: series,
    })),
  );
}
