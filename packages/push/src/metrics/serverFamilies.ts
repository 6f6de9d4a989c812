import type { EndpointState, LiveLatency, ServerState } from '@org/live';
import { createFamily, type Family, type Point } from './batch.ts';
import { METRICS, type MetricDefinition } from './definition.ts';

const PERCENTILES = ['p50', 'p90', 'p95', 'p99'] as const;

/** Describes the servers of an active run, combined over the endpoints that respond. */
export function describeServers(server: ServerState): Family[] {
  return [
    ...createFamily(METRICS.serverRequestRate, server.requests.now),
    ...createFamily(METRICS.serverOutputTokenRate, server.outputTokens.now),
    ...createFamily(METRICS.serverPromptTokenRate, server.promptTokens.now),
    ...createFamily(METRICS.serverRunning, server.running.now),
    ...createFamily(METRICS.serverWaiting, server.waiting.now),
    ...createFamily(METRICS.serverKvCache, server.kvCache.now),
    ...createFamily(METRICS.serverCacheHits, server.cacheHitShare),
    ...createFamily(METRICS.serverPreemptions, server.preemptions),
    ...createFamily(METRICS.serverFailures, server.failures),
    ...describeLatency(METRICS.serverTimeToFirstToken, server.timeToFirstToken),
    ...describeLatency(METRICS.serverInterTokenLatency, server.interTokenLatency),
    ...describeLatency(METRICS.serverRequestLatency, server.requestLatency),
  ];
}

/** Converts percentiles in milliseconds to points in seconds. */
function describeLatency(definition: MetricDefinition, { recent }: LiveLatency): Family[] {
  if (!recent) return [];
  const points = PERCENTILES.map(
    (statistic): Point => ({ labels: { statistic }, value: recent[statistic] / 1000 }),
  );
  return [{ definition, points }];
}

/** Describes the endpoints of an active run. The values of an endpoint that does not respond are unknown. */
export function describeEndpoints(endpoints: readonly EndpointState[]): Family[] {
  return endpoints.flatMap(({ host, isCurrent, failedScrapes, running, waiting, kvCache }) => {
    const labels = { endpoint: host };
    return [
      ...createFamily(METRICS.endpointUp, isCurrent ? 1 : 0, labels),
      ...createFamily(METRICS.endpointFailedScrapes, failedScrapes, labels),
      ...createFamily(METRICS.endpointRunning, running, labels),
      ...createFamily(METRICS.endpointWaiting, waiting, labels),
      ...createFamily(METRICS.endpointKvCache, kvCache, labels),
    ];
  });
}
