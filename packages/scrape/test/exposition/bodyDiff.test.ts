import { expect, test } from 'vitest';
import { BodyDiff } from '../../src/exposition/bodyDiff.ts';
import { parseClassic } from '../../src/exposition/classicParser.ts';
import { CLASSIC_RULES } from '../../src/exposition/lineRules.ts';

/** Creates a BodyDiff for a body. By default, the sample at index N has slot N. */
function createDiff(body: string, slots?: number[]): BodyDiff {
  const samples = parseClassic(Buffer.from(body)).families.flatMap(family => family.samples);
  return new BodyDiff(samples, Int32Array.from(slots ?? samples.keys()), CLASSIC_RULES);
}

/**
 * Reads the changed values. Returns their number, or -1 if a full parse is required, and the values by slot (0 unless
 * written).
 */
function readNext(diff: BodyDiff, before: string, next: string): [number, number[]] {
  const values = new Float64Array(4);
  const count = diff.read(Buffer.from(before), Buffer.from(next), values);
  return [count, [...values]];
}

const BODY = '# TYPE a gauge\na 1\nb{x="y"} 22 5\nc 333\n';

test.each<[string, string, [number, number[]]]>([
  ['nothing', BODY, [0, [0, 0, 0, 0]]],
  ['one value', BODY.replace('22', '23'), [1, [0, 23, 0, 0]]],
  ['a longer value', BODY.replace('a 1', 'a 1000'), [1, [1000, 0, 0, 0]]],
  ['a shorter value', BODY.replace('333', '3'), [1, [0, 0, 3, 0]]],
  ['a timestamp', BODY.replace(' 5', ' 99'), [1, [0, 22, 0, 0]]],
  [
    'all values',
    BODY.replace('a 1', 'a -7').replace('22', 'NaN').replace('333', '+Inf'),
    [3, [-7, Number.NaN, Number.POSITIVE_INFINITY, 0]],
  ],
])('writes the changed values if %s changed', (_, next, expected) => {
  expect(readNext(createDiff(BODY), BODY, next)).toEqual(expected);
});

test.each([
  ['a name', BODY.replace('b{', 'd{')],
  ['a label', BODY.replace('"y"', '"z"')],
  ['a comment', BODY.replace('gauge', 'counter')],
  ['a new line at the end', `${BODY}d 1\n`],
  ['a missing line', BODY.replace('c 333\n', '')],
  ['an invalid value', BODY.replace('22', 'x')],
  ['an invalid timestamp', BODY.replace(' 5', ' soon')],
])('requires a full parse after a change of %s', (_, next) => {
  expect(readNext(createDiff(BODY), BODY, next)[0]).toBe(-1);
});

test('finds values whose offsets changed because an earlier value has another length', () => {
  const diff = createDiff(BODY);
  const second = BODY.replace('a 1', 'a 12345678901234567890');
  const third = second.replace('333', '4');
  expect(readNext(diff, BODY, second)[0]).toBe(1);
  expect(readNext(diff, second, third)).toEqual([1, [0, 0, 4, 0]]);
  expect(readNext(diff, third, BODY)).toEqual([2, [1, 0, 333, 0]]);
});

test('skips samples without a slot', () => {
  const diff = createDiff(BODY, [-1, 0, 1]);
  expect(readNext(diff, BODY, BODY.replace('a 1', 'a 2').replace('22', '23'))).toEqual([1, [23, 0, 0, 0]]);
});
