import { MIN_SLICES } from '../noise/estimate.ts';
import type { Side } from '../noise/side.ts';

/** Returns the reason why the noise of a difference is unknown. */
export function findUntestedReason({ base, other }: { readonly base: Side; readonly other: Side }): string {
  const slices = [countSlices(base), countSlices(other)];
  if (slices.every(count => count === 0)) return 'no timeslices';
  if (slices.some(count => count < MIN_SLICES))
    return `too few timeslices (${slices.join(' and ')}, required: ${MIN_SLICES})`;
  return 'timeslices without this statistic';
}

/** Returns the number of timeslices of a side's run. Repeated runs need no timeslices. */
function countSlices({ runs, values, samples }: Side): number {
  if (runs.length > 1) return Number.POSITIVE_INFINITY;
  return samples[0]?.values.length ?? values[0]!.slices.length;
}
