import type { ArrivalSchedule } from './arrivalSchedule.ts';
import type { UserSchedule } from './userSchedule.ts';

/**
 * One of several processes that send a load together, without communication. Item k of the load (a session, an arrival, a
 * request number or a concurrency slot) belongs to the shard with index k modulo `count`.
 */
export interface Shard {
  /** Number of the shard, from 0. */
  readonly index: number;
  /** Number of shards. */
  readonly count: number;
}

/** The only shard of a load that is not divided. */
export const WHOLE_LOAD: Shard = { index: 0, count: 1 };

/** Maximum number of shards of a load. */
export const MAX_SHARDS = 10_000;

/** Throws RangeError unless the index and the count of a shard are valid. */
export function checkShard({ index, count }: Shard): void {
  const isValid =
    Number.isInteger(index) && Number.isInteger(count) && count >= 1 && count <= MAX_SHARDS && index >= 0;
  if (!isValid || index >= count)
    throw new RangeError(
      `shard is ${index}/${count}; expected an index from 0 to one less than the count, and a count from 1 to ${MAX_SHARDS}`,
    );
}

/** Returns how many of the items from 0 to `total` - 1 belong to a shard; infinity if `total` is infinite. */
export function countShare(total: number, { index, count }: Shard): number {
  return Number.isFinite(total) ? Math.max(0, Math.ceil((total - index) / count)) : total;
}

/** Converts the position of an item among the items of a shard to its number in the whole load. */
export function toLoadNumber(position: number, { index, count }: Shard): number {
  return index + count * position;
}

/** Returns the arrivals of a schedule that belong to a shard. */
export function selectArrivals(schedule: ArrivalSchedule, { index, count }: Shard): ArrivalSchedule {
  if (count === 1) return schedule;
  let skipped = index;
  return {
    next() {
      for (; skipped > 0; skipped--) schedule.next();
      skipped = count - 1;
      return schedule.next();
    },
  };
}

/**
 * Returns how many of the first `total` requests of users belong to a shard. Users send requests at planned times, so the
 * first requests are known in advance, except for the effect of late responses.
 */
export function countUserRequests(
  users: UserSchedule,
  { requests: total, sessions }: { readonly requests: number; readonly sessions: number },
  shard: Shard,
): number {
  if (!Number.isFinite(total)) return total;
  const planned: { readonly atS: number; readonly session: number }[] = [];
  // All users together send `users / gap` requests per second, so no later session has one of the first requests.
  const endS = total / users.perSecond + users.gapS;
  for (let session = 0; session < sessions && users.get(session).startS <= endS; session++) {
    const { startS, turns } = users.get(session);
    for (let turn = 0; turn < turns && startS + turn * users.gapS <= endS; turn++)
      planned.push({ atS: startS + turn * users.gapS, session });
  }
  planned.sort((a, b) => a.atS - b.atS);
  return planned.slice(0, total).filter(({ session }) => session % shard.count === shard.index).length;
}
