import { expect, test } from 'vitest';
import { createRunIdentity } from '../../src/metrics/runIdentity.ts';

test.each([
  ['chat', 'chat'],
  ['completions', 'text_completion'],
  ['embeddings', 'embeddings'],
])('the API %s is the operation %s', (endpointType, operation) => {
  const { labels } = createRunIdentity('id', 0, '1', { models: ['a', 'b'], endpointType }, {});
  expect(labels).toEqual({ 'gen_ai.request.model': 'a,b', 'gen_ai.operation.name': operation });
});

test('unknown labels are absent', () => {
  expect(createRunIdentity('id', 0, '1', {}, {}).labels).toEqual({});
});

test.each([
  [{ api_key: 'abcdef' }, { api_key: '<redacted>' }],
  [{ note: 'Bearer abcdef123' }, { note: 'Bearer <redacted>' }],
  [{ source: 'http://me:word@host/x' }, { source: 'http://host/x' }],
  [{ team: 'search' }, { team: 'search' }],
])('secrets in the labels %j are replaced', (given, expected) => {
  expect(createRunIdentity('id', 0, '1', {}, given).userLabels).toEqual(expected);
});
