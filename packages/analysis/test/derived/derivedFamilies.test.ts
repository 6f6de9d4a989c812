import { expect, test } from 'vitest';
import { checkRun } from '../../src/check/checkRun.ts';
import { parseAssertion } from '../../src/check/rules.ts';
import { compareRuns } from '../../src/compare/compareRuns.ts';
import { withDerivedMetrics } from '../../src/derived/derivedFamilies.ts';
import { createRunFromView, type Run } from '../../src/run/run.ts';
import { createCounter, createDocument, createMetric, healthyInfo, URL_A, URL_B } from '../documents.ts';

const QUERIES = [100, 120, 80, 110, 90, 100, 105, 95, 100, 100];

/** Creates a run with a hit rate. */
function createRun(share: number, urls: readonly string[] = [URL_A]): Run {
  const create = (of: number): object =>
    createMetric(
      'counter',
      urls.map(url => createCounter(2000 * of, { url, slices: QUERIES.map(queries => queries * of) })),
    );
  const metrics = { 'vllm:prefix_cache_hits': create(share), 'vllm:prefix_cache_queries': create(1) };
  const infos = Object.fromEntries(urls.map(url => [url, healthyInfo]));
  return createRunFromView(createDocument(metrics, infos));
}

test.each([
  ['prefix_cache_hit_rate >= 30%', 'passed'],
  ['prefix_cache_hit_rate.value > 0.5', 'failed'],
  ['tokens_per_step > 1', 'unknown'],
])('the rule %s has %s', (rule, outcome) => {
  expect(checkRun(createRun(0.4), [parseAssertion(rule)])).toMatchObject([{ outcome }]);
});

test('a rule selects the value of all endpoints', () => {
  const run = createRun(0.4, [URL_A, URL_B]);
  const check = (rule: string): unknown => checkRun(run, [parseAssertion(rule)])[0];
  expect(check('prefix_cache_hit_rate{endpoint_url="all"} == 0.4')).toMatchObject({ outcome: 'passed' });
  expect(check('prefix_cache_hit_rate == 0.4')).toMatchObject({ outcome: 'unknown' });
});

test('a rule on a value that is unknown names the reason', () => {
  const [result] = checkRun(createRun(0.4), [parseAssertion('spec_decode_acceptance_rate > 0.5')]);
  expect(result).toMatchObject({
    outcome: 'unknown',
    detail:
      'spec_decode_acceptance_rate is unknown: needs spec_accepted_tokens, which vLLM at localhost:8000 does not export',
  });
});

test('compare has a row with a test and a direction', () => {
  const { rows } = compareRuns([createRun(0.4)], [createRun(0.2)]);
  expect(rows.find(({ name }) => name === 'prefix_cache_hit_rate')).toMatchObject({
    ...{ type: 'derived', stat: 'value', unit: 'ratio', better: 'higher', verdict: 'worse' },
    ...{ base: 0.4, new: 0.2, change: -0.5 },
  });
});

test('a metric of a server keeps its name', () => {
  const document = createDocument({
    prefix_cache_hit_rate: createMetric('counter', [createCounter(7)]),
    'vllm:prefix_cache_hits': createMetric('counter', [createCounter(1)]),
    'vllm:prefix_cache_queries': createMetric('counter', [createCounter(2)]),
  });
  const run = createRunFromView(document);
  expect(withDerivedMetrics(run).families.get('prefix_cache_hit_rate')?.type).toBe('counter');
});

test('the metrics of a run stay as they are', () => {
  const run = createRun(0.4);
  expect(withDerivedMetrics(run).seriesCount).toBe(run.seriesCount);
  expect(run.families.has('prefix_cache_hit_rate')).toBe(false);
});
