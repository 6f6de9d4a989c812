import type { SeriesChunk } from '@org/formats/parquet';
import { expect, test } from 'vitest';
import { SeriesPacker, unpackSeries } from '../../../src/export/parquetThread/seriesMessage.ts';

const IDENTITY = {
  endpointUrl: 'http://a/metrics',
  metricName: 'm',
  unit: null,
  description: 'Text',
  labels: [['a', '1']],
} as const;
const timestampsNs = new BigInt64Array([1n, 2n, 2n ** 62n]);

const CHUNKS: readonly SeriesChunk[] = [
  { ...IDENTITY, metricType: 'gauge', timestampsNs, values: new Float64Array([1, -0, 1e300]) },
  {
    ...IDENTITY,
    metricType: 'histogram',
    timestampsNs,
    histogram: {
      sums: new Float64Array([1.5, 2.5, 3.5]),
      // A view of a part of a buffer.
      counts: new Float64Array([9, 1, 2, 3]).subarray(1),
      bounds: ['1', '+Inf'],
      bucketCounts: [new Float64Array([0, 1, 2]), new Float64Array([1, 2, 3])],
    },
  },
  {
    ...IDENTITY,
    metricType: 'histogram',
    timestampsNs: timestampsNs.subarray(1),
    histogram: {
      sums: null,
      counts: new Float64Array([1, 2]),
      bounds: ['+Inf'],
      bucketCounts: [new Float64Array([1, 2])],
    },
  },
  { ...IDENTITY, metricType: 'counter', timestampsNs: new BigInt64Array(), values: new Float64Array() },
];

test('series are restored from one buffer', () => {
  const packer = new SeriesPacker();
  for (const chunk of CHUNKS) packer.add(chunk);
  expect([...unpackSeries(structuredClone(packer.take()))]).toEqual(CHUNKS);
  expect(packer.isEmpty).toBe(true);
});

test('the arrays of the caller are copied', () => {
  const packer = new SeriesPacker();
  const values = new Float64Array([1, 2, 3]);
  packer.add({ ...CHUNKS[0]!, values });
  values.fill(0);
  const [series] = unpackSeries(packer.take());
  expect(series!.values).toEqual(new Float64Array([1, 2, 3]));
});

test('a series that is longer than a message fits into an empty one', () => {
  const samples = 1 << 18;
  const long = {
    ...CHUNKS[0]!,
    timestampsNs: new BigInt64Array(samples),
    values: new Float64Array(samples).fill(2),
  };
  const packer = new SeriesPacker();
  expect(packer.hasRoomFor(long)).toBe(true);
  packer.add(CHUNKS[0]!);
  expect(packer.hasRoomFor(long)).toBe(false);
  packer.take();
  packer.add(long);
  const [series] = unpackSeries(packer.take());
  expect(series!.values!.every(value => value === 2)).toBe(true);
});
