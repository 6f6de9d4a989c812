import { expect, test } from 'vitest';
import { countSamples, flattenBatch } from '../../src/metrics/flatSeries.ts';
import { COUNTER_FAMILY, createBatch, createGauges, HISTOGRAM_FAMILY } from '../support/batches.ts';

test('a histogram becomes cumulative buckets, a sum and a count, with sorted labels', () => {
  const [family] = flattenBatch(createBatch(0, [HISTOGRAM_FAMILY]), { zone: 'a' });
  const name = 'gen_ai_client_operation_duration_seconds';
  const text = family!.samples.map(
    ({ name, labels, value }) => `${name} ${labels.map(pair => pair.join('=')).join(' ')} ${value}`,
  );
  expect(text).toEqual([
    `${name}_bucket le=0.5 phase=profiling zone=a 1`,
    `${name}_bucket le=1 phase=profiling zone=a 2`,
    `${name}_bucket le=+Inf phase=profiling zone=a 3`,
    `${name}_sum phase=profiling zone=a 4.25`,
    `${name}_count phase=profiling zone=a 3`,
  ]);
});

test.each([
  ['gauges', createGauges(3)],
  ['a histogram', createBatch(0, [HISTOGRAM_FAMILY])],
  ['several metrics', createBatch(0, [COUNTER_FAMILY, HISTOGRAM_FAMILY])],
])('counts the samples of %s without creating them', (_, batch) => {
  const created = flattenBatch(batch, {}).flatMap(({ samples }) => samples);
  expect(countSamples(batch)).toBe(created.length);
});
