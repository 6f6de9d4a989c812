import type { Path } from '../json/path.ts';
import { SINGLE_TAGS } from '../json/profileMetrics.ts';
import type { Report } from './findings.ts';
import { checkTypes, checkValues } from './profileValues.ts';
import { checkTimestamp } from './time.ts';
import { getRoundingError, isAtMost, isNear } from './tolerance.ts';
import {
  asObject,
  getField,
  getNanoseconds,
  getNumber,
  getObject,
  getText,
  listObjectItems,
  listObjects,
  type Values,
} from './values.ts';

/** Checks constraints on a line of profile_export.jsonl that JSON Schema cannot express. */
export function checkRequest(report: Report, record: Values): void {
  const metadata = getObject(record, 'metadata') ?? {};
  const metrics = getObject(record, 'metrics') ?? {};
  checkMetadataTimes(report, metadata);
  checkOutcome(report, record, metadata, metrics);
  checkLatency(report, metadata, metrics);
  checkTokens(report, metrics);
  checkTypes(report, metrics, ['metrics']);
  for (const [tag, block, path] of listObjects(metrics, ['metrics'])) checkValues(report, path, tag, block);
  checkTrace(report, getObject(record, 'trace_data') ?? {});
}

/** Checks the times of the requests in outputs.json. */
export function checkOutputs(report: Report, document: Values): void {
  for (const [output, path] of listObjectItems(document, 'data', [])) {
    checkTimestamps(report, path, output, ['request_start_ns', 'request_end_ns']);
    checkAscent(report, 'request-times', path, output, ['request_start_ns', 'request_end_ns']);
  }
}

/** Checks the times of a request in a file of raw requests, and that its messages arrived in their order. */
export function checkRawRequest(report: Report, record: Values): void {
  checkMetadataTimes(report, getObject(record, 'metadata') ?? {});
  const responses = listObjectItems(record, 'responses', []);
  const times = responses.map(([response]) => getNanoseconds(response, 'perf_ns'));
  responses.slice(1).forEach(([, path], index) => {
    const [before, after] = [times[index], times[index + 1]];
    if (before === undefined || after === undefined || after >= before) return;
    report('raw-order', [...path, 'perf_ns'], `is ${after}, before the previous message (${before})`, after);
  });
}

/** Allowed difference between the clock of `credit_issued_ns` and the clock of the other timestamps. */
const CLOCK_SLACK_NS = 10_000_000n;

const TIME_FIELDS: readonly string[] = [
  'credit_issued_ns',
  'request_start_ns',
  'request_ack_ns',
  'request_end_ns',
];

/** Checks that the timestamps of a request are in order, and that it is not cancelled before its start. */
function checkMetadataTimes(report: Report, metadata: Values): void {
  const path: Path = ['metadata'];
  checkTimestamps(report, path, metadata, [...TIME_FIELDS, 'cancellation_time_ns']);
  checkAscent(report, 'request-times', path, metadata, TIME_FIELDS);
  const start = getNanoseconds(metadata, 'request_start_ns');
  const cancelled = getNanoseconds(metadata, 'cancellation_time_ns');
  if (start !== undefined && cancelled !== undefined && cancelled < start)
    report(
      'request-times',
      [...path, 'cancellation_time_ns'],
      `is ${cancelled}, before request_start_ns (${start})`,
      cancelled,
    );
}

/** Checks that the fields with these keys are Unix times in nanoseconds. */
function checkTimestamps(report: Report, path: Path, values: Values, keys: readonly string[]): void {
  for (const key of keys) {
    const time = getNanoseconds(values, key);
    if (time !== undefined) checkTimestamp(report, [...path, key], time);
  }
}

/** Checks that the timestamps with these keys do not decrease. */
function checkAscent(
  report: Report,
  rule: 'request-times' | 'trace-times',
  path: Path,
  values: Values,
  keys: readonly string[],
): void {
  const times = keys.flatMap(key => {
    const time = getNanoseconds(values, key);
    return time === undefined ? [] : [{ key, time }];
  });
  for (let i = 1; i < times.length; i++) {
    const [before, after] = [times[i - 1]!, times[i]!];
    const slack = before.key === 'credit_issued_ns' ? CLOCK_SLACK_NS : 0n;
    if (after.time + slack < before.time)
      report(
        rule,
        [...path, after.key],
        `is ${after.time}, before ${before.key} (${before.time})`,
        after.time,
      );
  }
}

/**
 * Checks that a request has metrics or an error, that a failed request has no latency, and that a cancelled
 * request has an error.
 */
function checkOutcome(report: Report, record: Values, metadata: Values, metrics: Values): void {
  const error = getObject(record, 'error');
  if (!error && Object.keys(metrics).length === 0)
    report(
      'request-outcome',
      ['metrics'],
      'is empty, but there is no error; a request must have metrics or an error',
    );
  if (error && Object.hasOwn(metrics, 'request_latency'))
    report(
      'request-outcome',
      ['metrics', 'request_latency'],
      'must be absent if error is set; a failed request has no latency',
    );
  const isCancelled = getField(metadata, 'was_cancelled');
  if (isCancelled === true && !error)
    report('request-cancelled', ['metadata', 'was_cancelled'], 'is true, but there is no error', true);
  if (isCancelled === false && getNanoseconds(metadata, 'cancellation_time_ns') !== undefined)
    report(
      'request-cancelled',
      ['metadata', 'was_cancelled'],
      'is false, but cancellation_time_ns is set',
      false,
    );
  // AIPerf writes good_request_count for each request: 1 or 0.
  const single = Object.keys(metrics).find(tag => SINGLE_TAGS.has(tag) && tag !== 'good_request_count');
  if (single !== undefined)
    report(
      'request-metric',
      ['metrics', single],
      'is a metric of the whole run; a line contains only metrics of one request',
    );
}

/** Returns a metric in milliseconds; undefined if it is missing or its unit is not a unit of time. */
function getMilliseconds(metrics: Values, tag: string): number | undefined {
  const block = asObject(getField(metrics, tag));
  const value = block && getNumber(block, 'value');
  const factor = MILLISECONDS_PER_UNIT[(block && getText(block, 'unit')) ?? ''];
  return value === undefined || factor === undefined ? undefined : value * factor;
}

const MILLISECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1e3,
  sec: 1e3,
};

/**
 * Allowed time between the last content and the end of a request: `ms` milliseconds or `share` of the request
 * duration, whichever is longer. Data after the content, such as the usage, arrives in separate chunks, which
 * a busy client can read late: AIPerf on a loaded machine, by 100 ms and more.
 */
const TAIL_LIMITS = { ms: 1000, share: 0.1 };

/** Checks that the latency is at least the time to first token and matches the duration of the request. */
function checkLatency(report: Report, metadata: Values, metrics: Values): void {
  const start = getNanoseconds(metadata, 'request_start_ns');
  const end = getNanoseconds(metadata, 'request_end_ns');
  const latency = getMilliseconds(metrics, 'request_latency');
  const first = getMilliseconds(metrics, 'time_to_first_token');
  const path: Path = ['metrics', 'request_latency', 'value'];
  if (latency !== undefined && first !== undefined && !isAtMost(first, latency + getRoundingError(latency)))
    report(
      'request-first-token',
      ['metrics', 'time_to_first_token', 'value'],
      `is ${first} ms, more than request_latency (${latency} ms)`,
      first,
    );
  if (latency === undefined || start === undefined || end === undefined || end < start) return;
  const durationMs = Number(end - start) / 1e6;
  // The clocks of latency and timestamps are not read at the same instant and can differ by a microsecond.
  if (latency > durationMs + getRoundingError(latency) + 0.001)
    report(
      'request-latency',
      path,
      `is ${latency} ms, but request_end_ns − request_start_ns is ${durationMs} ms`,
      latency,
    );
  else if (
    durationMs - latency >
    Math.max(TAIL_LIMITS.ms, durationMs * TAIL_LIMITS.share) + getRoundingError(latency)
  )
    report(
      'request-tail',
      path,
      `is ${latency} ms, ${durationMs - latency} ms less than request_end_ns − request_start_ns`,
      latency,
    );
}

/** Checks that inter_token_latency is (request_latency − time_to_first_token) / (output_sequence_length − 1). */
function checkTokens(report: Report, metrics: Values): void {
  const [latency, first, gap] = ['request_latency', 'time_to_first_token', 'inter_token_latency'].map(tag =>
    getMilliseconds(metrics, tag),
  );
  const tokens = getNumber(getObject(metrics, 'output_sequence_length') ?? {}, 'value');
  if (latency === undefined || first === undefined || gap === undefined || !tokens || tokens < 2) return;
  const expected = (latency - first) / (tokens - 1);
  const slack =
    (getRoundingError(latency) + getRoundingError(first)) / (tokens - 1) + Math.abs(expected) * 0.001;
  if (isNear(gap, expected, slack)) return;
  report(
    'request-formula',
    ['metrics', 'inter_token_latency', 'value'],
    `is ${gap} ms, but (request_latency − time_to_first_token) / (output_sequence_length − 1) is ${expected} ms`,
    gap,
  );
}

/** Groups of trace timestamps. Within a group, timestamps must not decrease. */
const TRACE_TIME_FIELDS: readonly (readonly string[])[] = [
  ['request_send_start_ns', 'request_send_end_ns'],
  ['request_send_start_ns', 'response_receive_start_ns', 'response_receive_end_ns'],
  ['connection_pool_wait_start_ns', 'connection_pool_wait_end_ns'],
  ['dns_lookup_start_ns', 'dns_lookup_end_ns'],
  ['tcp_connect_start_ns', 'tcp_connect_end_ns'],
];

/** Names of times, durations, sizes, counts and ports, also of those that the schema does not list. */
const TRACE_MEASUREMENT = /_(ns|ms|s|bytes|count|port)$/;

function checkTrace(report: Report, trace: Values): void {
  for (const key of Object.keys(trace).filter(name => TRACE_MEASUREMENT.test(name))) {
    const value = getField(trace, key);
    if ((typeof value === 'number' || typeof value === 'bigint') && value < 0)
      report('field-range', ['trace_data', key], `is ${value}; expected 0 or more`, value);
  }
  const fields = [...new Set(TRACE_TIME_FIELDS.flat()), 'connection_reused_ns'];
  checkTimestamps(report, ['trace_data'], trace, fields);
  for (const keys of TRACE_TIME_FIELDS) checkAscent(report, 'trace-times', ['trace_data'], trace, keys);
}

/**
 * Checks the lines of a file against each other. Only consecutive lines are compared, because the ids of all requests
 * can take more memory than the file has.
 */
export class RequestOrder {
  #lastId: string | undefined;

  check(report: Report, record: Values): void {
    const id = getText(getObject(record, 'metadata') ?? {}, 'x_request_id');
    if (id !== undefined && id === this.#lastId)
      report('request-repeated', ['metadata', 'x_request_id'], `is ${id}, as in the previous line`, id);
    this.#lastId = id;
  }
}
