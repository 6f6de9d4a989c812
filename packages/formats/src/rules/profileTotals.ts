import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { near } from './tolerance.ts';
import { asObject, field, numberAt, objectAt, objectItems, textAt, type Values } from './values.ts';

/**
 * Blocks of one document that speak of the same thing: throughput is count by duration, totals are sums, and all requests
 * that succeeded have a latency. Reference, section B1. The duration has to be in seconds.
 */
export function checkTotals(report: Report, document: Values): void {
  const avg = (tag: string): number | undefined => statOf(document, tag, 'avg');
  const duration = /^s(ec(onds?)?)?$/.test(
    textAt(objectAt(document, 'benchmark_duration') ?? {}, 'unit') ?? '',
  )
    ? avg('benchmark_duration')
    : undefined;
  const rates = [
    ['request_throughput', 'request_count'],
    ['output_token_throughput', 'total_osl'],
    ['goodput', 'good_request_count'],
  ] as const;
  for (const [rate, total] of rates)
    compare(report, [rate, 'avg'], avg(rate), divided(avg(total), duration), `${total} / benchmark_duration`);
  const sums = [
    ['total_isl', 'input_sequence_length'],
    ['total_osl', 'output_sequence_length'],
    ['total_output_tokens', 'output_token_count'],
    ['total_reasoning_tokens', 'reasoning_token_count'],
  ] as const;
  for (const [total, tag] of sums)
    compare(report, [total, 'avg'], avg(total), statOf(document, tag, 'sum'), `the sum of ${tag}`);
  const latencies = statOf(document, 'request_latency', 'count');
  compare(report, ['request_latency', 'count'], latencies, avg('request_count'), 'request_count');
  checkErrors(report, document, avg('error_request_count'));
}

function statOf(document: Values, tag: string, stat: string): number | undefined {
  const block = objectAt(document, tag);
  return block && numberAt(block, stat);
}

function divided(total: number | undefined, seconds: number | undefined): number | undefined {
  return total === undefined || !seconds ? undefined : total / seconds;
}

/** One percent is allowed: figures are made from others that were rounded for the file. */
function compare(
  report: Report,
  path: Path,
  found: number | undefined,
  expected: number | undefined,
  formula: string,
): void {
  if (found === undefined || expected === undefined) return;
  if (near(found, expected, Math.abs(expected) * 0.01)) return;
  report('profile-total', path, `is ${found}, but ${formula} is ${expected}`, found);
}

function checkErrors(report: Report, document: Values, failed: number | undefined): void {
  if (failed === undefined || !Array.isArray(field(document, 'error_summary'))) return;
  const counts = objectItems(document, 'error_summary', []).map(
    ([item]) => numberAt(asObject(item) ?? {}, 'count') ?? 0,
  );
  const sum = counts.reduce((a, b) => a + b, 0);
  if (sum !== failed)
    report(
      'profile-total',
      ['error_summary'],
      `counts ${sum} errors, but error_request_count is ${failed}`,
      sum,
    );
}
