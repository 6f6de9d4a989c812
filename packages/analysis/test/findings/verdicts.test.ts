import type { ProfileExport } from '@org/formats';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFindings } from '../../src/findings/findFindings.ts';
import { LOAD_RULES } from '../../src/findings/loadRules.ts';
import type { Finding } from '../../src/findings/rule.ts';
import { createRun } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';
import type { Metrics } from './runs.ts';

const LOAD_IDS: ReadonlySet<string> = new Set(LOAD_RULES.map(({ id }) => id));

/** The direction of a recommendation on the load. */
const DIRECTIONS: Readonly<Record<string, RegExp>> = {
  increase: /increase (?:concurrency|the load)/i,
  reduce: /reduce (?:the )?(?:concurrency|request rate)|fewer or shorter requests/i,
  distribute: /load balancer or router/i,
};

function listDirections(findings: readonly Finding[]): string[] {
  const advice = findings.map(({ advice }) => advice).join('\n');
  return Object.keys(DIRECTIONS).filter(name => DIRECTIONS[name]!.test(advice));
}

/** The levels of one engine. */
interface EngineLevels {
  readonly running: number;
  readonly runningMax: number;
  readonly waiting: number;
  readonly kv: number;
  readonly preemptions: number;
  readonly slices: readonly number[];
}

const LEVEL = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.double({ min: 3, max: 200, noNaN: true }),
);

const ENGINE: fc.Arbitrary<EngineLevels> = fc.record({
  running: LEVEL,
  runningMax: LEVEL,
  waiting: LEVEL,
  kv: fc.double({ min: 0, max: 1, noNaN: true }),
  preemptions: fc.oneof(fc.constant(0), fc.nat(100)),
  slices: fc.array(LEVEL, { maxLength: 8 }),
});

const CLIENT = fc.record({
  event_loop_delay_p99_ms: fc.double({ min: 0, max: 100, noNaN: true }),
  send_delay_p99_ms: fc.double({ min: 0, max: 500, noNaN: true }),
  event_loop_utilization: fc.double({ min: 0, max: 1, noNaN: true }),
});

const URLS = [URL_A, URL_B, 'http://third:1/metrics'];

function createMetrics(engines: readonly EngineLevels[], frontend: number | undefined): Metrics {
  const createGauges = (read: (engine: EngineLevels) => object): object =>
    createMetric(
      'gauge',
      engines.map((engine, i) => ({ ...read(engine), endpoint_url: URLS[i] })),
    );
  return {
    'vllm:num_requests_running': createGauges(({ running, runningMax }) =>
      createGauge(running, { max: Math.max(running, runningMax) }),
    ),
    'vllm:num_requests_waiting': createGauges(({ waiting, slices }) => createGauge(waiting, { slices })),
    'vllm:kv_cache_usage_perc': createGauges(({ kv }) => createGauge(kv / 2, { max: kv })),
    'vllm:num_preemptions': createMetric(
      'counter',
      engines.map(({ preemptions }, i) => createCounter(preemptions, { url: URLS[i]! })),
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

function createProfile(client: object): ProfileExport {
  return {
    schema_version: '1.3',
    load_generator: { tokenizer: 'server', ...client },
    request_latency: { unit: 'ms', avg: 300, p50: 300 },
    time_to_first_token: { unit: 'ms', avg: 50, p50: 50 },
  } as unknown as ProfileExport;
}

test('findings never contradict each other: one verdict on the load, and one direction of advice', () => {
  const runs = fc.record({
    engines: fc.array(ENGINE, { minLength: 1, maxLength: 3 }),
    frontend: fc.option(LEVEL, { nil: undefined }),
    client: fc.option(CLIENT, { nil: undefined }),
  });
  const reported = new Set<string>();
  fc.assert(
    fc.property(runs, ({ engines, frontend, client }) => {
      const infos = Object.fromEntries(engines.map((_, i) => [URLS[i]!, healthyInfo]));
      const findings = findFindings(
        createRun({
          name: '',
          layout: 'json',
          files: {},
          view: createDocument(createMetrics(engines, frontend), infos),
          ...(client && { profile: createProfile(client) }),
        }),
      );
      const verdicts = findings.filter(({ id }) => LOAD_IDS.has(id));
      expect(verdicts.length).toBeLessThanOrEqual(1);
      expect(listDirections(findings).length).toBeLessThanOrEqual(1);
      for (const { id } of verdicts) reported.add(id);
    }),
    { numRuns: 500 },
  );
  // The levels are varied enough to cause most verdicts.
  expect(reported.size).toBeGreaterThanOrEqual(6);
});

test('a rule that is omitted makes no room for another verdict', () => {
  const metrics = createMetrics(
    [{ running: 60, runningMax: 64, waiting: 30, kv: 0.95, preemptions: 9, slices: [] }],
    undefined,
  );
  const run = createRun({ name: '', layout: 'json', files: {}, view: createDocument(metrics) });
  const listIds = (without: string[]): string[] =>
    findFindings(run, { without })
      .map(({ id }) => id)
      .filter(id => LOAD_IDS.has(id));
  expect(listIds([])).toEqual(['full-kv-cache']);
  expect(listIds(['full-kv-cache'])).toEqual([]);
});
