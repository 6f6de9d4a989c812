import { setTimeout as sleep } from 'node:timers/promises';

/** What a timer can wait at most, ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits so many seconds, for ever without a number, or until `signal` is aborted. */
export async function pause(seconds: number | undefined, signal: AbortSignal): Promise<void> {
  let leftMs = seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000;
  try {
    for (; leftMs > 0; leftMs -= LONGEST_MS) await sleep(Math.min(leftMs, LONGEST_MS), undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
