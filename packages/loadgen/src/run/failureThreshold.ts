import type { Ledger } from './ledger.ts';
import type { PhaseOptions } from './loadOptions.ts';

/** Minimum number of ended requests before a threshold applies, as in AIPerf. */
const MIN_REQUESTS = 10;

/** A limit of the fraction of failed requests. A phase that exceeds it is aborted. */
export interface FailureThreshold {
  /** Maximum ratio of failed requests to all ended requests, except cancelled requests. */
  readonly ratio: number;
  /** Number of requests that must have ended before the ratio is checked. */
  readonly minRequests: number;
}

/** Creates the threshold of a phase. Throws RangeError if the ratio is not between 0 and 1. */
export function createFailureThreshold({
  failedRequestThreshold: ratio,
  concurrency = 0,
}: Pick<PhaseOptions, 'failedRequestThreshold' | 'concurrency'>): FailureThreshold | undefined {
  if (ratio === undefined) return undefined;
  if (!(ratio >= 0 && ratio <= 1))
    throw new RangeError(`failedRequestThreshold is ${ratio}; expected a number from 0 to 1`);
  return { ratio, minRequests: Math.max(concurrency, MIN_REQUESTS) };
}

/** Reports whether the requests of all threads exceed the threshold. */
export function exceedsThreshold({ ratio, minRequests }: FailureThreshold, ledger: Ledger): boolean {
  const failed = ledger.sum('failed');
  const ended = failed + ledger.sum('succeeded');
  return ended >= minRequests && failed / ended > ratio;
}
