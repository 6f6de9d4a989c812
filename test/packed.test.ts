import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './source.ts';

const GOOD = join(root, 'packages/formats/test/files/valid/server-metrics.json');

/** @org/formats as another repository gets it: packed, and installed alone into an empty folder. */
describe('@org/formats, packed and installed alone', () => {
  let folder = '';
  let bad = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'formats-'));
    bad = join(folder, 'bad.json');
    writeFileSync(bad, readFileSync(GOOD, 'utf8').replace(/"min": [-\d.]+/, '"min": 1e9'));
    execFileSync('npm', ['pack', '--pack-destination', folder], {
      cwd: join(root, 'packages/formats'),
      stdio: 'pipe',
    });
    const tarball = readdirSync(folder).find(name => name.endsWith('.tgz'))!;
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'downstream', private: true, type: 'module' }),
    );
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `./${tarball}`], {
      cwd: folder,
      stdio: 'pipe',
    });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('validates a good and a bad file through its entry', () => {
    const script = `
      import { validate } from '@org/formats';
      import { pathToFileURL } from 'node:url';
      const seen = [];
      for (const file of process.argv.slice(2)) {
        const { document, version, valid, issues } = await validate(pathToFileURL(file));
        seen.push({ document, version, valid, issues: issues.length });
      }
      console.log(JSON.stringify(seen));`;
    writeFileSync(join(folder, 'check.mjs'), script);
    const out = execFileSync(process.execPath, ['check.mjs', GOOD, bad], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [first, second] = JSON.parse(out);
    expect(first).toMatchObject({ document: 'server-metrics', version: '1.0', valid: true, issues: 0 });
    expect(second).toMatchObject({ document: 'server-metrics', version: '1.0', valid: false });
    expect(second.issues).toBeGreaterThan(0);
  });

  test('validates a good and a bad file through its bin', () => {
    const bin = join(folder, 'node_modules/.bin/formats');
    expect(spawnSync(bin, [GOOD], { encoding: 'utf8' })).toMatchObject({ status: 0 });
    const refused = spawnSync(bin, [bad], { encoding: 'utf8' });
    expect(refused.status).toBe(1);
    expect(refused.stdout).toContain('error');
  });

  test('brings nothing of ours with it, no HTTP client, and no S3 client', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'));
    expect(installed.sort()).toEqual(['@org', 'csv-parse', 'csv-stringify']);
    expect(readdirSync(join(folder, 'node_modules/@org'))).toEqual(['formats']);
  });

  test('validates Parquet, too, and says what writing it takes', () => {
    const parquet = join(root, 'packages/formats/test/files/parquet/aiperf.parquet');
    const script = `
      import { openServerMetricsParquet, readServerMetricsParquet } from '@org/formats/parquet';
      const reader = await readServerMetricsParquet(process.argv[2]);
      const refused = await openServerMetricsParquet('x.parquet', { labelColumns: [], metadata: [] }).catch(error => error);
      console.log(JSON.stringify({ rows: reader.rows, name: refused.name, message: refused.message }));
      await reader.close();`;
    writeFileSync(join(folder, 'parquet.mjs'), script);
    const out = execFileSync(process.execPath, ['parquet.mjs', parquet], { cwd: folder, encoding: 'utf8' });
    expect(JSON.parse(out)).toEqual({
      rows: expect.any(Number),
      name: 'ParquetLibraryError',
      message: expect.stringContaining('npm install @dsnp/parquetjs@1.8.8'),
    });
    expect(existsSync(join(folder, 'x.parquet'))).toBe(false);
    const { status, stdout } = spawnSync(join(folder, 'node_modules/.bin/formats'), [parquet, '--json'], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toMatchObject({
      valid: status === 0,
      files: [{ document: 'server-metrics-parquet' }],
    });
  });

  test('contains what it needs and nothing else', () => {
    const inside = readdirSync(join(folder, 'node_modules/@org/formats'));
    expect(inside.sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
    const schemas = readdirSync(join(folder, 'node_modules/@org/formats/dist/schemas'));
    const ours = readdirSync(join(root, 'schemas')).filter(name => name.endsWith('.schema.json'));
    expect(schemas.sort()).toEqual(ours.sort());
    const { exports } = JSON.parse(
      readFileSync(join(folder, 'node_modules/@org/formats/package.json'), 'utf8'),
    );
    const entries = Object.values(
      exports as Record<string, { types: string; default: string } | string>,
    ).flatMap(one => (typeof one === 'string' ? [] : [one.types, one.default]));
    for (const entry of entries) {
      expect(existsSync(join(folder, 'node_modules/@org/formats', entry)), entry).toBe(true);
    }
  });
});
