import type { ServerClock } from '@org/formats';
import type { ShardRun } from './shardRun.ts';

/** The clock of a shard minus the clock of the first shard, in ms. */
export interface ClockOffset {
  readonly offsetMs: number;
  /** Half of the width of the range that contains the offset. */
  readonly uncertaintyMs: number;
}

/** A range of offsets, in ms. */
interface Range {
  readonly min: number;
  readonly max: number;
}

/**
 * Estimates the offset of a shard's clock from the clock of the first shard. Both compared their clocks with the clocks of the
 * same servers, by the Date headers of responses. Returns undefined if they had no such server in common.
 */
export function estimateOffset(first: ShardRun, other: ShardRun): ClockOffset | undefined {
  const clocks = new Map(listClocks(first).map(clock => [clock.url, clock]));
  const ranges = listClocks(other).flatMap(clock => {
    const reference = clocks.get(clock.url);
    return reference ? [subtract(toRange(reference), toRange(clock))] : [];
  });
  if (ranges.length === 0) return undefined;
  const { min, max } = sortRange({
    min: Math.max(...ranges.map(range => range.min)),
    max: Math.min(...ranges.map(range => range.max)),
  });
  return { offsetMs: (min + max) / 2, uncertaintyMs: (max - min) / 2 };
}

function listClocks({ profile }: ShardRun): readonly ServerClock[] {
  return profile?.report.server_clocks ?? [];
}

/** Returns the range of a server's clock minus the clock of a shard. */
function toRange({ min_offset_ms: min, max_offset_ms: max }: ServerClock): Range {
  return sortRange({ min, max });
}

/** Bounds contradict each other if several processes with different clocks serve a URL. The offset is then between them. */
function sortRange({ min, max }: Range): Range {
  return min <= max ? { min, max } : { min: max, max: min };
}

function subtract(a: Range, b: Range): Range {
  return { min: a.min - b.max, max: a.max - b.min };
}
