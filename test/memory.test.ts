import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeJsonl, writeParquet } from '../benchmarks/src/exports/exportFiles.ts';
import { type ProcessResult, runNode } from '../benchmarks/src/measure/measuredProcess.ts';
import { root } from './source.ts';

/**
 * Maximum memory of a validation in MB, independent of the file size. `npm run bench -- validate` uses files about
 * twenty times as large.
 */
const MAX_MEMORY_MB = 200;
const BIN = join(root, 'packages/formats/bin/servelens-validate.js');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Validates a file in a separate process. Fails if the file is invalid. */
async function validateInProcess(file: string): Promise<ProcessResult> {
  const result = await runNode([BIN, '--json', file]);
  expect(JSON.parse(result.stdout)).toMatchObject({ valid: true, files: [{ issues: [] }] });
  return result;
}

describe('memory use of a validation is limited', () => {
  test('for 60 MB of JSON lines', async () => {
    const file = join(folder, 'server_metrics_export.jsonl');
    expect(await writeJsonl(file, 60e6)).toBeGreaterThan(10_000);
    expect(statSync(file).size).toBeGreaterThanOrEqual(60e6);
    expect((await validateInProcess(file)).peakMb).toBeLessThan(MAX_MEMORY_MB);
  });

  test('for 2 million rows of Parquet', async () => {
    const file = join(folder, 'server_metrics_export.parquet');
    expect(await writeParquet(file, 2e6)).toBeGreaterThan(1.9e6);
    expect((await validateInProcess(file)).peakMb).toBeLessThan(MAX_MEMORY_MB);
  });
});
