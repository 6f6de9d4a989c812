import type { Run } from '@org/analysis';
import { expect, test } from 'vitest';
import { readLoad } from '../../../src/report/model/runLoad.ts';

test.each([
  [undefined, '256 tokens in, 200 tokens out'],
  [190, '256 tokens in, 200 tokens out'],
  [119.2, '256 tokens in, 119 of 200 tokens out on average'],
  [300, '256 tokens in, 300 tokens out on average instead of 200'],
])('describes 200 tokens asked for and %s tokens delivered as %j', (mean, expected) => {
  const inputConfig = { datasets: [{ prompts: { isl: 256, osl: { mean: 200 } } }] };
  const series = { endpoint: 'client', labels: {}, stats: { avg: mean } };
  const families = new Map(mean === undefined ? [] : [['output_sequence_length', { series: [series] }]]);
  expect(readLoad({ inputConfig, families } as unknown as Run).description).toBe(expected);
});
