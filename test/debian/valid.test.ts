import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { runServelens } from '../servelens.ts';

const runs = inject('runs');
const FORMATS = ['json', 'csv', 'jsonl', 'parquet'];

/**
 * The linear method ignores a histogram's sum and may exceed the bounds that follow from it, which is a
 * warning.
 */
const RUNS = [
  { run: 'servers', options: ['--strict'] },
  { run: 'vllm', options: ['--strict'] },
  { run: 'histograms', options: [] },
] as const;

describe.skipIf(!runs).each(RUNS)('exports of the run $run', ({ run, options }) => {
  test.each(FORMATS)('%s is valid', async format => {
    const file = join(runs![run], `server_metrics_export.${format}`);
    const { code, stdout, stderr } = await runServelens(['validate', ...options, file]);
    expect(code, stdout + stderr).toBe(0);
  });
});
