import { expect, test } from 'vitest';
import { checkLabels, toTargetLabels } from '../../src/sources/labels.ts';

test.each([
  [
    { job: 'vllm', pod: 'a' },
    { job: 'vllm', pod: 'a' },
  ],
  [{ __meta_node: 'n1', __scheme__: 'https', __tmp: 'x' }, { node: 'n1' }],
  [{ __meta_job: 'meta', job: 'own' }, { job: 'own' }],
  [{ empty: '' }, {}],
])('converts the labels %j to %j', (labels, expected) => {
  expect(toTargetLabels(labels, 'group 1')).toEqual(expected);
});

test.each([
  [{ 'a-b': '1' }, 'group 1 has the invalid label name "a-b"; expected letters, digits and underscores'],
  [{ '1a': '1' }, 'invalid label name "1a"'],
  [{ a: 'x\ny' }, 'group 1: the value of label "a" contains a control character'],
  [{ a: '\ud800' }, 'contains a control character'],
  [{ a: 'x'.repeat(5000) }, 'the value of label "a" has 5000 characters; expected at most 4096'],
  [
    Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`l${i}`, '1'])),
    'has 200 labels; expected at most 128',
  ],
])('rejects the labels %j', (labels, message) => {
  expect(() => toTargetLabels(labels, 'group 1')).toThrow(message);
});

test.each([[[]], [null], ['x'], [{ a: 1 }]])(
  'rejects %j, which is not a mapping of names to texts',
  value => {
    expect(() => checkLabels(value, 'group 1')).toThrow(
      'group 1 has invalid labels; expected a mapping of names to texts',
    );
  },
);
