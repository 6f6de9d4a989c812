import type { Endpoint } from '@org/scrape';

/**
 * Reports whether the latest values of an endpoint are current: its last scrape succeeded, and the in-flight scrape
 * does not take unusually long.
 */
export function isResponding({
  health,
  stalledMs,
}: Pick<Endpoint, 'stalledMs'> & { readonly health: Pick<Endpoint['health'], 'status'> }): boolean {
  return health.status === 'active' && stalledMs === 0;
}
