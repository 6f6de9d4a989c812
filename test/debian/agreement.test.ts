import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openDuckDB } from '../../packages/formats/test/parquet/support/duckdb.ts';
import { writeParquetAsText } from './parquet.ts';
import { runPython } from './python.ts';

/** A run to recompute, and the minimum number of comparisons per check. */
interface Case {
  readonly title: string;
  readonly run: 'servers' | 'vllm' | 'histograms';
  readonly minComparisons: Readonly<Record<string, number>>;
}

const CASES: readonly Case[] = [
  {
    title: 'of Prometheus and its node exporter',
    run: 'servers',
    minComparisons: {
      timestamps: 14,
      records: 2,
      series: 500,
      rows: 500,
      'times of rows': 500,
      gauges: 2500,
      'totals in JSON': 200,
      'totals in Parquet': 200,
      rates: 200,
      'rates of timeslices': 800,
      histograms: 150,
      'histograms in Parquet': 150,
      'timeslices of gauges': 5000,
      'timeslices of counters': 4000,
      'timeslices of histograms': 500,
      'timeslices add up': 300,
      info: 2,
    },
  },
  {
    title: 'of a simulated vLLM server',
    run: 'vllm',
    minComparisons: {
      timestamps: 6,
      records: 1,
      series: 50,
      rows: 200,
      gauges: 80,
      'totals in JSON': 10,
      'totals in Parquet': 10,
      histograms: 200,
      'timeslices of histograms': 500,
      'timeslices add up': 200,
    },
  },
  {
    title: 'of a server that changes once, so that most bodies are equal',
    run: 'histograms',
    minComparisons: {
      timestamps: 6,
      records: 1,
      series: 102,
      rows: 1000,
      gauges: 13,
      'totals in JSON': 1,
      'totals in Parquet': 1,
      histograms: 1000,
      'histograms in Parquet': 1000,
      'timeslices of histograms': 2000,
      'timeslices add up': 1000,
    },
  },
];

interface Check {
  readonly comparisons: number;
  readonly differences: readonly string[];
}

const runs = inject('runs');
const query = openDuckDB();

describe.skipIf(!runs).each(CASES)(
  'the exports $title agree with a recomputation',
  ({ run, minComparisons }) => {
    let checks: Readonly<Record<string, Check>>;

    beforeAll(async () => {
      const folder = runs![run];
      await writeParquetAsText(query, folder);
      const script = join(import.meta.dirname, 'recompute.py');
      checks = (await runPython([script, folder], folder)) as Record<string, Check>;
    });

    test.each(Object.entries(minComparisons))('%s, in at least %i comparisons', (name, count) => {
      expect(checks[name]?.differences).toEqual([]);
      expect(checks[name]!.comparisons).toBeGreaterThanOrEqual(count);
    });

    test('no other comparison differs', () => {
      expect(Object.values(checks).flatMap(({ differences }) => differences)).toEqual([]);
    });
  },
);
