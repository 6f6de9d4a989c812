import type { Run } from '@org/analysis';
import { expect, test } from 'vitest';
import { openEndedRun } from '../../src/endedRun.ts';
import { countPoints } from '../../src/metrics/batch.ts';
import { countStatistics, listStatistics, MAX_BATCH_POINTS } from '../../src/metrics/statistics.ts';
import { createExports } from '../support/exports.ts';

test('lists the exported statistics of the client and of the servers', () => {
  const [families] = [...listStatistics(openEndedRun(createExports()))];
  const list = families!.flatMap(({ definition, points }) =>
    points.map(({ labels, value }) => [definition.name, labels, value]),
  );
  expect(list).toContainEqual([
    'servelens.result.client',
    { metric: 'request_latency', unit: 'ms', statistic: 'p99' },
    250,
  ]);
  expect(list).toContainEqual([
    'servelens.result.server',
    { exported_metric: 'x', engine: '0', endpoint: 'localhost:8000', metric: 'queue', statistic: 'avg' },
    3,
  ]);
});

test('splits statistics into parts of bounded size', () => {
  const series = (name: string) => ({
    name,
    type: 'gauge',
    unit: null,
    endpoint: 'e',
    labels: {},
    stats: { avg: 1, min: Number.NaN, max: 2 },
  });
  const families = new Map(
    Array.from({ length: 2500 }, (_, i) => [`m${i}`, { series: [series(`m${i}`)] }] as const),
  );
  const run = { families } as unknown as Run;
  const sizes = [...listStatistics(run)].map(families => countPoints({ families }));
  expect(sizes).toEqual([MAX_BATCH_POINTS, MAX_BATCH_POINTS, 1000]);
  expect(countStatistics(run)).toBe(2 * MAX_BATCH_POINTS + 1000);
});
