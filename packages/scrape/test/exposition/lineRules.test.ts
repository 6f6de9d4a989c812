import { expect, test } from 'vitest';
import { CLASSIC_RULES, type LineRules, OpenMetricsRules } from '../../src/exposition/lineRules.ts';
import { parseOpenMetrics } from '../../src/exposition/openMetricsParser.ts';

/** Rules for a counter (sample 0), a gauge (1) and a state set (2). */
const RULES = new OpenMetricsRules(
  parseOpenMetrics(
    Buffer.from('# TYPE c counter\nc_total 1\n# TYPE g gauge\ng 1\n# TYPE s stateset\ns{s="a"} 1\n# EOF\n'),
  ),
);

/** Reports whether text may follow the value of a sample. The text is in the middle of a larger buffer. */
function allowsTail(rules: LineRules, sample: number, text: string): boolean {
  const bytes = Buffer.from(`xx${text}yy`);
  return rules.allowTail(sample, bytes, 2, bytes.length - 2);
}

test.each([
  ['1700000000000', true],
  ['-1', true],
  ['', false],
  ['1.5', false],
  ['1 2', false],
])('the classic format allows %j after a value: %j', (text, isAllowed) => {
  expect(allowsTail(CLASSIC_RULES, 0, text)).toBe(isAllowed);
  expect(CLASSIC_RULES.allowValue(0, Number.NaN)).toBe(true);
});

test.each([
  [0, '1700000000.5', true],
  [0, '# {id="1"} 2 3', true],
  [0, '1 # {id="1"} 2', true],
  [0, '# {id="1} 2', false],
  [1, '5', true],
  [1, '# {id="1"} 2', false],
  [2, 'soon', false],
])('OpenMetrics, sample %d: allows %j after a value: %j', (sample, text, isAllowed) => {
  expect(allowsTail(RULES, sample, text)).toBe(isAllowed);
});

test.each([
  [0, 5, true],
  [0, -1, false],
  [0, Number.NaN, false],
  [1, -1, true],
  [1, Number.NaN, true],
  [2, 1, true],
  [2, 2, false],
])('OpenMetrics, sample %d: allows the value %d: %j', (sample, value, isAllowed) => {
  expect(RULES.allowValue(sample, value)).toBe(isAllowed);
});
