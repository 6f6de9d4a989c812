import type { ServerMetricsDocument } from '@org/formats';

/** Where the last timeslice of the servers begins, ns since 1970; undefined when they have none. */
export function lastSliceStart({ metrics }: Pick<ServerMetricsDocument, 'metrics'>): bigint | undefined {
  let last: bigint | undefined;
  for (const { series } of Object.values(metrics)) {
    for (const { timeslices } of series) {
      const start = timeslices?.at(-1)?.start_ns;
      if (start !== undefined && (last === undefined || start > last)) last = start;
    }
  }
  return last;
}
