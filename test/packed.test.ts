import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWorkspaces, root } from './source.ts';

const VALID_FILE = join(root, 'packages/formats/test/files/valid/server-metrics.json');

describe('@org/formats, packed and installed alone', () => {
  let folder = '';
  let invalidFile = '';

  beforeAll(() => {
    folder = installPacked(['packages/formats']);
    invalidFile = join(folder, 'invalid.json');
    writeFileSync(invalidFile, readFileSync(VALID_FILE, 'utf8').replace(/"min": [-\d.]+/, '"min": 1e9'));
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('validates files through its main entry point', () => {
    const script = `
      import { validate } from '@org/formats';
      import { pathToFileURL } from 'node:url';
      const results = [];
      for (const file of process.argv.slice(2)) {
        const { document, version, valid, issues } = await validate(pathToFileURL(file));
        results.push({ document, version, valid, issues: issues.length });
      }
      console.log(JSON.stringify(results));`;
    const [good, bad] = JSON.parse(runScript(folder, script, [VALID_FILE, invalidFile]));
    expect(good).toMatchObject({ document: 'server-metrics', version: '1.0', valid: true, issues: 0 });
    expect(bad).toMatchObject({ document: 'server-metrics', version: '1.0', valid: false });
    expect(bad.issues).toBeGreaterThan(0);
  });

  test('validates files through its CLI', () => {
    const bin = join(folder, 'node_modules/.bin/servelens-validate');
    expect(spawnSync(bin, [VALID_FILE], { encoding: 'utf8' })).toMatchObject({ status: 0 });
    const failed = spawnSync(bin, [invalidFile], { encoding: 'utf8' });
    expect(failed.status).toBe(1);
    expect(failed.stdout).toContain('error');
  });

  test('installs two dependencies and less than 6.5 MB', () => {
    expect(listInstalledPackages(folder)).toEqual(['@org/formats', 'csv-parse', 'csv-stringify']);
    expect(measureSizeMb(join(folder, 'node_modules'))).toBeLessThan(6.5);
  });

  test('writes, reads and validates Parquet', () => {
    const script = `
      import { openServerMetricsParquet, readServerMetricsParquet } from '@org/formats/parquet';
      const writer = await openServerMetricsParquet('written.parquet', { labelColumns: [], metadata: [] });
      await writer.appendSeries({
        endpointUrl: 'http://localhost:8000/metrics', metricName: 'queue', metricType: 'gauge', unit: null,
        description: '', labels: [], timestampsNs: BigInt64Array.of(1n, 2n), values: Float64Array.of(3, 4),
      });
      await writer.close();
      const reader = await readServerMetricsParquet('written.parquet');
      console.log(reader.rows);
      await reader.close();`;
    expect(runScript(folder, script).trim()).toBe('2');
    const file = join(root, 'packages/formats/test/files/parquet/aiperf.parquet');
    const { status, stdout } = spawnSync(
      join(folder, 'node_modules/.bin/servelens-validate'),
      [file, '--json'],
      {
        encoding: 'utf8',
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      valid: status === 0,
      files: [{ document: 'server-metrics-parquet' }],
    });
  });

  test('contains the built files, the schemas and the notices of bundled packages', () => {
    const installed = join(folder, 'node_modules/@org/formats');
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
    const schemas = readdirSync(join(root, 'schemas')).filter(name => name.endsWith('.schema.json'));
    expect(readdirSync(join(installed, 'dist/schemas')).sort()).toEqual(schemas.sort());
    const notices = readFileSync(join(installed, 'dist/THIRD_PARTY_NOTICES'), 'utf8');
    for (const name of ['@dsnp/parquetjs', 'thrift', 'node-int64', 'ajv'])
      expect(notices).toMatch(new RegExp(`^${name} \\d.* \\(.+\\)$`, 'm'));
    expect(notices).toContain('Permission is hereby granted');
    expect(notices).toContain('Apache License');
  });

  test('exports the schemas and the rules', () => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { fileURLToPath } from 'node:url';
      import { rules } from '@org/formats/rules';
      const path = fileURLToPath(import.meta.resolve('@org/formats/schemas/server-metrics.1.0.schema.json'));
      console.log(JSON.stringify({ id: JSON.parse(readFileSync(path, 'utf8')).$id, rules: rules.length }));`;
    const { id, rules } = JSON.parse(runScript(folder, script));
    expect(id).toBe('urn:servelens:schema:server-metrics:1.0');
    expect(rules).toBeGreaterThan(80);
  });

  test('contains every file in its exports', () => {
    const installed = join(folder, 'node_modules/@org/formats');
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const { './schemas/*': _, ...modules } = exports as Record<string, { types: string; default: string }>;
    for (const entry of Object.values(modules).flatMap(({ types, default: module }) => [types, module]))
      expect(existsSync(join(installed, entry)), entry).toBe(true);
  });
});

describe('@org/cli, packed and installed with its workspace packages', () => {
  let folder = '';

  beforeAll(() => {
    const published = readWorkspaces().filter(({ manifest }) => !manifest.private);
    folder = installPacked(published.map(workspace => workspace.folder));
  }, 300_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('installs no AWS SDK and no Parquet library', () => {
    const installed = listInstalledPackages(folder);
    expect(installed).toContain('@org/cli');
    expect(installed.filter(name => /^(@aws-sdk|@smithy|@dsnp)\/|^thrift$/.test(name))).toEqual([]);
  });

  test('prints its help', () => {
    const bin = join(folder, 'node_modules/.bin/servelens');
    expect(spawnSync(bin, ['--help'], { encoding: 'utf8' })).toMatchObject({ status: 0 });
  });
});

/** Packs workspace packages and installs the tarballs in a new folder, like a user of the packages. */
function installPacked(folders: readonly string[]): string {
  const target = mkdtempSync(join(tmpdir(), 'packed-'));
  const filters = folders.flatMap(folder => ['--filter', `./${folder}`]);
  execFileSync('npx', ['--yes', 'pnpm@10.34.9', ...filters, 'pack', '--pack-destination', target], {
    cwd: root,
    stdio: 'pipe',
  });
  const tarballs = readdirSync(target).filter(name => name.endsWith('.tgz'));
  const manifest = { name: 'downstream', private: true, type: 'module' };
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...tarballs.map(name => `./${name}`)], {
    cwd: target,
    stdio: 'pipe',
  });
  return target;
}

function runScript(folder: string, script: string, args: readonly string[] = []): string {
  writeFileSync(join(folder, 'script.mjs'), script);
  return execFileSync(process.execPath, ['script.mjs', ...args], { cwd: folder, encoding: 'utf8' });
}

/** Returns the names of the packages at the top level of node_modules, sorted. */
function listInstalledPackages(folder: string): string[] {
  const modules = join(folder, 'node_modules');
  const names = readdirSync(modules).filter(name => !name.startsWith('.'));
  return names.flatMap(name =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map(child => `${name}/${child}`) : [name],
  );
}

function measureSizeMb(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.map(name => lstatSync(join(folder, name)).size).reduce((sum, size) => sum + size, 0) / 1e6;
}
