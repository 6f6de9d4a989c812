import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'bin/servelens-validate.js');
const isBuilt = existsSync(join(root, 'dist/cli/main.js'));
if (!isBuilt) console.warn('skipped: the tests of the README need dist; build the package first');

/** File names in the README, and the samples that the files are copied from. */
const sampleByFile = {
  'server_metrics_export.json': 'server-metrics.json',
  'server_metrics_export.csv': 'server-metrics.csv',
  'profile_export_aiperf.json': 'profile-export-1.3.json',
  'server_metrics_export.jsonl': 'server-metrics.jsonl',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-'));
  for (const [name, sample] of Object.entries(sampleByFile))
    copyFileSync(join(root, 'test/files/valid', sample), join(folder, name));
  const text = readFileSync(join(folder, 'server_metrics_export.json'), 'utf8');
  const broken = text
    .replace('"+Inf": 50\n', '"+Inf": 49\n')
    .replace('"p99_estimate": 0.092\n', '"p99_estimat": 0.092\n');
  writeFileSync(join(folder, 'broken.json'), broken);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/```console\n\$ servelens-validate (.*)\n([\s\S]*?)```/g)].map(
  ([, args, output]) => [args!, output!] as const,
);

describe.skipIf(!isBuilt)('command output in the README', () => {
  it.each(commands)('is printed by servelens-validate %s', (args, output) => {
    const { stdout } = spawnSync(process.execPath, [bin, ...args.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe(output);
  });
});

/** Headings and programs of the README, without the example for browsers, which cannot run in Node.js. */
const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)]
  .map(
    match =>
      [
        readme
          .slice(0, match.index)
          .match(/^#+ .*$/gm)!
          .at(-1)!,
        match[1]!,
      ] as const,
  )
  .filter(([heading]) => heading !== '## Browsers');

describe.skipIf(!isBuilt)('programs in the README', () => {
  it.each(programs)('the program under "%s" runs and writes valid files', async (_, program) => {
    const programFolder = join(folder, 'program');
    mkdirSync(join(programFolder, 'node_modules/@org'), { recursive: true });
    symlinkSync(root, join(programFolder, 'node_modules/@org/formats'), 'dir');
    for (const name of Object.keys(sampleByFile)) copyFileSync(join(folder, name), join(programFolder, name));
    const { code } = await transform(program, { loader: 'ts', format: 'esm' });
    writeFileSync(join(programFolder, 'program.mjs'), code);
    const { status, stderr } = spawnSync(process.execPath, ['program.mjs'], {
      cwd: programFolder,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const written = readdirSync(programFolder).filter(name => /\.(jsonl?|csv|parquet)$/.test(name));
    const validation = spawnSync(process.execPath, [bin, '--strict', ...written], {
      cwd: programFolder,
      encoding: 'utf8',
    });
    expect(validation.stdout.replace(/^✓.*\n/gm, '')).toMatch(/^\d+ files: \d+ valid, 0 invalid\n$/);
    rmSync(programFolder, { recursive: true });
  });

  it('pass a type check with strict settings', () => {
    const programFolder = join(folder, 'types');
    mkdirSync(join(programFolder, 'node_modules/@org'), { recursive: true });
    symlinkSync(root, join(programFolder, 'node_modules/@org/formats'), 'dir');
    symlinkSync(join(root, '../../node_modules/@types'), join(programFolder, 'node_modules/@types'), 'dir');
    const names = programs.map(([, program], index) => {
      const name = `program${index}.mts`;
      writeFileSync(join(programFolder, name), program);
      return name;
    });
    const tsc = join(root, '../../node_modules/.bin/tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--noUncheckedIndexedAccess',
      '--types',
      'node',
      '--skipLibCheck',
    ];
    const target = ['--target', 'es2023', '--module', 'nodenext'];
    const { status, stdout } = spawnSync(tsc, [...options, ...target, ...names], {
      cwd: programFolder,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('are all found', () => expect(programs).toHaveLength(6));
});

const manifest: { readonly exports: Readonly<Record<string, { readonly types: string } | string>> } =
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const modules = Object.entries(manifest.exports).flatMap(([entry, target]) =>
  typeof target === 'string' ? [] : [[entry, target.types] as const],
);

describe('public names', () => {
  it.each(modules)('the README describes each name that %s exports', (entry, types) => {
    const source = readFileSync(join(root, types.replace('./dist/', 'src/').replace('.d.ts', '.ts')), 'utf8');
    const names = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) =>
      list!.split(',').map(name => name.trim().split(/\s+/).at(-1)!),
    );
    const missing = names.filter(name => name !== '' && !readme.includes(`\`${name}\``));
    expect(missing, entry).toEqual([]);
  });
});
