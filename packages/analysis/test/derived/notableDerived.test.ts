import { expect, test } from 'vitest';
import { formatDerived, selectNotableDerived } from '../../src/derived/notableDerived.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { createCounter, createDocument, createMetric, healthyInfo, URL_A, URL_B } from '../documents.ts';

const both = (...totals: readonly [number, number]): object =>
  createMetric('counter', [createCounter(totals[0]), createCounter(totals[1], { url: URL_B })]);

function listNotable(metrics: Readonly<Record<string, object>>): unknown[] {
  const view = createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo });
  return selectNotableDerived(createRunFromView(view)).map(({ name, endpoint }) => [name, endpoint]);
}

test('of several endpoints, the value of all together is shown', () => {
  expect(
    listNotable({ 'vllm:prefix_cache_hits': both(1, 2), 'vllm:prefix_cache_queries': both(4, 4) }),
  ).toEqual([['prefix_cache_hit_rate', null]]);
});

test.each([
  [0, []],
  [3, [['preemptions_per_request', null]]],
])('%d preemptions are shown as %j', (preemptions, expected) => {
  const metrics = { 'vllm:num_preemptions': both(preemptions, 0), 'vllm:request_success': both(4, 4) };
  expect(listNotable(metrics).filter(entry => (entry as string[])[0] === 'preemptions_per_request')).toEqual(
    expected,
  );
});

test.each([
  [0.9371, 'ratio', '93.7%'],
  [1.5, 'factor', '1.5×'],
  [3.4, 'tokens/drafts', '3.4 tokens/draft'],
  [2 ** 31, 'bytes/seconds', '2 GiB/s'],
  [1.25e12, 'operations/seconds', '1.25T operations/s'],
])('%d in %s is printed as %s', (value, unit, text) => {
  expect(formatDerived({ value, unit })).toBe(text);
});
