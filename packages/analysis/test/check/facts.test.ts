import { expect, test } from 'vitest';
import { createRun, createRunFromView } from '../../src/run/run.ts';
import { createDocument, createGauge, createMetric } from '../documents.ts';
import { evaluateRule, evaluateUnknown, type UnknownCase } from './runs.ts';

test.each<[string, boolean]>([
  ['endpoints.successful == endpoints.configured', false],
  ['endpoints.configured == 2 and endpoints.without_data == 1', true],
  ['scrapes.failed == 7 and scrapes.late == 0', true],
  ['run.profiling_seconds == 20s and run.series > 5', true],
  ['findings.problems >= 1', true],
])('%s is %s', (text, expected) => {
  expect(evaluateRule(text)).toBe(expected);
});

test.each<UnknownCase>([
  [
    'endpoints.nope == 1',
    /unknown value of endpoints; expected one of configured, successful, without_data/,
    'endpoints',
  ],
  ['run.interrupted == 0', /run\.interrupted is not in the files/, 'run'],
])('cannot evaluate %s', (text, expectedReason, prefix) => {
  const [reason, textFromOffset] = evaluateUnknown(text);
  expect(reason).toMatch(expectedReason);
  expect(textFromOffset.startsWith(prefix)).toBe(true);
});

test('cannot count endpoints if the file does not list them', () => {
  const csv = createRun({
    name: 'a',
    layout: 'csv',
    files: {},
    view: { schema_version: '1.0', metrics: {} },
  });
  expect(evaluateRule('endpoints.successful == endpoints.configured', csv)).toMatchObject({
    unknown: 'endpoints.successful is not in the files of the run',
  });
});

test('prefers a metric to a fact with the same name', () => {
  const withMetric = createRunFromView(createDocument({ scrapes: createMetric('gauge', [createGauge(3)]) }));
  expect(evaluateRule('scrapes.avg == 3', withMetric)).toBe(true);
});
