import { join } from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { SeriesChunk } from '../../src/parquet/index.ts';
import { listExpectedRows } from './support/chunks.ts';
import { openDuckDB } from './support/duckdb.ts';
import { createTemporaryFolder, listLabelColumns, readRows, writeChunks } from './support/files.ts';

const folder = createTemporaryFolder();
const query = openDuckDB();

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 5 }),
  fc.constantFrom(0, -0, 1e300, 2 ** 53),
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', '+Inf', 'a', '\u0000'),
);
// hyparquet loses labels named __proto__. The tests of each engine cover this name.
const labelName = fc.oneof(
  fc.constantFrom('engine', 'model_name', 'le', 'zone'),
  text.filter(name => name !== '__proto__'),
);
const timestamp = fc.oneof(
  fc.bigInt({ min: 1765793061967310848n, max: 1765793062067310848n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);

const generateColumn = (length: number) =>
  fc.array(number, { minLength: length, maxLength: length }).map(values => Float64Array.from(values));

const generateCommonFields = (length: number) => ({
  endpointUrl: fc.constantFrom('http://a:8000/metrics', 'http://b:8000/metrics'),
  metricName: fc.constantFrom('vllm:a', 'vllm:b', 'größe'),
  unit: fc.option(text),
  description: fc.option(text),
  labels: fc.uniqueArray(fc.tuple(labelName, text), { selector: ([name]) => name, maxLength: 3 }),
  timestampsNs: fc
    .array(timestamp, { minLength: length, maxLength: length })
    .map(times => BigInt64Array.from(times)),
});

const scalarChunk: fc.Arbitrary<SeriesChunk> = fc.nat(60).chain(length =>
  fc.record({
    ...generateCommonFields(length),
    metricType: fc.constantFrom('gauge' as const, 'counter' as const, 'unknown' as const),
    values: generateColumn(length),
  }),
);
const histogramChunk: fc.Arbitrary<SeriesChunk> = fc
  .tuple(fc.nat(12), fc.integer({ min: 1, max: 6 }))
  .chain(([length, buckets]) =>
    fc.record({
      ...generateCommonFields(length),
      metricType: fc.constant('histogram' as const),
      histogram: fc.record({
        sums: generateColumn(length),
        counts: generateColumn(length),
        bounds: fc.array(text, { minLength: buckets, maxLength: buckets }),
        bucketCounts: fc.array(generateColumn(length), { minLength: buckets, maxLength: buckets }),
      }),
    }),
  );
const chunks = fc.array(fc.oneof(scalarChunk, histogramChunk), { maxLength: 6 });

/**
 * Reports whether DuckDB returns a run unchanged. DuckDB renames labels that differ in case only and labels
 * with an empty name, so only lowercase names are compared. Texts with null characters are not compared
 * either.
 */
function isReadableByDuckDB(run: readonly SeriesChunk[]): boolean {
  const labels = listLabelColumns(run);
  const hasPlainNames = labels.every(name => /^[a-zäöü_ ]+$/.test(name));
  const hasNullCharacter = JSON.stringify(run, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  ).includes('\\u0000');
  return hasPlainNames && !hasNullCharacter;
}

test('readServerMetricsParquet, hyparquet and DuckDB read back any series', async () => {
  let fileCount = 0;
  let queryCount = 0;
  await fc.assert(
    fc.asyncProperty(
      chunks,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 50 }),
      async (run, rowGroupRows, batchRows) => {
        const path = join(folder, `${fileCount++}.parquet`);
        await writeChunks(path, run, { rowGroupRows });
        const expected = run.flatMap(chunk => listExpectedRows(chunk, listLabelColumns(run)));
        expect(await readRows(path, batchRows)).toEqual(expected);
        expect(await parquetReadObjects({ file: await asyncBufferFromFile(path) })).toEqual(expected);
        if (!isReadableByDuckDB(run)) return;
        queryCount++;
        expect(await query(`FROM '${path}'`)).toEqual(expected);
      },
    ),
    { numRuns: 80 },
  );
  expect(queryCount).toBeGreaterThan(5);
});
