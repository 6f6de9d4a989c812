import { expect, test } from 'vitest';
import { createRunFromView } from '../../src/run/run.ts';
import { createCounter, createDocument, createMetric, healthyInfo, URL_A } from '../documents.ts';
import { evaluateRule } from './runs.ts';

/** Three errors of a cold server, whose counter was created by the first one: two after its first sample. */
const ERRORS = createCounter(2, {
  stats: { created_in_run: true, increase: 3, increase_rate: 0.3 },
});
const run = createRunFromView(
  createDocument({ errors: createMetric('counter', [ERRORS]) }, { [URL_A]: healthyInfo }),
);

test.each([
  ['errors.total == 3', true],
  ['errors.total == 0', false],
  ['increase(errors) == 3', true],
  ['sum(errors.total) == 2', false],
  ['errors.rate == 0.3', true],
])('a gate on a counter that was created in the run counts all its events: %s', (text, expected) => {
  expect(evaluateRule(text, run)).toBe(expected);
});
