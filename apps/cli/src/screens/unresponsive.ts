import { formatDuration } from '@org/core';
import type { Endpoint } from '@org/scrape';

type LiveEndpoint = Pick<Endpoint, 'url' | 'stalledMs'> & {
  readonly health: Pick<Endpoint['health'], 'status' | 'lastSuccessNs'>;
};

/**
 * Reports whether the latest values of an endpoint are current: its last scrape succeeded, and the in-flight scrape
 * does not take unusually long.
 */
export function isResponding({ health, stalledMs }: LiveEndpoint): boolean {
  return health.status === 'active' && stalledMs === 0;
}

/**
 * Describes the endpoints that do not respond for a progress line, such as `localhost:8000 does not respond (12 s)`.
 * Endpoints that never responded are not described.
 *
 * @param nowNs current time, in nanoseconds since 1970
 */
export function describeUnresponsive(endpoints: readonly LiveEndpoint[], nowNs: bigint): string | undefined {
  const [first, ...others] = endpoints.filter(
    endpoint => endpoint.health.lastSuccessNs !== undefined && !isResponding(endpoint),
  );
  if (!first) return undefined;
  const seconds = Math.max(0, Math.round(Number(nowNs - first.health.lastSuccessNs!) / 1e9));
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `${new URL(first.url).host}${more} ${more === '' ? 'does' : 'do'} not respond (${formatDuration(seconds)})`;
}

/** Returns the current time, in nanoseconds since 1970. */
export function getWallTimeNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
