import type { Endpoint } from '@org/scrape';
import { SERVERS_FROM_CLIENT } from '@org/servers';

/**
 * Sums the running requests that servers reported in their last scrapes. Returns undefined if no server reports this number.
 */
export function countRunningRequests(
  endpoints: readonly Pick<Endpoint, 'layout' | 'latest'>[],
): number | undefined {
  for (const { reconciliation } of SERVERS_FROM_CLIENT) {
    for (const name of reconciliation.running) {
      const found = endpoints.flatMap(({ layout, latest }) =>
        layout.series.flatMap(series =>
          series.kind === 'scalar' && series.family.name === name
            ? [latest?.[series.value] ?? Number.NaN]
            : [],
        ),
      );
      const known = found.filter(Number.isFinite);
      if (known.length > 0) return known.reduce((sum, value) => sum + value, 0);
    }
  }
  return undefined;
}
