import type { MergedShard } from '@org/formats';

/** A statement about the clocks of shards. */
export interface ClockStatement {
  readonly isWarning: boolean;
  readonly message: string;
}

/** Minimum offset that is certain enough for a warning, in ms. It moves requests to other timeslices. */
const MIN_NOTABLE_OFFSET_MS = 100;

/** States how far the clocks of the shards differ from the clock of the first shard. */
export function describeClocks(shards: readonly MergedShard[]): ClockStatement[] {
  const [first, ...others] = shards;
  const unknown = others.filter(({ clock_offset_ms: offset }) => offset === undefined);
  const known = others.filter(({ clock_offset_ms: offset }) => offset !== undefined);
  return [
    ...known.map(shard => describeOffset(shard, first!)),
    ...(unknown.length > 0
      ? [
          {
            isWarning: false,
            message: `clock offsets from shard ${first!.index} are unknown for shard ${unknown.map(({ index }) => index).join(', ')}; times of different shards are comparable only if the clocks of their machines agree`,
          },
        ]
      : []),
  ];
}

function describeOffset(
  { index, clock_offset_ms: offset = 0, clock_uncertainty_ms: uncertainty = 0 }: MergedShard,
  first: MergedShard,
): ClockStatement {
  const isWarning = Math.abs(offset) - uncertainty >= MIN_NOTABLE_OFFSET_MS;
  const advice = isWarning ? '; times are not corrected, so synchronize the clocks before the next run' : '';
  return {
    isWarning,
    message: `the clock of shard ${index} is ${offset.toFixed(1)} ms (± ${uncertainty.toFixed(1)} ms) ahead of the clock of shard ${first.index}${advice}`,
  };
}
