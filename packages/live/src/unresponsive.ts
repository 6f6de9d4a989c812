import { formatDuration } from '@org/core';
import { hasNoResponse } from '@org/record';
import { isResponding } from '@org/record/roles';
import type { Endpoint } from '@org/scrape';

type LiveEndpoint = Pick<Endpoint, 'url' | 'stalledMs'> &
  Partial<Pick<Endpoint, 'labels'>> & {
    readonly health: Pick<Endpoint['health'], 'status' | 'lastSuccessNs' | 'lastOutage'>;
  };

/**
 * Describes the endpoints that do not respond for a progress line, such as `localhost:8000 does not respond (12 s)`.
 * Endpoints that never responded, and endpoints that were removed, are not described.
 *
 * @param nowNs current time, in nanoseconds since 1970
 */
export function describeUnresponsive(endpoints: readonly LiveEndpoint[], nowNs: bigint): string | undefined {
  const [first, ...others] = endpoints.filter(
    endpoint =>
      endpoint.health.lastSuccessNs !== undefined &&
      endpoint.health.status !== 'removed' &&
      !isResponding(endpoint),
  );
  if (!first) return undefined;
  const seconds = Math.max(0, Math.round(Number(nowNs - first.health.lastSuccessNs!) / 1e9));
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const problem = isSilent(first) ? `${more === '' ? 'does' : 'do'} not respond` : 'without metrics';
  return `${first.labels?.pod ?? new URL(first.url).host}${more} ${problem} (${formatDuration(seconds)})`;
}

/** Reports whether there was no response to the last scrape, in contrast to an error response. */
function isSilent({ health, stalledMs }: LiveEndpoint): boolean {
  return stalledMs > 0 || hasNoResponse(health.lastOutage?.reason);
}

/** Returns the current time, in nanoseconds since 1970. */
export function getWallTimeNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
