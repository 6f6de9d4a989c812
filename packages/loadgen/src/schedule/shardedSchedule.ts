import type { Shard } from '@org/core';
import type { ArrivalSchedule } from './arrivalSchedule.ts';
import type { UserSchedule } from './userSchedule.ts';

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
