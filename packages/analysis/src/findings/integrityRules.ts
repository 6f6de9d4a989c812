import { formatValue } from '@org/core';
import type { Run } from '../run/run.ts';
import type { Evidence } from './finding.ts';
import { type FindingRule, runRule } from './rule.ts';
import { findWarmupLeaks } from './warmupLeak.ts';

const CURL = 'curl http://localhost:8000/metrics (http://localhost:8002/metrics for Triton)';

/** Whether the figures speak of the run, and of all of it. */
export const INTEGRITY_RULES: readonly FindingRule[] = [
  runRule(
    {
      id: 'endpoint-silent',
      weight: 'problem',
      title: 'an endpoint gave no data',
      advice: `Mend what the error says; where nothing answers, check the server, network and firewall: ${CURL}. TensorRT-LLM needs return_perf_metrics: true.`,
      thresholds: {},
    },
    run =>
      run.endpoints
        .filter(({ state, info }) => state === 'silent' && info?.status !== 'duplicate')
        .map(({ name, info }) => ({
          endpoint: name,
          text: info?.last_error ? `it ${info.last_error}` : 'nothing came',
          numbers: { failed: info?.scrapes_failed ?? 0 },
          size: info?.scrapes_failed ?? 0,
        })),
  ),
  runRule(
    {
      id: 'scrapes-failed',
      weight: 'warning',
      title: 'scrapes failed',
      advice: 'Gauges say nothing of the gaps; counters count over them. Outages stand in endpoint_info.',
      thresholds: { share: { value: 0.01, meaning: 'share of all scrapes' } },
    },
    (run, at) =>
      run.endpoints.flatMap(({ name, info }) => {
        const failed = info?.scrapes_failed ?? 0;
        const all = failed + (info?.total_fetches ?? 0);
        if (!info?.total_fetches || failed <= at.share * all) return [];
        const left = info.status === 'failing' ? ', and so did the last one' : '';
        const why = info.last_error ? `: it ${info.last_error}` : '';
        return [
          {
            endpoint: name,
            text: `${failed} of ${all} failed${left}${why}`,
            numbers: { failed, scrapes: all },
            size: failed / all,
          },
        ];
      }),
  ),
  runRule(
    {
      id: 'scrapes-late',
      weight: 'warning',
      title: 'scrapes came late',
      advice:
        'The endpoint takes longer than the interval at times, or this machine is busy. Raise the interval for a slow endpoint, lest scraping costs what it is to measure.',
      thresholds: { share: { value: 0.02, meaning: 'share of all scrapes that were due' } },
    },
    (run, at) =>
      run.endpoints.flatMap(({ name, info }) => {
        const late = info?.scrapes_late ?? 0;
        const due = late + (info?.total_fetches ?? 0) + (info?.scrapes_failed ?? 0);
        if (late === 0 || late <= at.share * due) return [];
        const { avg_fetch_latency_ms: latency, scrape_latency_p99_ms: p99 } = info ?? {};
        const took = latency === undefined ? '' : `, one takes ${formatValue(latency, 'milliseconds')}`;
        const slowest = p99 === undefined ? '' : `, p99 ${formatValue(p99, 'milliseconds')}`;
        return [
          {
            endpoint: name,
            text: `${late} of ${due} skipped${took}${slowest}`,
            numbers: { late, due },
            size: late / due,
          },
        ];
      }),
  ),
  runRule(
    {
      id: 'samples-dropped',
      weight: 'note',
      title: 'samples were dropped',
      advice: 'The server said NaN or infinity; the rest of each scrape counts.',
      thresholds: { samples: { value: 0, meaning: 'more than this in the run' } },
    },
    (run, at) =>
      run.endpoints.flatMap(({ name, info }) => {
        const samples = info?.samples_dropped ?? 0;
        return samples > at.samples
          ? [{ endpoint: name, text: `${samples} dropped`, numbers: { samples }, size: samples }]
          : [];
      }),
  ),
  runRule(
    {
      id: 'counter-reset',
      weight: 'problem',
      title: 'counters began again',
      advice: 'The server was restarted within the run: read increase in place of total, and run again.',
      thresholds: {},
    },
    resets,
  ),
  runRule(
    {
      id: 'warmup-leak',
      weight: 'warning',
      title: 'warm-up leaks in',
      advice:
        'Let the server come to rest between warm-up and profiling, or read the latencies of later timeslices.',
      thresholds: {
        share: { value: 0.02, meaning: 'share of the requests of the period' },
        requests: { value: 1, meaning: 'least requests' },
      },
    },
    findWarmupLeaks,
  ),
  runRule(
    {
      id: 'interrupted',
      weight: 'warning',
      title: 'the run was interrupted',
      advice: 'Run it again to its end before you compare it.',
      thresholds: {},
    },
    run =>
      run.wasCancelled === true
        ? [{ text: 'figures speak of the time until then', numbers: {}, size: 0 }]
        : [],
  ),
  runRule(
    {
      id: 'no-metrics',
      weight: 'problem',
      title: 'the run has no server metrics',
      advice: `Did the server answer? ${CURL}`,
      thresholds: {},
    },
    run => (run.seriesCount === 0 ? [{ text: 'not one series', numbers: { series: 0 }, size: 0 }] : []),
  ),
  runRule(
    {
      id: 'no-slices',
      weight: 'note',
      title: 'no timeslices',
      advice: 'Nothing is known of how the run went: collect with --slice-duration 2 for trends and noise.',
      thresholds: {},
    },
    run => {
      if (run.layout === 'none' || run.seriesCount === 0) return [];
      for (const { series } of Object.values(run.view.metrics))
        for (const one of series) if ('timeslices' in one && one.timeslices?.length) return [];
      return [{ text: run.layout === 'csv' ? 'a CSV has none' : 'this run has none', numbers: {}, size: 0 }];
    },
  ),
];

/** Looks at the document itself: a hundred thousand series are not made for the one that began again. */
function resets({ view, endpoints }: Run): Evidence[] {
  const names = new Map(endpoints.map(({ url, name }) => [url, name]));
  const found = new Map<string, { series: number; most: number; name: string }>();
  for (const [name, { series }] of Object.entries(view.metrics))
    for (const one of series) {
      const times = resetsOf(one);
      if (times === 0) continue;
      const endpoint = names.get(one.endpoint_url) ?? one.endpoint_url;
      const before = found.get(endpoint) ?? { series: 0, most: 0, name };
      found.set(endpoint, { ...before, series: before.series + 1, most: Math.max(before.most, times) });
    }
  return [...found].map(([endpoint, { series, most, name }]) => ({
    endpoint,
    text: `${series} series, ${most === 1 ? 'once' : `${most} times`}, ${name} among them`,
    numbers: { series, resets: most },
    size: most,
  }));
}

/** AIPerf says of a reset only that there are no buckets. */
function resetsOf(one: Run['view']['metrics'][string]['series'][number]): number {
  const { resets: times } = one.stats as { readonly resets?: number };
  return times ?? ('buckets' in one && one.buckets === null ? 1 : 0);
}
