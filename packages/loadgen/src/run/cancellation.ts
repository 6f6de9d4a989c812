import { hash } from '@org/core';
import type { CancellationOptions } from './loadOptions.ts';

/**
 * Whether and when the client of a turn hangs up, ms after sending. It depends on the seed and the turn alone, not on the
 * order in which requests happen to be sent. Throws for a share or a delay that cannot be.
 */
export function cancellations(
  options: CancellationOptions | undefined,
  seed: number,
): (session: number, turn: number) => number | undefined {
  if (!options) return () => undefined;
  const { percent, delayS = 0 } = options;
  if (!(percent >= 0 && percent <= 100))
    throw new RangeError(`cancellation: percent is ${percent}; a number from 0 to 100 is accepted`);
  if (!(delayS >= 0)) throw new RangeError(`cancellation: delayS is ${delayS}; a number from 0 is accepted`);
  return (session, turn) =>
    hash(`cancellation ${session} ${turn}`, seed) / 2 ** 32 < percent / 100 ? delayS * 1000 : undefined;
}
