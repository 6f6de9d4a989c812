import { expect, test } from 'vitest';
import { AscendingValues } from '../../src/metrics/ascendingValues.ts';

/** Returns values in no order, some of them equal. */
function createValues(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => ((i * 7919) % 1009) - 100);
}

test.each([
  ['few values', [1, 3, 4, 10]],
  ['many values', [5000, 5001, 5001, 9000]],
  ['values that become many', [10, 500, 1000, 1001, 3000]],
])('returns %s in ascending order each time that some are added', (_, counts) => {
  const all = createValues(counts.at(-1)!);
  const ascending = new AscendingValues();
  for (const count of counts) {
    const values = all.subarray(0, count);
    expect(ascending.update(values)).toEqual(values.slice().sort());
  }
});

test('returns NaN last, also among added values', () => {
  const all = Float64Array.of(...createValues(1500), Number.NaN, ...createValues(1500), Number.NaN, 5);
  const ascending = new AscendingValues();
  for (const count of [1501, 1502, 3001, 3003])
    expect(ascending.update(all.subarray(0, count))).toEqual(all.slice(0, count).sort());
});

test('sorts all values again after the copy is released', () => {
  const ascending = new AscendingValues();
  const values = createValues(2000);
  for (let i = 0; i < 2; i++) ascending.update(values);
  ascending.clear();
  expect(ascending.update(Float64Array.of(2, 1))).toEqual(Float64Array.of(1, 2));
});
