import { expect, test } from 'vitest';
import { createEstimateCell } from '../../client/metricTable.ts';

test.each([
  [null, '', null],
  [[0.5, null], '500 ms', 0.5],
  [[0.5, 0.02], '500 ms ± 20 ms', 0.5],
] as const)('formats the value %j', (value, text, sort) => {
  expect(createEstimateCell(value, 'seconds')).toEqual({ text, sort });
});
