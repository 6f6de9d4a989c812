import { formatBytes, formatDuration } from '@org/core';
import type { CostRecord, RunRecord } from '@org/record';

/**
 * What scraping cost the servers and us, in a line: of several endpoints the latencies of the slowest one, and the mean size.
 * Undefined when no scrape was answered, and for runs of older versions.
 */
export function costLine({ endpoints, scraping }: RunRecord): string | undefined {
  const costs = endpoints.flatMap(({ health }) => (health.cost ? [health.cost] : []));
  const slowest = slowestOf(costs);
  if (!scraping || !slowest) return undefined;
  const received = costs.reduce((sum, cost) => sum + cost.bytes_decoded, 0);
  const fetches = endpoints.reduce((sum, { store }) => sum + store.frameCount, 0);
  const { scrape_latency_p50_ms: p50 = 0, scrape_latency_p99_ms: p99 = 0 } = slowest;
  const perScrape = scraping.cpu_ms_per_scrape;
  return [
    `scraping: ${scraping.scrapes} scrapes`,
    `p50 ${formatDuration(p50 / 1000)}, p99 ${formatDuration(p99 / 1000)}${costs.length > 1 ? ' on the slowest endpoint' : ''}`,
    ...(fetches > 0 ? [`${formatBytes(received / fetches)} each`] : []),
    ...(perScrape === undefined ? [] : [`our CPU ${formatDuration(perScrape / 1000)} each`]),
  ].join(', ');
}

function slowestOf(costs: readonly CostRecord[]): CostRecord | undefined {
  const answered = costs.filter(cost => cost.scrape_latency_p99_ms !== undefined);
  return answered.sort((a, b) => b.scrape_latency_p99_ms! - a.scrape_latency_p99_ms!)[0];
}
