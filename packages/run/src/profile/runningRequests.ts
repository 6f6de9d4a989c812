import type { Endpoint } from '@org/scrape';
import { SERVER_SOURCES } from '../reconciliation/sources.ts';

/** Requests that the servers say they are at, from the newest scrape of each; undefined when none says so. */
export function runningRequests(
  endpoints: readonly Pick<Endpoint, 'layout' | 'latest'>[],
): number | undefined {
  for (const { running } of SERVER_SOURCES) {
    for (const name of running) {
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
