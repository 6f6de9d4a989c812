import type { RequestRecord } from '@org/loadgen';
import { computeQuantile, round } from '../measure/numbers.ts';
import { isWithinTolerance, type RequestTimes } from './requestTimes.ts';

/** Measured times of a request, and its times according to a reference. */
export type TimesPair = readonly [measured: RequestTimes, actual: RequestTimes];

/** Computes the error distribution of one metric, and the share of requests within the tolerance. */
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

/** Share of each stream that is skipped at its start, while connections are still being opened. */
const SKIPPED_SHARE = 0.25;

/**
 * Computes the errors of the client's chunk timestamps, in ms. The text of each chunk is the monotonic time of its write.
 * The client's timestamps are relative to `originNs`, a time on the same clock.
 */
export function computeChunkErrorsMs(
  records: readonly Pick<RequestRecord, 'text' | 'arrivals'>[],
  originNs: bigint,
): number[] {
  return records.flatMap(({ text, arrivals }) => {
    const writeTimes = text!.output.trim().split(' ');
    const first = Math.floor(SKIPPED_SHARE * writeTimes.length);
    return writeTimes
      .slice(first)
      .map((time, index) => (arrivals.timesNs[first + index]! - Number(BigInt(time) - originNs)) / 1e6);
  });
}

/** Computes the error distribution of token timestamps, and the share within 1 ms. */
export function computeTimestampFigures(errorsMs: readonly number[]): Readonly<Record<string, number>> {
  const accurate = errorsMs.filter(error => Math.abs(error) <= 1);
  return {
    tokens: errorsMs.length,
    ...toErrorQuantiles(errorsMs),
    share_within_1_ms: round(accurate.length / errorsMs.length, 4),
  };
}

/** Computes quantiles of errors, in ms with three decimal places. */
export function toErrorQuantiles(
  errorsMs: readonly number[],
): Readonly<Record<'error_p1_ms' | 'error_p50_ms' | 'error_p99_ms', number>> {
  const quantile = (share: number): number => round(computeQuantile(errorsMs, share), 3);
  return { error_p1_ms: quantile(0.01), error_p50_ms: quantile(0.5), error_p99_ms: quantile(0.99) };
}
