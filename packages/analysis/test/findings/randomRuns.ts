import type { ProfileExport } from '@org/formats';
import * as fc from 'fast-check';
import { createRun, type Run } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../documents.ts';
import type { Metrics } from './runs.ts';

/** The measurements of one engine. */
export interface EngineLevels {
  readonly running: number;
  readonly runningMax: number;
  readonly waiting: number;
  readonly kv: number;
  readonly preemptions: number;
  readonly outputTokens: number;
  readonly aborted: number;
  readonly errors: number;
  readonly httpErrors: number;
  readonly slices: readonly number[];
}

/** The measurements of the load generator. */
interface ClientResults {
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly stallSeconds: number;
  readonly event_loop_delay_p99_ms: number;
  readonly send_delay_p99_ms: number;
  readonly event_loop_utilization: number;
}

/** The availability of an endpoint. */
export type Availability = 'healthy' | 'dead' | 'restarted' | 'late' | 'flaky';

/** The measurements of a run. */
export interface Measurements {
  readonly engines: readonly EngineLevels[];
  /** In the order of the engines. */
  readonly availability: readonly Availability[];
  /** Number of requests in a Dynamo frontend. */
  readonly frontend: number | undefined;
  readonly client: ClientResults | undefined;
}

const at = (seconds: number): bigint => START_NS + BigInt(seconds) * SECOND_NS;

const outage = (start: number, end?: number): object => ({
  start_ns: at(start),
  ...(end !== undefined && { end_ns: at(end) }),
  scrapes: 6,
  reason: 'refused',
  message: 'refused the connection',
});

const INFOS: Readonly<Record<Availability, object>> = {
  healthy: healthyInfo,
  dead: {
    ...healthyInfo,
    status: 'failing',
    last_fetch_ns: at(7),
    last_failure_ns: at(20),
    scrapes_failed: 39,
    outages: [outage(8)],
  },
  restarted: {
    ...healthyInfo,
    outages: [outage(8, 10)],
    resets: [{ previous_ns: at(7), at_ns: at(10), counters: 30 }],
  },
  late: { ...healthyInfo, first_fetch_ns: at(5) },
  flaky: {
    ...healthyInfo,
    status: 'intermittent',
    scrapes_failed: 12,
    outages: [outage(3, 5), outage(9, 11)],
  },
};

const LEVEL = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.double({ min: 3, max: 200, noNaN: true }),
);
const COUNT = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(100));

/** Random measurements of an engine. */
export const ENGINE: fc.Arbitrary<EngineLevels> = fc.record({
  running: LEVEL,
  runningMax: LEVEL,
  waiting: LEVEL,
  kv: fc.double({ min: 0, max: 1, noNaN: true }),
  preemptions: COUNT,
  outputTokens: COUNT,
  aborted: COUNT,
  errors: COUNT,
  httpErrors: COUNT,
  slices: fc.array(LEVEL, { maxLength: 8 }),
});

const CLIENT: fc.Arbitrary<ClientResults> = fc.record({
  succeeded: COUNT,
  failed: COUNT,
  cancelled: COUNT,
  stallSeconds: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 2, max: 15 })),
  event_loop_delay_p99_ms: fc.double({ min: 0, max: 100, noNaN: true }),
  send_delay_p99_ms: fc.double({ min: 0, max: 500, noNaN: true }),
  event_loop_utilization: fc.double({ min: 0, max: 1, noNaN: true }),
});

const AVAILABILITY = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Availability>('healthy') },
  fc.constantFrom<Availability>('dead', 'restarted', 'late', 'flaky'),
);

/** Random measurements of a run with up to three engines. */
export const MEASUREMENTS: fc.Arbitrary<Measurements> = fc.record({
  engines: fc.array(ENGINE, { minLength: 1, maxLength: 3 }),
  availability: fc.tuple(AVAILABILITY, AVAILABILITY, AVAILABILITY),
  frontend: fc.option(LEVEL, { nil: undefined }),
  client: fc.option(CLIENT, { nil: undefined }),
});

const URLS = [URL_A, URL_B, 'http://third:1/metrics'];

/** Creates a run with these measurements. */
export function createMeasuredRun({ engines, availability, frontend, client }: Measurements): Run {
  const infos = Object.fromEntries(engines.map((_, i) => [URLS[i]!, INFOS[availability[i]!]]));
  return createRun({
    name: '',
    layout: 'json',
    files: {},
    view: createDocument(createMetrics(engines, frontend), infos),
    ...(client && { profile: createProfile(client) }),
  });
}

function createMetrics(engines: readonly EngineLevels[], frontend: number | undefined): Metrics {
  const createEach = (
    type: string,
    create: (engine: EngineLevels, url: string) => object | object[],
  ): object =>
    createMetric(
      type,
      engines.flatMap((engine, i) => create(engine, URLS[i]!)),
    );
  return {
    'vllm:num_requests_running': createEach('gauge', ({ running, runningMax }, url) =>
      createGauge(running, { max: Math.max(running, runningMax), url }),
    ),
    'vllm:num_requests_waiting': createEach('gauge', ({ waiting, slices }, url) =>
      createGauge(waiting, { slices, url }),
    ),
    'vllm:kv_cache_usage_perc': createEach('gauge', ({ kv }, url) => createGauge(kv / 2, { max: kv, url })),
    'vllm:num_preemptions': createEach('counter', ({ preemptions }, url) =>
      createCounter(preemptions, { url }),
    ),
    'vllm:generation_tokens': createEach('counter', ({ outputTokens }, url) =>
      createCounter(outputTokens, { url }),
    ),
    'vllm:request_success': createEach('counter', ({ aborted, errors, outputTokens }, url) => [
      createCounter(outputTokens, { url, labels: { finished_reason: 'stop' } }),
      createCounter(aborted, { url, labels: { finished_reason: 'abort' } }),
      createCounter(errors, { url, labels: { finished_reason: 'error' } }),
    ]),
    http_requests: createEach('counter', ({ httpErrors }, url) =>
      createCounter(httpErrors, { url, labels: { status: '5xx' } }),
    ),
    'vllm:time_to_first_token_seconds': createMetric(
      'histogram',
      engines.map((_, i) => createHistogram(100, 1, { url: URLS[i]!, stats: { p99_estimate: 9 } })),
      'seconds',
    ),
    ...(frontend !== undefined && {
      dynamo_frontend_inflight_requests: createMetric('gauge', [createGauge(frontend)]),
      dynamo_frontend_router_queue_pending_requests: createMetric('gauge', [createGauge(frontend / 2)]),
    }),
  };
}

function createProfile({
  succeeded,
  failed,
  cancelled,
  stallSeconds,
  ...loadGenerator
}: ClientResults): ProfileExport {
  const stall = {
    kind: 'server_stalled',
    message: `no server processed requests for ${stallSeconds} s; hint`,
    count: 1,
  };
  return {
    schema_version: '1.3',
    load_generator: { tokenizer: 'server', ...loadGenerator },
    reconciliation: { server: 'vLLM', latencies: [], findings: stallSeconds > 0 ? [stall] : [] },
    request_latency: { unit: 'ms', avg: 300, p50: 300 },
    time_to_first_token: { unit: 'ms', avg: 50, p50: 50 },
    request_count: { unit: 'requests', avg: succeeded },
    error_request_count: { unit: 'requests', avg: failed },
    cancelled_request_count: { unit: 'requests', avg: cancelled },
  } as unknown as ProfileExport;
}
