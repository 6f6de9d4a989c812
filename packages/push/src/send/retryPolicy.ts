/** The first delay before a retry, in milliseconds. Each further delay is twice as long. */
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
/** Maximum delay that a receiver can request, in milliseconds. */
const MAX_RETRY_AFTER_MS = 300_000;

/**
 * Computes the delay before a retry, in milliseconds: exponential, and reduced at random by up to half, so that many senders
 * do not retry at the same time. A delay that the receiver requests with `Retry-After` is used instead, if it is longer.
 *
 * @param attempt number of failed attempts, from 1
 * @param retryAfter value of the header
 */
export function computeRetryDelay(
  attempt: number,
  retryAfter: string | undefined,
  random: () => number = Math.random,
  nowMs: number = Date.now(),
): number {
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 10));
  const jittered = delay * (1 - random() / 2);
  return Math.max(jittered, Math.min(MAX_RETRY_AFTER_MS, parseRetryAfter(retryAfter, nowMs) ?? 0));
}

/** Parses `Retry-After`, which is a number of seconds or a date, to milliseconds. */
function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
