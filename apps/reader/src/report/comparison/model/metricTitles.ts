import { type Run, selectRoleSeries } from '@org/analysis';
import type { MetricRole } from '@org/servers';

/** Titles of client metrics in words. */
const CLIENT_TITLES: Readonly<Record<string, string>> = {
  request_latency: 'Latency of requests',
  time_to_first_token: 'Time to first token',
  inter_token_latency: 'Time between tokens',
  request_throughput: 'Requests per second',
  output_token_throughput: 'Output tokens per second',
};

/** Titles of the metrics of servers in words, by role. */
const ROLE_TITLES: readonly (readonly [MetricRole, string])[] = [
  ['requestLatency', 'Latency of requests'],
  ['timeToFirstToken', 'Time to first token'],
  ['interTokenLatency', 'Time between tokens'],
  ['outputTokens', 'Output tokens per second'],
  ['completedRequests', 'Requests per second'],
  ['waiting', 'Requests waiting'],
  ['running', 'Requests running'],
  ['kvCacheUsage', 'KV cache in use'],
  ['preemptions', 'Preemptions per second'],
];

/** Returns the titles of the metrics of a run in words, by name. Metrics without a role have none. */
export function listMetricTitles(run: Run): ReadonlyMap<string, string> {
  const roles = ROLE_TITLES.flatMap(([role, title]) =>
    selectRoleSeries(run, role).map(({ series }) => [series.name, title] as const),
  );
  return new Map([...roles, ...Object.entries(CLIENT_TITLES)]);
}
