import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { sumErrors } from './phases.ts';
import { isNear } from './tolerance.ts';
import { getNumber, getObject, getText, type Values } from './values.ts';

/**
 * Checks relations between metric blocks: a throughput is a count divided by the duration, a total is the sum of a
 * distribution, and every successful request has a latency. Rates are checked only if the duration is in seconds.
 */
export function checkTotals(report: Report, document: Values): void {
  const avg = (tag: string): number | undefined => getStat(document, tag, 'avg');
  const seconds = /^s(ec(onds?)?)?$/.test(
    getText(getObject(document, 'benchmark_duration') ?? {}, 'unit') ?? '',
  )
    ? avg('benchmark_duration')
    : undefined;
  const rates = [
    ['request_throughput', 'request_count'],
    ['output_token_throughput', 'total_osl'],
    ['goodput', 'good_request_count'],
  ] as const;
  const phaseSeconds = getPhaseSeconds(document);
  for (const [rate, total] of rates) {
    // Since 0.13, AIPerf divides by the duration of the phase.
    const phaseRate = divide(avg(total), phaseSeconds);
    if (phaseRate === undefined || !isClose(avg(rate) ?? 0, phaseRate))
      checkValue(
        report,
        [rate, 'avg'],
        avg(rate),
        divide(avg(total), seconds),
        `${total} / benchmark_duration`,
      );
  }
  const sums = [
    ['total_isl', 'input_sequence_length'],
    ['total_osl', 'output_sequence_length'],
    ['total_output_tokens', 'output_token_count'],
    ['total_reasoning_tokens', 'reasoning_token_count'],
  ] as const;
  for (const [total, tag] of sums)
    checkValue(report, [total, 'avg'], avg(total), getStat(document, tag, 'sum'), `the sum of ${tag}`);
  const latencies = getStat(document, 'request_latency', 'count');
  checkValue(report, ['request_latency', 'count'], latencies, avg('request_count'), 'request_count');
  checkErrors(report, document, avg('error_request_count'));
}

/** Returns the time from `start_time` to `end_time`. */
function getPhaseSeconds(document: Values): number | undefined {
  const [start, end] = ['start_time', 'end_time'].map(key => Date.parse(getText(document, key) ?? ''));
  return end! > start! ? (end! - start!) / 1000 : undefined;
}

function getStat(document: Values, tag: string, stat: string): number | undefined {
  const block = getObject(document, tag);
  return block && getNumber(block, stat);
}

function divide(total: number | undefined, seconds: number | undefined): number | undefined {
  return total === undefined || !seconds ? undefined : total / seconds;
}

function isClose(found: number, expected: number): boolean {
  return isNear(found, expected, Math.abs(expected) * 0.01);
}

/** Reports a value that differs from the expected value by more than 1%. Smaller differences are rounding. */
function checkValue(
  report: Report,
  path: Path,
  found: number | undefined,
  expected: number | undefined,
  formula: string,
): void {
  if (found === undefined || expected === undefined) return;
  if (isClose(found, expected)) return;
  report('profile-total', path, `is ${found}, but ${formula} is ${expected}`, found);
}

/** Checks that the counts in `error_summary` add up to `error_request_count`. */
function checkErrors(report: Report, document: Values, failed: number | undefined): void {
  const sum = sumErrors(document);
  if (failed !== undefined && sum !== undefined && sum !== failed)
    report(
      'profile-total',
      ['error_summary'],
      `counts ${sum} errors, but error_request_count is ${failed}`,
      sum,
    );
}
