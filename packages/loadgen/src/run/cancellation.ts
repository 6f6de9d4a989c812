import { hashText } from '@org/core';
import type { CancellationOptions } from './loadOptions.ts';

/** Returns the delay between sending a turn and cancelling it, in ms; undefined if it is not cancelled. */
export type CancellationRule = (session: number, turn: number) => number | undefined;

/**
 * Creates the rule that selects requests to cancel. It depends only on the seed and the turn, not on the order of requests. Throws for invalid options.
 */
export function createCancellationRule(
  options: CancellationOptions | undefined,
  seed: number,
): CancellationRule {
  if (!options) return () => undefined;
  const { percent, delayS = 0 } = options;
  if (!(percent >= 0 && percent <= 100))
    throw new RangeError(`cancellation: percent is ${percent}; expected a number from 0 to 100`);
  if (!(delayS >= 0))
    throw new RangeError(`cancellation: delayS is ${delayS}; expected a number of at least 0`);
  return (session, turn) =>
    hashText(`cancellation ${session} ${turn}`, seed) / 2 ** 32 < percent / 100 ? delayS * 1000 : undefined;
}
