import { createRunFromView } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createHistogram,
  createMetric,
} from '../../../../packages/analysis/test/documents.ts';
import { renderSummaryMarkdown } from '../../src/summary/markdown.ts';
import { CLUSTER, createHostileRun, INCOMPLETE_RUNS } from '../support/summarizedRuns.ts';

test('lists endpoints with problems first, then metrics and findings', () => {
  const text = renderSummaryMarkdown(CLUSTER);
  expect(text).toMatch(
    /^## cluster\n\nprofiling 20 s of 20 s, 8 metrics in 96 series\n\n- ❌ `http:\/\/down:1/,
  );
  expect(text).toContain('### vLLM\n\n| metric | avg | p99 | max | total | per s | over time |');
  expect(text).toMatch(/\| `vllm:generation_tokens` ×12 \| .*48K \|/);
  expect(text).toMatch(/### Findings\n\n- ❌ \*\*/);
});

test('shows the stages of a request', () => {
  const latency = createMetric('histogram', [createHistogram(100, 2)], 'seconds');
  const run = createRunFromView(createDocument({ 'vllm:e2e_request_latency_seconds': latency }), 'x');
  expect(renderSummaryMarkdown(run)).toMatch(
    /### Time of a request\n\n\| stage .*\n.*\n\| rest of the server \| 2 s \| 100\.0% .*\n\| request \| 2 s \| 100\.0% /,
  );
});

test('omits columns without values', () => {
  const run = createRunFromView(
    createDocument({ 'vllm:generation_tokens': createMetric('counter', [createCounter(20)]) }),
    'x',
  );
  expect(renderSummaryMarkdown(run)).toContain('| metric | total | per s |');
});

test('counts many series instead of listing them', () => {
  const series = Array.from({ length: 20_000 }, (_, i) => createCounter(i, { labels: { i: String(i) } }));
  const run = createRunFromView(
    createDocument({ 'vllm:generation_tokens': createMetric('counter', series) }),
    'x',
  );
  expect(renderSummaryMarkdown(run)).toContain('×20000');
});

test('escapes text from servers', () => {
  const text = renderSummaryMarkdown(createHostileRun());
  for (const markup of ['\u001b', '\u202e', '<img', '@all', '|`']) expect(text).not.toContain(markup);
});

test.each(Object.entries(INCOMPLETE_RUNS))('renders an incomplete run: %s', (_, run) => {
  expect(renderSummaryMarkdown(run)).toMatch(/^## /);
});
