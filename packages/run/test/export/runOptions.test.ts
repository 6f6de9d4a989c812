import { expect, test } from 'vitest';
import { selectPercentileMethod } from '../../src/export/runOptions.ts';

test.each([
  ['servelens', 'moments', 'servelens', 'moments'],
  ['servelens', 'moments', 'aiperf-0.13', 'polynomial'],
  ['aiperf-0.13', 'linear', 'aiperf-0.13', 'linear'],
  ['aiperf-0.13', 'polynomial', 'servelens', 'polynomial'],
] as const)('a run of %s with %s is converted to %s with %s', (program, method, target, expected) => {
  expect(selectPercentileMethod({ compatibility: program, percentileMethod: method }, target)).toBe(expected);
});
