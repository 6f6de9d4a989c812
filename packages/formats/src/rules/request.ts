import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { singleTags } from './profileTags.ts';
import { checkTimestamp } from './time.ts';
import { atMost, near, rounding } from './tolerance.ts';
import { asObject, field, nanosecondsAt, numberAt, objectAt, textAt, type Values } from './values.ts';

/** What a schema cannot say about one request of profile_export.jsonl. Reference, sections B1 and B5. */
export function checkRequest(report: Report, record: Values): void {
  const metadata = objectAt(record, 'metadata') ?? {};
  const metrics = objectAt(record, 'metrics') ?? {};
  checkMetadataTimes(report, metadata);
  checkOutcome(report, record, metadata, metrics);
  checkLatency(report, metadata, metrics);
  checkTokens(report, metrics);
  checkTrace(report, objectAt(record, 'trace_data') ?? {});
}

/** Two clocks stamp the credit and the request: allowed difference, in ns. */
const clockSlack = 10_000_000n;

const times: readonly string[] = ['credit_issued_ns', 'request_start_ns', 'request_ack_ns', 'request_end_ns'];

/** Credit, start, first byte and end follow each other; nothing is cancelled before it began. */
function checkMetadataTimes(report: Report, metadata: Values): void {
  const path: Path = ['metadata'];
  for (const key of [...times, 'cancellation_time_ns']) {
    const time = nanosecondsAt(metadata, key);
    if (time !== undefined) checkTimestamp(report, [...path, key], time);
  }
  checkAscent(report, 'request-times', path, metadata, times);
  const start = nanosecondsAt(metadata, 'request_start_ns');
  const cancelled = nanosecondsAt(metadata, 'cancellation_time_ns');
  if (start !== undefined && cancelled !== undefined && cancelled < start)
    report(
      'request-times',
      [...path, 'cancellation_time_ns'],
      `is ${cancelled}, before request_start_ns (${start})`,
      cancelled,
    );
}

function checkAscent(
  report: Report,
  rule: 'request-times' | 'trace-times',
  path: Path,
  values: Values,
  keys: readonly string[],
): void {
  const known = keys.flatMap(key => {
    const time = nanosecondsAt(values, key);
    return time === undefined ? [] : [{ key, time }];
  });
  for (let i = 1; i < known.length; i++) {
    const [before, after] = [known[i - 1]!, known[i]!];
    const slack = before.key === 'credit_issued_ns' ? clockSlack : 0n;
    if (after.time + slack < before.time)
      report(
        rule,
        [...path, after.key],
        `is ${after.time}, before ${before.key} (${before.time})`,
        after.time,
      );
  }
}

/** A request was measured or it failed; a cancelled one failed. */
function checkOutcome(report: Report, record: Values, metadata: Values, metrics: Values): void {
  const error = objectAt(record, 'error');
  if (!error && Object.keys(metrics).length === 0)
    report(
      'request-outcome',
      ['metrics'],
      'is empty although there is no error; a request is measured or fails',
    );
  if (error && Object.hasOwn(metrics, 'request_latency'))
    report(
      'request-outcome',
      ['metrics', 'request_latency'],
      'stands beside an error; a request that failed has no latency',
    );
  const isCancelled = field(metadata, 'was_cancelled');
  if (isCancelled === true && !error)
    report('request-cancelled', ['metadata', 'was_cancelled'], 'is true although there is no error', true);
  if (isCancelled === false && nanosecondsAt(metadata, 'cancellation_time_ns') !== undefined)
    report(
      'request-cancelled',
      ['metadata', 'was_cancelled'],
      'is false beside a cancellation_time_ns',
      false,
    );
  const single = Object.keys(metrics).find(tag => singleTags.has(tag));
  if (single !== undefined)
    report(
      'request-metric',
      ['metrics', single],
      'is a figure of the whole run; a line has those of one request',
    );
}

/** A metric in milliseconds, whatever unit of time the file has it in. */
function millisecondsOf(metrics: Values, tag: string): number | undefined {
  const block = asObject(field(metrics, tag));
  const value = block && numberAt(block, 'value');
  const factor = factors[(block && textAt(block, 'unit')) ?? ''];
  return value === undefined || factor === undefined ? undefined : value * factor;
}

const factors: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1e3, sec: 1e3 };

/**
 * What comes after the last content, such as the usage, may take this long (ms) or this share of the request: it comes in
 * chunks of its own, and a busy client reads them late.
 */
const tail = { ms: 100, share: 0.01 };

/** The latency is the time from start to the last content, which is at most the end. */
function checkLatency(report: Report, metadata: Values, metrics: Values): void {
  const start = nanosecondsAt(metadata, 'request_start_ns');
  const end = nanosecondsAt(metadata, 'request_end_ns');
  const latency = millisecondsOf(metrics, 'request_latency');
  const first = millisecondsOf(metrics, 'time_to_first_token');
  const path: Path = ['metrics', 'request_latency', 'value'];
  if (latency !== undefined && first !== undefined && !atMost(first, latency + rounding(latency)))
    report(
      'request-first-token',
      ['metrics', 'time_to_first_token', 'value'],
      `is ${first} ms, more than request_latency (${latency} ms)`,
      first,
    );
  if (latency === undefined || start === undefined || end === undefined || end < start) return;
  const whole = Number(end - start) / 1e6;
  // A microsecond is what two clocks that are read one after the other may differ by.
  if (latency > whole + rounding(latency) + 0.001)
    report(
      'request-latency',
      path,
      `is ${latency} ms, but from request_start_ns to request_end_ns it is ${whole} ms`,
      latency,
    );
  else if (whole - latency > Math.max(tail.ms, whole * tail.share) + rounding(latency))
    report(
      'request-tail',
      path,
      `is ${latency} ms, ${whole - latency} ms less than from request_start_ns to request_end_ns`,
      latency,
    );
}

/** inter_token_latency = (request_latency − time_to_first_token) / (output_sequence_length − 1). */
function checkTokens(report: Report, metrics: Values): void {
  const [latency, first, gap] = ['request_latency', 'time_to_first_token', 'inter_token_latency'].map(tag =>
    millisecondsOf(metrics, tag),
  );
  const tokens = numberAt(objectAt(metrics, 'output_sequence_length') ?? {}, 'value');
  if (latency === undefined || first === undefined || gap === undefined || !tokens || tokens < 2) return;
  const expected = (latency - first) / (tokens - 1);
  const slack = (rounding(latency) + rounding(first)) / (tokens - 1) + Math.abs(expected) * 0.001;
  if (near(gap, expected, slack)) return;
  report(
    'request-formula',
    ['metrics', 'inter_token_latency', 'value'],
    `is ${gap} ms, but (request_latency − time_to_first_token) / (output_sequence_length − 1) is ${expected} ms`,
    gap,
  );
}

const traceTimes: readonly (readonly string[])[] = [
  ['request_send_start_ns', 'request_send_end_ns'],
  ['request_send_start_ns', 'response_receive_start_ns', 'response_receive_end_ns'],
  ['connection_pool_wait_start_ns', 'connection_pool_wait_end_ns'],
  ['dns_lookup_start_ns', 'dns_lookup_end_ns'],
  ['tcp_connect_start_ns', 'tcp_connect_end_ns'],
];

function checkTrace(report: Report, trace: Values): void {
  for (const keys of traceTimes) checkAscent(report, 'trace-times', ['trace_data'], trace, keys);
}
