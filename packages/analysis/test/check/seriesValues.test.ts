import { expect, test } from 'vitest';
import { checkRun } from '../../src/check/checkRun.ts';
import { parseAssertion } from '../../src/check/rules.ts';
import { createRunFromView } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
} from '../documents.ts';
import { evaluateRule, evaluateUnknown, type UnknownCase } from './runs.ts';

test.each<[string, boolean]>([
  ['increase(vllm:num_preemptions) == 7', true],
  ['increase(vllm:e2e_request_latency_seconds) == 100', true],
  ['sum(increase(vllm:request_success)) == 100', true],
  ['count(vllm:request_success) == 2', true],
  ['count(nope) == 0', true],
])('%s is %s', (text, expected) => {
  expect(evaluateRule(text)).toBe(expected);
});

test.each<UnknownCase>([
  ['increase(nope) == 0', /no metric nope/, 'nope'],
  ['increase(other:nothing) == 0', /is a gauge; increase\(\) takes counters and histograms/, 'other'],
  ['vllm:generation_tokens.p99 < 1', /no statistic p99 in .*; expected one of total, rate/, 'vllm'],
  ['vllm:generation_tokens < 1', /choose one of total, rate/, 'vllm'],
  ['vllm:time_to_first_token_seconds.p99_estimate < 1', /the series has no observations in the run/, 'vllm'],
  [
    'vllm:request_success.total > 1',
    /2 series of .*finished_reason="stop".*aggregate with sum\(\), avg\(\), min\(\) or max\(\)/,
    'vllm',
  ],
  [
    'vllm:request_success{finished_reason="x"}.total > 1',
    /with these labels; existing series: .*finished_reason="stop"/,
    'vllm',
  ],
  ['vllm:generation_tokens.constructor > 1', /no statistic constructor in/, 'vllm'],
])('cannot evaluate %s', (text, expectedReason, prefix) => {
  const [reason, textFromOffset] = evaluateUnknown(text);
  expect(reason).toMatch(expectedReason);
  expect(textFromOffset.startsWith(prefix)).toBe(true);
});

test('a rate of a server that died is not the rate of the run', () => {
  const info = {
    ...healthyInfo,
    last_fetch_ns: START_NS + 7n * SECOND_NS,
    last_failure_ns: START_NS + 20n * SECOND_NS,
    outages: [{ start_ns: START_NS + 8n * SECOND_NS, scrapes: 39, reason: 'refused', message: 'refused' }],
  };
  const metrics = {
    tokens: createMetric('counter', [createCounter(7000, { stats: { rate: 1000, rate_avg: 1000 } })]),
  };
  const run = createRunFromView(createDocument(metrics, { [URL_A]: info }));
  const check = (text: string) => checkRun(run, [parseAssertion(text)])[0]!;
  expect(check('tokens.rate > 900')).toMatchObject({
    outcome: 'unknown',
    detail:
      'tokens.rate is not the rate of the run: localhost:8000 stopped responding after 7 s and did not recover',
  });
  expect(check('tokens.rate_avg > 900').outcome).toBe('unknown');
  expect(check('increase(tokens) > 900').outcome).toBe('passed');
});

test('the increase of a counter that behaves like a gauge cannot be evaluated', () => {
  const metrics = { bytes: createMetric('counter', [createCounter(70, { stats: { decreases: 9 } })]) };
  const run = createRunFromView(createDocument(metrics));
  const check = (text: string) => checkRun(run, [parseAssertion(text)])[0]!;
  expect(check('increase(bytes) > 9')).toMatchObject({
    outcome: 'unknown',
    detail: expect.stringMatching(/^bytes.* behaves like a gauge; its increase is unknown$/),
  });
  expect(check('bytes.total > 9').outcome).toBe('unknown');
});

test('counters of an endpoint that mixes several servers cannot be evaluated', () => {
  const resets = Array.from({ length: 20 }, (_, i) => ({
    previous_ns: START_NS + BigInt(i) * SECOND_NS,
    at_ns: START_NS + BigInt(i + 1) * SECOND_NS,
    counters: 9,
  }));
  const metrics = {
    tokens: createMetric('counter', [createCounter(7000)]),
    running: createMetric('gauge', [createGauge(3)]),
  };
  const run = createRunFromView(createDocument(metrics, { [URL_A]: { ...healthyInfo, resets } }));
  const check = (text: string) => checkRun(run, [parseAssertion(text)])[0]!;
  const symptom =
    'the counters of localhost:8000 fell at least 20 times, although it responded to the scrapes';
  expect(check('tokens.total > 900')).toMatchObject({
    outcome: 'unknown',
    detail: `tokens.total mixes several processes: ${symptom}`,
  });
  expect(check('increase(tokens) > 900')).toMatchObject({
    outcome: 'unknown',
    detail: `increase(tokens) mixes several processes: ${symptom}`,
  });
  expect(check('running.avg < 4').outcome).toBe('passed');
});

test('a metric with a single statistic does not need its name', () => {
  const failed = { endpoint_url: URL_A, stats: { avg: 3 } };
  const run = createRunFromView(createDocument({ failed: createMetric('gauge', [failed]) }));
  const outcomes = ['failed == 3', 'failed == 0'].map(
    text => checkRun(run, [parseAssertion(text)])[0]!.outcome,
  );
  expect(outcomes).toEqual(['passed', 'failed']);
});
