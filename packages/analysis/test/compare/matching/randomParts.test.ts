import { expect, test } from 'vitest';
import { compareRuns } from '../../../src/index.ts';
import { createMetric } from '../../documents.ts';
import { createTestRun, createTokens } from '../runs.ts';

const compareLabels = (label: string, base: string, other: string) => {
  const [from, to] = [base, other].map(value =>
    createTestRun({ c: createMetric('counter', [createTokens(1000, { labels: { [label]: value } })]) }),
  );
  return compareRuns([from!], [to!]);
};

test.each([
  ['dynamo_endpoint', 'worker_kv_query_source_1493cde33e81e1', 'worker_kv_query_source_85bf7d1f621d1'],
  ['session', '0f8fad5b-d9cb-469f-a165-70867728950e', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  ['router', '14763259968972587614', '7366816782341008627'],
  ['router_worker_id', '1', '2'],
])('matches series whose label %s has a random part', (label, base, other) => {
  const { rows, onlyBase, notes } = compareLabels(label, base, other);
  expect([rows.length, onlyBase.length]).toEqual([1, 0]);
  expect(notes.join('\n')).toMatch(new RegExp(`label ${label} differ`));
});

test('reports an ignored label with random values once', () => {
  const { notes } = compareLabels('router_worker_id', '14763259968972587614', '7366816782341008627');
  expect(notes.filter(note => /router_worker_id/.test(note))).toEqual([
    'label router_worker_id differs between runs and is ignored',
  ]);
});

test('keeps the rest of a label value', () => {
  const { rows } = compareLabels('e', 'source_1493cde33e81e1', 'source_85bf7d1f621d1');
  expect(rows[0]!.labels).toEqual({ e: 'source_*' });
});

test.each([
  ['engine', '0', '1'],
  ['model', 'defaced', 'facade'],
  ['model', 'llama-3.1-8b', 'llama-3.1-70b'],
  ['path', '/v1/chat/completions', '/v1/completions'],
])('does not match series whose label %s is %s and %s', (label, base, other) => {
  expect(compareLabels(label, base, other).rows).toEqual([]);
});
