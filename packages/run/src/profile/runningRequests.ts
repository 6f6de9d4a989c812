import type { Endpoint } from '@org/scrape';
import { SERVERS_FROM_CLIENT } from '@org/servers';

/** Requests that the servers say they are at, from the newest scrape of each; undefined when none says so. */
export function runningRequests(
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
