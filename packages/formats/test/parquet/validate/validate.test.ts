import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateParquet } from '../../../src/parquet/index.ts';
import { buildHistogram, buildScalar, createTimestamps, START_NS } from '../support/chunks.ts';
import { createExampleRun } from '../support/run.ts';
import { folder, gauge, latency, path, writeExport } from '../support/validation.ts';

describe('there are no findings for', () => {
  test('an export', async () => {
    await writeExport(createExampleRun());
    expect(await validateParquet(path)).toEqual([]);
  });

  test('an export in small row groups, with negative gauges and several spellings of +Inf', async () => {
    const spellings = ['inf', '+Inf', 'Infinity'].map(inf =>
      buildHistogram(`i-${inf}`, ['-1', '1e+00', inf], [[0, 0, 1]]),
    );
    await writeExport([gauge, latency, buildScalar('u', 'unknown', [-3]), ...spellings], undefined, 2);
    expect(await validateParquet(path)).toEqual([]);
  });

  test('an export without rows', async () => {
    await writeExport([]);
    expect(await validateParquet(path)).toEqual([]);
  });

  test.each([
    [
      'with a decreasing count',
      [
        [1, 2],
        [3, 5],
        [0, 1],
        [2, 1],
        [4, 3],
      ],
    ],
    [
      'before the first row, when the count is still clamped',
      [
        [0, 0],
        [1, 0],
        [2, 1],
      ],
    ],
  ])('a histogram whose buckets are separate deltas after a reset %s', async (_, observations) => {
    await writeExport([buildHistogram('h', ['1', '+Inf'], observations)], undefined, 2);
    expect(await validateParquet(path)).toEqual([]);
  });

  test('the final scrape of each endpoint after the period', async () => {
    const late = createTimestamps(2, START_NS + 59_900_000_000n);
    const urls = ['http://a/metrics', 'http://b/metrics'];
    await writeExport(
      urls.flatMap(url =>
        [gauge, latency].map(chunk => ({ ...chunk, endpointUrl: url, timestampsNs: late })),
      ),
    );
    expect(await validateParquet(path)).toEqual([]);
  });
});

test("rejects with the file system's error for a missing file", async () => {
  await expect(validateParquet(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
});

test('a long value is truncated in the report', async () => {
  await writeExport([gauge], metadata => metadata.set('aiperf.input_config', 'x'.repeat(10_000)));
  const [issue] = await validateParquet(path);
  expect(String(issue!.value)).toHaveLength(201);
});

test('a file in another format causes one finding', async () => {
  writeFileSync(path, 'not a Parquet file');
  expect(await validateParquet(path)).toMatchObject([
    { rule: 'parquet-invalid', severity: 'error', place: 'the file' },
  ]);
});
