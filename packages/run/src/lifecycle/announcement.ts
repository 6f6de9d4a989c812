import type { Endpoint, EndpointEvent } from '@org/scrape';
import type { Log } from './log.ts';

/** What is no trouble. */
const NEWS: readonly EndpointEvent['kind'][] = ['swapped', 'duplicate', 'back', 'left_out'];

/** Tells what happened to an endpoint. */
export function tellEvent(log: Log, { kind, message }: EndpointEvent): void {
  if (NEWS.includes(kind)) log.info(message);
  else log.warning(message);
}

/** Tells how the first contact went. */
export function tellReached(log: Log, endpoints: readonly Endpoint[]): void {
  const reached = endpoints.filter(({ health }) => health.status === 'active').length;
  log.info(`Server metrics enabled - ${reached}/${endpoints.length} endpoint(s) reachable`);
  for (const { health, url } of endpoints) {
    if (health.status !== 'no_data' || !health.lastOutage) continue;
    log.warning(`endpoint '${url}' ${health.lastOutage.message}; retrying during the run`);
  }
}
