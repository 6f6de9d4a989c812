import type { RequestRecord } from '@org/loadgen';
import { computeQuantile, round } from '../measure/numbers.ts';
import { isWithinTolerance, type RequestTimes } from './requestTimes.ts';

/** The measured times of a request, and its actual times according to a reference. */
export type TimesPair = readonly [measured: RequestTimes, actual: RequestTimes];

/** Computes the error quantiles of one metric, and the share of requests within the tolerance. */
export function computeErrorFigures(
  metric: keyof RequestTimes,
  pairs: readonly TimesPair[],
): Readonly<Record<string, number>> {
  const errors = pairs.map(([measured, actual]) => (measured[metric] - actual[metric]) / 1e6);
  const accurate = pairs.filter(([measured, actual]) => isWithinTolerance(measured[metric], actual[metric]));
  return {
    requests: pairs.length,
    ...toErrorQuantiles(errors),
    share_within_1_ms_or_1_percent: round(accurate.length / pairs.length, 4),
  };
}

/** Share of chunks to skip at the start of each stream, while connections are still being opened. */
const SKIPPED_SHARE = 0.25;

/**
 * Computes the errors of the client's chunk timestamps, in milliseconds. The text of each chunk is the
 * monotonic time at which the server wrote the chunk. The client's timestamps are relative to `originNs`, a
 * time on the same clock.
 */
export function computeChunkErrorsMs(
  records: readonly Pick<RequestRecord, 'text' | 'arrivals'>[],
  originNs: bigint,
): number[] {
  return records.flatMap(({ text, arrivals }) => {
    const writeTimes = text!.output.trim().split(' ');
    const firstIndex = Math.floor(SKIPPED_SHARE * writeTimes.length);
    return writeTimes
      .slice(firstIndex)
      .map((time, index) => (arrivals.timesNs[firstIndex + index]! - Number(BigInt(time) - originNs)) / 1e6);
  });
}

/** Computes the quantiles of timestamp errors, and the share of timestamps with an error of at most 1 ms. */
export function computeTimestampFigures(errorsMs: readonly number[]): Readonly<Record<string, number>> {
  const accurate = errorsMs.filter(error => Math.abs(error) <= 1);
  return {
    tokens: errorsMs.length,
    ...toErrorQuantiles(errorsMs),
    share_within_1_ms: round(accurate.length / errorsMs.length, 4),
  };
}

/** Computes quantiles of errors, in milliseconds with three decimal places. */
export function toErrorQuantiles(
  errorsMs: readonly number[],
): Readonly<Record<'error_p1_ms' | 'error_p50_ms' | 'error_p99_ms', number>> {
  const quantile = (share: number): number => round(computeQuantile(errorsMs, share), 3);
  return { error_p1_ms: quantile(0.01), error_p50_ms: quantile(0.5), error_p99_ms: quantile(0.99) };
}
