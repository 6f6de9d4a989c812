import { formatBytes, formatDuration } from '@org/core';
import type { CostRecord, RunRecord } from '@org/record';

/**
 * Formats the cost of scraping in a line: latencies of the slowest endpoint, the mean size of a scrape, and the CPU time of
 * Servelens. Returns undefined if no scrape succeeded, and for runs of versions that did not record the cost.
 */
export function formatCost({ endpoints, scraping }: RunRecord): string | undefined {
  const costs = endpoints.flatMap(({ health }) => (health.cost ? [health.cost] : []));
  const slowest = findSlowest(costs);
  if (!scraping || !slowest) return undefined;
  const bytes = costs.reduce((sum, cost) => sum + cost.bytes_decoded, 0);
  const frames = endpoints.reduce((sum, { store }) => sum + store.frameCount, 0);
  const { scrape_latency_p50_ms: p50 = 0, scrape_latency_p99_ms: p99 = 0 } = slowest;
  const cpuMs = scraping.cpu_ms_per_scrape;
  return [
    `scraping: ${scraping.scrapes} scrapes`,
    `p50 ${formatDuration(p50 / 1000)}, p99 ${formatDuration(p99 / 1000)}${costs.length > 1 ? ' on the slowest endpoint' : ''}`,
    ...(frames > 0 ? [`${formatBytes(bytes / frames)} per scrape`] : []),
    ...(cpuMs === undefined ? [] : [`${formatDuration(cpuMs / 1000)} CPU per scrape`]),
  ].join(', ');
}

function findSlowest(costs: readonly CostRecord[]): CostRecord | undefined {
  const measured = costs.filter(cost => cost.scrape_latency_p99_ms !== undefined);
  return measured.sort((a, b) => b.scrape_latency_p99_ms! - a.scrape_latency_p99_ms!)[0];
}
