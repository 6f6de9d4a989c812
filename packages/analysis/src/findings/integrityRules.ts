import { formatCount, formatPercent, formatValue } from '@org/core';
import { computeFailedShare } from '../run/availability.ts';
import type { Run, RunEndpoint } from '../run/run.ts';
import { findIdleTime, recommendLoadedExport } from './idleTime.ts';
import type { Evidence } from './rule.ts';
import { createRunRule, type FindingRule } from './rule.ts';
import { listServersWithoutPage } from './serversWithoutPage.ts';
import { findGaugeLikeCounters, findUnknownStarts } from './startFindings.ts';
import { findUnusableMetrics } from './unusableMetrics.ts';
import { findWarmupOverlaps } from './warmupOverlap.ts';

/** Lists the endpoints without data, except those that are duplicates of other endpoints. */
function listEndpointsWithoutData({ endpoints }: Run): RunEndpoint[] {
  return endpoints.filter(({ state, info }) => state === 'without_data' && info?.status !== 'duplicate');
}

/** Returns the command that requests the metrics of the first endpoint without data; undefined if all have data. */
function recommendRequest(run: Run): string | undefined {
  const [failed] = listEndpointsWithoutData(run);
  return failed && `curl ${failed.info?.configured_url ?? failed.url}`;
}

/** Rules on data integrity: missing data, and data from outside the profiling period. */
export const INTEGRITY_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'endpoint-without-data',
      severity: 'problem',
      title: 'an endpoint returned no data',
      advice: 'Fix the reported error. If there is no response, check the server, network and firewall.',
      thresholds: {},
    },
    run =>
      listEndpointsWithoutData(run).map(({ name, info }) => ({
        endpoint: name,
        text: info?.last_error ?? 'no response',
        numbers: { failed: info?.scrapes_failed ?? 0 },
        magnitude: info?.scrapes_failed ?? 0,
      })),
    run =>
      `Fix the reported error. If there is no response, check the server, network and firewall: ${recommendRequest(run)}. Triton has its metrics on port 8002, and TensorRT-LLM requires return_perf_metrics: true.`,
  ),
  createRunRule(
    {
      id: 'no-metrics-page',
      severity: 'note',
      title: 'a server has no metrics page',
      advice: 'If the server has metrics at another URL, set --server-metrics URL.',
      thresholds: {},
    },
    ({ endpoints }) =>
      listServersWithoutPage(endpoints).map(({ name, url, info }) => ({
        endpoint: name,
        text: `${info?.configured_url ?? url} was derived from the URL of the API`,
        numbers: {},
        magnitude: 0,
      })),
  ),
  createRunRule(
    {
      id: 'unusable-metrics',
      severity: 'note',
      title: 'metrics of a known server differ from its known versions',
      advice:
        'Figures that need these metrics are left out. If the server is newer than Servelens, define its metrics in a file (--servers FILE).',
      thresholds: {},
    },
    findUnusableMetrics,
  ),
  createRunRule(
    {
      id: 'failed-scrapes',
      severity: 'warning',
      title: 'scrapes failed',
      advice:
        'Gauges have no samples from the outages, which endpoint_info lists. Counters include the outages unless the server restarted.',
      thresholds: { share: { value: 0.01, meaning: 'maximum fraction of all scrapes' } },
    },
    (run, limits) =>
      run.endpoints.flatMap(endpoint => {
        const { name, info, availability } = endpoint;
        const share = computeFailedShare(endpoint);
        if (!info?.total_fetches || share <= limits.share || availability.death) return [];
        const { failedScrapes: failed } = availability;
        const all = failed + info.total_fetches;
        const lastScrapeNote = info.status === 'failing' ? ', including the last scrape' : '';
        const reason = info.last_error ? `: ${info.last_error}` : '';
        return [
          {
            endpoint: name,
            text: `${failed} of ${all} (${formatPercent(share)}) failed${lastScrapeNote}${reason}`,
            numbers: { failed, scrapes: all },
            magnitude: share,
          },
        ];
      }),
  ),
  createRunRule(
    {
      id: 'skipped-scrapes',
      severity: 'warning',
      title: 'scrapes were skipped',
      advice:
        'Scrapes took longer than the interval, or the client was busy. For slow endpoints, increase the interval to reduce the load on the server.',
      thresholds: { share: { value: 0.02, meaning: 'maximum fraction of all scheduled scrapes' } },
    },
    (run, limits) =>
      run.endpoints.flatMap(({ name, info }) => {
        const skipped = info?.scrapes_late ?? 0;
        const scheduled = skipped + (info?.total_fetches ?? 0) + (info?.scrapes_failed ?? 0);
        if (skipped === 0 || skipped <= limits.share * scheduled) return [];
        const { avg_fetch_latency_ms: latency, scrape_latency_p99_ms: p99 } = info ?? {};
        const latencyText =
          latency === undefined ? '' : `, mean latency ${formatValue(latency, 'milliseconds')}`;
        const p99Text = p99 === undefined ? '' : `, p99 ${formatValue(p99, 'milliseconds')}`;
        return [
          {
            endpoint: name,
            text: `${skipped} of ${scheduled} skipped${latencyText}${p99Text}`,
            numbers: { skipped, scheduled },
            magnitude: skipped / scheduled,
          },
        ];
      }),
  ),
  createRunRule(
    {
      id: 'data-loss',
      severity: 'warning',
      title: 'scrapes are missing from the journal',
      advice:
        'The disk was full or faulty. Gauges have no samples from the missing scrapes. Counters include this time unless the server restarted.',
      thresholds: {},
    },
    findDataLoss,
  ),
  createRunRule(
    {
      id: 'dropped-samples',
      severity: 'note',
      title: 'samples were dropped',
      advice: 'The server returned NaN or infinity for these samples; the rest of each scrape is used.',
      thresholds: { samples: { value: 0, meaning: 'maximum in the run' } },
    },
    (run, limits) =>
      run.endpoints.flatMap(({ name, info }) => {
        const samples = info?.samples_dropped ?? 0;
        return samples > limits.samples
          ? [{ endpoint: name, text: `${samples} dropped`, numbers: { samples }, magnitude: samples }]
          : [];
      }),
  ),
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
  createRunRule(
    {
      id: 'warmup-overlap',
      severity: 'warning',
      title: 'warm-up requests in the profiling phase',
      advice: 'Increase --warmup-grace-period or use --settle, or read latencies from later timeslices.',
      thresholds: {
        share: { value: 0.02, meaning: 'maximum fraction of the requests in the period' },
        requests: { value: 1, meaning: 'minimum number of requests' },
      },
    },
    findWarmupOverlaps,
  ),
  createRunRule(
    {
      id: 'idle-time',
      severity: 'warning',
      title: 'the servers were idle for a part of the run',
      advice: 'Averages and rates include this time: export only the loaded time with servelens export.',
      thresholds: {
        seconds: { value: 2, meaning: 'minimum duration at the start and the end, in seconds' },
        share: { value: 0.05, meaning: 'minimum share of the profiling period' },
      },
    },
    findIdleTime,
    recommendLoadedExport,
  ),
  createRunRule(
    {
      id: 'interrupted-run',
      severity: 'warning',
      title: 'the run was interrupted',
      advice: 'Repeat the run before you compare it with others.',
      thresholds: {},
    },
    run =>
      run.wasCancelled === true
        ? [{ text: 'all values cover the time until the interruption', numbers: {}, magnitude: 0 }]
        : [],
  ),
  createRunRule(
    {
      id: 'run-without-metrics',
      severity: 'problem',
      title: 'the run has no server metrics',
      advice: 'Check that the server responds.',
      thresholds: {},
    },
    run => (run.seriesCount === 0 ? [{ text: '0 series', numbers: { series: 0 }, magnitude: 0 }] : []),
    run => {
      const request = recommendRequest(run);
      return request === undefined
        ? 'Set --server-metrics to the URL of the metrics of the server.'
        : `Check that the server responds: ${request}`;
    },
  ),
  createRunRule(
    {
      id: 'run-without-timeslices',
      severity: 'note',
      title: 'no timeslices',
      advice: 'Trends and noise require timeslices: set --slice-duration, for example to 2.',
      thresholds: {},
    },
    run => {
      if (run.layout === 'none' || run.seriesCount === 0) return [];
      for (const { series } of Object.values(run.view.metrics))
        for (const entry of series) if ('timeslices' in entry && entry.timeslices?.length) return [];
      return [
        {
          text: run.layout === 'csv' ? 'CSV exports have no timeslices' : 'exported without --slice-duration',
          numbers: {},
          magnitude: 0,
        },
      ];
    },
  ),
];

function findDataLoss({ view }: Run): Evidence[] {
  const loss = view.summary?.data_loss;
  if (!loss) return [];
  const { scrapes_lost: lost, scrapes_unwritten: unwritten, unreadable_places: places } = loss;
  const text = [
    lost > 0 ? `${formatCount(lost, 'scrape')} lost through damage` : '',
    unwritten > 0 ? `${formatCount(unwritten, 'scrape')} not written during the run` : '',
    places > 0
      ? `${formatCount(loss.unreadable_bytes, 'byte')} in ${formatCount(places, 'place')} unreadable`
      : '',
  ];
  const numbers = { lost, unwritten, unreadable_bytes: loss.unreadable_bytes };
  return [{ text: text.filter(Boolean).join(', '), numbers, magnitude: lost + unwritten }];
}

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
