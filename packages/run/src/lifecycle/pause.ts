import { setTimeout as sleep } from 'node:timers/promises';

/** The maximum delay of `setTimeout`, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for `seconds`, or without limit if undefined. Returns early if `signal` is aborted. */
export async function pause(seconds: number | undefined, signal: AbortSignal): Promise<void> {
  let remainingMs = seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000;
  try {
    for (; remainingMs > 0; remainingMs -= MAX_TIMER_MS)
      await sleep(Math.min(remainingMs, MAX_TIMER_MS), undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Waits for `work` to complete or `signal` to be aborted. */
export async function waitUnlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const listening = new AbortController();
  const aborted = new Promise(resolve =>
    signal.addEventListener('abort', resolve, { once: true, signal: listening.signal }),
  );
  try {
    await Promise.race([work, aborted]);
  } finally {
    listening.abort();
  }
}
