import { formatCount, formatDuration, formatValue } from '@org/core/numberFormat';
import type { OverSaturation } from '@org/formats';

/** Describes the evidence that the servers of a run were over-saturated. */
export function describeOverSaturation(evidence: OverSaturation): string {
  const { signal, detected_after: after, window, requests, growth, latency_growth: latency } = evidence;
  const subject = signal === 'server_queue' ? 'the queues of the servers' : 'the outstanding requests';
  const grown = `${subject} grew by ${formatGrowth(growth)} requests per second for ${formatDuration(window)}, to ${formatCount(Math.round(requests), 'request')}`;
  const slower = latency
    ? `, and each second increased the latency by ${formatValue(latency.per_second * 1000, 'ms')}`
    : '';
  return `the load was ended after ${formatDuration(after)}, because the servers were over-saturated: ${grown}${slower}`;
}

function formatGrowth({ per_second: rate, low, high }: OverSaturation['growth']): string {
  return `${formatNumber(rate)} (${formatNumber(low)} to ${formatNumber(high)})`;
}

function formatNumber(value: number): string {
  return value.toPrecision(2).replace(/\.0$/, '');
}
