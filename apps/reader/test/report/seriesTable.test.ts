import { formatValue } from '@org/core';
import { expect, test } from 'vitest';
import {
  createCounter,
  createGauge,
  createHistogram,
  createMetric,
} from '../../../../packages/analysis/test/documents.ts';
import { buildSeriesTable } from '../../src/report/seriesTable.ts';
import { createMetricRun } from '../support/reportedRuns.ts';

test('lists texts by index, then the statistics of each type', () => {
  const { columns, texts, rows } = buildSeriesTable(
    createMetricRun({
      tokens: createMetric('counter', [createCounter(40, { labels: { model: 'x' } })], 'tokens'),
      latency: createMetric('histogram', [createHistogram(100, 2)], 'seconds'),
    }),
  );
  expect(columns.slice(0, 5)).toEqual(['metric', 'type', 'endpoint', 'labels', 'unit']);
  expect(rows[0]!.slice(0, 5).map(index => texts[index!])).toEqual([
    'tokens',
    'counter',
    'localhost:8000',
    'model="x"',
    'tokens',
  ]);
  const getCell = (row: number, column: string): number | null => rows[row]![columns.indexOf(column)]!;
  expect([getCell(0, 'count'), getCell(0, 'rate /s'), getCell(0, 'avg')]).toEqual([40, 2, null]);
  expect([getCell(1, 'count'), getCell(1, 'avg')]).toEqual([100, 2]);
});

test('contains each text once, and counts omitted rows', () => {
  const series = Array.from({ length: 20_010 }, (_, i) => createGauge(1, { labels: { id: String(i) } }));
  const { rows, more, texts } = buildSeriesTable(createMetricRun({ many: createMetric('gauge', series) }));
  expect(rows).toHaveLength(20_000);
  expect(more).toBe(10);
  expect(new Set(texts).size).toBe(texts.length);
});

test.each([2714.4996, 1_234_499_600])(
  'keeps enough digits of %d to round it like the other commands',
  value => {
    const { rows, columns } = buildSeriesTable(
      createMetricRun({ level: createMetric('gauge', [createGauge(value)]) }),
    );
    const shown = rows[0]![columns.indexOf('avg')]!;
    expect(formatValue(shown, null)).toBe(formatValue(value, null));
  },
);
