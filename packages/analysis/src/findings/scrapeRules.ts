import { formatCount, formatPercent, formatValue } from '@org/core';
import { computeFailedShare } from '../run/availability.ts';
import type { Run } from '../run/run.ts';
import { listEndpointsWithoutData, recommendRequest } from './endpointsWithoutData.ts';
import type { Evidence } from './rule.ts';
import { createRunRule, type FindingRule } from './rule.ts';
import { listServersWithoutPage } from './serversWithoutPage.ts';
import { findUnusableMetrics } from './unusableMetrics.ts';

/** Rules on missing data: endpoints, metrics, scrapes and samples that a run does not have. */
export const SCRAPE_RULES: readonly FindingRule[] = [
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
