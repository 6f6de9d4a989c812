import { describe, expect, test } from 'vitest';
import {
  findMetricNameEnd,
  isLabelName,
  isMetricName,
  unescapeHelp,
  unescapeValue,
} from '../../src/exposition/names.ts';

describe('names', () => {
  test.each([
    ['a', true, true],
    ['_a1', true, true],
    ['__proto__', true, true],
    ['a:b', true, false],
    [':a', true, false],
    ['1a', false, false],
    ['a.b', false, false],
    ['a-b', false, false],
    ['é', false, false],
    ['a\n', false, false],
    ['', false, false],
  ])('%j: metric name %j, label name %j', (name, isMetric, isLabel) => {
    expect([isMetricName(name), isLabelName(name)]).toEqual([isMetric, isLabel]);
    const bytes = Buffer.from(`${name} `);
    expect(findMetricNameEnd(bytes, 0, bytes.length) === bytes.length - 1 && name !== '').toBe(isMetric);
  });
});

describe('escapes', () => {
  test.each([
    ['a', 'a', 'a'],
    ['\\\\', '\\', '\\'],
    ['\\n', '\n', '\n'],
    ['\\"', '"', '\\"'],
    ['\\\\n', '\\n', '\\n'],
    ['\\t\\', '\\t\\', '\\t\\'],
  ])('unescapes %j to %j in a label value and %j in HELP', (written, value, help) => {
    expect([unescapeValue(written), unescapeHelp(written)]).toEqual([value, help]);
  });
});
