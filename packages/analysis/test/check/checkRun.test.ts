import { expect, test } from 'vitest';
import { checkRun, toExitCode } from '../../src/check/checkRun.ts';
import { InvalidRuleError, parseAssertion } from '../../src/check/rules.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { createDocument, createGauge, createMetric } from '../documents.ts';

const createGaugeRun = (avg: number) =>
  createRunFromView(createDocument({ a: createMetric('gauge', [createGauge(avg)]) }));
const run = createGaugeRun(4);

test.each<[string, object]>([
  ['a.avg < 5', { outcome: 'passed', detail: 'found 4, required < 5' }],
  ['a.avg < 3 or a.max < 5', { outcome: 'failed', detail: 'found 4, required < 3; found 8, required < 5' }],
  ['1 == 1 and nope.avg < 3', { outcome: 'unknown', detail: 'no metric nope', offset: 11 }],
])('checks %s', (text, expected) => {
  expect(checkRun(run, [parseAssertion(text)])).toMatchObject([expected]);
});

test('compares with a baseline', () => {
  const rules = [parseAssertion('a.avg < baseline * 1.5')];
  expect(checkRun(run, rules, createGaugeRun(3))[0]!.outcome).toBe('passed');
  expect(checkRun(run, rules, createGaugeRun(2))[0]!.outcome).toBe('failed');
  expect(checkRun(run, rules)[0]!.outcome).toBe('unknown');
});

test('throws for a rule with an invalid regular expression', () => {
  const rules = [parseAssertion('a{x=~"("}.avg < 5')];
  expect(() => checkRun(run, rules)).toThrow(InvalidRuleError);
  expect(() => checkRun(run, rules)).toThrow(/^--assert: invalid regular expression: /);
});

test.each<[string[], number]>([
  [['a.avg < 5'], 0],
  [['a.avg < 5', 'a.avg < 3'], 1],
  [['a.avg < 5', 'nope.avg < 3'], 2],
  [['a.avg < 3', 'nope.avg < 3'], 1],
  [['a.avg < 5', 'warn a.avg < 3', 'warn nope.avg < 3'], 0],
])('%j has the exit code %i', (texts, code) => {
  expect(toExitCode(checkRun(run, texts.map(parseAssertion)))).toBe(code);
});
