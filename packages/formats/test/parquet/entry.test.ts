import { build } from 'esbuild';
import { expect, test } from 'vitest';

const getSourcePath = (path: string) => new URL(`../../src/${path}`, import.meta.url).pathname;

/** Lists the files that an entry imports statically, directly or through other files. */
async function listInputs(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const loaded = new Set(Object.keys(metafile.inputs).filter(path => entry.endsWith(path)));
  for (const path of loaded) {
    const imports = metafile.inputs[path]?.imports ?? [];
    for (const { kind, path: imported } of imports) if (kind !== 'dynamic-import') loaded.add(imported);
  }
  return [...loaded];
}

test('the main entry does not load the Parquet writer or its library', async () => {
  const inputs = await listInputs(getSourcePath('index.ts'));
  expect(inputs.length).toBeGreaterThan(0);
  expect(inputs.filter(input => /parquetjs|thrift|src\/parquet\//.test(input))).toEqual([]);
});

test('the Parquet entry does not load the library until a file is written', async () => {
  const inputs = await listInputs(getSourcePath('parquet/index.ts'));
  expect(inputs.some(input => input.includes('src/parquet/read/reader.ts'))).toBe(true);
  expect(inputs.filter(input => /node_modules\/(?!csv-)/.test(input))).toEqual([]);
});

test('writing loads only the Thrift structures of the library', async () => {
  const inputs = await listInputs(getSourcePath('parquet/write/writer.ts'));
  const library = inputs.filter(input => input.includes('@dsnp/parquetjs/dist'));
  expect(library.map(input => input.split('/dist/')[1]).sort()).toEqual([
    'gen-nodejs/parquet_types.js',
    'lib/util.js',
  ]);
  expect(inputs.filter(input => input.includes('aws-sdk'))).toEqual([]);
});
