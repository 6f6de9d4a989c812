import { createRun } from '@org/analysis';
import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { createCounter, createDocument, createMetric } from '../../../../packages/analysis/test/documents.ts';
import { renderSummaryMarkdown } from '../../src/summary/markdown.ts';
import { renderProblems, renderRun, renderSummary } from '../../src/summary/screen.ts';

const SCREEN = { width: 100, height: 50, color: false };
const VIEW = createDocument({
  'vllm:request_success': createMetric('counter', [
    createCounter(63, { labels: { finished_reason: 'stop' } }),
    createCounter(5, { labels: { finished_reason: 'abort' } }),
    createCounter(30, { labels: { finished_reason: 'error' } }),
  ]),
  'vllm:num_preemptions': createMetric('counter', [createCounter(4)]),
});
const PROFILE = {
  schema_version: '1.3',
  request_count: { unit: 'requests', avg: 63 },
  error_request_count: { unit: 'requests', avg: 32 },
  cancelled_request_count: { unit: 'requests', avg: 5 },
  error_summary: [
    { error_details: { type: 'HttpError', code: 500, message: 'HTTP status 500: crash' }, count: 30 },
    { error_details: { type: 'ConnectionReset', message: 'read ECONNRESET' }, count: 2 },
  ],
} as unknown as ProfileExport;
const RUN = createRun({ name: 'r', layout: 'json', files: {}, view: VIEW, profile: PROFILE });

const FAILURES = [
  '✗ requests failed  32 of 100 requests (32%): 30 × HTTP 500: crash, 2 × ConnectionReset: read',
  '  ECONNRESET',
  '✗ requests failed on the server  30 failed: 30 × error',
];

test('failures and problems come before the metrics', () => {
  const lines = renderRun(RUN, SCREEN).split('\n');
  const indices = [
    lines.findIndex(line => line.startsWith('✗ requests failed  32 of 100')),
    lines.findIndex(line => line.startsWith(FAILURES[2]!)),
    lines.findIndex(line => /requests were preempted/.test(line)),
    lines.findIndex(line => /^ vLLM +/.test(line)),
  ];
  expect(indices).not.toContain(-1);
  expect(indices).toEqual([...indices].sort((a, b) => a - b));
});

test.each([40, 80, 120])('the evidence of a finding is never truncated at a width of %i', width => {
  const text = renderRun(RUN, { ...SCREEN, width, height: 20 }).replaceAll(/\n */g, ' ');
  expect(text).toContain('30 × HTTP 500: crash, 2 × ConnectionReset: read ECONNRESET');
});

test('Markdown lists failures before the metrics', () => {
  const text = renderSummaryMarkdown(RUN);
  const indices = ['### Failures', '### vLLM', '### Findings'].map(heading => text.indexOf(heading));
  expect(indices).not.toContain(-1);
  expect(indices).toEqual([...indices].sort((a, b) => a - b));
});

test('a profile run lists its failures and problems separately from its server metrics', () => {
  const { unavailability, others } = renderProblems(VIEW, PROFILE, SCREEN);
  expect(unavailability).toEqual([]);
  expect(others.slice(0, FAILURES.length)).toEqual(FAILURES);
  expect(others[FAILURES.length]).toMatch(/^✗ requests were preempted/);
  expect(renderProblems(VIEW, PROFILE, SCREEN, ['failed-client-requests']).others[0]).toBe(FAILURES[2]);
  const summary = renderSummary(VIEW, { ...SCREEN, context: { profile: PROFILE }, omitsProblems: true });
  expect(summary).not.toContain('failed');
  expect(summary).not.toContain('preempted');
});
